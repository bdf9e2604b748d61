//===- LowerKernels.cpp - Kernels as functions ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after collectives are gone. Memory is lowered while control flow is
// still structured, because some accesses need branches of their own.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "GlobalOrder.h"
#include "MemoryLowering.h"
#include "coll/Lowering/Lowering.h"
#include "coll/Lowering/Passes.h"
#include "coll/Lowering/TargetEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/bit.h"

namespace coll::ir {
#define GEN_PASS_DEF_LOWERKERNELS
#include "coll/Lowering/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// In bytes; see docs/design.md, "Kernel ABI".
static constexpr int64_t workspaceAlignment = 256;

/// What LLVM may assume of the pointers. Views of a launch overlap only if none
/// is written; an `inout` one may be the very buffer of any other. To LLVM no
/// call, so no barrier either, sees memory behind a noalias argument: what is
/// written may be so only where no thread reads what others wrote.
static SmallVector<DictionaryAttr> getArgumentAttrs(KernelOp kernel) {
  Builder builder(kernel.getContext());
  auto params = kernel.getParams().getAsRange<ParamAttr>();
  bool hasInout = llvm::any_of(params, [](ParamAttr param) {
    return param.getAccess() == Access::Inout;
  });
  bool isShared = ordersGlobalMemory(kernel);
  SmallVector<DictionaryAttr> result;
  for (auto [param, argument] :
       llvm::zip(params, kernel.getBody().getArguments())) {
    NamedAttrList attrs;
    if (auto view = dyn_cast<ViewType>(argument.getType()))
      attrs.set(LLVM::LLVMDialect::getAlignAttrName(),
                builder.getI64IntegerAttr(
                    llvm::bit_floor(view.getElementAlignment())));
    bool isRead = param.getAccess() == Access::Read;
    if (param.getIsView() && !hasInout && (isRead || !isShared))
      attrs.set(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    if (param.getIsView() && isRead)
      attrs.set(LLVM::LLVMDialect::getReadonlyAttrName(),
                builder.getUnitAttr());
    result.push_back(attrs.getDictionary(kernel.getContext()));
  }
  result.append(kernel.getExtents().size(), builder.getDictionaryAttr({}));
  if (kernel.getWorkspace())
    result.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                              builder.getI64IntegerAttr(workspaceAlignment))}));
  return result;
}

static LogicalResult lowerKernel(KernelOp kernel, const Target &target,
                                 bool checkBounds) {
  auto emitter = TargetEmitter::create(target, kernel.getBlockSize());
  SmallVector<DictionaryAttr> argumentAttrs = getArgumentAttrs(kernel);
  MemoryLowering memory(kernel, *emitter, checkBounds);
  if (failed(memory.run()))
    return failure();

  ImplicitLocOpBuilder b(kernel.getLoc(), kernel);
  SmallVector<Type> types(kernel.getBody().getArgumentTypes());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.getSymName(), type, LLVM::Linkage::External,
      /*dsoLocal=*/false, LLVM::CConv::C, /*comdat=*/SymbolRefAttr(),
      /*attrs=*/{}, argumentAttrs);
  function.setPassthroughAttr(
      b.getStrArrayAttr({"convergent", "nounwind", "norecurse"}));
  function->setAttr("coll.workgroup",
                    b.getDenseI32ArrayAttr(kernel.getWorkgroup()));
  if (StringAttr workspace = kernel.getWorkspaceAttr())
    function->setAttr(workspaceAttrName, workspace);
  if (uint64_t bytes = memory.getLaunchSharedBytes())
    function->setAttr(launchSharedAttrName, b.getI64IntegerAttr(bytes));
  emitter->markKernel(function, kernel);
  function.getBody().takeBody(kernel.getBody());
  kernel.erase();
  flattenControlFlow(function.getBody());
  return success();
}

namespace {
struct LowerKernels : public coll::ir::impl::LowerKernelsBase<LowerKernels> {
  using LowerKernelsBase::LowerKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerKernelsBase::getDependentDialects(registry);
    coll::insertVendorDialect(registry, target);
  }

  void runOnOperation() override {
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (failed(lowerKernel(kernel, *parsed, bounds)))
        return signalPassFailure();
  }
};
} // namespace
