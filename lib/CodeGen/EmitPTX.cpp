//===- EmitPTX.cpp - PTX, of the lowest version that the code needs -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "RewriteSigns.h"
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
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
    // coll::widenMinMax leaves vectors of short integers for this alone.
    return call.getType()->isVectorTy() &&
                   call.getType()->getScalarType()->isIntegerTy(16)
               ? coll::packedMinMaxPTX
               : 0;
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
  return target.isNVIDIA() ? rewriteSigns(text) : text.str().str();
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

namespace {
/// A temporary file that is removed with this.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix) {
    TemporaryFile file;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("coll", suffix, file.path))
      return llvm::createStringError(error, "cannot make a temporary file");
    file.remover = std::make_unique<llvm::FileRemover>(file.path);
    return std::move(file);
  }

  llvm::StringRef getPath() const { return path; }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  llvm::SmallString<128> path;
  std::unique_ptr<llvm::FileRemover> remover;
};
} // namespace

/// Runs ptxas. True if it did what it should; `words` is what it, or who could
/// not start it, says.
static llvm::Expected<bool> runPtxas(llvm::ArrayRef<llvm::StringRef> args,
                                     std::string &words) {
  auto log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log->getPath(),
                                                log->getPath()};
  std::string message;
  int status =
      llvm::sys::ExecuteAndWait(args.front(), args, std::nullopt, redirects,
                                /*SecondsToWait=*/120, 0, &message);
  words = message + log->read();
  return status == 0;
}

/// "'/usr/bin/ptxas' (release 13.0)"
static std::string describePtxas(llvm::StringRef ptxas) {
  std::string text = "'" + ptxas.str() + "'", words;
  llvm::Expected<bool> ran = runPtxas({ptxas, "--version"}, words);
  if (!ran)
    llvm::consumeError(ran.takeError());
  llvm::StringRef release = llvm::StringRef(words).split("release ").second;
  release = release.take_while([](char c) { return c != ',' && c != '\n'; });
  return release.empty() ? text : text + " (release " + release.str() + ")";
}

/// What its words mean, where it does not know the chip or the version of PTX.
static llvm::Error explainFailure(llvm::StringRef ptx, const Target &target,
                                  llvm::StringRef ptxas,
                                  llvm::StringRef words) {
  llvm::StringRef remedy =
      "; COLL_PTXAS=PATH names another one, and --emit=asm gives PTX";
  if (words.contains("gpu-name"))
    return llvm::createStringError("ptxas does not know " + target.str() +
                                   ": " + describePtxas(ptxas) +
                                   " makes no code for it" + remedy);
  llvm::StringRef version = ptx.split(".version ").second.split('\n').first;
  if (words.contains("Unsupported .version"))
    return llvm::createStringError("ptxas does not know PTX ISA " + version +
                                   ", which the code for " + target.str() +
                                   " needs: " + describePtxas(ptxas) +
                                   " is too old" + remedy);
  return llvm::createStringError("'" + ptxas + "' failed for " + target.str() +
                                 ": " + words.rtrim());
}

llvm::Expected<std::string> coll::assemblePTX(llvm::StringRef ptx,
                                              const Target &target,
                                              llvm::StringRef ptxas) {
  auto input = TemporaryFile::create("ptx");
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("cubin");
  if (!output)
    return output.takeError();
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input->getPath(), error);
    if (error)
      return llvm::createStringError(error, "cannot write '%s'",
                                     input->getPath().str().c_str());
    stream << ptx;
  }
  std::string arch = ("-arch=" + target.getChip().name).str(), words;
  llvm::Expected<bool> ran = runPtxas(
      {ptxas, arch, "-O3", input->getPath(), "-o", output->getPath()}, words);
  if (!ran)
    return ran.takeError();
  if (!*ran)
    return explainFailure(ptx, target, ptxas, words);
  return output->read();
}
