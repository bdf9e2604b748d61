//===- Diagnostics.h - What the user did wrong, and where -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One reporter for all stages. Every message has a place in a buffer of the
// source manager; it prints the line with a caret, and notes after it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SUPPORT_DIAGNOSTICS_H
#define COLL_SUPPORT_DIAGNOSTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace coll {

enum class Severity { Error, Warning, Remark, Note };

/// A message with its place. `range` may be empty: then only the caret shows.
struct Diagnostic {
  Severity severity = Severity::Error;
  llvm::SMLoc loc;
  llvm::SMRange range;
  std::string text;
  std::vector<Diagnostic> notes;
};

/// Returned by `error()` and kin, so that notes can be added:
///   diags.error(loc, "unknown name 'x'").note(declLoc, "'X' is declared
///   here");
/// It refers to its message by index, and so stays valid while others are
/// added.
class DiagnosticEngine;
class DiagnosticBuilder {
public:
  DiagnosticBuilder &note(llvm::SMLoc loc, const llvm::Twine &text);
  /// Underlines a range besides the caret.
  DiagnosticBuilder &range(llvm::SMRange range);

private:
  friend class DiagnosticEngine;
  DiagnosticBuilder(DiagnosticEngine &engine, size_t index)
      : engine(engine), index(index) {}
  DiagnosticEngine &engine;
  size_t index;
};

/// A call on the way to a diagnostic: its place, and what a note there says.
struct CallNote {
  llvm::SMLoc loc;
  std::string text;
};

/// Collects the diagnostics of one compilation, in the order of reporting.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(llvm::SourceMgr &sources) : sources(sources) {}
  DiagnosticEngine(const DiagnosticEngine &) = delete;
  DiagnosticEngine &operator=(const DiagnosticEngine &) = delete;

  DiagnosticBuilder error(llvm::SMLoc loc, const llvm::Twine &text);
  DiagnosticBuilder warning(llvm::SMLoc loc, const llvm::Twine &text);
  DiagnosticBuilder remark(llvm::SMLoc loc, const llvm::Twine &text);

  /// Adds notes that lead to the diagnostics from the `first` on: a chain of
  /// calls, innermost first. The middle of a long one is left out.
  void noteCalls(size_t first, llvm::ArrayRef<CallNote> calls);

  bool hasErrors() const { return errorCount != 0; }
  unsigned getErrorCount() const { return errorCount; }
  llvm::ArrayRef<Diagnostic> getDiagnostics() const { return diagnostics; }
  llvm::SourceMgr &getSourceManager() { return sources; }

  /// After this many errors the rest is counted but not kept (20 by default),
  /// and `print` ends with how many were left out.
  void setErrorLimit(unsigned limit) { errorLimit = limit; }
  bool reachedErrorLimit() const { return errorCount >= errorLimit; }

  /// Prints all diagnostics, ordered by place within each file. A place in no
  /// buffer prints without line and caret.
  void print(llvm::raw_ostream &os, bool colors = false) const;

private:
  friend class DiagnosticBuilder;
  DiagnosticBuilder report(Severity severity, llvm::SMLoc loc,
                           const llvm::Twine &text);

  llvm::SourceMgr &sources;
  std::vector<Diagnostic> diagnostics;
  unsigned errorCount = 0;
  unsigned errorLimit = 20;
};

/// The candidate nearest to `name` by edit distance, or empty if none is near
/// enough to be a likely slip (at most a third of the letters differ).
llvm::StringRef nearestName(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace coll

#endif // COLL_SUPPORT_DIAGNOSTICS_H
