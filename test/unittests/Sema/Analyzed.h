//===- Analyzed.h - A small program, parsed and checked ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SEMA_ANALYZED_H
#define COLL_TEST_UNITTESTS_SEMA_ANALYZED_H

#include "coll/Sema/Sema.h"
#include "coll/Syntax/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

namespace coll::sema::test {

/// Parses and checks a text.
class Analyzed {
public:
  explicit Analyzed(const llvm::Twine &text, const SemaOptions &options = {})
      : diags(sources) {
    unsigned buffer = sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text.str(), "test.coll"),
        llvm::SMLoc());
    const ast::SourceFile *file = ast::parseSource(buffer, diags, context);
    if (!diags.hasErrors())
      program = analyze(*file, {}, options, diags);
  }

  /// The messages with their notes, one a line: "error: ...", "note: ...".
  std::string messages() const {
    std::string text;
    for (const Diagnostic &diagnostic : diags.getDiagnostics()) {
      text += "error: " + diagnostic.text + "\n";
      for (const Diagnostic &note : diagnostic.notes)
        text += "note: " + note.text + "\n";
    }
    return text;
  }

  /// The first kernel; null after an error.
  Kernel *kernel() const {
    return program && !program->getKernels().empty()
               ? program->getKernels().front()
               : nullptr;
  }

private:
  llvm::SourceMgr sources;
  DiagnosticEngine diags;
  ast::Context context;
  std::unique_ptr<Program> program;
};

/// The messages for a kernel `k` with this body, and these items before it. Its
/// parameters are x: [n]f32, y: mut [n]f32, u: mut [n]u32, h: mut [n]f16,
/// d: [n, m]f64, a, b, c: f32, i, j: i32, p: bool.
std::string check(const llvm::Twine &body, const llvm::Twine &items = "",
                  const SemaOptions &options = {});

/// The text of that kernel.
std::string wrap(const llvm::Twine &body, const llvm::Twine &items = "");

/// The typed body of that kernel on one line, after contraction: statements end
/// in ';', builtins look like calls, collectives like method calls. The
/// messages instead, if there are any.
std::string print(const llvm::Twine &body, const llvm::Twine &items = "",
                  const SemaOptions &options = {});

std::string printExpr(const Expr *expr);
std::string printStmt(const Stmt *stmt);

} // namespace coll::sema::test

#endif // COLL_TEST_UNITTESTS_SEMA_ANALYZED_H
