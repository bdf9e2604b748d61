//===- Kernel.cpp - Kernels and positions on NVIDIA -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// The operation for a dimension; the operations differ in their class only.
template <typename X, typename Y, typename Z>
static Value createInDimension(ImplicitLocOpBuilder &b, Dimension dimension,
                               LLVM::ConstantRangeAttr range = {}) {
  Type i32 = b.getI32Type();
  switch (dimension) {
  case Dimension::X:
    return X::create(b, i32, range);
  case Dimension::Y:
    return Y::create(b, i32, range);
  case Dimension::Z:
    return Z::create(b, i32, range);
  }
  llvm_unreachable("all dimensions are handled");
}

Value NVVMEmitter::threadId(Builder &b, Dimension dimension,
                            unsigned extent) const {
  auto range = LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                            APInt(32, extent));
  return createInDimension<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp,
                           NVVM::ThreadIdZOp>(b, dimension, range);
}

Value NVVMEmitter::blockId(Builder &b, Dimension dimension) const {
  return createInDimension<NVVM::BlockIdXOp, NVVM::BlockIdYOp,
                           NVVM::BlockIdZOp>(b, dimension);
}

Value NVVMEmitter::blockCount(Builder &b, Dimension dimension) const {
  return createInDimension<NVVM::GridDimXOp, NVVM::GridDimYOp,
                           NVVM::GridDimZOp>(b, dimension);
}

static Value createF32(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

static Value createExp(ImplicitLocOpBuilder &b, Value x, float factor) {
  Value scaled = arith::MulFOp::create(b, x, createF32(b, factor));
  return callIntrinsic(b, "llvm.nvvm.ex2.approx.f32", b.getF32Type(), scaled);
}

static constexpr float log2OfE = 1.44269504f;
static constexpr float ln2 = 0.69314718f;

/// 1 - 2 / (exp(2x) + 1), for chips without an instruction.
static Value createTanh(ImplicitLocOpBuilder &b, Value x) {
  Value one = createF32(b, 1);
  Value sum = arith::AddFOp::create(b, createExp(b, x, 2 * log2OfE), one);
  Value inverse =
      callIntrinsic(b, "llvm.nvvm.rcp.approx.ftz.f", b.getF32Type(), sum);
  Value twice = arith::MulFOp::create(b, inverse, createF32(b, 2));
  return arith::SubFOp::create(b, one, twice);
}

/// tanh.approx, which LLVM selects for a tanh that may be approximate.
static Value createNativeTanh(ImplicitLocOpBuilder &b, Value x) {
  auto flags =
      LLVM::FastmathFlagsAttr::get(b.getContext(), LLVM::FastmathFlags::afn);
  return LLVM::CallIntrinsicOp::create(b, TypeRange(b.getF32Type()),
                                       b.getStringAttr("llvm.tanh"),
                                       ValueRange(x), flags)
      .getResults();
}

Value NVVMEmitter::fast(Builder &b, FastKind kind, Value x) const {
  auto call = [&](StringRef name) {
    return callIntrinsic(b, name, b.getF32Type(), x);
  };
  switch (kind) {
  case FastKind::Exp:
    return createExp(b, x, log2OfE);
  case FastKind::Exp2:
    return call("llvm.nvvm.ex2.approx.f32");
  case FastKind::Log:
    return arith::MulFOp::create(b, call("llvm.nvvm.lg2.approx.f"),
                                 createF32(b, ln2));
  case FastKind::Log2:
    return call("llvm.nvvm.lg2.approx.f");
  case FastKind::Sin:
    return call("llvm.nvvm.sin.approx.f");
  case FastKind::Cos:
    return call("llvm.nvvm.cos.approx.f");
  case FastKind::Tanh:
    return target.getSM() >= 80 ? createNativeTanh(b, x) : createTanh(b, x);
  case FastKind::Sqrt:
    return call("llvm.nvvm.sqrt.approx.f");
  case FastKind::Rsqrt:
    return call("llvm.nvvm.rsqrt.approx.f");
  case FastKind::Rcp:
    return call("llvm.nvvm.rcp.approx.ftz.f");
  }
  llvm_unreachable("all kinds are handled");
}

void NVVMEmitter::markKernel(Operation *function, KernelOp kernel) const {
  Builder b(kernel.getLoc(), kernel.getContext());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr(kernel.getWorkgroup()));
  if (kernel.getCluster() != 1)
    function->setAttr(
        NVVM::NVVMDialect::getClusterDimAttrName(),
        b.getDenseI32ArrayAttr({int32_t(kernel.getCluster()), 1, 1}));
  if (kernel.getMaxRegisters())
    function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                      b.getI32IntegerAttr(kernel.getMaxRegisters()));
  if (kernel.getMinBlocks())
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(kernel.getMinBlocks()));
}
