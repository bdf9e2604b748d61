//===- Main.cpp - Which sub-command, and bad usage ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

static void printVersion(llvm::raw_ostream &os) {
  os << "collc " COLL_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

static int runSubCommand() {
  if (getCompileCommand())
    return runCompileCommand();
  if (getExplainCommand())
    return runExplainCommand();
  if (getRunCommand())
    return runRunCommand();
  if (getDevicesCommand())
    return runDevicesCommand();
  if (getTargetsCommand())
    return runTargetsCommand();
  if (getBatchCommand())
    return runBatchCommand();
  llvm::errs() << "collc: error: which sub-command? compile, explain, run, "
                  "devices, targets or batch ('collc --help' says more)\n";
  return ExitBadUsage;
}

int coll::runCollc(int argc, char **argv) {
  cl::SetVersionPrinter(printVersion);
  // Those without options of their own are not made yet.
  for (auto *getCommand :
       {getDevicesCommand, getTargetsCommand, getBatchCommand})
    getCommand();
  // What LLVM's libraries register for themselves is not this tool's.
  cl::HideUnrelatedOptions({}, cl::SubCommand::getTopLevel());
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "collc compiles and runs kernels written in Coll\n\n"
          "  collc compile examples/softmax.coll --target=sm_90 --emit=asm\n"
          "  collc run examples/softmax.coll --arg 'x=random(1)' --extent "
          "rows=4 --extent cols=1000\n\n"
          "'collc SUBCOMMAND --help' lists the flags of one.\n",
          &llvm::errs()))
    return ExitBadUsage;
  int exit = runSubCommand();
  // LLVM's streams end the process over an error that nobody asked about.
  llvm::raw_fd_ostream &out = llvm::outs();
  out.flush();
  if (!out.has_error())
    return exit;
  llvm::errs() << "collc: error: cannot write to standard output: "
               << out.error().message() << "\n";
  out.clear_error();
  return ExitDeviceFailed;
}
