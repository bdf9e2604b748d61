//===- CollVerify.cpp - What ODS cannot check -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"

using namespace mlir;
using namespace coll::ir;

//===----------------------------------------------------------------------===//
// Kernels and structure
//===----------------------------------------------------------------------===//

bool KernelOp::isCooperative() {
  return walk([](Operation *op) {
           auto group = op->getAttrOfType<GroupAttr>("group");
           bool isQuery = isa<RankOp, SizeOp, IndexOp, CountOp>(op);
           return group && group.isGrid() && !isQuery ? WalkResult::interrupt()
                                                      : WalkResult::advance();
         })
      .wasInterrupted();
}

LogicalResult KernelOp::verify() {
  ArrayRef<int32_t> workgroup = getWorkgroup();
  if (workgroup.size() != 3)
    return emitOpError("expects a workgroup of 3 numbers, got ")
           << workgroup.size();
  for (int32_t threads : workgroup)
    if (threads < 1 || threads > 1024)
      return emitOpError("expects workgroup dimensions from 1 to 1024, got ")
             << threads;
  if (getBlockSize() > 1024)
    return emitOpError("expects at most 1024 threads a block, got ")
           << getBlockSize();
  if (getGrid().size() > 3)
    return emitOpError("expects at most 3 grid expressions, got ")
           << getGrid().size();
  if (getCluster() < 1 || getCluster() > 8)
    return emitOpError("expects a cluster of 1 to 8 blocks, got ")
           << getCluster();
  size_t numArguments = getParams().size() + getExtents().size();
  if (getBody().getNumArguments() != numArguments)
    return emitOpError("expects ")
           << numArguments
           << " block arguments (parameters, then extents), got "
           << getBody().getNumArguments();
  for (auto [param, argument] : llvm::zip(getParams().getAsRange<ParamAttr>(),
                                          getBody().getArguments())) {
    auto view = dyn_cast<ViewType>(argument.getType());
    if (param.getIsView() != bool(view))
      return emitOpError("parameter '")
             << param.getName() << "' and its block argument of type "
             << argument.getType() << " disagree on being a view";
    if (view && (view.getSpace() != MemorySpace::Global ||
                 view.getShape().size() != param.getDims().size()))
      return emitOpError("parameter '")
             << param.getName() << "' expects a global view of rank "
             << param.getDims().size() << ", got " << view;
  }
  return success();
}

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  while (parent && !isa<InlineOp, KernelOp>(parent))
    parent = parent->getParentOp();
  if (!parent)
    return emitOpError("expects to be inside a coll.inline or coll.kernel");
  TypeRange expected =
      isa<InlineOp>(parent) ? TypeRange(parent->getResultTypes()) : TypeRange();
  if (TypeRange(getValues().getTypes()) != expected)
    return emitOpError("returns ")
           << getValues().getTypes() << " from an operation with results "
           << expected;
  return success();
}

LogicalResult IfOp::verify() {
  if (getThenRegion().empty())
    return emitOpError("expects a block in its first region");
  if (getElseRegion().empty() && getNumResults() != 0)
    return emitOpError("has results and so expects an else region");
  for (Region *region : getRegions()) {
    if (region->empty())
      continue;
    Block &block = region->front();
    if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
      return emitOpError("expects its regions to end in a terminator");
    auto yield = dyn_cast<YieldOp>(block.back());
    if (yield && yield.getValues().getTypes() != getResultTypes())
      return yield.emitOpError("yields ")
             << yield.getValues().getTypes() << " to an if with results "
             << getResultTypes();
  }
  return success();
}

LogicalResult LoopOp::verify() {
  for (Region *region : getRegions())
    if (region->front().empty() ||
        !region->front().back().hasTrait<OpTrait::IsTerminator>())
      return emitOpError("expects its regions to end in a terminator");
  if (!isa<ConditionOp>(getCondition().front().back()))
    return emitOpError("expects its condition to end in coll.condition");
  if (!isa<YieldOp>(getStep().front().back()))
    return emitOpError("expects its step to end in coll.yield");
  return success();
}

/// A break or continue belongs to the innermost loop, in whose body it must be.
static LogicalResult verifyLoopExit(Operation *op) {
  Region *region = op->getParentRegion();
  while (region && isa<IfOp>(region->getParentOp()))
    region = region->getParentOp()->getParentRegion();
  auto loop = region ? dyn_cast<LoopOp>(region->getParentOp()) : LoopOp();
  if (!loop || region != &loop.getBody())
    return op->emitOpError("expects to be in the body of a coll.loop");
  return success();
}
LogicalResult BreakOp::verify() { return verifyLoopExit(*this); }
LogicalResult ContinueOp::verify() { return verifyLoopExit(*this); }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

LogicalResult VarOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  if (type.getSpace() != MemorySpace::Private)
    return emitOpError("expects a private view, got ") << type;
  if (llvm::any_of(type.getShape(), ShapedType::isDynamic))
    return emitOpError("expects a static shape, got ") << type;
  return success();
}

LogicalResult SharedOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  if (type.getSpace() != MemorySpace::Shared)
    return emitOpError("expects a shared view, got ") << type;
  if (bool(getExtent()) != bool(getBytes()))
    return emitOpError("expects an extent and its bytes, or neither");
  ArrayRef<int64_t> shape = type.getShape();
  bool firstDynamic = !shape.empty() && ShapedType::isDynamic(shape.front());
  if (firstDynamic != bool(getExtent()) ||
      (shape.size() > 1 &&
       llvm::any_of(shape.drop_front(), ShapedType::isDynamic)))
    return emitOpError("expects a static shape, or with an extent only the "
                       "first dimension dynamic, got ")
           << type;
  if (static_cast<int64_t>(getOverlay()) < -1 || (isOverlay() && getExtent()))
    return emitOpError("expects an overlay of a static shape at an offset that "
                       "is not negative");
  return success();
}

LogicalResult WorkspaceOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  if (type.getSpace() != MemorySpace::Global || type.getRank() != 1 ||
      !ShapedType::isDynamic(type.getShape()[0]))
    return emitOpError("expects a global view of one unknown extent, got ")
           << type;
  return success();
}

LogicalResult PeerOp::verify() {
  auto from = cast<ViewType>(getView().getType());
  auto to = cast<ViewType>(getResult().getType());
  if (from.getSpace() != MemorySpace::Shared ||
      to != ViewType::get(getContext(), from.getShape(), from.getElementType(),
                          MemorySpace::Peer))
    return emitOpError("expects a shared view and the same of a peer, got ")
           << from << " and " << to;
  return success();
}

LogicalResult ExtentOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  if (getDimension() >= type.getRank())
    return emitOpError("asks for dimension ")
           << getDimension() << " of a view of rank " << type.getRank();
  return success();
}

LogicalResult SliceOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  auto result = cast<ViewType>(getResult().getType());
  if (getForms().size() != type.getRank())
    return emitOpError("expects one form a dimension: ")
           << type.getRank() << ", got " << getForms().size();
  size_t bounds = 0, kept = 0;
  for (int32_t form : getForms()) {
    if (form < 0 || form > 2)
      return emitOpError("expects forms of 0, 1 or 2, got ") << form;
    bounds += form;
    kept += form != 1;
  }
  if (getBounds().size() != bounds)
    return emitOpError("expects ")
           << bounds << " bounds for its forms, got " << getBounds().size();
  if (result.getRank() != kept ||
      result.getElementType() != type.getElementType() ||
      result.getSpace() != type.getSpace())
    return emitOpError("expects a result of rank ")
           << kept << " with the element and space of " << type << ", got "
           << result;
  return success();
}

LogicalResult FieldOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  auto result = cast<ViewType>(getResult().getType());
  uint64_t size = result.getElementSize();
  if (result.getRank() < type.getRank() || result.getSpace() != type.getSpace())
    return emitOpError("expects a result with the dimensions and space of ")
           << type << ", got " << result;
  for (int64_t extent : result.getShape().drop_front(type.getRank())) {
    if (ShapedType::isDynamic(extent))
      return emitOpError("expects appended dimensions to be static, got ")
             << result;
    size *= extent;
  }
  if (getOffset() + size > type.getElementSize())
    return emitOpError("takes bytes ")
           << getOffset() << " to " << getOffset() + size
           << " of an element of " << type.getElementSize() << " bytes";
  return success();
}

LogicalResult FlatOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  auto result = cast<ViewType>(getResult().getType());
  if (result.getRank() != 1 ||
      result.getElementType() != type.getElementType() ||
      result.getSpace() != type.getSpace())
    return emitOpError(
               "expects a result of rank 1 with the element and space of ")
           << type << ", got " << result;
  return success();
}

LogicalResult RecastOp::verify() {
  auto type = cast<ViewType>(getView().getType());
  auto result = cast<ViewType>(getResult().getType());
  if (type.getRank() != result.getRank() ||
      type.getSpace() != result.getSpace())
    return emitOpError("expects a result with the rank and space of ")
           << type << ", got " << result;
  if (type.getElementSize() == result.getElementSize())
    return success();
  auto vector = dyn_cast<VectorType>(result.getElementType());
  if (!vector || vector.getElementType() != type.getElementType() ||
      type.getRank() == 0)
    return emitOpError("expects elements of the same size, or vectors of ")
           << type.getElementType() << ", got " << result.getElementType();
  return success();
}

/// Common to all accesses: one index a dimension, and the element's leaves.
static LogicalResult verifyAccess(Operation *op, ViewType view, size_t indices,
                                  TypeRange leaves) {
  if (indices != view.getRank())
    return op->emitOpError("expects ")
           << view.getRank() << " indices for " << view << ", got " << indices;
  if (leaves != TypeRange(view.getLeafTypes()))
    return op->emitOpError("expects leaves ")
           << view.getLeafTypes() << " of " << view << ", got " << leaves;
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, cast<ViewType>(getView().getType()),
                      getIndices().size(), getResultTypes());
}
LogicalResult StoreOp::verify() {
  return verifyAccess(*this, cast<ViewType>(getView().getType()),
                      getIndices().size(), getValues().getTypes());
}

static LogicalResult verifyAtomic(Operation *op, Value view, size_t indices,
                                  Type value) {
  auto type = cast<ViewType>(view.getType());
  if (type.getSpace() == MemorySpace::Private)
    return op->emitOpError("expects global or shared memory, got ") << type;
  if (!value.isIntOrFloat() || (value.getIntOrFloatBitWidth() != 32 &&
                                value.getIntOrFloatBitWidth() != 64))
    return op->emitOpError("expects a value of 32 or 64 bits, got ") << value;
  return verifyAccess(op, type, indices, value);
}

LogicalResult AtomicRMWOp::verify() {
  bool isFloatKind = getKind() >= AtomicKind::FAdd;
  Type type = getValue().getType();
  if (getKind() != AtomicKind::Exchange && isa<FloatType>(type) != isFloatKind)
    return emitOpError("'")
           << stringifyAtomicKind(getKind()) << "' does not work on " << type;
  if (getFast() && !isFloatKind)
    return emitOpError("expects floats where it is 'fast'");
  return verifyAtomic(*this, getView(), getIndices().size(), type);
}
LogicalResult AtomicCASOp::verify() {
  return verifyAtomic(*this, getView(), getIndices().size(),
                      getExpected().getType());
}
LogicalResult AtomicLoadOp::verify() {
  if (getOrder() == MemoryOrder::Release || getOrder() == MemoryOrder::AcqRel)
    return emitOpError("cannot be ") << stringifyMemoryOrder(getOrder());
  return verifyAtomic(*this, getView(), getIndices().size(),
                      getResult().getType());
}
LogicalResult AtomicStoreOp::verify() {
  if (getOrder() == MemoryOrder::Acquire || getOrder() == MemoryOrder::AcqRel)
    return emitOpError("cannot be ") << stringifyMemoryOrder(getOrder());
  return verifyAtomic(*this, getView(), getIndices().size(),
                      getValue().getType());
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// A built-in operator works on one value that suits it; a combiner takes the
/// left and the right values and yields as many.
static LogicalResult verifyCombiner(Operation *op,
                                    std::optional<CombineKind> kind,
                                    TypeRange types, Region &combiner) {
  if (types.empty())
    return op->emitOpError("expects at least one value");
  if (kind) {
    if (types.size() != 1 || !combiner.empty())
      return op->emitOpError(
          "with a built-in operator expects one value and no combiner");
    Type element = getElementTypeOrSelf(types.front());
    bool isInteger = isa<IntegerType>(element);
    bool integerKind = *kind >= CombineKind::SMin && *kind <= CombineKind::UMax;
    bool bitKind = *kind >= CombineKind::And;
    bool floatKind =
        *kind >= CombineKind::MinNum && *kind <= CombineKind::Maximum;
    if (((integerKind || bitKind) && !isInteger) || (floatKind && isInteger))
      return op->emitOpError("'") << stringifyCombineKind(*kind)
                                  << "' does not work on " << types.front();
    return success();
  }
  if (combiner.empty())
    return op->emitOpError("expects a built-in operator or a combiner");
  SmallVector<Type> expected(types);
  expected.append(types.begin(), types.end());
  Block &block = combiner.front();
  if (block.getArgumentTypes() != TypeRange(expected))
    return op->emitOpError("expects combiner arguments ")
           << expected << ", got " << block.getArgumentTypes();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield || TypeRange(yield.getValues().getTypes()) != types)
    return op->emitOpError("expects its combiner to yield ") << types;
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyCombiner(*this, getKind(), getValues().getTypes(),
                        getCombiner());
}
LogicalResult ScanOp::verify() {
  return verifyCombiner(*this, getKind(), getValues().getTypes(),
                        getCombiner());
}

static LogicalResult verifyFirst(Operation *op, TypeRange values,
                                 TypeRange first) {
  if (!first.empty() && first != values)
    return op->emitOpError("expects rank 0's values to be of types ")
           << values << ", got " << first;
  return success();
}

LogicalResult ExclusiveScanOp::verify() {
  if (failed(verifyFirst(*this, getValues().getTypes(), getFirst().getTypes())))
    return failure();
  return verifyCombiner(*this, getKind(), getValues().getTypes(),
                        getCombiner());
}

LogicalResult ScanTotalOp::verify() {
  SmallVector<Type> expected(getValues().getTypes());
  expected.append(getValues().getTypes().begin(), getValues().getTypes().end());
  if (getResultTypes() != TypeRange(expected))
    return emitOpError("expects results ")
           << expected << ", got " << getResultTypes();
  if (failed(verifyFirst(*this, getValues().getTypes(), getFirst().getTypes())))
    return failure();
  return verifyCombiner(*this, getKind(), getValues().getTypes(),
                        getCombiner());
}

LogicalResult BroadcastOp::verify() {
  if (getValues().empty())
    return emitOpError("expects at least one value");
  return success();
}

LogicalResult ShuffleOp::verify() {
  if (getValues().empty())
    return emitOpError("expects at least one value");
  if (!getFill().empty() && getFill().getTypes() != getValues().getTypes())
    return emitOpError("expects fill values of types ")
           << getValues().getTypes() << ", got " << getFill().getTypes();
  return success();
}

Value coll::ir::getMembers(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<GroupType>(operand.getType()))
      return operand;
  return {};
}

GroupRef coll::ir::getGroup(Operation *op) {
  return {op->getAttrOfType<GroupAttr>("group"), getMembers(op)};
}

LogicalResult coll::ir::verifyGroup(Operation *op) {
  GroupRef group = getGroup(op);
  if (!group.attr || group.attr.isMembers() == bool(group.members))
    return success();
  return op->emitOpError("expects ")
         << (group.members ? "no " : "a ") << "value of type '!coll.group' for "
         << "the group '" << stringifyGroupKind(group.attr.getKind()) << "'";
}

LogicalResult PartitionOp::verify() {
  if (getValues().empty())
    return emitOpError("expects at least one value");
  if (!getGroup().isWarpLevel())
    return emitOpError("expects a warp-level group, got ")
           << stringifyGroupKind(getGroup().getKind());
  return success();
}

static LogicalResult verifyMaskGroup(Operation *op, GroupAttr group) {
  bool isWide = group.getKind() == GroupKind::Tile && group.getTileSize() > 64;
  if ((!group.isWarpLevel() && !group.isThread()) || isWide)
    return op->emitOpError("expects a warp-level group: a mask has one bit for "
                           "each rank, got ")
           << stringifyGroupKind(group.getKind());
  return success();
}
LogicalResult BallotOp::verify() { return verifyMaskGroup(*this, getGroup()); }
LogicalResult MatchOp::verify() { return verifyMaskGroup(*this, getGroup()); }

LogicalResult ArgReduceOp::verify() {
  CombineKind kind = getKind();
  bool isInteger = isa<IntegerType>(getOperand().getType());
  bool suits = isInteger
                   ? kind >= CombineKind::SMin && kind <= CombineKind::UMax
                   : kind == CombineKind::MinNum || kind == CombineKind::MaxNum;
  if (!suits || isa<VectorType>(getOperand().getType()))
    return emitOpError("'") << stringifyCombineKind(kind)
                            << "' does not work on " << getOperand().getType();
  return success();
}
