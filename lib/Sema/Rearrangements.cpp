//===- Rearrangements.cpp - Methods that order and rearrange --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Groups.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

using Method = CollectiveExpr::Method;
using Form = ParamSpec::Form;

namespace {

struct MethodSpec {
  Method method;
  ArrayRef<ParamSpec> params;
};

constexpr ParamSpec segmentedParams[] = {{"op"}, {"v"}, {"head"}};
constexpr ParamSpec sortParams[] = {{"k"}};
constexpr ParamSpec sortByParams[] = {{"k"}, {"v"}};
constexpr ParamSpec exchangeParams[] = {{"v"}, {"to"}};
constexpr ParamSpec transposeParams[] = {{"v"}, {"inverse", Form::Named}};
constexpr ParamSpec topKParams[] = {{"v"}, {"K"}};
constexpr ParamSpec histogramParams[] = {{"counts"}, {"v"}};
constexpr ParamSpec waitParams[] = {{"t"}};

const MethodSpec methodSpecs[] = {
    {Method::SegmentedScan, segmentedParams},
    {Method::SegmentedReduce, segmentedParams},
    {Method::Sort, sortParams},
    {Method::SortBy, sortByParams},
    {Method::Exchange, exchangeParams},
    {Method::Transpose, transposeParams},
    {Method::TopK, topKParams},
    {Method::Histogram, histogramParams},
    {Method::Arrive, {}},
    {Method::Wait, waitParams},
};

class RearrangementChecker {
public:
  RearrangementChecker(Checker &checker, const Group &group,
                       const ast::CallExpr &call, const MethodSpec &spec)
      : checker(checker), types(checker.types), group(group), call(call),
        spec(spec),
        name((Twine(group.str()) + "." + getMethodName(spec.method)).str()) {}

  Expr *run(const Type *expected);

private:
  CollectiveExpr *makeNode(const Type *type, ArrayRef<Expr *> operands) {
    auto *node = checker.make<CollectiveExpr>(type, call.getRange());
    node->method = spec.method;
    node->group = group;
    node->operands.append(operands.begin(), operands.end());
    return node;
  }
  /// Null, after a report at the argument.
  Expr *fail(const ast::Expr *arg, const Twine &text) {
    checker.error(arg->getLoc(), Twine(name) + " " + text);
    return nullptr;
  }

  // Null after an error.
  Expr *checkSegmented(const Type *expected);
  Expr *checkKeys(const ast::Expr *arg, const Type *expected, bool isOrdered);
  Expr *checkSortBy();
  Expr *checkExchange(const Type *expected);
  Expr *checkTranspose(const Type *expected);
  Expr *checkTopK();
  Expr *checkCounts(const ast::Expr *arg);
  Expr *checkHistogram();
  Expr *checkWait();

  Checker &checker;
  TypeContext &types;
  const Group &group;
  const ast::CallExpr &call;
  const MethodSpec &spec;
  std::string name; ///< "block.sort"
  MatchedArgs args;
};

} // namespace

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

Expr *RearrangementChecker::checkSegmented(const Type *expected) {
  Expr *value = checkExchanged(checker, name, args[1], expected);
  if (!value)
    return nullptr;
  const Type *type = value->getType(), *head = types.getBool();
  const Type *element = type;
  if (type->isArray()) {
    element = type->getElement();
    head = types.getArray(head, type->getCount());
  }
  Operator *op = checker.resolveOperator(args[0], element);
  if (!op)
    return nullptr;
  Expr *heads = checker.checkAs(args[2], head);
  if (heads->getType()->isError())
    return nullptr;
  CollectiveExpr *node = makeNode(type, {value, heads});
  node->op = op;
  node->overArray = type->isArray();
  return node;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Between threads every comparison of a network is code of its own, and the
/// time of LLVM's back ends grows faster than the code: a list of 100 took
/// seconds, one of 200 no longer ended.
static constexpr uint64_t maxOrderedElements = 64;

/// T or [T; K] of numbers; with `isOrdered` of bools and enums too.
Expr *RearrangementChecker::checkKeys(const ast::Expr *arg,
                                      const Type *expected, bool isOrdered) {
  Expr *keys = checkExchanged(checker, name, arg, expected);
  if (!keys)
    return nullptr;
  const Type *type = keys->getType();
  const Type *key = type->isArray() ? type->getElement() : type;
  bool isBetweenThreads = group.kind != Group::Kind::Thread;
  if (isBetweenThreads && type->isArray() &&
      type->getCount() > maxOrderedElements)
    return fail(arg, "orders up to " + Twine(maxOrderedElements) +
                         " elements a thread, got " + type->str());
  bool isNumber = key->isScalar() && !key->isBool();
  if (isNumber || (isOrdered && (key->isBool() || key->isEnum())))
    return keys;
  return fail(arg, Twine(isOrdered ? "orders numbers, bools or enums"
                                   : "compares numbers") +
                       ", got " + type->str());
}

Expr *RearrangementChecker::checkSortBy() {
  Expr *keys = checkKeys(args[0], nullptr, /*isOrdered=*/true);
  Expr *values = checkExchanged(checker, name, args[1], nullptr);
  if (!keys || !values)
    return nullptr;
  const Type *type = keys->getType(), *other = values->getType();
  if (type->isArray() &&
      (!other->isArray() || other->getCount() != type->getCount()))
    return fail(args[1], "needs a value for each key: the keys are " +
                             type->str() + ", got " + other->str());
  return makeNode(types.getTuple({type, other}), {keys, values});
}

Expr *RearrangementChecker::checkTopK() {
  Expr *values = checkKeys(args[0], nullptr, /*isOrdered=*/false);
  auto count =
      checker.requireConstantInt(args[1], "K", 1, maxElementsPerThread);
  if (!values || !count)
    return nullptr;
  const Type *type = values->getType();
  const Type *key = type->isArray() ? type->getElement() : type;
  return makeNode(types.getTuple({types.getArray(key, *count),
                                  types.getArray(types.getI32(), *count)}),
                  {values});
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// A place for each value or, of an array, for each element.
Expr *RearrangementChecker::checkExchange(const Type *expected) {
  Expr *value = checkExchanged(checker, name, args[0], expected);
  if (!value)
    return nullptr;
  const Type *type = value->getType(), *i32 = types.getI32();
  const Type *each =
      type->isArray() ? types.getArray(i32, type->getCount()) : nullptr;
  Expr *to = checker.checkValue(args[1], each ? each : i32);
  if (to->getType()->isError())
    return nullptr;
  bool isForEach = each && to->getType() == each;
  if (!isForEach)
    to = checker.coerce(to, i32, args[1]->getLoc());
  if (to->getType()->isError())
    return nullptr;
  // Rank 0 alone may be a group of one, which sends to itself.
  auto place = isForEach ? std::nullopt : Checker::getInteger(to);
  if (place && (!place->isZero() || group.tileSize > 1))
    return fail(args[1], "needs a permutation of the ranks, got one place for "
                         "the values of all");
  return makeNode(type, {value, to});
}

Expr *RearrangementChecker::checkTranspose(const Type *expected) {
  Expr *value = checkExchanged(checker, name, args[0], expected);
  if (!value)
    return nullptr;
  if (!value->getType()->isArray())
    return fail(args[0], "rearranges the elements of arrays, got " +
                             value->getType()->str());
  CollectiveExpr *node = makeNode(value->getType(), {value});
  if (!args[1])
    return node;
  auto inverse = checker.requireConstantBool(args[1], "'inverse'");
  if (!inverse)
    return nullptr;
  node->reverse = *inverse;
  return node;
}

//===----------------------------------------------------------------------===//
// Histogram
//===----------------------------------------------------------------------===//

Expr *RearrangementChecker::checkCounts(const ast::Expr *arg) {
  Expr *counts = checker.checkExpr(arg);
  const Type *type = counts->getType();
  if (type->isError())
    return nullptr;
  const Variable *root = Checker::getRootVariable(counts);
  bool isArray = type->isArray() && root &&
                 (root->storage == Variable::Storage::Shared ||
                  (root->type->isView() && root->type->isShared()));
  bool isView = type->isView() && type->isShared() && type->getRank() == 1;
  const Type *element = isArray || isView ? type->getElement() : nullptr;
  if (!element || !element->isIntegerScalar() || element->getSize() < 4)
    return fail(arg, "counts in a shared array of integers of 4 or 8 bytes, "
                     "got " +
                         type->str());
  if (isView ? type->isMutable()
             : checker.requireMutable(counts, arg->getLoc(), "count in"))
    return counts;
  if (isView)
    fail(arg, "changes the counts, which are not 'mut'");
  return nullptr;
}

Expr *RearrangementChecker::checkHistogram() {
  Expr *counts = checkCounts(args[0]);
  Expr *bins = checkExchanged(checker, name, args[1], nullptr);
  if (!counts || !bins)
    return nullptr;
  const Type *type = bins->getType();
  const Type *bin = type->isArray() ? type->getElement() : type;
  if (!bin->isIntegerScalar())
    return fail(args[1], "counts integers, got " + type->str());
  const Type *array = counts->getType();
  auto constant = Checker::getInteger(bins);
  if (constant && array->isArray() &&
      (constant->isNegative() || constant->uge(array->getCount())))
    return fail(args[1],
                "has no bin " +
                    llvm::toString(*constant, 10, constant->isSigned()) +
                    " in " + array->str());
  return makeNode(types.getVoid(), {counts, bins});
}

//===----------------------------------------------------------------------===//
// Split barriers
//===----------------------------------------------------------------------===//

Expr *RearrangementChecker::checkWait() {
  Expr *token = checker.checkValue(args[0]);
  const Type *type = token->getType();
  if (type->isError())
    return nullptr;
  if (type != types.getToken(group.str()))
    return fail(args[0], "waits for what " + Twine(group.str()) +
                             ".arrive() gave, got " + type->str());
  return makeNode(types.getVoid(), {token});
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Expr *RearrangementChecker::run(const Type *expected) {
  auto matched = matchArguments(call, name, spec.params, checker.diags);
  if (!matched)
    return nullptr;
  args = std::move(*matched);
  switch (spec.method) {
  case Method::SegmentedScan:
  case Method::SegmentedReduce:
    return checkSegmented(expected);
  case Method::Sort: {
    Expr *keys = checkKeys(args[0], expected, /*isOrdered=*/true);
    return keys ? makeNode(keys->getType(), {keys}) : nullptr;
  }
  case Method::SortBy:
    return checkSortBy();
  case Method::Exchange:
    return checkExchange(expected);
  case Method::Transpose:
    return checkTranspose(expected);
  case Method::TopK:
    return checkTopK();
  case Method::Histogram:
    return checkHistogram();
  case Method::Arrive:
    return makeNode(types.getToken(group.str()), {});
  case Method::Wait:
    return checkWait();
  default:
    return nullptr;
  }
}

void coll::sema::listRearrangements(llvm::SmallVectorImpl<StringRef> &names) {
  for (const MethodSpec &spec : methodSpecs)
    names.push_back(getMethodName(spec.method));
}

Expr *coll::sema::checkRearrangement(Checker &checker, const Group &group,
                                     const ast::CallExpr &call,
                                     const ast::Name &method,
                                     const Type *expected) {
  auto *spec = llvm::find_if(methodSpecs, [&](const MethodSpec &candidate) {
    return getMethodName(candidate.method) == method.text;
  });
  if (spec == std::end(methodSpecs))
    return nullptr;
  std::string name = (Twine(group.str()) + "." + method.text).str();
  bool isSplit = spec->method == Method::Arrive || spec->method == Method::Wait;
  bool isSegmented = spec->method == Method::SegmentedScan ||
                     spec->method == Method::SegmentedReduce;
  bool isPlain = isSegmented || isSplit || spec->method == Method::Histogram;
  if ((spec->method != Method::SegmentedScan && group.isOfBlocks()) ||
      (!isPlain && group.kind == Group::Kind::Warps) ||
      (!isSegmented && !isSplit && group.kind == Group::Kind::Members))
    return checker.failUnsupported(call.getRange(), name);
  if (!call.getGenericArgs().empty())
    return checker.fail(call.getRange(),
                        Twine(name) + " takes no generic arguments");
  RearrangementChecker rearrangement(checker, group, call, *spec);
  Expr *result = rearrangement.run(expected);
  return result ? result : checker.makeError(call.getRange());
}
