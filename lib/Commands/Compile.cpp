//===- Compile.cpp - collc compile ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("FILE (- for standard input)"),
                                  cl::sub(compileCommand));
static cl::list<std::string>
    targetNames("target", cl::CommaSeparated, cl::value_desc("CHIP,..."),
                cl::desc("Chips to compile for ('collc targets' lists them), "
                         "or 'reference'"),
                cl::sub(compileCommand));
static cl::opt<std::string>
    stageName("emit", cl::init("asm"),
              cl::value_desc("ast|coll|lowered|llvm|asm|obj|bundle"),
              cl::desc("What to write (default asm)"), cl::sub(compileCommand));
static cl::opt<std::string>
    output("o", cl::value_desc("FILE"),
           cl::desc("Where to write. Several targets write FILE with the "
                    "target's name before its extension"),
           cl::sub(compileCommand));
static cl::list<std::string>
    kernels("kernel", cl::value_desc("NAME"),
            cl::desc("Compile this instance of a generic kernel: 'pass<8>'"),
            cl::sub(compileCommand));

static llvm::StringRef getExtension(Stage stage, const CompileTarget &target) {
  bool isAMD = !target.isReference() && target.getChip().isAMD();
  switch (stage) {
  case Stage::Ast:
    return "coll";
  case Stage::Coll:
  case Stage::Lowered:
    return "mlir";
  case Stage::LLVM:
    return "ll";
  case Stage::Asm:
    return isAMD ? "s" : "ptx";
  case Stage::Obj:
    return isAMD ? "hsaco" : "cubin";
  case Stage::Bundle:
    return "bundle";
  }
  llvm_unreachable("unknown stage");
}

/// "out.ptx" for sm_90 among several targets: "out.sm_90.ptx".
static std::string getOutputName(Stage stage, const CompileTarget &target,
                                 bool several) {
  bool isBinary = stage == Stage::Obj || stage == Stage::Bundle;
  if (!several && !output.empty())
    return output;
  if (!several && !isBinary)
    return "-";
  std::string targetName = target.str();
  std::replace(targetName.begin(), targetName.end(), ':', '-');
  llvm::SmallString<128> name(output.empty() ? llvm::sys::path::filename(input)
                                             : output.getValue());
  llvm::StringRef extension = getExtension(stage, target);
  std::string ownExtension =
      output.empty() ? "" : llvm::sys::path::extension(name).str();
  llvm::sys::path::replace_extension(name,
                                     stage == Stage::Bundle ? "" : targetName);
  return (name + (ownExtension.empty() ? "." + extension.str() : ownExtension))
      .str();
}

static llvm::Error write(llvm::StringRef name, llvm::StringRef bytes) {
  std::error_code error;
  llvm::ToolOutputFile file(name, error, llvm::sys::fs::OF_None);
  if (error)
    return llvm::createStringError(error, "cannot write '%s': %s",
                                   name.str().c_str(), error.message().c_str());
  file.os() << bytes;
  file.os().flush();
  if (file.os().has_error()) {
    std::error_code cause = file.os().error();
    file.os().clear_error();
    return llvm::createStringError(cause, "cannot write '%s': %s",
                                   name.str().c_str(), cause.message().c_str());
  }
  file.keep();
  return llvm::Error::success();
}

static llvm::Expected<std::vector<CompileTarget>> parseTargets(Stage stage) {
  std::vector<CompileTarget> targets;
  for (llvm::StringRef name : targetNames) {
    llvm::Expected<CompileTarget> target = CompileTarget::parse(name);
    if (!target)
      return target.takeError();
    targets.push_back(*target);
  }
  if (targets.empty()) {
    if (stage > Stage::Coll)
      return llvm::createStringError(
          "name a chip with --target ('collc targets' lists them)");
    targets.push_back(CompileTarget::reference(32));
  }
  return targets;
}

/// One file with everything.
static int writeBundle(Compilation &compilation,
                       llvm::ArrayRef<CompileTarget> targets) {
  auto bundle = compilation.compile(targets);
  printDiagnostics(compilation.getDiagnostics());
  if (!bundle)
    return reportError(bundle.takeError(), ExitDeviceFailed);
  if (!*bundle)
    return ExitProgramWrong;
  auto bytes = (*bundle)->serialize();
  if (!bytes)
    return reportError(bytes.takeError(), ExitDeviceFailed);
  if (llvm::Error error =
          write(getOutputName(Stage::Bundle, targets.front(), false), *bytes))
    return reportError(std::move(error), ExitDeviceFailed);
  return ExitDone;
}

static int writeStage(llvm::ArrayRef<CompileTarget> targets, Stage stage,
                      const CompileOptions &options,
                      std::vector<StepTime> &times) {
  for (const CompileTarget &target : targets) {
    // Each target is checked on its own: `target.*` differs, and so may errors.
    auto compilation = Compilation::fromFile(input, options);
    if (!compilation)
      return reportError(compilation.takeError(), ExitDeviceFailed);
    auto text = (*compilation)->emit(target, stage);
    printDiagnostics((*compilation)->getDiagnostics());
    if (!text)
      return reportError(text.takeError(), ExitDeviceFailed);
    if (!*text)
      return ExitProgramWrong;
    for (const StepTime &time : (*compilation)->getTimes())
      times.push_back(
          {targets.size() > 1 ? target.str() + " " + time.step : time.step,
           time.milliseconds});
    if (llvm::Error error =
            write(getOutputName(stage, target, targets.size() > 1), **text))
      return reportError(std::move(error), ExitDeviceFailed);
  }
  return ExitDone;
}

int coll::runCompileCommand() {
  std::optional<Stage> stage = parseStage(stageName);
  if (!stage)
    return reportError(
        llvm::createStringError("--emit=" + stageName.getValue() +
                                " is none of ast, coll, lowered, llvm, asm, "
                                "obj, bundle"),
        ExitBadUsage);
  llvm::Expected<CompileOptions> options = getCompileOptions();
  if (!options)
    return reportError(options.takeError(), ExitBadUsage);
  options->kernelInstances.assign(kernels.begin(), kernels.end());
  llvm::Expected<std::vector<CompileTarget>> targets = parseTargets(*stage);
  if (!targets)
    return reportError(targets.takeError(), ExitBadUsage);

  std::vector<StepTime> times;
  int code = ExitDone;
  if (*stage == Stage::Bundle) {
    auto compilation = Compilation::fromFile(input, *options);
    if (!compilation)
      return reportError(compilation.takeError(), ExitDeviceFailed);
    code = writeBundle(**compilation, *targets);
    times = (*compilation)->getTimes().vec();
  } else {
    code = writeStage(*targets, *stage, *options, times);
  }
  if (timeFlag)
    printTimes(times);
  return code;
}
