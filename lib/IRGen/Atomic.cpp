//===- Atomic.cpp - Atomics -----------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::dyn_cast;
using llvm::isa;
using AtomicOp = sema::AtomicExpr::Op;

static ir::AtomicKind getKind(AtomicOp op, bool isFloat, bool isSigned) {
  using K = ir::AtomicKind;
  switch (op) {
  case AtomicOp::Add:
    return isFloat ? K::FAdd : K::Add;
  case AtomicOp::Sub:
    return isFloat ? K::FAdd : K::Sub;
  case AtomicOp::Min:
    return isFloat ? K::FMin : isSigned ? K::SMin : K::UMin;
  case AtomicOp::Max:
    return isFloat ? K::FMax : isSigned ? K::SMax : K::UMax;
  case AtomicOp::And:
    return K::And;
  case AtomicOp::Or:
    return K::Or;
  case AtomicOp::Xor:
    return K::Xor;
  default:
    return K::Exchange;
  }
}

/// "atomic.add", "fast.atomic_add": threads of a warp may make it together, by
/// collectives.
static std::string getCallName(const sema::AtomicExpr &expr) {
  constexpr llvm::StringLiteral names[] = {"add", "sub", "min", "max",
                                           "and", "or",  "xor"};
  static_assert(unsigned(AtomicOp::Exchange) == std::size(names));
  return (expr.isFast ? "fast.atomic_" : "atomic.") +
         names[unsigned(expr.op)].str();
}

Leaves KernelEmitter::emitAtomic(const sema::AtomicExpr *expr) {
  Place place = emitPlace(expr->place);
  if (expr->op >= AtomicOp::Exchange)
    return emitAtomicBits(expr, std::move(place));
  const sema::Type *type = expr->place->getType();
  bool isFloat = type->isFloatScalar();
  Value value = emitScalar(expr->value);
  b.setLoc(getCallLoc(expr->getLoc(), StringRef(getCallName(*expr))));
  if (isFloat && expr->op == AtomicOp::Sub)
    value = num.negate(value);
  return {ir::AtomicRMWOp::create(b, getKind(expr->op, isFloat, isSigned(type)),
                                  static_cast<ir::MemoryOrder>(expr->order),
                                  static_cast<ir::MemoryScope>(expr->scope),
                                  value, place.view, place.indices,
                                  expr->isFast)};
}

/// Exchanges, loads and stores move the bits of any value of 4 or 8 bytes.
Leaves KernelEmitter::emitAtomicBits(const sema::AtomicExpr *expr,
                                     Place place) {
  const sema::Type *type = expr->place->getType();
  auto order = static_cast<ir::MemoryOrder>(expr->order);
  auto scope = static_cast<ir::MemoryScope>(expr->scope);
  if (!place.getShape().empty()) {
    fail(expr->getLoc(), "an atomic on a value of type " + type->str() +
                             " is not supported yet; put it in a struct");
    return {};
  }
  Type bits = b.getIntegerType(8 * type->getSize());
  ir::ViewType view = place.getViewType();
  if (view.getElementType() != bits)
    place.view = ir::RecastOp::create(
        b,
        ir::ViewType::get(getContext(), view.getShape(), bits, view.getSpace()),
        place.view);
  Value expected, value;
  if (expr->expected)
    expected = packBits(type, emitExpr(expr->expected));
  if (expr->value)
    value = packBits(type, emitExpr(expr->value));
  switch (expr->op) {
  case AtomicOp::Load:
    return unpackBits(type,
                      ir::AtomicLoadOp::create(b, bits, order, scope,
                                               place.view, place.indices));
  case AtomicOp::Store:
    ir::AtomicStoreOp::create(b, order, scope, value, place.view,
                              place.indices);
    return {};
  case AtomicOp::CompareExchange:
    return unpackBits(type,
                      ir::AtomicCASOp::create(b, order, scope, expected, value,
                                              place.view, place.indices));
  default:
    return unpackBits(type, ir::AtomicRMWOp::create(b, ir::AtomicKind::Exchange,
                                                    order, scope, value,
                                                    place.view, place.indices));
  }
}

//===----------------------------------------------------------------------===//
// Values as bits
//===----------------------------------------------------------------------===//

/// Between scalars and vectors of one width, none of them of bools.
Value KernelEmitter::bitcast(Value value, Type to) {
  Type from = value.getType();
  if (from == to)
    return value;
  auto fromVector = dyn_cast<VectorType>(from);
  auto toVector = dyn_cast<VectorType>(to);
  if (!fromVector && !toVector)
    return arith::BitcastOp::create(b, to, value);
  if (!fromVector)
    value = vector::BroadcastOp::create(b, VectorType::get({1}, from), value);
  Type target = toVector ? to : VectorType::get({1}, to);
  value = vector::BitCastOp::create(b, target, value);
  if (toVector)
    return value;
  return vector::ExtractOp::create(b, value, int64_t(0));
}

static unsigned getBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() *
           vector.getElementType().getIntOrFloatBitWidth();
  return type.getIntOrFloatBitWidth();
}

Value KernelEmitter::packBits(const sema::Type *type, ValueRange leaves) {
  Type whole = b.getIntegerType(8 * type->getSize());
  Value result;
  for (auto [leaf, value] : llvm::zip(type->getLeaves(), leaves)) {
    Value bits = bitcast(value, b.getIntegerType(getBits(value.getType())));
    bits = num.resize(bits, /*isSigned=*/false, whole);
    if (leaf.offset != 0)
      bits =
          arith::ShLIOp::create(b, bits, num.constant(whole, 8 * leaf.offset));
    result = result ? Value(arith::OrIOp::create(b, result, bits)) : bits;
  }
  return result ? result : num.constant(whole, 0);
}

Leaves KernelEmitter::unpackBits(const sema::Type *type, Value bits) {
  Leaves leaves;
  for (const sema::Leaf &leaf : type->getLeaves()) {
    Type leafType = getLeafType(leaf.type, getContext());
    Value part = bits;
    if (leaf.offset != 0)
      part = arith::ShRUIOp::create(
          b, bits, num.constant(bits.getType(), 8 * leaf.offset));
    part = num.resize(part, false, b.getIntegerType(getBits(leafType)));
    leaves.push_back(bitcast(part, leafType));
  }
  return leaves;
}
