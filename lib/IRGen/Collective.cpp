//===- Collective.cpp - Collectives ---------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using CompareOp = sema::CompareExpr::Op;
using Method = sema::CollectiveExpr::Method;
using sema::BuiltinOperator;

Location KernelEmitter::getCallLoc(llvm::SMLoc loc,
                                   llvm::ArrayRef<StringRef> call) {
  Location whole = getLocation(loc);
  auto site = dyn_cast<CallSiteLoc>(whole);
  Location place = FusedLoc::get(getContext(), site ? site.getCallee() : whole,
                                 b.getStrArrayAttr(call));
  return site ? Location(CallSiteLoc::get(place, site.getCaller())) : place;
}

Location KernelEmitter::getCallLoc(const sema::CollectiveExpr *expr) {
  std::string name =
      expr->group.str() + "." + sema::getMethodName(expr->method).str();
  SmallVector<StringRef> call = {name};
  bool isScan =
      expr->method >= Method::Scan && expr->method <= Method::ScanTotal;
  if (isScan && expr->operands.size() > 1 && expr->operands[1])
    call.push_back("init");
  if (isScan && expr->reverse)
    call.push_back("reverse");
  std::string op;
  if (expr->op && !expr->op->builtin && expr->op->name != "lambda")
    call.push_back(op = ("op = " + expr->op->name).str());
  return getCallLoc(expr->getLoc(), call);
}

Leaves KernelEmitter::emitCollective(const sema::CollectiveExpr *expr) {
  if (!fitsBlock(expr->group, expr->getLoc()))
    return makeZeros(expr->getType());
  b.setLoc(getCallLoc(expr));
  if (expr->method >= Method::SegmentedScan)
    return emitRearrangement(expr);
  if (expr->group.kind == sema::Group::Kind::Thread)
    return emitThreadCollective(expr);
  if (expr->group.kind == sema::Group::Kind::Members ||
      expr->group.kind == sema::Group::Kind::BlockTile ||
      expr->group.kind == sema::Group::Kind::Warps)
    b.setLoc(getNamedLoc(expr->group.str() + "." +
                             sema::getMethodName(expr->method).str(),
                         b.getLoc()));
  ir::GroupRef group = getGroup(expr->group);
  switch (expr->method) {
  case Method::Reduce:
    return emitReduce(expr, group);
  case Method::Scan:
  case Method::ExclusiveScan:
  case Method::ScanTotal:
    return emitScan(expr, group);
  case Method::Broadcast: {
    Leaves values = emitExpr(expr->operands[0]);
    Value from = emitScalar(expr->operands[1]);
    if (!fitsConstantRank(expr, from))
      return makeZeros(expr->getType());
    if (group.attr.isGrid())
      from = narrowRank(from);
    auto op = ir::BroadcastOp::create(b, ValueRange(values).getTypes(), group,
                                      values, from);
    return Leaves(op.getResults());
  }
  case Method::Shuffle:
  case Method::ShuffleUp:
  case Method::ShuffleDown:
  case Method::ShuffleXor:
  case Method::Rotate:
    return emitShuffle(expr, group);
  case Method::ArgMin:
  case Method::ArgMax:
    return emitArgReduce(expr, group);
  case Method::Sync:
    ir::SyncOp::create(b, group);
    return {};
  default:
    return emitVoteOrMask(expr, group);
  }
}

/// Ranks of the grid are i64 in the source. What is no rank stays none.
Value KernelEmitter::narrowRank(Value rank) {
  Value most = makeIndex(std::numeric_limits<int32_t>::max());
  rank = arith::MinSIOp::create(b, rank, most);
  rank = arith::MaxSIOp::create(b, rank, makeIndex(-1));
  return num.resize(rank, /*isSigned=*/true, b.getI32Type());
}

Value KernelEmitter::widenRank(Value rank, const ir::GroupRef &group) {
  return group.attr.isGrid() ? num.resize(rank, true, b.getI64Type()) : rank;
}

Leaves KernelEmitter::emitVoteOrMask(const sema::CollectiveExpr *expr,
                                     const ir::GroupRef &group) {
  Leaves values;
  if (!expr->operands.empty())
    values = emitExpr(expr->operands[0]);
  switch (expr->method) {
  case Method::Any:
    return {ir::VoteOp::create(b, ir::VoteKind::Any, group, values[0])};
  case Method::All:
    return {ir::VoteOp::create(b, ir::VoteKind::All, group, values[0])};
  case Method::None: {
    auto any = ir::VoteOp::create(b, ir::VoteKind::Any, group, values[0]);
    any->setLoc(getNamedLoc(expr->group.str() + ".none", any.getLoc()));
    return {num.bitNot(any)};
  }
  case Method::Count:
    return {widenRank(ir::PopulationOp::create(b, group, values[0]), group)};
  case Method::Uniform:
    return {ir::UniformOp::create(b, group, values)};
  case Method::Ballot:
    return {ir::BallotOp::create(b, group, values[0])};
  case Method::Match:
    return {ir::MatchOp::create(b, group, values)};
  case Method::RankAmong:
    return {widenRank(ir::RankAmongOp::create(b, group, values[0]), group)};
  case Method::Elect:
    return {ir::ElectOp::create(b, group)};
  default:
    llvm_unreachable("unknown method");
  }
}

Leaves KernelEmitter::emitShuffle(const sema::CollectiveExpr *expr,
                                  const ir::GroupRef &group) {
  static_assert(unsigned(Method::Rotate) - unsigned(Method::Shuffle) ==
                unsigned(ir::ShuffleKind::Rotate));
  auto kind = static_cast<ir::ShuffleKind>(unsigned(expr->method) -
                                           unsigned(Method::Shuffle));
  Leaves values = emitExpr(expr->operands[0]);
  Value index = emitScalar(expr->operands[1]);
  if (expr->method == Method::Shuffle && !fitsConstantRank(expr, index))
    return makeZeros(expr->getType());
  Leaves fill;
  if (expr->operands.size() > 2 && expr->operands[2])
    fill = emitExpr(expr->operands[2]);
  auto op = ir::ShuffleOp::create(b, ValueRange(values).getTypes(), kind, group,
                                  values, index, fill);
  return Leaves(op.getResults());
}

Leaves KernelEmitter::emitArgReduce(const sema::CollectiveExpr *expr,
                                    const ir::GroupRef &group) {
  const sema::Type *type = expr->operands[0]->getType();
  Value value = emitScalar(expr->operands[0]);
  BuiltinOperator op = expr->method == Method::ArgMin ? BuiltinOperator::Min
                                                      : BuiltinOperator::Max;
  auto result = ir::ArgReduceOp::create(
      b, Arithmetic::getCombineKind(op, value.getType(), isSigned(type)), group,
      value);
  return {result.getValue(), widenRank(result.getRank(), group)};
}

//===----------------------------------------------------------------------===//
// A thread alone
//===----------------------------------------------------------------------===//

/// The only rank is 0: any other source is outside the group.
Leaves KernelEmitter::emitThreadShuffle(const sema::CollectiveExpr *expr,
                                        ValueRange values) {
  Value index = emitScalar(expr->operands[1]);
  if (expr->method == Method::Rotate || expr->operands.size() < 3 ||
      !expr->operands[2])
    return Leaves(values);
  Value isOwn =
      num.compare(CompareOp::Eq, index, num.constant(index.getType(), 0), true);
  Leaves leaves;
  for (auto [own, fill] : llvm::zip(values, emitExpr(expr->operands[2])))
    leaves.push_back(arith::SelectOp::create(b, isOwn, own, fill));
  return leaves;
}

Leaves KernelEmitter::emitThreadCollective(const sema::CollectiveExpr *expr) {
  Leaves values;
  if (!expr->operands.empty() && expr->operands[0])
    values = emitExpr(expr->operands[0]);
  switch (expr->method) {
  case Method::Reduce:
  case Method::Scan:
  case Method::ExclusiveScan:
  case Method::ScanTotal:
    return emitThreadCombining(expr, values);
  case Method::Broadcast:
  case Method::Any:
  case Method::All:
    return values;
  case Method::Shuffle:
  case Method::ShuffleUp:
  case Method::ShuffleDown:
  case Method::ShuffleXor:
  case Method::Rotate:
    return emitThreadShuffle(expr, values);
  case Method::None:
    return {num.bitNot(values[0])};
  case Method::Count:
    return {num.resize(values[0], false, b.getI32Type())};
  case Method::Ballot:
    return {num.resize(values[0], false, b.getI64Type())};
  case Method::Uniform:
  case Method::Elect:
    return {num.constant(b.getI1Type(), 1)};
  case Method::Match:
    return {num.constant(b.getI64Type(), 1)};
  case Method::RankAmong:
    return {num.constant(b.getI32Type(), 0)};
  case Method::ArgMin:
  case Method::ArgMax:
    return {values[0], num.constant(b.getI32Type(), 0)};
  case Method::Sync:
    return {};
  default:
    llvm_unreachable("emitRearrangement emits it for all groups");
  }
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::combine(const sema::Operator &op, const sema::Type *type,
                              ValueRange left, ValueRange right) {
  if (!op.builtin) {
    bindValue(op.left, Leaves(left));
    bindValue(op.right, Leaves(right));
    return emitExpr(op.result);
  }
  Leaves leaves;
  for (auto [leaf, first, second] : llvm::zip(type->getLeaves(), left, right))
    leaves.push_back(
        num.combine(*op.builtin, first, second, isSigned(leaf.type)));
  return leaves;
}

Leaves KernelEmitter::makeIdentity(const sema::Operator &op,
                                   const sema::Type *type) {
  if (!op.builtin)
    return op.identity ? emitExpr(op.identity) : Leaves();
  Leaves leaves;
  for (const sema::Leaf &leaf : type->getLeaves())
    leaves.push_back(num.identity(*op.builtin,
                                  getLeafType(leaf.type, getContext()),
                                  isSigned(leaf.type)));
  return leaves;
}

void KernelEmitter::emitCombiner(Region &region, const sema::Operator &op,
                                 const sema::Type *type) {
  emitRegion(region, [&] {
    Block *block = b.getInsertionBlock();
    SmallVector<Type> types = getLeafTypes(type);
    for (unsigned side = 0; side < 2; ++side)
      for (Type leaf : types)
        block->addArgument(leaf, b.getLoc());
    ValueRange arguments = block->getArguments();
    yieldCombination(op, combine(op, type, arguments.take_front(types.size()),
                                 arguments.drop_front(types.size())));
  });
}

void KernelEmitter::yieldCombination(const sema::Operator &op,
                                     ValueRange values) {
  auto yield = ir::YieldOp::create(b, values);
  yield->setAttr(ir::operatorNameAttr, b.getStringAttr(op.name));
}

Leaves KernelEmitter::combineSerially(const sema::CollectiveExpr *expr,
                                      const sema::Type *element,
                                      ValueRange values,
                                      SmallVectorImpl<Leaves> *each) {
  size_t width = element->getLeaves().size();
  size_t count = width == 0 ? 0 : values.size() / width;
  if (each)
    each->resize(count);
  Leaves running;
  for (size_t i = 0; i < count; ++i) {
    size_t k = expr->reverse ? count - 1 - i : i;
    ValueRange own = values.slice(k * width, width);
    running = i == 0 ? Leaves(own) : combine(*expr->op, element, running, own);
    if (each)
      (*each)[k] = running;
  }
  return running;
}

bool KernelEmitter::isOneExchange(const ir::GroupRef &group,
                                  const sema::Type *element) {
  return group.attr.isOfBlocks() && element->getLeaves().size() > 1;
}

Leaves KernelEmitter::emitReduceOp(const sema::CollectiveExpr *expr,
                                   const ir::GroupRef &group,
                                   const sema::Type *element,
                                   ValueRange values) {
  const sema::Operator &op = *expr->op;
  if (!op.builtin || isOneExchange(group, element)) {
    auto reduce =
        ir::ReduceOp::create(b, values.getTypes(), group, ir::CombineKindAttr(),
                             values, op.commutative);
    emitCombiner(reduce.getCombiner(), op, element);
    return Leaves(reduce.getResults());
  }
  Leaves leaves;
  for (auto [leaf, value] : llvm::zip(element->getLeaves(), values)) {
    auto kind = Arithmetic::getCombineKind(*op.builtin, value.getType(),
                                           isSigned(leaf.type));
    auto reduce = ir::ReduceOp::create(
        b, group, ir::CombineKindAttr::get(getContext(), kind), value);
    leaves.push_back(reduce.getResult(0));
  }
  return leaves;
}

Leaves KernelEmitter::emitReduce(const sema::CollectiveExpr *expr,
                                 const ir::GroupRef &group) {
  Leaves values = emitExpr(expr->operands[0]);
  if (expr->overArray)
    values = combineSerially(expr, expr->getType(), values, nullptr);
  return emitReduceOp(expr, group, expr->getType(), values);
}
