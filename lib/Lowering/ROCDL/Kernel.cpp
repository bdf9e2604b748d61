//===- Kernel.cpp - Kernels and positions on AMD --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

Value ROCDLEmitter::threadId(Builder &b, Dimension dimension,
                             unsigned extent) const {
  Type i32 = b.getI32Type();
  auto range = LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                            APInt(32, extent));
  switch (dimension) {
  case Dimension::X:
    return ROCDL::ThreadIdXOp::create(b, i32, range);
  case Dimension::Y:
    return ROCDL::ThreadIdYOp::create(b, i32, range);
  case Dimension::Z:
    return ROCDL::ThreadIdZOp::create(b, i32, range);
  }
  llvm_unreachable("all dimensions are handled");
}

Value ROCDLEmitter::blockId(Builder &b, Dimension dimension) const {
  Type i32 = b.getI32Type();
  switch (dimension) {
  case Dimension::X:
    return ROCDL::BlockIdXOp::create(b, i32);
  case Dimension::Y:
    return ROCDL::BlockIdYOp::create(b, i32);
  case Dimension::Z:
    return ROCDL::BlockIdZOp::create(b, i32);
  }
  llvm_unreachable("all dimensions are handled");
}

/// The first three words of the implicit arguments (code object version 5).
Value ROCDLEmitter::blockCount(Builder &b, Dimension dimension) const {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 4);
  Value arguments =
      callIntrinsic(b, "llvm.amdgcn.implicitarg.ptr", pointer, ValueRange());
  int32_t offset = 4 * static_cast<int32_t>(dimension);
  Value address = LLVM::GEPOp::create(b, pointer, b.getI8Type(), arguments,
                                      ArrayRef<LLVM::GEPArg>{offset});
  return LLVM::LoadOp::create(b, b.getI32Type(), address, /*alignment=*/4,
                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                              /*isInvariant=*/true);
}

static Value createScaled(ImplicitLocOpBuilder &b, Value x, float factor) {
  return arith::MulFOp::create(
      b, x, arith::ConstantOp::create(b, b.getF32FloatAttr(factor)));
}

static constexpr float log2OfE = 1.44269504f;
static constexpr float ln2 = 0.69314718f;
static constexpr float turn = 0.15915494f;

/// 1 - 2 / (exp(2x) + 1): few chips have an instruction.
static Value createTanh(ImplicitLocOpBuilder &b, Value x) {
  Type f32 = b.getF32Type();
  Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
  Value power = callIntrinsic(b, "llvm.amdgcn.exp2", f32,
                              createScaled(b, x, 2 * log2OfE));
  Value inverse =
      callIntrinsic(b, "llvm.amdgcn.rcp", f32,
                    arith::AddFOp::create(b, power, one).getResult());
  return arith::SubFOp::create(b, one, createScaled(b, inverse, 2));
}

Value ROCDLEmitter::fast(Builder &b, FastKind kind, Value x) const {
  auto call = [&](StringRef name, Value operand) {
    return callIntrinsic(b, name, b.getF32Type(), operand);
  };
  switch (kind) {
  case FastKind::Exp:
    return call("llvm.amdgcn.exp2", createScaled(b, x, log2OfE));
  case FastKind::Exp2:
    return call("llvm.amdgcn.exp2", x);
  case FastKind::Log:
    return createScaled(b, call("llvm.amdgcn.log", x), ln2);
  case FastKind::Log2:
    return call("llvm.amdgcn.log", x);
  case FastKind::Sin:
    return call("llvm.amdgcn.sin",
                call("llvm.amdgcn.fract", createScaled(b, x, turn)));
  case FastKind::Cos:
    return call("llvm.amdgcn.cos",
                call("llvm.amdgcn.fract", createScaled(b, x, turn)));
  case FastKind::Tanh:
    return createTanh(b, x);
  case FastKind::Sqrt:
    return call("llvm.amdgcn.sqrt", x);
  case FastKind::Rsqrt:
    return call("llvm.amdgcn.rsq", x);
  case FastKind::Rcp:
    return call("llvm.amdgcn.rcp", x);
  }
  llvm_unreachable("all kinds are handled");
}

/// Turns off the mode in which min and max quiet a signaling NaN instead of
/// taking the number: LLVM would have to quiet their operands before. What an
/// operation does to the bits of a NaN does not matter. (GFX12 has no modes.)
static void clearIEEEMode(Operation *function) {
  auto op = cast<LLVM::LLVMFuncOp>(function);
  Builder b(op.getContext());
  SmallVector<Attribute> attrs;
  if (ArrayAttr passthrough = op.getPassthroughAttr())
    llvm::append_range(attrs, passthrough);
  attrs.push_back(b.getStrArrayAttr({"amdgpu-ieee", "false"}));
  op.setPassthroughAttr(b.getArrayAttr(attrs));
}

void ROCDLEmitter::markKernel(Operation *function, KernelOp kernel) const {
  Builder b(kernel.getLoc(), kernel.getContext());
  clearIEEEMode(function);
  std::string size = std::to_string(kernel.getBlockSize());
  function->setAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr("rocdl.flat_work_group_size",
                    b.getStringAttr(size + "," + size));
  function->setAttr("rocdl.reqd_work_group_size",
                    b.getDenseI32ArrayAttr(kernel.getWorkgroup()));
  function->setAttr("rocdl.uniform_work_group_size", b.getBoolAttr(true));
}
