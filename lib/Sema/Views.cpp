//===- Views.cpp - Methods of views and chunks ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "ForeignNames.h"
#include "Groups.h"
#include "Walk.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::dyn_cast;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The one generic argument of `call`, an integer constant; none after an
/// error.
static std::optional<int64_t> requireCount(Checker &checker,
                                           const ast::CallExpr &call,
                                           const Twine &name, int64_t min,
                                           int64_t max) {
  auto generics = call.getGenericArgs();
  if (generics.size() != 1) {
    checker.error(
        call.getLoc(),
        name + " takes one generic argument, the number of elements: " + name +
            "<4>(...)");
    return std::nullopt;
  }
  StringRef what = "the number of elements";
  if (const ast::Expr *value = generics[0].value)
    return checker.requireConstantInt(value, what, min, max);
  // A constant's name looks like a type until its declaration is known.
  auto *named = dyn_cast<ast::NamedType>(generics[0].type);
  if (!named || named->getPath().size() != 1 || !named->getArgs().empty()) {
    checker.error(generics[0].type->getLoc(),
                  name + " takes the number of elements, got a type");
    return std::nullopt;
  }
  ast::NameExpr constant(named->getRange(), named->getName().text);
  return checker.requireConstantInt(&constant, what, min, max);
}

/// Whether `view` is a 1-D view of scalars or other elements; reports if not.
static bool requireOneDimension(Checker &checker, Expr *view, SMRange range,
                                const Twine &name) {
  const Type *type = view->getType();
  if (type->isError())
    return false;
  if (type->isView() && type->getRank() == 1)
    return true;
  checker.error(range.Start,
                name + " takes a view of one dimension, got " + type->str());
  return false;
}

static bool requireMutableView(Checker &checker, Expr *view, SMRange range,
                               const Twine &name) {
  Variable *root = Checker::getRootVariable(view);
  bool isShared = root && root->storage == Variable::Storage::Shared;
  if (view->getType()->isMutable() || isShared)
    return true;
  std::string what = root ? "'" + root->name.str() + "'" : "the view";
  auto report = checker.error(range.Start, name + " writes " + what +
                                               ", which is not 'mut'");
  if (root)
    report.note(root->loc, what + " is declared here");
  return false;
}

/// Whether evaluating `expr` twice is the same as once.
static bool isRepeatable(Expr *expr) {
  if (llvm::isa<CallExpr, AtomicExpr, CollectiveExpr, GroupExpr>(expr))
    return false;
  bool repeatable = true;
  forEachOperand(expr, [&](Expr *&part) { repeatable &= isRepeatable(part); });
  return repeatable;
}

static Expr *makeExtent(Checker &checker, Expr *view, unsigned dimension,
                        SMRange range) {
  const Extent &extent = view->getType()->getExtents()[dimension];
  if (extent.isConstant())
    return checker.makeInt(checker.types.getI64(), extent.constant, range);
  auto *query = checker.make<ViewQueryExpr>(checker.types.getI64(), range);
  query->base = view;
  query->dimension = dimension;
  return query;
}

namespace {

/// What a load or store of several elements needs.
struct Access {
  Expr *base;
  Expr *first;
  unsigned count;
  Expr *limit = nullptr;
};

} // namespace

static VectorAccessExpr *makeAccess(Checker &checker, const Access &access,
                                    const Type *type, SMRange range) {
  auto *node = checker.make<VectorAccessExpr>(type, range);
  node->base = access.base;
  node->first = access.first;
  node->count = access.count;
  node->limit = access.limit;
  return node;
}

/// The load; `fill` is null where every element exists.
static Expr *makeLoad(Checker &checker, const Access &access,
                      const ast::Expr *fill, SMRange range) {
  const Type *element = access.base->getType()->getElement();
  auto *load = makeAccess(checker, access,
                          checker.types.getArray(element, access.count), range);
  if (fill) {
    load->fill = checker.checkAs(fill, element);
    if (load->fill->getType()->isError())
      return checker.makeError(range);
  }
  return load;
}

static Expr *makeStore(Checker &checker, const Access &access,
                       const ast::Expr *value, SMRange range) {
  const Type *element = access.base->getType()->getElement();
  auto *store = makeAccess(checker, access, checker.types.getVoid(), range);
  store->value =
      checker.checkAs(value, checker.types.getArray(element, access.count));
  if (store->value->getType()->isError())
    return checker.makeError(range);
  return store;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static Expr *checkExtent(Checker &checker, Expr *base,
                         const ast::CallExpr &call) {
  SMRange range = call.getRange();
  auto args = matchArguments(call, "extent", {{"d"}}, checker.diags);
  if (!args)
    return checker.makeError(range);
  const Type *type = base->getType();
  llvm::SmallVector<uint64_t, 3> arrayExtents;
  for (const Type *array = type; array->isArray(); array = array->getElement())
    arrayExtents.push_back(array->getCount());
  unsigned rank = type->isView() ? type->getRank() : arrayExtents.size();
  auto dimension = checker.requireConstantInt((*args)[0], "the dimension", 0,
                                              int64_t(rank) - 1);
  if (!dimension)
    return checker.makeError(range);
  if (type->isArray())
    return checker.makeInt(checker.types.getI64(), arrayExtents[*dimension],
                           range);
  return makeExtent(checker, base, *dimension, range);
}

/// The elements of `type`, where all extents are constants; else unknown.
static Extent getFlatExtent(const Type *type) {
  int64_t product = 1;
  for (const Extent &extent : type->getExtents())
    if (!extent.isConstant() ||
        llvm::MulOverflow(product, extent.constant, product))
      return Extent();
  return Extent{product, {}};
}

static Expr *checkFlat(Checker &checker, Expr *base,
                       const ast::CallExpr &call) {
  SMRange range = call.getRange();
  if (!matchArguments(call, "flat", {}, checker.diags))
    return checker.makeError(range);
  const Type *type = base->getType();
  if (type->getRank() == 1)
    return base;
  auto *slice = dyn_cast<SliceExpr>(base);
  if (slice && slice->form == SliceExpr::Form::Ranges)
    for (const auto &[begin, end] : llvm::drop_begin(slice->ranges))
      if (begin && end)
        return checker.fail(range,
                            "flat needs elements that follow each other "
                            "in memory, not a slice of inner dimensions");
  auto *flat = checker.make<SliceExpr>(
      checker.types.getView(type->getElement(), getFlatExtent(type),
                            type->isMutable(), type->isShared()),
      range);
  flat->form = SliceExpr::Form::Flat;
  flat->base = base;
  return flat;
}

static Expr *checkVectors(Checker &checker, Expr *base,
                          const ast::CallExpr &call) {
  SMRange range = call.getRange();
  auto lanes = requireCount(checker, call, "vectors", 2, 16);
  if (!lanes || !matchArguments(call, "vectors", {}, checker.diags) ||
      !requireOneDimension(checker, base, range, "vectors"))
    return checker.makeError(range);
  if (!llvm::isPowerOf2_64(*lanes))
    return checker.fail(range, "vectors have 2, 4, 8 or 16 lanes, got " +
                                   Twine(*lanes));
  const Type *type = base->getType();
  const Type *element = type->getElement();
  if (!element->isScalar() || element->isBool())
    return checker.fail(range, "vectors needs a view of numbers, got " +
                                   Twine(type->str()));
  Extent extent = type->getExtents()[0];
  extent.symbol = {};
  if (extent.isConstant())
    extent.constant /= *lanes;
  auto *vectors = checker.make<SliceExpr>(
      checker.types.getView(
          checker.types.getVector(element->getScalarKind(), *lanes), extent,
          type->isMutable(), type->isShared()),
      range);
  vectors->form = SliceExpr::Form::Vectors;
  vectors->base = base;
  return vectors;
}

static Expr *checkViewAccess(Checker &checker, Expr *base,
                             const ast::CallExpr &call, bool isStore) {
  SMRange range = call.getRange();
  StringRef name = isStore ? "store" : "load";
  llvm::SmallVector<ParamSpec, 3> params = {{"i"}};
  if (isStore)
    params.push_back({"v"});
  params.push_back({"cache", ParamSpec::Form::Named});
  auto count = requireCount(checker, call, name, 1, maxElementsPerThread);
  auto args = matchArguments(call, name, params, checker.diags);
  if (!count || !args || !requireOneDimension(checker, base, range, name))
    return checker.makeError(range);
  if (args->back())
    return checker.failUnsupported(args->back()->getRange(), "cache = ...");
  Expr *first = checker.checkIndex((*args)[0]);
  if (first->getType()->isError())
    return checker.makeError(range);
  Access access = {base, first, static_cast<unsigned>(*count)};
  if (!isStore)
    return makeLoad(checker, access, nullptr, range);
  if (!requireMutableView(checker, base, range, name))
    return checker.makeError(range);
  return makeStore(checker, access, (*args)[1], range);
}

Expr *Checker::checkViewMethod(Expr *base, const ast::CallExpr &call,
                               const ast::MemberExpr &callee,
                               const Type *expected) {
  StringRef name = callee.getMember().text;
  SMRange range = call.getRange();
  if (name == "extent")
    return checkExtent(*this, base, call);
  static constexpr StringRef names[] = {"extent", "flat",  "vectors",
                                        "load",   "store", "prefetch"};
  if (!llvm::is_contained(names, name)) {
    StringRef near = translateForeignName(NameUse::ViewMember, name);
    if (near.empty())
      near = nearestName(name, names);
    std::string hint =
        near.empty() ? "" : ("; did you mean '" + near + "'?").str();
    return fail(callee.getMember().range,
                "a view has no method '" + Twine(name) + "'" + hint);
  }
  if (name == "prefetch" || base->getType()->isArray())
    return failUnsupported(
        range,
        Twine(name) + (base->getType()->isArray() ? " of a shared array" : ""));
  if (name == "flat")
    return checkFlat(*this, base, call);
  if (name == "vectors")
    return checkVectors(*this, base, call);
  return checkViewAccess(*this, base, call, name == "store");
}

//===----------------------------------------------------------------------===//
// Chunks of a loop over g.chunks
//===----------------------------------------------------------------------===//

/// The first element of this thread in the trip: trip * size * K + rank * K.
static Expr *makeChunkFirst(Checker &checker, const ChunkInfo &chunk,
                            SMRange range) {
  Expr *start = checker.makeBinary(
      BinaryExpr::Op::Mul, checker.makeRead(chunk.trip, range),
      makeChunkSize(checker, chunk.group, chunk.perThread, range), range);
  return makeFirstElement(checker, chunk.group, start, chunk.perThread, range);
}

/// `c.index(k)`, and `c.valid(k)`: whether that element exists.
static Expr *checkChunkIndex(Checker &checker, const ChunkInfo &chunk,
                             const ast::CallExpr &call, StringRef name) {
  SMRange range = call.getRange();
  auto args = matchArguments(call, name, {{"k"}}, checker.diags);
  if (!args)
    return checker.makeError(range);
  Expr *k = checker.checkIndex((*args)[0]);
  if (k->getType()->isError())
    return checker.makeError(range);
  auto constant = Checker::getInteger(k);
  if (constant && (*constant < 0 || *constant >= chunk.perThread))
    return checker.fail((*args)[0]->getRange(),
                        Twine(name) + "(" + Twine(constant->getExtValue()) +
                            ") is outside of the chunk, which has " +
                            Twine(chunk.perThread) + " elements a thread");
  Expr *index = checker.makeBinary(
      BinaryExpr::Op::Add, makeChunkFirst(checker, chunk, range), k, range);
  if (name == "index")
    return index;
  return checker.makeCompare(CompareExpr::Op::Lt, index,
                             checker.makeRead(chunk.count, range), range);
}

static Expr *checkChunkAccess(Checker &checker, const ChunkInfo &chunk,
                              const ast::CallExpr &call, bool isStore) {
  SMRange range = call.getRange();
  StringRef name = isStore ? "store" : "load";
  auto args = matchArguments(call, name, {{"x"}, {isStore ? "v" : "fill"}},
                             checker.diags);
  if (!args)
    return checker.makeError(range);
  Expr *base = checker.checkExpr((*args)[0]);
  SMRange baseRange = (*args)[0]->getRange();
  if (!requireOneDimension(checker, base, baseRange, name))
    return checker.makeError(range);
  Access access = {base, makeChunkFirst(checker, chunk, range), chunk.perThread,
                   checker.makeRead(chunk.count, range)};
  if (!isStore)
    return makeLoad(checker, access, (*args)[1], range);
  if (!requireMutableView(checker, base, baseRange, name))
    return checker.makeError(range);
  return makeStore(checker, access, (*args)[1], range);
}

Expr *Checker::checkChunkMethod(const ChunkInfo &chunk,
                                const ast::CallExpr &call,
                                const ast::MemberExpr &callee,
                                const Type *expected) {
  StringRef name = callee.getMember().text;
  if (name == "index" || name == "valid")
    return checkChunkIndex(*this, chunk, call, name);
  if (name == "load" || name == "store")
    return checkChunkAccess(*this, chunk, call, name == "store");
  StringRef near = nearestName(name, {"index", "valid", "load", "store"});
  std::string hint =
      near.empty() ? "" : ("; did you mean '" + near + "'?").str();
  return fail(callee.getMember().range,
              "a chunk has no method '" + Twine(name) + "'" + hint);
}

//===----------------------------------------------------------------------===//
// g.load and g.store
//===----------------------------------------------------------------------===//

/// The access of the group's chunk that starts at `firstArg`; its limit is the
/// view's extent. None after an error.
static std::optional<Access> makeGroupAccess(Checker &checker,
                                             const Group &group, Expr *base,
                                             const ast::Expr *firstArg,
                                             unsigned count, SMRange range) {
  Expr *first = checker.checkIndex(firstArg);
  if (first->getType()->isError())
    return std::nullopt;
  if (!isRepeatable(base)) {
    checker.error(base->getLoc(),
                  "this view is computed by a call; bind it with let first");
    return std::nullopt;
  }
  return Access{base, makeFirstElement(checker, group, first, count, range),
                count, makeExtent(checker, base, 0, range)};
}

Expr *coll::sema::checkGroupLoad(Checker &checker, const Group &group,
                                 const ast::CallExpr &call) {
  SMRange range = call.getRange();
  std::string name = group.str() + ".load";
  auto count = requireCount(checker, call, name, 1, maxElementsPerThread);
  auto args =
      matchArguments(call, name, {{"x"}, {"first"}, {"fill"}}, checker.diags);
  if (!count || !args)
    return checker.makeError(range);
  Expr *base = checker.checkExpr((*args)[0]);
  if (!requireOneDimension(checker, base, (*args)[0]->getRange(), name))
    return checker.makeError(range);
  auto access =
      makeGroupAccess(checker, group, base, (*args)[1], *count, range);
  if (!access)
    return checker.makeError(range);
  return makeLoad(checker, *access, (*args)[2], range);
}

Expr *coll::sema::checkGroupStore(Checker &checker, const Group &group,
                                  const ast::CallExpr &call) {
  SMRange range = call.getRange();
  std::string name = group.str() + ".store";
  auto args =
      matchArguments(call, name, {{"x"}, {"first"}, {"v"}}, checker.diags);
  if (!args)
    return checker.makeError(range);
  Expr *base = checker.checkExpr((*args)[0]);
  SMRange baseRange = (*args)[0]->getRange();
  if (!requireOneDimension(checker, base, baseRange, name) ||
      !requireMutableView(checker, base, baseRange, name))
    return checker.makeError(range);
  // The value's length says how many elements a thread has.
  Expr *value = checker.checkExpr((*args)[2]);
  const Type *type = value->getType();
  if (type->isError())
    return checker.makeError(range);
  const Type *element = base->getType()->getElement();
  if (!type->isArray() || type->getElement() != element)
    return checker.fail((*args)[2]->getRange(),
                        Twine(name) + " takes an array of " + element->str() +
                            ", got " + type->str());
  if (type->getCount() == 0 || type->getCount() > maxElementsPerThread)
    return checker.fail(
        (*args)[2]->getRange(),
        Twine(name) + " takes 1 to " + Twine(maxElementsPerThread) +
            " elements a thread, got " + Twine(type->getCount()));
  auto access = makeGroupAccess(checker, group, base, (*args)[1],
                                type->getCount(), range);
  if (!access)
    return checker.makeError(range);
  auto *store = makeAccess(checker, *access, checker.types.getVoid(), range);
  store->value = value;
  return store;
}
