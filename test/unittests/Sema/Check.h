//===- Check.h - Checking a text in a test ----------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SEMA_CHECK_H
#define COLL_TEST_UNITTESTS_SEMA_CHECK_H

#include "coll/Sema/Sema.h"
#include "coll/Syntax/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace coll::sema {

/// A text that was parsed and checked, with everything that it refers to.
class Checked {
public:
  explicit Checked(llvm::StringRef text, SemaOptions options = {},
                   llvm::StringRef stdText = "",
                   llvm::StringRef path = "test.coll") {
    diags.setErrorLimit(1000);
    const ast::SourceFile *file = parse(text, path);
    llvm::SmallVector<const ast::SourceFile *, 1> std;
    if (!stdText.empty())
      std.push_back(parse(stdText, "std/math.coll"));
    if (!diags.hasErrors())
      program = analyze(*file, std, options, diags);
  }

  /// The messages in order, notes included, one a line: "3: error: text".
  std::string messages() {
    std::string result;
    for (const Diagnostic &diagnostic : diags.getDiagnostics()) {
      append(diagnostic, "error", result);
      for (const Diagnostic &note : diagnostic.notes)
        append(note, "note", result);
    }
    return result;
  }

  const Kernel *kernel(llvm::StringRef name) {
    for (const Kernel *each : program->getKernels())
      if (each->name == name)
        return each;
    return nullptr;
  }

  std::unique_ptr<Program> program;

private:
  const ast::SourceFile *parse(llvm::StringRef text, llvm::StringRef name) {
    unsigned id = sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, name), {});
    return ast::parseSource(id, diags, context);
  }

  void append(const Diagnostic &diagnostic, llvm::StringRef kind,
              std::string &result) {
    if (diagnostic.loc.isValid())
      result +=
          std::to_string(sources.getLineAndColumn(diagnostic.loc).first) + ": ";
    result += (kind + ": " + diagnostic.text + "\n").str();
  }

  llvm::SourceMgr sources;
  DiagnosticEngine diags{sources};
  ast::Context context;
};

/// The messages for statements in a kernel; they start in line 1.
inline std::string messagesOf(llvm::StringRef body, SemaOptions options = {}) {
  std::string text =
      ("kernel k(x: [n]f32, y: mut [n]f32, a: i32, b: u8, f: f32, d: f64, "
       "l: i64, u: u32, p: bool) workgroup(64) grid(n) { " +
       body + " }")
          .str();
  return Checked(text, options).messages();
}

} // namespace coll::sema

#endif // COLL_TEST_UNITTESTS_SEMA_CHECK_H
