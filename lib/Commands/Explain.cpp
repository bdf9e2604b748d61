//===- Explain.cpp - collc explain ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Plan/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <tuple>

using namespace coll;
namespace cl = llvm::cl;

static cl::opt<std::string> inputFlag(cl::Positional,
                                      cl::desc("FILE (- for standard input)"),
                                      cl::sub(getExplainCommand()));
static cl::list<std::string>
    targetFlag("target", cl::CommaSeparated, cl::value_desc("CHIP,..."),
               cl::desc("Chips to explain it for ('collc targets' lists them)"),
               cl::sub(getExplainCommand()));
static NonEmptyOption
    kernelFlag("kernel", cl::value_desc("NAME"),
               cl::desc("Only this kernel; an instance of a generic one as "
                        "'pass<8>'"),
               cl::sub(getExplainCommand()));
static cl::opt<unsigned> lineFlag("line", cl::value_desc("N"),
                                  cl::desc("Only the collectives of this line"),
                                  cl::sub(getExplainCommand()));
static NonEmptyOption
    svgFlag("svg", cl::value_desc("PREFIX"),
            cl::desc("Draw each plan too: PREFIX1.svg, PREFIX2.svg, ..."),
            cl::sub(getExplainCommand()));

namespace {
/// Prints and draws what the flags ask for.
class Explainer {
public:
  /// All collectives of the file for `target`.
  llvm::Expected<ExitCode> explain(const CompileTarget &target,
                                   const CompileOptions &options);

private:
  llvm::Error checkLine(const Compilation &compilation) const;
  llvm::Error draw(const CollectiveRecord &record);
  static bool isWanted(const CollectiveRecord &record) {
    return isWantedKernel(record) &&
           (lineFlag.getNumOccurrences() == 0 || record.line == lineFlag);
  }
  static bool isWantedKernel(const CollectiveRecord &record) {
    return kernelFlag.empty() ||
           record.kernel == llvm::StringRef(kernelFlag).trim();
  }

  unsigned numDrawn = 0;
};
} // namespace

/// What the filters leave nothing of, for messages.
static std::string describeSource() {
  if (kernelFlag.empty())
    return inputFlag;
  return "kernel '" + llvm::StringRef(kernelFlag).trim().str() + "'";
}

/// An error if there is nothing at the line that was asked for.
llvm::Error Explainer::checkLine(const Compilation &compilation) const {
  llvm::ArrayRef<CollectiveRecord> records = compilation.getCollectives();
  if (lineFlag.getNumOccurrences() == 0 || llvm::any_of(records, isWanted))
    return llvm::Error::success();
  std::set<unsigned> lines;
  for (const CollectiveRecord &record : records)
    if (isWantedKernel(record))
      lines.insert(record.line);
  std::string message = describeSource() + " has no collective in line " +
                        std::to_string(lineFlag);
  auto toText = [](unsigned line) { return std::to_string(line); };
  if (!lines.empty())
    message += "; there are some in " +
               llvm::join(llvm::map_range(lines, toText), ", ");
  return llvm::createStringError(message);
}

/// Plans, and what several warps or blocks do together.
static bool isDrawn(const CollectiveRecord &record) {
  return record.planned || (record.group && record.group->numUnits > 1 &&
                            !record.group->steps.empty());
}

llvm::Error Explainer::draw(const CollectiveRecord &record) {
  std::string name = svgFlag + std::to_string(++numDrawn) + ".svg";
  std::error_code error;
  llvm::ToolOutputFile file(name, error, llvm::sys::fs::OF_Text);
  if (!error) {
    if (record.planned)
      drawPlan(file.os(), *record.planned);
    else
      drawGroupPlan(file.os(), record);
    file.os().flush();
    error = file.os().error();
    file.os().clear_error();
  }
  if (error)
    return llvm::createStringError(error, "cannot write '%s': %s", name.c_str(),
                                   error.message().c_str());
  file.keep();
  llvm::outs() << "  drawn in " << name << '\n';
  return llvm::Error::success();
}

/// Kernel by kernel, in the order of the source. At one place a collective of
/// the block comes before those of its warps, which were logged later.
static std::vector<const CollectiveRecord *>
sortByPlace(llvm::ArrayRef<CollectiveRecord> records) {
  llvm::StringMap<size_t> kernels, files;
  auto getNumber = [](llvm::StringMap<size_t> &numbers, llvm::StringRef name) {
    return numbers.try_emplace(name, numbers.size()).first->second;
  };
  using Place = std::tuple<size_t, size_t, unsigned, unsigned>;
  std::vector<std::pair<Place, const CollectiveRecord *>> placed;
  for (const CollectiveRecord &record : records)
    placed.push_back(
        {Place(getNumber(kernels, record.kernel), getNumber(files, record.file),
               record.line, record.column),
         &record});
  llvm::stable_sort(placed, llvm::less_first());
  std::vector<const CollectiveRecord *> sorted;
  for (const auto &[place, record] : placed)
    sorted.push_back(record);
  return sorted;
}

llvm::Expected<ExitCode> Explainer::explain(const CompileTarget &target,
                                            const CompileOptions &options) {
  auto compilation = Compilation::fromFile(inputFlag, options);
  if (!compilation)
    return compilation.takeError();
  auto lowered = (*compilation)->emit(target, Stage::Lowered);
  printDiagnostics((*compilation)->getDiagnostics());
  if (!lowered)
    return lowered.takeError();
  if (!*lowered)
    return ExitProgramWrong;
  if (llvm::Error error = checkLine(**compilation)) {
    reportError(std::move(error), ExitProgramWrong);
    return ExitProgramWrong;
  }
  if (llvm::none_of((*compilation)->getCollectives(), isWanted))
    llvm::outs() << describeSource() << " has no "
                 << ((*compilation)->hasKernels() ? "collective" : "kernel")
                 << '\n';
  for (const CollectiveRecord *record :
       sortByPlace((*compilation)->getCollectives())) {
    if (!isWanted(*record))
      continue;
    coll::explain(llvm::outs(), *record);
    if (!svgFlag.empty() && isDrawn(*record))
      if (llvm::Error error = draw(*record))
        return std::move(error);
  }
  return ExitDone;
}

static llvm::Expected<std::vector<CompileTarget>> readTargets() {
  if (targetFlag.empty())
    return llvm::createStringError(
        "name a chip with --target ('collc targets' lists them)");
  std::vector<CompileTarget> targets;
  for (llvm::StringRef name : targetFlag) {
    llvm::Expected<CompileTarget> target = CompileTarget::parse(name);
    if (!target)
      return target.takeError();
    if (target->isReference())
      return llvm::createStringError(
          "the reference device has no plans; name a chip with --target");
    targets.push_back(*target);
  }
  return targets;
}

int coll::runExplainCommand() {
  if (llvm::Error error = requireFile(inputFlag))
    return reportError(std::move(error), ExitBadUsage);
  llvm::Expected<std::vector<CompileTarget>> targets = readTargets();
  if (!targets)
    return reportError(targets.takeError(), ExitBadUsage);
  llvm::Expected<CompileOptions> options = getCompileOptions();
  if (!options)
    return reportError(options.takeError(), ExitBadUsage);
  if (llvm::Error error = checkStrategy(*options, *targets))
    return reportError(std::move(error), ExitBadUsage);
  options->logCollectives = true;
  if (!kernelFlag.empty())
    options->kernelInstances = options->onlyKernels = {kernelFlag};
  Explainer explainer;
  for (const CompileTarget &target : *targets) {
    llvm::Expected<ExitCode> code = explainer.explain(target, *options);
    if (!code)
      return reportError(code.takeError(), ExitDeviceFailed);
    if (*code != ExitDone)
      return *code;
  }
  return ExitDone;
}
