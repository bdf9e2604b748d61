//===- Diagnostics.cpp - What the user did wrong, and where ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

DiagnosticBuilder &DiagnosticBuilder::note(llvm::SMLoc loc,
                                           const llvm::Twine &text) {
  if (index < engine.diagnostics.size())
    engine.diagnostics[index].notes.push_back(
        {Severity::Note, loc, {}, text.str(), {}});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::range(llvm::SMRange range) {
  if (index < engine.diagnostics.size())
    engine.diagnostics[index].range = range;
  return *this;
}

DiagnosticBuilder DiagnosticEngine::error(llvm::SMLoc loc,
                                          const llvm::Twine &text) {
  return report(Severity::Error, loc, text);
}

DiagnosticBuilder DiagnosticEngine::warning(llvm::SMLoc loc,
                                            const llvm::Twine &text) {
  return report(Severity::Warning, loc, text);
}

DiagnosticBuilder DiagnosticEngine::remark(llvm::SMLoc loc,
                                           const llvm::Twine &text) {
  return report(Severity::Remark, loc, text);
}

DiagnosticBuilder DiagnosticEngine::report(Severity severity, llvm::SMLoc loc,
                                           const llvm::Twine &text) {
  if (severity == Severity::Error && errorCount++ >= errorLimit)
    return DiagnosticBuilder(*this, ~size_t(0));
  // The same message at the same place, from a second instance of a generic
  // function for example, tells the user nothing new.
  std::string message = text.str();
  for (size_t i = 0; i < diagnostics.size(); ++i)
    if (loc.isValid() && diagnostics[i].loc == loc &&
        diagnostics[i].severity == severity && diagnostics[i].text == message)
      return DiagnosticBuilder(*this, ~size_t(0));
  diagnostics.push_back({severity, loc, {}, std::move(message), {}});
  return DiagnosticBuilder(*this, diagnostics.size() - 1);
}

/// Of a chain of calls these many are shown at its inner and its outer end.
static constexpr size_t maxInnerCalls = 6, maxOuterCalls = 3;

void DiagnosticEngine::noteCalls(size_t first, llvm::ArrayRef<CallNote> calls) {
  size_t hidden = 0;
  if (calls.size() > maxInnerCalls + maxOuterCalls + 1)
    hidden = calls.size() - maxInnerCalls - maxOuterCalls;
  for (size_t i = first; i < diagnostics.size(); ++i)
    for (const auto &[k, call] : llvm::enumerate(calls)) {
      if (hidden && k >= maxInnerCalls && k < maxInnerCalls + hidden)
        continue;
      std::string text = call.text;
      if (hidden && k + 1 == maxInnerCalls)
        text +=
            " (the next " + std::to_string(hidden) + " calls are not shown)";
      diagnostics[i].notes.push_back(
          {Severity::Note, call.loc, {}, std::move(text), {}});
    }
}

static llvm::SourceMgr::DiagKind toDiagKind(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return llvm::SourceMgr::DK_Error;
  case Severity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case Severity::Remark:
    return llvm::SourceMgr::DK_Remark;
  case Severity::Note:
    return llvm::SourceMgr::DK_Note;
  }
  llvm_unreachable("unknown severity");
}

/// A line longer than this is not quoted: nobody could read it.
static constexpr size_t maxQuotedLine = 400;

/// Stands where the file would, before what has no place in one: the command
/// line was wrong.
static constexpr const char *programName = "collc";

/// `quoted` is the place whose line was quoted last: a note there need not
/// quote it again.
static void printOne(llvm::SourceMgr &sources, const Diagnostic &diagnostic,
                     llvm::SMLoc quoted, llvm::raw_ostream &os, bool colors) {
  llvm::SmallVector<llvm::SMRange, 1> ranges;
  if (diagnostic.range.isValid())
    ranges.push_back(diagnostic.range);
  if (!diagnostic.loc.isValid()) {
    llvm::SMDiagnostic(/*filename=*/"", toDiagKind(diagnostic.severity),
                       diagnostic.text)
        .print(programName, os, colors);
    for (const Diagnostic &note : diagnostic.notes)
      printOne(sources, note, diagnostic.loc, os, colors);
    return;
  }
  llvm::SMDiagnostic message = sources.GetMessage(
      diagnostic.loc, toDiagKind(diagnostic.severity), diagnostic.text, ranges);
  bool isQuoted = diagnostic.loc.isValid() && diagnostic.loc == quoted;
  if (isQuoted || message.getLineContents().size() > maxQuotedLine) {
    // Without line and column LLVM prints one line; they go with the name.
    std::string place =
        (message.getFilename() + ":" + llvm::Twine(message.getLineNo()) + ":" +
         llvm::Twine(message.getColumnNo() + 1))
            .str();
    message = llvm::SMDiagnostic(sources, diagnostic.loc, place, /*Line=*/-1,
                                 /*Col=*/-1, message.getKind(),
                                 message.getMessage(), /*LineStr=*/"",
                                 /*Ranges=*/{});
  }
  message.print(/*ProgName=*/nullptr, os, colors);
  quoted = diagnostic.loc;
  for (const Diagnostic &note : diagnostic.notes) {
    printOne(sources, note, quoted, os, colors);
    quoted = note.loc;
  }
}

void DiagnosticEngine::print(llvm::raw_ostream &os, bool colors) const {
  std::vector<std::pair<unsigned, const Diagnostic *>> order;
  for (const Diagnostic &diagnostic : diagnostics)
    order.emplace_back(diagnostic.loc.isValid()
                           ? sources.FindBufferContainingLoc(diagnostic.loc)
                           : 0,
                       &diagnostic);
  llvm::stable_sort(order, [](const auto &a, const auto &b) {
    if (a.first != b.first)
      return a.first < b.first;
    return a.second->loc.getPointer() < b.second->loc.getPointer();
  });
  for (const auto &[buffer, diagnostic] : order)
    printOne(sources, *diagnostic, llvm::SMLoc(), os, colors);
  if (errorCount > errorLimit)
    os << "error: " << errorCount - errorLimit
       << " more errors are not shown\n";
}

llvm::StringRef coll::nearestName(llvm::StringRef name,
                                  llvm::ArrayRef<llvm::StringRef> candidates) {
  llvm::StringRef best;
  unsigned bestDistance = name.size() / 3 + 1;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance =
        name.edit_distance(candidate, /*AllowReplacements=*/true, bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
