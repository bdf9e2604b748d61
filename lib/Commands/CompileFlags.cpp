//===- CompileFlags.cpp - Flags that several sub-commands share -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Plan/CollectiveLog.h"
#include "coll/Plan/Strategy.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
namespace cl = llvm::cl;

cl::SubCommand &coll::getCompileCommand() {
  static cl::SubCommand command("compile",
                                "Compile a .coll file for one or more chips");
  return command;
}

cl::SubCommand &coll::getExplainCommand() {
  static cl::SubCommand command(
      "explain", "Show step by step what carries out a program's collectives");
  return command;
}

cl::SubCommand &coll::getRunCommand() {
  static cl::SubCommand command(
      "run", "Compile a kernel, run it, print what it wrote");
  return command;
}

cl::SubCommand &coll::getDevicesCommand() {
  static cl::SubCommand command("devices", "List the devices of this machine");
  return command;
}

cl::SubCommand &coll::getTargetsCommand() {
  static cl::SubCommand command("targets",
                                "List the chips that code can be made for");
  return command;
}

cl::SubCommand &coll::getBatchCommand() {
  static cl::SubCommand command(
      "batch", "Run command lines from standard input in one process: a JSON "
               "object a line with 'arguments' and 'directory'");
  return command;
}

static cl::list<std::string>
    defines("D", cl::Prefix, cl::value_desc("NAME=VALUE"),
            cl::desc("Give a const of the program another value"),
            cl::sub(getCompileCommand()), cl::sub(getExplainCommand()),
            cl::sub(getRunCommand()));

static cl::opt<unsigned>
    optLevel("O", cl::Prefix, cl::init(3), cl::value_desc("0..3"),
             cl::desc("Optimisation level of LLVM (default 3)"),
             cl::sub(getCompileCommand()), cl::sub(getRunCommand()));

namespace {
enum class Contract { On, Off };
} // namespace
static WordOption<Contract> contract(
    "fp-contract", cl::init(Contract::On),
    cl::desc("Contract a multiply-add in one expression to fma:"),
    cl::values(clEnumValN(Contract::On, "on", "as the language says (default)"),
               clEnumValN(Contract::Off, "off", "never")),
    cl::sub(getCompileCommand()), cl::sub(getExplainCommand()),
    cl::sub(getRunCommand()));

static cl::opt<bool> debugLines(
    "g",
    cl::desc("Keep source lines in the code (collc run on simulated chips "
             "always does)"),
    cl::sub(getCompileCommand()), cl::sub(getRunCommand()));

static cl::opt<std::string> strategy(
    "strategy", cl::value_desc("NAME"),
    cl::desc("Use this strategy for every collective that it can carry out"),
    cl::sub(getCompileCommand()), cl::sub(getExplainCommand()),
    cl::sub(getRunCommand()));

namespace {
enum class Remarks { None, Text, JSON };
} // namespace
static WordOption<Remarks> remarks(
    "remarks", cl::ValueOptional, cl::init(Remarks::None),
    cl::desc("Say for each collective which plan was taken and why:"),
    cl::values(clEnumValN(Remarks::Text, "text", "as remarks (default)"),
               clEnumValN(Remarks::JSON, "json",
                          "one JSON object a line, on standard error"),
               clEnumValN(Remarks::Text, "", "")),
    cl::sub(getCompileCommand()), cl::sub(getRunCommand()));

static cl::opt<std::string>
    ptxVersion("ptx", cl::value_desc("MAJOR.MINOR"),
               cl::desc("PTX ISA version (default: the lowest that the code "
                        "needs)"),
               cl::sub(getCompileCommand()), cl::sub(getRunCommand()));

static cl::opt<unsigned>
    codeObjectVersion("code-object-version", cl::init(5), cl::value_desc("5|6"),
                      cl::desc("Version of AMD code objects (default 5)"),
                      cl::sub(getCompileCommand()), cl::sub(getRunCommand()));

cl::opt<bool> coll::timeFlag("time", cl::desc("Print how long each step took"),
                             cl::sub(getCompileCommand()),
                             cl::sub(getRunCommand()));

llvm::Error coll::requireFile(const cl::Option &file) {
  if (file.getNumOccurrences() != 0)
    return llvm::Error::success();
  return llvm::createStringError("name a .coll file, or - for standard input");
}

/// "7.8" as 78.
static llvm::Expected<unsigned> parsePTXVersion(llvm::StringRef text) {
  auto [major, minor] = text.split('.');
  unsigned majorNumber = 0, minorNumber = 0;
  if (major.getAsInteger(10, majorNumber) || majorNumber > 99 ||
      minor.getAsInteger(10, minorNumber) || minorNumber > 9)
    return llvm::createStringError("--ptx=" + text +
                                   " is no version such as 7.8");
  unsigned version = majorNumber * 10 + minorNumber;
  // Those that LLVM knows.
  if (!llvm::is_contained({60u, 61u, 62u, 63u, 64u, 65u, 70u, 71u, 72u,
                           73u, 74u, 75u, 76u, 77u, 78u, 80u, 81u, 82u,
                           83u, 84u, 85u, 86u, 87u, 88u, 90u},
                          version))
    return llvm::createStringError(
        version > 60 && version < 90
            ? "there is no PTX ISA " + text
            : "PTX ISA " + text + " is not known here: 6.0 to 9.0 are");
  return version;
}

llvm::Expected<CompileOptions> coll::getCompileOptions() {
  CompileOptions options;
  for (llvm::StringRef define : defines) {
    auto [name, value] = define.split('=');
    if (name.empty() || !define.contains('='))
      return llvm::createStringError("-D expects NAME=VALUE, got '" + define +
                                     "'");
    options.defines.emplace_back(name.str(), value.str());
  }
  if (optLevel > 3)
    return llvm::createStringError("-O expects 0, 1, 2 or 3, got %u",
                                   optLevel.getValue());
  if (codeObjectVersion != 5 && codeObjectVersion != 6)
    return llvm::createStringError(
        "--code-object-version expects 5 or 6, got %u",
        codeObjectVersion.getValue());
  if (!ptxVersion.empty()) {
    llvm::Expected<unsigned> version = parsePTXVersion(ptxVersion);
    if (!version)
      return version.takeError();
    options.ptxVersion = *version;
  }
  options.optLevel = optLevel;
  options.contract = contract == Contract::On;
  options.strategy = strategy;
  options.debugLines = debugLines;
  options.remarks = remarks == Remarks::Text;
  options.logCollectives = remarks == Remarks::JSON;
  options.codeObjectVersion = codeObjectVersion;
  return options;
}

/// Without a chip a strategy of either vendor will do.
static llvm::Error checkAnyVendor(llvm::StringRef name) {
  llvm::SetVector<llvm::StringRef> known;
  for (Vendor vendor : {Vendor::NVIDIA, Vendor::AMD})
    for (const Strategy &strategy : getStrategies(vendor))
      known.insert(strategy.name);
  if (known.contains(name))
    return llvm::Error::success();
  return llvm::createStringError("unknown strategy '" + name +
                                 "'; there are '" + llvm::join(known, "', '") +
                                 "'");
}

llvm::Error coll::checkStrategy(const CompileOptions &options,
                                llvm::ArrayRef<CompileTarget> targets) {
  const CompileTarget *first = nullptr;
  for (const CompileTarget &target : targets) {
    if (target.isReference())
      continue;
    if (isStrategy(target.getChip().getVendor(), options.strategy))
      return llvm::Error::success();
    first = first ? first : &target;
  }
  if (options.strategy.empty())
    return llvm::Error::success();
  if (first)
    return checkStrategyName(first->getChip(), options.strategy);
  return checkAnyVendor(options.strategy);
}

void coll::printDiagnostics(DiagnosticEngine &diags, std::string *printed) {
  // Standard error is not buffered, and a diagnostic is many small writes.
  std::string text;
  llvm::raw_string_ostream stream(text);
  bool colors = llvm::errs().has_colors();
  stream.enable_colors(colors);
  diags.print(stream, colors);
  if (printed && *printed == text)
    return;
  llvm::errs() << text;
  if (printed)
    *printed = std::move(text);
}

void coll::printReports(Compilation &compilation, std::string *printed) {
  printDiagnostics(compilation.getDiagnostics(), printed);
  std::string text;
  llvm::raw_string_ostream stream(text);
  // The flag itself is lost once LLD has linked: see Compile.cpp.
  for (const CollectiveRecord &record : compilation.getCollectives()) {
    llvm::json::OStream json(stream);
    writeJSON(json, record);
    json.flush();
    stream << '\n';
  }
  llvm::errs() << text;
}

void coll::printTimes(llvm::ArrayRef<StepTime> times) {
  double total = 0;
  int width = 10;
  for (const StepTime &time : times) {
    total += time.milliseconds;
    width = std::max<int>(width, time.step.size());
  }
  for (const StepTime &time : times)
    llvm::errs() << llvm::format("%-*s %8.3f ms %5.1f %%\n", width,
                                 time.step.c_str(), time.milliseconds,
                                 100 * time.milliseconds / total);
  llvm::errs() << llvm::format("%-*s %8.3f ms\n", width, "total", total);
}

int coll::reportError(llvm::Error error, int code) {
  llvm::handleAllErrors(
      std::move(error),
      // Has a place of its own, as the compiler's errors do.
      [](const KernelFault &fault) { llvm::errs() << fault.getText() << '\n'; },
      [&](const llvm::ErrorInfoBase &info) {
        if (info.convertToErrorCode() == std::errc::invalid_argument)
          code = ExitBadUsage;
        llvm::WithColor::error(llvm::errs(), "collc") << info.message() << '\n';
      });
  return code;
}
