//===- Compile.cpp - collc compile ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFlag(cl::Positional,
                                      cl::desc("FILE (- for standard input)"),
                                      cl::sub(getCompileCommand()));
static cl::list<std::string>
    targetFlag("target", cl::CommaSeparated, cl::value_desc("CHIP,..."),
               cl::desc("Chips to compile for ('collc targets' lists them), "
                        "or 'reference'"),
               cl::sub(getCompileCommand()));
static NonEmptyOption
    stageFlag("emit", cl::init("asm"),
              cl::value_desc("ast|coll|lowered|llvm|asm|obj|bundle"),
              cl::desc("What to write (default asm)"),
              cl::sub(getCompileCommand()));
static NonEmptyOption
    outputFlag("o", cl::value_desc("FILE"),
               cl::desc("Where to write. Several targets write FILE with the "
                        "target's name before its extension"),
               cl::sub(getCompileCommand()));
static cl::list<std::string>
    kernelFlag("kernel", cl::value_desc("NAME"),
               cl::desc("Only this kernel, or these; an instance of a generic "
                        "one as 'pass<8>'"),
               cl::sub(getCompileCommand()));

namespace {
/// The flags, copied before anything is compiled: LLD resets every option of
/// the process when it links a code object.
struct Flags {
  std::string input;
  std::string output;
  bool time = false;
  CompileOptions options;
  std::vector<CompileTarget> targets;
  Stage stage = Stage::Asm;
};
} // namespace

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
static std::string getOutputName(const Flags &flags, Stage stage,
                                 const CompileTarget &target, bool several) {
  bool isBinary = stage == Stage::Obj || stage == Stage::Bundle;
  if (!several && !flags.output.empty())
    return flags.output;
  if (!several && !isBinary)
    return "-";
  llvm::SmallString<128> name(flags.output.empty()
                                  ? llvm::sys::path::filename(flags.input)
                                  : llvm::StringRef(flags.output));
  std::string extension = flags.output.empty()
                              ? ("." + getExtension(stage, target)).str()
                              : llvm::sys::path::extension(name).str();
  std::string targetName = target.str();
  std::replace(targetName.begin(), targetName.end(), ':', '-');
  llvm::sys::path::replace_extension(name,
                                     stage == Stage::Bundle ? "" : targetName);
  return (name + extension).str();
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

/// What other compilers call a stage.
static std::string getStageHint(llvm::StringRef text) {
  llvm::StringRef stage = llvm::StringSwitch<llvm::StringRef>(text)
                              .Cases({"ptx", "s", "isa", "gcn"}, "asm")
                              .Cases({"cubin", "hsaco", "o"}, "obj")
                              .Cases({"ll", "llvm-ir", "ir"}, "llvm")
                              .Case("mlir", "coll")
                              .Default("");
  return stage.empty() ? "" : ("; did you mean '" + stage + "'?").str();
}

static llvm::Expected<Flags> readFlags() {
  Flags flags;
  if (llvm::Error error = requireFile(inputFlag))
    return std::move(error);
  flags.input = inputFlag;
  flags.output = outputFlag;
  flags.time = timeFlag;
  std::optional<Stage> stage = parseStage(stageFlag);
  if (!stage)
    return llvm::createStringError("--emit=" + stageFlag.getValue() +
                                   " is none of ast, coll, lowered, llvm, asm, "
                                   "obj, bundle" +
                                   getStageHint(stageFlag));
  flags.stage = *stage;
  llvm::Expected<CompileOptions> options = getCompileOptions();
  if (!options)
    return options.takeError();
  flags.options = std::move(*options);
  flags.options.kernelInstances.assign(kernelFlag.begin(), kernelFlag.end());
  flags.options.onlyKernels = flags.options.kernelInstances;
  for (llvm::StringRef name : targetFlag) {
    llvm::Expected<CompileTarget> target = CompileTarget::parse(name);
    if (!target)
      return target.takeError();
    if (target->isReference() && flags.stage > Stage::Coll &&
        flags.stage != Stage::Bundle)
      return llvm::createStringError(
          "the reference device runs the coll dialect: it has no stage '" +
          getStageName(flags.stage) + "'; name a chip with --target");
    flags.targets.push_back(*target);
  }
  if (llvm::Error error = checkStrategy(flags.options, flags.targets))
    return std::move(error);
  if (!flags.targets.empty())
    return flags;
  if (flags.stage > Stage::Coll)
    return llvm::createStringError(
        "name a chip with --target ('collc targets' lists them)");
  flags.targets.push_back(CompileTarget::reference(32));
  return flags;
}

/// One file with everything.
static int writeBundle(const Flags &flags, std::vector<StepTime> &times) {
  auto compilation = Compilation::fromFile(flags.input, flags.options);
  if (!compilation)
    return reportError(compilation.takeError(), ExitDeviceFailed);
  auto bundle = (*compilation)->compile(flags.targets);
  printReports(**compilation);
  times = (*compilation)->getTimes().vec();
  if (!bundle)
    return reportError(bundle.takeError(), ExitDeviceFailed);
  if (!*bundle)
    return ExitProgramWrong;
  auto bytes = (*bundle)->serialize();
  if (!bytes)
    return reportError(bytes.takeError(), ExitDeviceFailed);
  if (llvm::Error error =
          write(getOutputName(flags, Stage::Bundle, flags.targets.front(),
                              /*several=*/false),
                *bytes))
    return reportError(std::move(error), ExitDeviceFailed);
  return ExitDone;
}

/// One file a target.
static int writeStage(const Flags &flags, std::vector<StepTime> &times) {
  bool several = flags.targets.size() > 1;
  std::string printed; // What is the same for the next target is said once.
  for (const CompileTarget &target : flags.targets) {
    // Each target is checked on its own: `target.*` differs, and so may errors.
    auto compilation = Compilation::fromFile(flags.input, flags.options);
    if (!compilation)
      return reportError(compilation.takeError(), ExitDeviceFailed);
    auto text = (*compilation)->emit(target, flags.stage);
    printReports(**compilation, &printed);
    if (!text)
      return reportError(text.takeError(), ExitDeviceFailed);
    if (!*text)
      return ExitProgramWrong;
    for (const StepTime &time : (*compilation)->getTimes())
      times.push_back({several ? target.str() + " " + time.step : time.step,
                       time.milliseconds});
    if (llvm::Error error =
            write(getOutputName(flags, flags.stage, target, several), **text))
      return reportError(std::move(error), ExitDeviceFailed);
  }
  return ExitDone;
}

int coll::runCompileCommand() {
  llvm::Expected<Flags> flags = readFlags();
  if (!flags)
    return reportError(flags.takeError(), ExitBadUsage);
  std::vector<StepTime> times;
  int code = flags->stage == Stage::Bundle ? writeBundle(*flags, times)
                                           : writeStage(*flags, times);
  if (flags->time)
    printTimes(times);
  return code;
}
