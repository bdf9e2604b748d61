//===- EmitAMDGPU.cpp - Linked AMDGPU code objects ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "coll/CodeGen/CodeGen.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace coll;

/// Runs LLD in this process. It works on files and on global state, so that one
/// link runs at a time.
static llvm::Error link(llvm::StringRef object, llvm::StringRef output) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string objectPath = object.str(), outputPath = output.str();
  const char *args[] = {"ld.lld", "-shared", objectPath.c_str(), "-o",
                        outputPath.c_str()};
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(args, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError("the code object could not be linked: " +
                                   messages);
  return llvm::Error::success();
}

llvm::Expected<std::string> coll::emitCodeObject(llvm::Module &module,
                                                 const Target &target,
                                                 llvm::TargetMachine &machine) {
  llvm::SmallString<128> object, linked;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("coll", "o", object))
    return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeObject(object);
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("coll", "hsaco", linked))
    return llvm::createStringError(error, "cannot make a temporary file");
  llvm::FileRemover removeLinked(linked);
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(object, error);
    if (error)
      return llvm::createStringError(error, "cannot write '%s'",
                                     object.c_str());
    AMDPassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr,
                                    llvm::CodeGenFileType::ObjectFile))
      return llvm::createStringError("LLVM cannot emit objects for " +
                                     target.str());
    passes.run(module);
  }
  if (llvm::Error error = link(object, linked))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(linked, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read '%s'",
                                   linked.c_str());
  return (*buffer)->getBuffer().str();
}
