//===- TranslateToLLVM.cpp - The llvm dialect to LLVM IR ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace coll;

llvm::Expected<std::unique_ptr<llvm::Module>>
coll::translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                      const Target &target, const llvm::TargetMachine &machine,
                      const CodeGenOptions &options) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  if (target.isNVIDIA())
    mlir::registerNVVMDialectTranslation(registry);
  else
    mlir::registerROCDLDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  std::unique_ptr<llvm::Module> result =
      mlir::translateModuleToLLVMIR(module, context, "coll");
  if (!result)
    return llvm::createStringError(
        "the lowered module could not be translated to LLVM IR");
  result->setTargetTriple(machine.getTargetTriple());
  result->setDataLayout(machine.createDataLayout());
  if (target.isAMD())
    result->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                          options.codeObjectVersion * 100);

  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(*result, &stream))
    return llvm::createStringError("invalid LLVM IR was generated: " +
                                   problems);
  return result;
}
