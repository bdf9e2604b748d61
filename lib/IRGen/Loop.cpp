//===- Loop.cpp - Loops ---------------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop variable must not pass its type's limits: `for i in 0..=255` over u8
// ends. Where the last step cannot overflow, a loop compares with its end.
// Elsewhere it computes its last value first and stops behind that.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::dyn_cast;
using CompareOp = sema::CompareExpr::Op;

ir::LoopOp KernelEmitter::createLoop(unsigned unroll,
                                     llvm::function_ref<Value()> emitCondition,
                                     llvm::function_ref<bool()> emitBody,
                                     llvm::function_ref<void()> emitStep) {
  auto op = ir::LoopOp::create(b, unroll);
  emitRegion(op.getCondition(),
             [&] { ir::ConditionOp::create(b, emitCondition()); });
  emitRegion(op.getBody(), [&] {
    emitBody();
    if (!isTerminated(*b.getInsertionBlock()))
      ir::YieldOp::create(b);
  });
  emitRegion(op.getStep(), [&] {
    emitStep();
    ir::YieldOp::create(b);
  });
  return op;
}

void KernelEmitter::emitWhile(const sema::WhileStmt *loop) {
  createLoop(
      loop->unroll, [&] { return emitScalar(loop->condition); },
      [&] { return emitStmt(loop->body); }, [] {});
}

static std::optional<APInt> getConstant(const sema::Expr *expr) {
  auto *constant = llvm::dyn_cast_if_present<sema::ConstantExpr>(expr);
  if (!constant)
    return std::nullopt;
  return std::get<APInt>(constant->scalars.front());
}

/// Whether the loop variable stays in its type's range even one step behind the
/// last value. A group's stride is small against what an extent can be.
bool KernelEmitter::cannotOverflow(const sema::ForStmt *loop) {
  std::optional<APInt> end = getConstant(loop->end);
  std::optional<APInt> step = getConstant(loop->step);
  if (loop->strided)
    return true;
  if (!loop->inclusive && (!loop->step || (step && step->isOne())))
    return true;
  if (!end || (loop->step && !step))
    return false;
  if (!step)
    step = APInt(end->getBitWidth(), 1);
  bool overflows = false;
  if (isSigned(loop->variable->type)) {
    (void)end->sadd_ov(*step, overflows);
    return !overflows && step->isStrictlyPositive();
  }
  (void)end->uadd_ov(*step, overflows);
  return !overflows && !step->isZero();
}

void KernelEmitter::emitFor(const sema::ForStmt *loop) {
  Range range;
  range.begin = emitScalar(loop->begin);
  range.end = emitScalar(loop->end);
  range.step = loop->step ? emitScalar(loop->step)
                          : num.constant(range.begin.getType(), 1);
  range.isSigned = isSigned(loop->variable->type);
  range.inclusive = loop->inclusive;
  std::optional<APInt> step = getConstant(loop->step);
  bool isUnitStep = !loop->step || (step && step->isOne());
  if (!loop->reverse && cannotOverflow(loop))
    emitSimpleFor(loop, range);
  else if (loop->reverse && !loop->inclusive && isUnitStep)
    emitReverseFor(loop, range);
  else
    emitCountedFor(loop, range);
}

/// i = begin; while (i < end) { body; i += step; }
void KernelEmitter::emitSimpleFor(const sema::ForStmt *loop,
                                  const Range &range) {
  Place counter = makeVar(loop->variable->name, loop->variable->type);
  store(counter, range.begin);
  CompareOp compare = range.inclusive ? CompareOp::Le : CompareOp::Lt;
  createLoop(
      loop->unroll,
      [&] {
        return num.compare(compare, load(counter).front(), range.end,
                           range.isSigned);
      },
      [&] {
        bindValue(loop->variable, load(counter));
        return emitStmt(loop->body);
      },
      [&] {
        Value next =
            arith::AddIOp::create(b, load(counter).front(), range.step);
        store(counter, next);
      });
}

/// The variable in memory is one more than i:
/// j = end; while (j > begin) { i = j - 1; body; j -= 1; }
void KernelEmitter::emitReverseFor(const sema::ForStmt *loop,
                                   const Range &range) {
  Place counter = makeVar(loop->variable->name, loop->variable->type);
  store(counter, range.end);
  auto previous = [&]() -> Value {
    Value one = num.constant(range.end.getType(), 1);
    return arith::SubIOp::create(b, load(counter).front(), one);
  };
  createLoop(
      loop->unroll,
      [&] {
        return num.compare(CompareOp::Gt, load(counter).front(), range.begin,
                           range.isSigned);
      },
      [&] {
        bindValue(loop->variable, {previous()});
        return emitStmt(loop->body);
      },
      [&] { store(counter, previous()); });
}

/// more = begin < end; while (more) { body; more = i != last; i += step; }
void KernelEmitter::emitCountedFor(const sema::ForStmt *loop,
                                   const Range &range) {
  Type type = range.begin.getType();
  Value isNonEmpty =
      num.compare(range.inclusive ? CompareOp::Le : CompareOp::Lt, range.begin,
                  range.end, range.isSigned);
  Value last = range.end;
  if (!range.inclusive)
    last = arith::SubIOp::create(b, last, num.constant(type, 1));
  if (loop->step) {
    // The distance is one of the unsigned type of the same width.
    Value distance = arith::SubIOp::create(b, last, range.begin);
    Value trips =
        ir::DivOp::create(b, type, /*isSigned=*/false, distance, range.step);
    last = arith::AddIOp::create(b, range.begin,
                                 arith::MulIOp::create(b, trips, range.step));
  }
  Value first = loop->reverse ? last : range.begin;
  Value final = loop->reverse ? range.begin : last;
  Place counter = makeVar(loop->variable->name, loop->variable->type);
  store(counter, first);
  auto flagType = ir::ViewType::get(getContext(), {}, b.getI1Type(),
                                    ir::MemorySpace::Private);
  Place more = {ir::VarOp::create(b, flagType, "more"), {}};
  store(more, isNonEmpty);
  createLoop(
      loop->unroll, [&] { return load(more).front(); },
      [&] {
        bindValue(loop->variable, load(counter));
        return emitStmt(loop->body);
      },
      [&] {
        Value current = load(counter).front();
        Value goesOn = num.compare(CompareOp::Ne, current, final, false);
        store(more, goesOn);
        Value next = loop->reverse
                         ? Value(arith::SubIOp::create(b, current, range.step))
                         : Value(arith::AddIOp::create(b, current, range.step));
        store(counter, next);
      });
}
