//===- CompileFlags.h - Flags that several sub-commands share ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_COMMANDS_COMPILEFLAGS_H
#define COLL_LIB_COMMANDS_COMPILEFLAGS_H

#include "coll/Driver/Compile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace coll {

/// Made at first use, which is the construction of an option of theirs in any
/// file: there is no order between those.
llvm::cl::SubCommand &getCompileCommand();
llvm::cl::SubCommand &getExplainCommand();
llvm::cl::SubCommand &getRunCommand();
llvm::cl::SubCommand &getDevicesCommand();
llvm::cl::SubCommand &getTargetsCommand();
llvm::cl::SubCommand &getBatchCommand();

/// The value of an option, which has to be given: '--kernel=' is an error.
class NonEmptyParser : public llvm::cl::parser<std::string> {
public:
  using llvm::cl::parser<std::string>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef value,
             std::string &parsed) {
    if (value.empty())
      return option.error("requires a value");
    parsed = value.str();
    return false;
  }
};
using NonEmptyOption = llvm::cl::opt<std::string, false, NonEmptyParser>;

/// One of the words that the option has.
template <typename T> class WordParser : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef value, T &parsed) {
    if (this->findOption(value) != this->getNumOptions())
      return llvm::cl::parser<T>::parse(option, name, value, parsed);
    std::string words;
    for (unsigned i = 0; i != this->getNumOptions(); ++i)
      if (llvm::StringRef word = this->getOption(i); !word.empty())
        words += (words.empty() ? "" : " or ") + word.str();
    return option.error("expects " + words + ", got '" + value + "'");
  }
};
template <typename T> using WordOption = llvm::cl::opt<T, false, WordParser<T>>;

/// An error unless the command line names a file.
llvm::Error requireFile(const llvm::cl::Option &file);

/// -D, -O, --fp-contract, --strategy, --remarks, --ptx, --code-object-version
/// as given. Call once the command line is parsed.
llvm::Expected<CompileOptions> getCompileOptions();

/// An error if no target has a strategy of the name that --strategy gave.
llvm::Error checkStrategy(const CompileOptions &options,
                          llvm::ArrayRef<CompileTarget> targets);

/// --time: print how long each step took.
extern llvm::cl::opt<bool> timeFlag;

/// Prints the diagnostics to standard error, in colour on a terminal, unless
/// they are `printed`, which gets what they are now.
void printDiagnostics(DiagnosticEngine &diags, std::string *printed = nullptr);

/// Prints the diagnostics and, with --remarks=json, the collectives that were
/// logged, a JSON object a line. Diagnostics that are `printed` are not printed
/// again; it gets what they are now.
void printReports(Compilation &compilation, std::string *printed = nullptr);

/// Prints the steps of a compilation with their share of the whole.
void printTimes(llvm::ArrayRef<StepTime> times);

/// "collc: error: " and the error's text to standard error; returns `code`, or
/// ExitBadUsage for an error of std::errc::invalid_argument.
int reportError(llvm::Error error, int code);

int runCompileCommand();
int runExplainCommand();
int runRunCommand();
int runDevicesCommand();
int runBatchCommand();
int runTargetsCommand();

} // namespace coll

#endif // COLL_LIB_COMMANDS_COMPILEFLAGS_H
