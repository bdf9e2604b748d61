//===- ConvertToLLVM.cpp - What is left, to the LLVM dialect --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: last. First the coll dialect's own arithmetic and positions are
// written with upstream operations, then upstream's patterns convert those.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "coll/Lowering/Passes.h"
#include "coll/Lowering/TargetEmitter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace coll::ir {
#define GEN_PASS_DEF_CONVERTTOLLVM
#include "coll/Lowering/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// Writes the function's coll operations with upstream ones.
static LogicalResult lowerFunction(LLVM::LLVMFuncOp function,
                                   const Target &target) {
  auto workgroup = function->getAttrOfType<DenseI32ArrayAttr>("coll.workgroup");
  if (!workgroup)
    return success();
  ArrayRef<int32_t> sizes = workgroup.asArrayRef();
  auto emitter = TargetEmitter::create(target, sizes[0] * sizes[1] * sizes[2]);
  Positions positions(*emitter, sizes);
  SmallVector<Operation *> operations;
  function.walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Value value = positions.lower(b, op);
    if (!value) {
      FailureOr<Value> result = lowerArithmetic(b, *emitter, op);
      if (failed(result))
        return failure();
      value = *result;
    }
    if (!value)
      continue;
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
  }
  function->removeAttr("coll.workgroup");
  return success();
}

namespace {
struct ConvertToLLVM : public coll::ir::impl::ConvertToLLVMBase<ConvertToLLVM> {
  using ConvertToLLVMBase::ConvertToLLVMBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertToLLVMBase::getDependentDialects(registry);
    coll::insertVendorDialect(registry, target);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      module.emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (failed(lowerFunction(function, *parsed)))
        return signalPassFailure();

    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget conversion(getContext());
    conversion.addLegalDialect<NVVM::NVVMDialect, ROCDL::ROCDLDialect>();
    conversion.addLegalOp<ModuleOp>();
    if (failed(applyFullConversion(module, conversion, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
