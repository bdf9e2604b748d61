//===- ParseText.h - Parses a string for a test -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SYNTAX_PARSETEXT_H
#define COLL_TEST_UNITTESTS_SYNTAX_PARSETEXT_H

#include "coll/Support/Diagnostics.h"
#include "coll/Syntax/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace coll::test {

/// A parsed string with all that belongs to it.
class ParseText {
public:
  explicit ParseText(llvm::StringRef text) : diags(sources) {
    unsigned id = sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "t.coll"), {});
    file = ast::parseSource(id, diags, context);
  }
  /// The file as text again.
  std::string print() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    ast::printAST(os, *file);
    return text;
  }
  /// "line:column: text" of each diagnostic, in the order of reporting.
  std::vector<std::string> messages() {
    std::vector<std::string> result;
    for (const Diagnostic &diagnostic : diags.getDiagnostics()) {
      auto [line, column] = sources.getLineAndColumn(diagnostic.loc);
      result.push_back(std::to_string(line) + ":" + std::to_string(column) +
                       ": " + diagnostic.text);
    }
    return result;
  }

  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  ast::Context context;
  const ast::SourceFile *file = nullptr;
};

/// The expression, printed, or the messages in one line each.
inline std::string printExpr(llvm::StringRef text) {
  ParseText parsed(("const C: T = " + text + ";").str());
  if (parsed.diags.getDiagnostics().size()) {
    std::string all;
    for (const std::string &message : parsed.messages())
      all += message + "\n";
    return all;
  }
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printAST(os,
           *llvm::cast<ast::ConstItem>(parsed.file->getItems()[0])->getValue());
  return printed;
}

} // namespace coll::test

#endif // COLL_TEST_UNITTESTS_SYNTAX_PARSETEXT_H
