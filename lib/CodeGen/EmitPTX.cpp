//===- EmitPTX.cpp - PTX, of the lowest version that the code needs -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace coll;

/// First PTX ISA version of an intrinsic, where that is above the 6.0 that all
/// chips have. Source: "PTX ISA Notes" of each instruction in the PTX manual.
static unsigned getRequiredPTXVersion(const llvm::CallBase &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_activemask:
    return 62;
  case llvm::Intrinsic::nvvm_nanosleep:
    return 63;
  case llvm::Intrinsic::nvvm_redux_sync_add:
  case llvm::Intrinsic::nvvm_redux_sync_min:
  case llvm::Intrinsic::nvvm_redux_sync_max:
  case llvm::Intrinsic::nvvm_redux_sync_umin:
  case llvm::Intrinsic::nvvm_redux_sync_umax:
  case llvm::Intrinsic::nvvm_redux_sync_and:
  case llvm::Intrinsic::nvvm_redux_sync_or:
  case llvm::Intrinsic::nvvm_redux_sync_xor:
    return 70;
  case llvm::Intrinsic::nvvm_elect_sync:
    return 80;
  case llvm::Intrinsic::nvvm_redux_sync_fmin:
  case llvm::Intrinsic::nvvm_redux_sync_fmax:
  case llvm::Intrinsic::nvvm_redux_sync_fmin_NaN:
  case llvm::Intrinsic::nvvm_redux_sync_fmax_NaN:
    return 86;
  default:
    return 0;
  }
}

unsigned coll::getRequiredPTXVersion(const llvm::Module &module,
                                     const Target &target) {
  unsigned version = target.getChip().minPTX;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        version = std::max(version, ::getRequiredPTXVersion(*call));
  return version;
}

llvm::Expected<std::string> coll::emitAssembly(llvm::Module &module,
                                               const Target &target,
                                               llvm::TargetMachine &machine,
                                               const CodeGenOptions &options) {
  llvm::TargetMachine *emitter = &machine;
  std::unique_ptr<llvm::TargetMachine> ofHigherVersion;
  if (target.isNVIDIA()) {
    unsigned ptxVersion = getRequiredPTXVersion(module, target);
    if (options.ptxVersion && options.ptxVersion < ptxVersion)
      return llvm::createStringError(
          std::errc::invalid_argument,
          "the code needs PTX ISA %u.%u, but %u.%u was asked for",
          ptxVersion / 10, ptxVersion % 10, options.ptxVersion / 10,
          options.ptxVersion % 10);
    ptxVersion = std::max(ptxVersion, options.ptxVersion);
    if (ptxVersion > target.getChip().minPTX) {
      auto created = createTargetMachine(target, options, ptxVersion);
      if (!created)
        return created.takeError();
      ofHigherVersion = std::move(*created);
      emitter = ofHigherVersion.get();
    }
  }
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager ofNVIDIA;
  AMDPassManager ofAMD;
  llvm::legacy::PassManager &passes = target.isAMD() ? ofAMD : ofNVIDIA;
  if (emitter->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("LLVM cannot emit assembly for " +
                                   target.str());
  passes.run(module);
  return text.str().str();
}

std::string coll::findPtxas() {
  if (std::optional<std::string> path =
          llvm::sys::Process::GetEnv("COLL_PTXAS"))
    return *path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(
          "ptxas", {"/usr/local/cuda/bin", "/opt/cuda/bin"}))
    return *path;
  return "";
}

llvm::Expected<std::string> coll::assemblePTX(llvm::StringRef ptx,
                                              const Target &target,
                                              llvm::StringRef ptxas) {
  llvm::SmallString<128> input, output, log;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("coll", "ptx", input))
    return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeInput(input);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("coll", "cubin", output))
    return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeOutput(output);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("coll", "log", log))
    return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeLog(log);
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input, error);
    if (error)
      return llvm::createStringError(error, "cannot write '%s'", input.c_str());
    stream << ptx;
  }
  std::string arch = ("-arch=" + target.getChip().name).str();
  llvm::StringRef args[] = {ptxas, arch, "-O3", input, "-o", output};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log.str(),
                                                log.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(ptxas, args, std::nullopt, redirects,
                                         /*SecondsToWait=*/120, 0, &message);
  auto readFile = [](llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  if (status != 0)
    return llvm::createStringError("'" + ptxas + "' failed for " +
                                   target.str() + ": " + message +
                                   readFile(log));
  return readFile(output);
}
