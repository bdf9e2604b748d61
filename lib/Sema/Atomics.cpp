//===- Atomics.cpp - Atomics, memory orders and scopes --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "ForeignNames.h"
#include "MemoryModel.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::dyn_cast;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

using Op = AtomicExpr::Op;
using Form = ParamSpec::Form;

//===----------------------------------------------------------------------===//
// Orders and scopes
//===----------------------------------------------------------------------===//

static constexpr StringRef orderNames[] = {"relaxed", "acquire", "release",
                                           "acq_rel", "seq_cst"};
static constexpr StringRef scopeNames[] = {"warp", "block", "cluster", "device",
                                           "system"};

StringRef coll::sema::getOrderName(MemoryOrder order) {
  return orderNames[static_cast<unsigned>(order)];
}

/// The index in `names` of the name that `arg` is; none after an error.
static std::optional<unsigned> findName(Checker &checker, const ast::Expr *arg,
                                        llvm::ArrayRef<StringRef> names,
                                        StringRef what) {
  auto *name = dyn_cast<ast::NameExpr>(arg);
  auto *it = name ? llvm::find(names, name->getName()) : names.end();
  if (it != names.end())
    return it - names.begin();
  checker.error(arg->getLoc(), "expected a memory " + Twine(what) + ": " +
                                   llvm::join(names, ", "));
  return std::nullopt;
}

bool coll::sema::checkOrder(Checker &checker, const ast::Expr *arg,
                            MemoryOrder &order) {
  if (!arg)
    return true;
  auto index = findName(checker, arg, orderNames, "order");
  if (index)
    order = static_cast<MemoryOrder>(*index);
  return index.has_value();
}

bool coll::sema::checkScope(Checker &checker, const ast::Expr *arg,
                            MemoryScope &scope) {
  if (!arg)
    return true;
  auto index = findName(checker, arg, scopeNames, "scope");
  if (index)
    scope = static_cast<MemoryScope>(*index);
  return index.has_value();
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

struct AtomicSpec {
  StringRef name;
  Op op;
};

constexpr AtomicSpec atomicSpecs[] = {
    {"add", Op::Add},
    {"sub", Op::Sub},
    {"min", Op::Min},
    {"max", Op::Max},
    {"and", Op::And},
    {"or", Op::Or},
    {"xor", Op::Xor},
    {"exchange", Op::Exchange},
    {"compare_exchange", Op::CompareExchange},
    {"load", Op::Load},
    {"store", Op::Store},
};

constexpr ParamSpec loadParams[] = {
    {"place"}, {"order", Form::Named}, {"scope", Form::Named}};
constexpr ParamSpec valueParams[] = {
    {"place"}, {"v"}, {"order", Form::Named}, {"scope", Form::Named}};
constexpr ParamSpec compareParams[] = {{"place"},
                                       {"expected"},
                                       {"v"},
                                       {"order", Form::Named},
                                       {"scope", Form::Named}};

llvm::ArrayRef<ParamSpec> getParams(Op op) {
  if (op == Op::Load)
    return loadParams;
  return op == Op::CompareExchange ? llvm::ArrayRef<ParamSpec>(compareParams)
                                   : llvm::ArrayRef<ParamSpec>(valueParams);
}

/// load, store and the exchanges move any value of a fitting size.
bool movesBits(Op op) { return op >= Op::Exchange; }

bool isBitwise(Op op) { return op == Op::And || op == Op::Or || op == Op::Xor; }

/// fast.atomic_* are those that compute with floats.
bool hasFastForm(Op op) { return !movesBits(op) && !isBitwise(op); }

//===----------------------------------------------------------------------===//
// Checking one call
//===----------------------------------------------------------------------===//

class AtomicChecker {
public:
  AtomicChecker(Checker &checker, const AtomicSpec &spec,
                const ast::CallExpr &call, bool isFast)
      : checker(checker), op(spec.op), isFast(isFast), call(call),
        range(call.getRange()), exactName(("atomic." + spec.name).str()),
        name(isFast ? ("fast.atomic_" + spec.name).str() : exactName) {}

  Expr *run();

private:
  bool checkPlace();
  bool checkType();
  bool checkArithmeticType(const Type *type);
  bool checkMovedType(const Type *type);
  bool checkAlignment(const Type *type);
  bool checkMemoryModel(AtomicExpr *node, const MatchedArgs &args);
  bool allowsOrder(MemoryOrder order) const;
  bool fail(const Twine &text) {
    checker.error(range.Start, Twine(name) + " " + text);
    return false;
  }

  Checker &checker;
  Op op;
  bool isFast;
  const ast::CallExpr &call;
  SMRange range;
  std::string exactName; ///< "atomic.add"
  std::string name;      ///< That, or "fast.atomic_add".
  Expr *place = nullptr;
  Variable *root = nullptr;
  bool isShared = false;
};

} // namespace

Expr *AtomicChecker::run() {
  auto args = matchArguments(call, name, getParams(op), checker.diags);
  if (!args)
    return checker.makeError(range);
  place = checker.checkExpr((*args)[0]);
  if (place->getType()->isError() || !checkPlace() || !checkType())
    return checker.makeError(range);
  const Type *type = place->getType();
  auto *node = checker.make<AtomicExpr>(
      op == Op::Store ? checker.types.getVoid() : type, range);
  node->op = op;
  node->isFast = isFast;
  node->place = place;
  size_t next = 1;
  for (Expr **operand : {&node->expected, &node->value}) {
    bool isExpected = operand == &node->expected;
    if (isExpected ? op != Op::CompareExchange : op == Op::Load)
      continue;
    *operand = checker.checkAs((*args)[next++], type);
    if ((*operand)->getType()->isError())
      return checker.makeError(range);
  }
  if (!checkMemoryModel(node, *args))
    return checker.makeError(range);
  return node;
}

/// Atomics work on what several threads see.
bool AtomicChecker::checkPlace() {
  root = Checker::getRootVariable(place);
  if (!Checker::isPlace(place) || !root || place->getType()->isView())
    return fail("needs a place in memory: an element of a view or a shared "
                "variable, got " +
                place->getType()->str());
  if (root->storage == Variable::Storage::Reference) {
    checker.failUnsupported(place->getRange(), name + " on a 'mut' parameter");
    return false;
  }
  isShared = root->storage == Variable::Storage::Shared ||
             (root->type->isView() && root->type->isShared());
  if (root->storage != Variable::Storage::Shared &&
      root->storage != Variable::Storage::View) {
    checker
        .error(place->getLoc(), Twine(name) +
                                    " needs memory that threads "
                                    "share, '" +
                                    root->name + "' is a local variable")
        .note(root->loc, "'" + Twine(root->name) + "' is declared here");
    return false;
  }
  if (auto *member = dyn_cast<MemberExpr>(place);
      member && member->base->getType()->isVector())
    return fail("works on whole elements, not on a vector's lane");
  if (auto *index = dyn_cast<IndexExpr>(place);
      index && index->base->getType()->isVector())
    return fail("works on whole elements, not on a vector's lane");
  return op == Op::Load ||
         checker.requireMutable(place, place->getLoc(), "use " + name + " on");
}

bool AtomicChecker::checkType() {
  const Type *type = place->getType();
  return (movesBits(op) ? checkMovedType(type) : checkArithmeticType(type)) &&
         checkAlignment(type);
}

bool AtomicChecker::checkArithmeticType(const Type *type) {
  if (type->isFloatScalar() && !isBitwise(op)) {
    if (type->getSize() >= 4)
      return true;
    checker.failUnsupported(range, name + " on " + type->str());
    return false;
  }
  bool isInteger = type->isIntegerScalar() && type->getSize() >= 4;
  if (isFast)
    return fail("works on floats of 4 or 8 bytes, got " + type->str() +
                (isInteger ? "; use " + exactName : ""));
  if (isInteger)
    return true;
  return fail("works on " +
              Twine(isBitwise(op) ? "integers of 4 or 8 bytes"
                                  : "integers and floats of 4 or 8 bytes") +
              ", got " + type->str());
}

bool AtomicChecker::checkMovedType(const Type *type) {
  if (type->getLeaves().empty() ||
      (type->getSize() != 4 && type->getSize() != 8))
    return fail("works on values of 4 or 8 bytes, " + type->str() + " has " +
                Twine(type->getSize()));
  if (op == Op::CompareExchange && type->hasPadding())
    return fail("compares all bytes, but " + type->str() + " has padding");
  return true;
}

/// An atomic of 8 bytes needs a place at a multiple of 8, which a struct of two
/// 4-byte fields has as an element of a view, but not inside any struct.
bool AtomicChecker::checkAlignment(const Type *type) {
  uint64_t size = type->getSize();
  if (type->getAlignment() >= size)
    return true;
  for (Expr *part = place; part;) {
    if (auto *member = dyn_cast<MemberExpr>(part)) {
      const Type *base = member->base->getType();
      uint64_t offset = 0;
      if (base->isStruct())
        offset = base->getFields()[member->index].offset;
      if (base->getSize() % size != 0 || offset % size != 0 || base->isTuple())
        return fail("needs a place at a multiple of " + Twine(size) +
                    " bytes, which a field of " + base->str() + " need not be");
      part = member->base;
    } else if (auto *index = dyn_cast<IndexExpr>(part)) {
      part = index->base;
    } else {
      break;
    }
  }
  if (root->storage == Variable::Storage::Shared)
    root->alignment = std::max<unsigned>(root->alignment, size);
  return true;
}

bool AtomicChecker::allowsOrder(MemoryOrder order) const {
  bool acquires = order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel;
  bool releases = order == MemoryOrder::Release || order == MemoryOrder::AcqRel;
  return !(op == Op::Load && releases) && !(op == Op::Store && acquires);
}

bool AtomicChecker::checkMemoryModel(AtomicExpr *node,
                                     const MatchedArgs &args) {
  const ast::Expr *order = args[args.size() - 2];
  const ast::Expr *scope = args[args.size() - 1];
  if (!checkOrder(checker, order, node->order) ||
      !checkScope(checker, scope, node->scope))
    return false;
  if (!allowsOrder(node->order)) {
    checker.error(order->getLoc(),
                  Twine(name) + " cannot have the order " +
                      getOrderName(node->order) + ", expected relaxed, " +
                      (op == Op::Load ? "acquire" : "release") + " or seq_cst");
    return false;
  }
  if (isShared)
    node->scope = MemoryScope::Block;
  return true;
}

Expr *Checker::checkAtomicCall(StringRef name, const ast::CallExpr &call) {
  if (!call.getGenericArgs().empty())
    return fail(call.getRange(),
                "atomic." + Twine(name) + " takes no generic arguments");
  llvm::SmallVector<StringRef, 12> names;
  for (const AtomicSpec &spec : atomicSpecs) {
    if (spec.name == name)
      return AtomicChecker(*this, spec, call, /*isFast=*/false).run();
    names.push_back(spec.name);
  }
  StringRef near = translateForeignName(NameUse::Atomic, name);
  if (near.empty())
    near = nearestName(name, names);
  std::string hint = near.empty()
                         ? ": there are " + llvm::join(names, ", ")
                         : ("; did you mean 'atomic." + near + "'?").str();
  return fail(call.getRange(), "there is no atomic." + Twine(name) + hint);
}

Expr *Checker::checkFastAtomicCall(StringRef name, const ast::CallExpr &call) {
  if (!call.getGenericArgs().empty())
    return fail(call.getRange(),
                "fast.atomic_" + Twine(name) + " takes no generic arguments");
  llvm::SmallVector<std::string, 4> names;
  for (const AtomicSpec &spec : atomicSpecs) {
    if (!hasFastForm(spec.op))
      continue;
    if (spec.name == name)
      return AtomicChecker(*this, spec, call, /*isFast=*/true).run();
    names.push_back(("fast.atomic_" + spec.name).str());
  }
  return fail(call.getRange(), "there is no fast.atomic_" + Twine(name) +
                                   ": there are " + llvm::join(names, ", "));
}
