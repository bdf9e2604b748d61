//===- Collectives.cpp - Methods of groups --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says what the collectives take; CollectiveExpr's comment says what
// the typed node holds.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "ForeignNames.h"
#include "Groups.h"

using namespace coll;
using namespace coll::sema;
using llvm::ArrayRef;
using llvm::dyn_cast;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

using Method = CollectiveExpr::Method;
using Form = ParamSpec::Form;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// How the operands are checked.
enum class Shape { Combine, Move, Vote, Value, Extreme, Alone };

struct MethodSpec {
  Method method;
  Shape shape;
  ArrayRef<ParamSpec> params;
};

constexpr ParamSpec reduceParams[] = {{"op"}, {"v"}};
constexpr ParamSpec reduceByParams[] = {{"label"}, {"op"}, {"v"}};
constexpr ParamSpec scanParams[] = {{"op"}, {"v"}, {"reverse", Form::Named}};
constexpr ParamSpec initScanParams[] = {
    {"op"}, {"v"}, {"init", Form::Named}, {"reverse", Form::Named}};
constexpr ParamSpec broadcastParams[] = {{"v"}, {"from", Form::Optional}};
constexpr ParamSpec shuffleParams[] = {{"v"}, {"from"}, {"fill", Form::Named}};
constexpr ParamSpec shiftParams[] = {{"v"}, {"d"}, {"fill", Form::Named}};
constexpr ParamSpec xorParams[] = {{"v"}, {"k"}, {"fill", Form::Named}};
constexpr ParamSpec rotateParams[] = {{"v"}, {"d"}};
constexpr ParamSpec voteParams[] = {{"p"}};
constexpr ParamSpec valueParams[] = {{"v"}};

const MethodSpec methodSpecs[] = {
    {Method::Reduce, Shape::Combine, reduceParams},
    {Method::Scan, Shape::Combine, scanParams},
    {Method::ExclusiveScan, Shape::Combine, initScanParams},
    {Method::ScanTotal, Shape::Combine, initScanParams},
    {Method::Broadcast, Shape::Move, broadcastParams},
    {Method::Shuffle, Shape::Move, shuffleParams},
    {Method::ShuffleUp, Shape::Move, shiftParams},
    {Method::ShuffleDown, Shape::Move, shiftParams},
    {Method::ShuffleXor, Shape::Move, xorParams},
    {Method::Rotate, Shape::Move, rotateParams},
    {Method::Any, Shape::Vote, voteParams},
    {Method::All, Shape::Vote, voteParams},
    {Method::None, Shape::Vote, voteParams},
    {Method::Count, Shape::Vote, voteParams},
    {Method::Uniform, Shape::Value, valueParams},
    {Method::Ballot, Shape::Vote, voteParams},
    {Method::Match, Shape::Value, valueParams},
    {Method::RankAmong, Shape::Vote, voteParams},
    {Method::Elect, Shape::Alone, {}},
    {Method::ArgMin, Shape::Extreme, valueParams},
    {Method::ArgMax, Shape::Extreme, valueParams},
    {Method::Sync, Shape::Alone, {}},
};

/// Methods of the language that are still to come.
constexpr llvm::StringLiteral unsupportedMethods[] = {"copy_async"};

const MethodSpec *findMethod(StringRef name) {
  for (const MethodSpec &spec : methodSpecs)
    if (getMethodName(spec.method) == name)
      return &spec;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Checking one call
//===----------------------------------------------------------------------===//

/// Types whose values threads can exchange.
bool isExchangeable(const Type *type) {
  return type->isScalar() || type->isVector() || type->isArray() ||
         type->isTuple() || type->isStruct() || type->isEnum() ||
         type->isMask();
}

} // namespace

Expr *coll::sema::checkExchanged(Checker &checker, StringRef name,
                                 const ast::Expr *arg, const Type *expected) {
  Expr *value = checker.checkExpr(arg, expected);
  const Type *type = value->getType();
  if (type->isError())
    return nullptr;
  if (!isExchangeable(type)) {
    checker.error(arg->getLoc(),
                  Twine(name) + " takes a value, got " + type->str());
    return nullptr;
  }
  if (type->getLeaves().empty()) {
    checker.error(arg->getLoc(), Twine(name) +
                                     " takes a value that holds something, "
                                     "got the empty type " +
                                     type->str());
    return nullptr;
  }
  return value;
}

namespace {

class CollectiveChecker {
public:
  CollectiveChecker(Checker &checker, const Group &group,
                    const ast::CallExpr &call, StringRef method,
                    const MethodSpec &spec)
      : checker(checker), group(group), call(call), spec(spec),
        name((Twine(group.str()) + "." + method).str()) {}

  /// `reduce_by(label, op, v)`: reduce, of the part with the thread's label.
  Expr *runReduceBy(const Type *expected) {
    auto matched = matchArguments(call, name, reduceByParams, checker.diags);
    if (!matched)
      return makeError();
    auto part = makeLabelGroup(checker, group, (*matched)[0], name, call);
    if (!part)
      return makeError();
    group = *part;
    args = {(*matched)[1], (*matched)[2]};
    return checkCombine(expected);
  }

  Expr *run(const Type *expected) {
    auto matched = matchArguments(call, name, spec.params, checker.diags);
    if (!matched)
      return makeError();
    args = std::move(*matched);
    if (group.isOfBlocks() && spec.method >= Method::Shuffle &&
        spec.method <= Method::Rotate)
      return checker.failUnsupported(call.getRange(), name);
    if (!allowsGroup())
      return makeError();
    switch (spec.shape) {
    case Shape::Combine:
      return checkCombine(expected);
    case Shape::Move:
      return checkMove(expected);
    case Shape::Vote:
      return checkVote();
    case Shape::Value:
      return checkValue();
    case Shape::Extreme:
      return checkExtreme(expected);
    case Shape::Alone:
      return makeNode(spec.method == Method::Sync ? checker.types.getVoid()
                                                  : checker.types.getBool());
    }
    return makeError();
  }

private:
  Expr *makeError() { return checker.makeError(call.getRange()); }

  CollectiveExpr *makeNode(const Type *type) {
    auto *node = checker.make<CollectiveExpr>(type, call.getRange());
    node->method = spec.method;
    node->group = group;
    return node;
  }

  /// A mask has a bit for each rank of a warp and no more.
  bool allowsGroup() {
    bool makesMask =
        spec.method == Method::Ballot || spec.method == Method::Match;
    if (!makesMask || (group.kind != Group::Kind::Block &&
                       group.kind != Group::Kind::BlockTile &&
                       group.kind != Group::Kind::Warps && !group.isOfBlocks()))
      return true;
    bool isNamed = group.isOfBlocks() || group.kind == Group::Kind::Warps;
    std::string owner = isNamed ? group.str() : "block";
    std::string instead =
        spec.method == Method::Ballot
            ? "; use " + owner + ".count or " + owner + ".rank_among"
            : "";
    checker.error(call.getLoc(),
                  Twine(name) +
                      ": a mask has one bit a rank of a warp-level group" +
                      instead);
    return false;
  }

  /// The operand `v`; null after an error.
  Expr *checkOperand(const ast::Expr *arg, const Type *expected) {
    return checkExchanged(checker, name, arg, expected);
  }

  /// Of ranks and counts of ranks.
  const Type *getRankType() const {
    return group.kind == Group::Kind::Grid ? checker.types.getI64()
                                           : checker.types.getI32();
  }

  Expr *checkCombine(const Type *expected);
  bool checkScanOptions(CollectiveExpr *node, const Type *element);
  Expr *checkMove(const Type *expected);
  bool checkSource(const ast::Expr *arg, Expr *source);
  std::optional<unsigned> getMaxSize() const;
  Expr *checkVote();
  Expr *checkValue();
  Expr *checkExtreme(const Type *expected);

  Checker &checker;
  Group group;
  const ast::CallExpr &call;
  const MethodSpec &spec;
  std::string name; ///< "block.reduce"
  MatchedArgs args;
};

} // namespace

//===----------------------------------------------------------------------===//
// reduce and the scans
//===----------------------------------------------------------------------===//

Expr *CollectiveChecker::checkCombine(const Type *expected) {
  if (checker.isBuiltinOperator(args[1]))
    return checker.fail(
        args[1]->getRange(),
        Twine(name) + " takes the operator first: " + name + "(" +
            llvm::cast<ast::NameExpr>(args[1])->getName() + ", ...)");
  bool hint = spec.method != Method::ScanTotal;
  Expr *value = checkOperand(args[1], hint ? expected : nullptr);
  if (!value)
    return makeError();
  const Type *type = value->getType();
  const Type *element = type->isArray() ? type->getElement() : type;
  Operator *op = checker.resolveOperator(args[0], element);
  if (!op)
    return makeError();
  const Type *result = type;
  if (spec.method == Method::Reduce)
    result = element;
  else if (spec.method == Method::ScanTotal)
    result = checker.types.getTuple({type, element});
  CollectiveExpr *node = makeNode(result);
  node->operands = {value};
  node->op = op;
  node->overArray = type->isArray();
  if (spec.method != Method::Reduce && !checkScanOptions(node, element))
    return makeError();
  return node;
}

/// `init` and `reverse`.
bool CollectiveChecker::checkScanOptions(CollectiveExpr *node,
                                         const Type *element) {
  if (const ast::Expr *reverse = args.back()) {
    auto value = checker.requireConstantBool(reverse, "'reverse'");
    if (!value)
      return false;
    node->reverse = *value;
  }
  if (spec.method == Method::Scan)
    return true;
  Expr *init = nullptr;
  if (const ast::Expr *arg = args[2]) {
    init = checker.checkAs(arg, element);
    if (init->getType()->isError())
      return false;
  } else if (!node->op->builtin && !node->op->identity) {
    checker.error(call.getLoc(),
                  Twine(name) + " needs a first value: operator '" +
                      node->op->name + "' has no identity, so give init = ...");
    return false;
  }
  node->operands.push_back(init);
  return true;
}

//===----------------------------------------------------------------------===//
// broadcast, the shuffles, rotate
//===----------------------------------------------------------------------===//

Expr *CollectiveChecker::checkMove(const Type *expected) {
  Expr *value = checkOperand(args[0], expected);
  if (!value)
    return makeError();
  SMRange range = call.getRange();
  Expr *source = !args[1] ? checker.makeInt(getRankType(), 0, range)
                 : group.kind == Group::Kind::Grid ? checker.checkIndex(args[1])
                                                   : checker.checkI32(args[1]);
  if (source->getType()->isError())
    return makeError();
  if (args[1] && !checkSource(args[1], source))
    return makeError();
  CollectiveExpr *node = makeNode(value->getType());
  node->operands = {value, source};
  if (args.size() < 3)
    return node;
  Expr *fill = nullptr;
  if (args[2]) {
    fill = checker.checkAs(args[2], value->getType());
    if (fill->getType()->isError())
      return makeError();
  }
  node->operands.push_back(fill);
  return node;
}

/// The most ranks that the group has, where its kind says so.
std::optional<unsigned> CollectiveChecker::getMaxSize() const {
  switch (group.kind) {
  case Group::Kind::Thread:
    return 1;
  case Group::Kind::Warp:
    return checker.options.target.warpSize;
  case Group::Kind::Tile:
  case Group::Kind::BlockTile:
  case Group::Kind::Warps:
    return group.tileSize;
  case Group::Kind::Members:
    return checker.options.target.warpSize;
  case Group::Kind::Block:
  case Group::Kind::Cluster:
  case Group::Kind::Grid:
    return std::nullopt;
  }
  return std::nullopt;
}

/// A constant rank or distance that no rank of the group can reach is a slip:
/// as a rule, an assumption about the warp's width.
bool CollectiveChecker::checkSource(const ast::Expr *arg, Expr *source) {
  auto constant = Checker::getInteger(source);
  if (!constant || spec.method == Method::Rotate)
    return true;
  bool isRank =
      spec.method == Method::Broadcast || spec.method == Method::Shuffle;
  StringRef what = isRank ? "rank" : "distance";
  int64_t value = constant->getExtValue();
  if (value < 0) {
    checker.error(arg->getLoc(), Twine(name) + " has a negative " + what +
                                     ", " + Twine(value));
    return false;
  }
  std::optional<unsigned> size = getMaxSize();
  if (!size || value < *size)
    return true;
  std::string owner = group.str();
  if (group.kind == Group::Kind::Warp || group.kind == Group::Kind::Members)
    owner = "a warp of " + checker.getDeviceName();
  checker.error(arg->getLoc(),
                Twine(name) + " reaches outside the group: " + what + " " +
                    Twine(value) + ", but " + owner + " has " + Twine(*size) +
                    (*size == 1 ? " rank" : " ranks"));
  return false;
}

//===----------------------------------------------------------------------===//
// Votes and the rest
//===----------------------------------------------------------------------===//

Expr *CollectiveChecker::checkVote() {
  Expr *predicate = checker.checkAs(args[0], checker.types.getBool());
  if (predicate->getType()->isError())
    return makeError();
  const Type *type = checker.types.getBool();
  if (spec.method == Method::Count || spec.method == Method::RankAmong)
    type = getRankType();
  else if (spec.method == Method::Ballot)
    type = checker.types.getMask();
  CollectiveExpr *node = makeNode(type);
  node->operands = {predicate};
  return node;
}

Expr *CollectiveChecker::checkValue() {
  Expr *value = checkOperand(args[0], nullptr);
  if (!value)
    return makeError();
  CollectiveExpr *node =
      makeNode(spec.method == Method::Match ? checker.types.getMask()
                                            : checker.types.getBool());
  node->operands = {value};
  return node;
}

Expr *CollectiveChecker::checkExtreme(const Type *expected) {
  const Type *hint = nullptr;
  if (expected && expected->isTuple() && expected->getMembers().size() == 2)
    hint = expected->getMembers()[0];
  Expr *value = checkOperand(args[0], hint);
  if (!value)
    return makeError();
  const Type *type = value->getType();
  if (!type->isScalar() || type->isBool())
    return checker.fail(call.getRange(),
                        Twine(name) + " compares numbers, got " + type->str());
  CollectiveExpr *node =
      makeNode(checker.types.getTuple({type, getRankType()}));
  node->operands = {value};
  return node;
}

//===----------------------------------------------------------------------===//
// Method calls
//===----------------------------------------------------------------------===//

void coll::sema::listCollectives(llvm::SmallVectorImpl<StringRef> &names) {
  for (const MethodSpec &spec : methodSpecs)
    names.push_back(getMethodName(spec.method));
  names.push_back("reduce_by");
  listRearrangements(names);
  names.append(std::begin(unsupportedMethods), std::end(unsupportedMethods));
}

Expr *coll::sema::checkCollective(Checker &checker, const Group &group,
                                  const ast::CallExpr &call,
                                  const ast::Name &method,
                                  const Type *expected) {
  std::string name = (Twine(group.str()) + "." + method.text).str();
  if (llvm::is_contained(unsupportedMethods, method.text))
    return checker.failUnsupported(call.getRange(), name);
  if (Expr *expr = checkRearrangement(checker, group, call, method, expected))
    return expr;
  bool isReduceBy = method.text == "reduce_by";
  const MethodSpec *spec = findMethod(isReduceBy ? "reduce" : method.text);
  if (!spec) {
    llvm::SmallVector<StringRef, 40> names = {"strided", "chunks", "load",
                                              "store"};
    listCollectives(names);
    StringRef near = translateForeignName(NameUse::GroupMethod, method.text);
    if (near.empty())
      near = nearestName(method.text, names);
    std::string hint =
        near.empty() ? "" : ("; did you mean '" + near + "'?").str();
    return checker.fail(method.range, Twine(group.str()) + " has no method '" +
                                          method.text + "'" + hint);
  }
  if (!call.getGenericArgs().empty())
    return checker.fail(call.getRange(),
                        Twine(name) + " takes no generic arguments");
  CollectiveChecker collective(checker, group, call, method.text, *spec);
  return isReduceBy ? collective.runReduceBy(expected)
                    : collective.run(expected);
}

static Expr *checkGroupMethod(Checker &checker, const Group &group,
                              const ast::CallExpr &call,
                              const ast::Name &method, const Type *expected) {
  if (method.text == "load")
    return checkGroupLoad(checker, group, call);
  if (method.text == "store")
    return checkGroupStore(checker, group, call);
  if (method.text == "strided" || method.text == "chunks")
    return checker.fail(call.getRange(),
                        Twine(group.str()) + "." + method.text +
                            " stands only in the head of a for loop");
  return checkCollective(checker, group, call, method, expected);
}

Expr *Checker::checkMethodCall(const ast::CallExpr &call,
                               const ast::MemberExpr &callee,
                               const Type *expected) {
  std::optional<Group> group;
  if (resolveGroup(&call, group))
    return group ? fail(call.getRange(),
                        Twine(group->str()) + " is a group, not a value")
                 : makeError(call.getRange());
  if (resolveGroup(callee.getBase(), group))
    return group ? checkGroupMethod(*this, *group, call, callee.getMember(),
                                    expected)
                 : makeError(call.getRange());
  if (auto *name = dyn_cast<ast::NameExpr>(callee.getBase())) {
    const Symbol *symbol = lookupLocal(name->getName());
    if (symbol && symbol->kind == Symbol::Kind::Chunk)
      return checkChunkMethod(*symbol->chunk, call, callee, expected);
  }
  Expr *base = checkExpr(callee.getBase());
  const Type *type = base->getType();
  if (type->isError())
    return makeError(call.getRange());
  Variable *root = getRootVariable(base);
  bool isShared = root && root->storage == Variable::Storage::Shared;
  if (type->isView() || (type->isArray() && isShared))
    return checkViewMethod(base, call, callee, expected);
  if (type->isMask())
    return checkMaskMethod(base, call, callee);
  return fail(callee.getMember().range, Twine(type->str()) +
                                            " has no method '" +
                                            callee.getMember().text + "'");
}
