//===- Aggregates.cpp - Tuples, arrays, structs and their elements --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Constants of more scalars than this are kept as the expressions that make
/// them.
static constexpr uint64_t maxFoldedScalars = 4096;

Expr *Checker::makeAggregate(const Type *type, llvm::ArrayRef<Expr *> members,
                             bool splat, llvm::SMRange range) {
  bool isConstant = countScalars(type) <= maxFoldedScalars;
  for (Expr *member : members) {
    if (member->getType()->isError())
      return makeError(range);
    isConstant &= llvm::isa<ConstantExpr>(member);
  }
  if (isConstant) {
    std::vector<ConstantExpr::Scalar> scalars;
    uint64_t repeat = splat ? type->getCount() : 1;
    for (uint64_t i = 0; i < repeat; ++i)
      for (Expr *member : members)
        llvm::append_range(scalars, llvm::cast<ConstantExpr>(member)->scalars);
    return makeConstant(type, std::move(scalars), range);
  }
  auto *aggregate = make<AggregateExpr>(type, range);
  aggregate->members.assign(members.begin(), members.end());
  aggregate->splat = splat;
  return aggregate;
}

Expr *Checker::checkTuple(const ast::TupleExpr &tuple, const Type *expected) {
  if (tuple.getElements().empty())
    return fail(tuple.getRange(), "an empty tuple is not a value");
  bool matches = expected && expected->isTuple() &&
                 expected->getMembers().size() == tuple.getElements().size();
  llvm::SmallVector<Expr *, 4> members;
  llvm::SmallVector<const Type *, 4> memberTypes;
  for (const auto &[i, element] : llvm::enumerate(tuple.getElements())) {
    const Type *wanted = matches ? expected->getMembers()[i] : nullptr;
    Expr *member = checkValue(element, wanted);
    if (wanted && !member->getType()->isError())
      member = coerce(member, wanted, element->getLoc());
    if (member->getType()->isError())
      return makeError(tuple.getRange());
    members.push_back(member);
    memberTypes.push_back(member->getType());
  }
  const Type *type = makeTuple(memberTypes, tuple.getLoc());
  if (type->isError())
    return makeError(tuple.getRange());
  return makeAggregate(type, members, /*splat=*/false, tuple.getRange());
}

Expr *Checker::checkArrayLiteral(const ast::ArrayLiteral &literal,
                                 const Type *expected) {
  llvm::ArrayRef<const ast::Expr *> elements = literal.getElements();
  const Type *wanted =
      expected && expected->isArray() ? expected->getElement() : nullptr;
  if (elements.empty() && !wanted)
    return fail(literal.getRange(),
                "the element type of an empty array is not known");
  // Without a context the first element that is no literal gives the type.
  llvm::SmallVector<Expr *, 8> members(elements.size(), nullptr);
  if (!wanted) {
    const auto *first = llvm::find_if_not(elements, isFlexible);
    size_t index = first == elements.end() ? 0 : first - elements.begin();
    members[index] = checkValue(elements[index]);
    wanted = members[index]->getType();
  }
  if (wanted->isError())
    return makeError(literal.getRange());
  for (const auto &[member, element] : llvm::zip_equal(members, elements))
    if (!member)
      member = checkAs(element, wanted);
  const Type *type = makeArray(wanted, elements.size(), literal.getLoc());
  if (type->isError())
    return makeError(literal.getRange());
  return makeAggregate(type, members, /*splat=*/false, literal.getRange());
}

Expr *Checker::checkArrayRepeat(const ast::ArrayRepeat &repeat,
                                const Type *expected) {
  const Type *wanted =
      expected && expected->isArray() ? expected->getElement() : nullptr;
  Expr *element = checkValue(repeat.getElement(), wanted);
  std::optional<int64_t> count = requireConstantInt(
      repeat.getCount(), "the length of an array", 0, UINT32_MAX);
  if (!count || element->getType()->isError())
    return makeError(repeat.getRange());
  if (wanted)
    if (Expr *converted = tryCoerce(element, wanted))
      element = converted;
  const Type *type = makeArray(element->getType(), *count, repeat.getLoc());
  if (type->isError())
    return makeError(repeat.getRange());
  return makeAggregate(type, {element}, /*splat=*/true, repeat.getRange());
}

//===----------------------------------------------------------------------===//
// Struct literals
//===----------------------------------------------------------------------===//

Expr *Checker::checkStructLiteral(const ast::StructLiteral &literal,
                                  const Type *expected) {
  const Type *type = resolveLiteralStruct(literal, expected);
  if (type->isError())
    return makeError(literal.getRange());
  if (!type->isStruct())
    return fail(literal.getRange(), "'" + type->str() + "' is not a struct");
  llvm::SmallVector<Expr *, 8> members(type->getFields().size(), nullptr);
  for (const ast::FieldInit &init : literal.getFields())
    if (!checkFieldInit(type, init, members))
      return makeError(literal.getRange());
  llvm::SmallVector<std::string, 4> missing;
  for (const auto &[member, field] :
       llvm::zip_equal(members, type->getFields()))
    if (!member)
      missing.push_back(("'" + field.name + "'").str());
  if (!missing.empty())
    return fail(literal.getRange(), "struct literal of " + type->str() +
                                        " lacks " + llvm::join(missing, ", "));
  return makeAggregate(type, members, /*splat=*/false, literal.getRange());
}

bool Checker::checkFieldInit(const Type *type, const ast::FieldInit &init,
                             llvm::MutableArrayRef<Expr *> members) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  for (const auto &[i, field] : llvm::enumerate(type->getFields())) {
    names.push_back(field.name);
    if (field.name != init.name.text)
      continue;
    if (members[i]) {
      error(init.name.getLoc(), "field '" + field.name + "' is given twice")
          .note(members[i]->getLoc(), "the first value is here");
      return false;
    }
    ast::NameExpr shorthand(init.name.range, init.name.text);
    const ast::Expr *value = init.value ? init.value : &shorthand;
    members[i] = checkAs(value, field.type);
    return true;
  }
  failNoMember("struct " + type->str() + " has no field", init.name, names,
               init.name.range);
  return false;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expr *Checker::checkIndexExpr(const ast::IndexExpr &index) {
  Expr *base = checkExpr(index.getBase());
  const Type *type = base->getType();
  llvm::SMRange range = index.getRange();
  if (type->isError())
    return base;
  bool isSlice =
      llvm::any_of(index.getIndices(), llvm::IsaPred<ast::RangeExpr>);
  if (!type->isView() && !type->isArray() && !type->isVector())
    return fail(range, "type " + type->str() + " cannot be indexed");
  if (isSlice && !type->isView())
    return failUnsupported(range, "a slice of an array");
  unsigned limit = getIndexLimit(type);
  if (index.getIndices().empty() || index.getIndices().size() > limit)
    return fail(range,
                type->str() + " takes " +
                    (limit == 1
                         ? "one index"
                         : "up to " + std::to_string(limit) + " indices") +
                    ", got " + std::to_string(index.getIndices().size()));
  if (isSlice)
    return checkSlice(base, index);
  llvm::SmallVector<Expr *, 3> indices;
  bool ok = true;
  for (const ast::Expr *each : index.getIndices()) {
    indices.push_back(checkIndex(each));
    ok &= !indices.back()->getType()->isError();
  }
  return ok ? makeIndex(base, indices, range) : makeError(range);
}

unsigned Checker::getIndexLimit(const Type *type) {
  if (type->isView())
    return type->getRank();
  if (type->isArray())
    return 1 + getIndexLimit(type->getElement());
  return type->isVector() ? 1 : 0;
}

bool Checker::checkBounds(const Expr *index, int64_t extent, const Type *type) {
  std::optional<APSInt> value = getInteger(index);
  if (!value || (*value >= 0 && *value < extent))
    return true;
  error(index->getLoc(), "index " + llvm::toString(*value, 10) +
                             " is out of the bounds of " + type->str());
  return false;
}

/// The type of a view without its first `count` dimensions.
static const Type *dropDimensions(TypeContext &types, const Type *view,
                                  unsigned count) {
  if (count == view->getRank())
    return view->getElement();
  return types.getView(view->getElement(), view->getExtents().drop_front(count),
                       view->isMutable(), view->isShared());
}

Expr *Checker::makeIndex(Expr *base, llvm::ArrayRef<Expr *> indices,
                         llvm::SMRange range) {
  const Type *type = base->getType();
  if (type->isView()) {
    for (const auto &[i, each] : llvm::enumerate(indices))
      if (type->getExtents()[i].isConstant() &&
          !checkBounds(each, type->getExtents()[i].constant, type))
        return makeError(range);
    auto *index =
        make<IndexExpr>(dropDimensions(types, type, indices.size()), range);
    index->base = base;
    index->indices.assign(indices.begin(), indices.end());
    return index;
  }
  for (Expr *each : indices) {
    type = base->getType();
    if (!checkBounds(each, type->getCount(), type))
      return makeError(range);
    base = makeElement(base, each, range);
  }
  return base;
}

Expr *Checker::makeElement(Expr *base, Expr *each, llvm::SMRange range) {
  const Type *element = base->getType()->getElement();
  const auto *constant = llvm::dyn_cast<ConstantExpr>(base);
  std::optional<APSInt> value = getInteger(each);
  if (constant && value) {
    uint64_t count = countScalars(element);
    auto begin = constant->scalars.begin() + value->getExtValue() * count;
    return makeConstant(element, {begin, begin + count}, range);
  }
  auto *index = make<IndexExpr>(element, range);
  index->base = base;
  index->indices.push_back(each);
  return index;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Expr *Checker::checkSlice(Expr *base, const ast::IndexExpr &index) {
  const Type *type = base->getType();
  auto *slice = make<SliceExpr>(type, index.getRange());
  slice->base = base;
  llvm::SmallVector<Extent, 3> extents;
  for (unsigned i = 0; i < type->getRank(); ++i) {
    const ast::Expr *each =
        i < index.getIndices().size() ? index.getIndices()[i] : nullptr;
    const auto *range = llvm::dyn_cast_if_present<ast::RangeExpr>(each);
    if (!each || (range && !range->getBegin() && !range->getEnd())) {
      slice->ranges.emplace_back(nullptr, nullptr);
      extents.push_back(type->getExtents()[i]);
      continue;
    }
    if (!range) {
      slice->ranges.emplace_back(checkIndex(each), nullptr);
      continue;
    }
    slice->ranges.push_back(checkSliceRange(base, i, *range));
    const auto &[begin, end] = slice->ranges.back();
    Extent extent;
    if (getInteger(begin) && getInteger(end))
      extent.constant = std::max<int64_t>(
          0, getInteger(end)->getExtValue() - getInteger(begin)->getExtValue());
    extents.push_back(extent);
  }
  for (const auto &[begin, end] : slice->ranges)
    if ((begin && begin->getType()->isError()) ||
        (end && end->getType()->isError()))
      return makeError(index.getRange());
  const Type *result = types.getView(type->getElement(), extents,
                                     type->isMutable(), type->isShared());
  auto *typed = make<SliceExpr>(result, index.getRange());
  typed->base = base;
  typed->ranges = slice->ranges;
  return typed;
}

std::pair<Expr *, Expr *>
Checker::checkSliceRange(Expr *base, unsigned dimension,
                         const ast::RangeExpr &range) {
  Expr *begin = range.getBegin() ? checkIndex(range.getBegin())
                                 : makeInt(types.getI64(), 0, range.getRange());
  if (!range.getEnd()) {
    const Extent &extent = base->getType()->getExtents()[dimension];
    if (extent.isConstant())
      return {begin,
              makeInt(types.getI64(), extent.constant, range.getRange())};
    auto *end = make<ViewQueryExpr>(types.getI64(), range.getRange());
    end->base = base;
    end->dimension = dimension;
    return {begin, end};
  }
  Expr *end = checkIndex(range.getEnd());
  if (range.isInclusive())
    end = makeBinary(BinaryExpr::Op::Add, end,
                     makeInt(types.getI64(), 1, range.getRange()),
                     range.getRange());
  return {begin, end};
}
