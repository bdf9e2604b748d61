//===- Lexer.h - From text to tokens ----------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_LEXER_H
#define COLL_SYNTAX_LEXER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/SMLoc.h"
#include <cstdint>
#include <vector>

namespace coll {
class DiagnosticEngine;
} // namespace coll

namespace coll::ast {

/// Names of punctuation say how it is written. `>>` and `>>=` are two tokens
/// side by side, since `>` also ends a list of generic arguments.
enum class TokenKind : uint8_t {
#define COLL_TOKEN(name, spelling) name,
#include "coll/Syntax/Tokens.inc"
};

/// One token: a stretch of the buffer.
struct Token {
  TokenKind kind = TokenKind::EndOfFile;
  /// The first token of its line.
  bool startsLine = false;
  uint32_t length = 0;
  const char *begin = nullptr;

  bool is(TokenKind k) const { return kind == k; }
  llvm::StringRef getText() const { return {begin, length}; }
  llvm::SMLoc getLoc() const { return llvm::SMLoc::getFromPointer(begin); }
  llvm::SMLoc getEndLoc() const {
    return llvm::SMLoc::getFromPointer(begin + length);
  }
};

/// How a keyword or punctuation is written; for other kinds what it is: "a
/// name".
llvm::StringRef getSpelling(TokenKind kind);

/// All tokens of a buffer, ended by `EndOfFile`. What is no token is reported
/// and left out; after the error limit the rest of the buffer is too.
std::vector<Token> tokenize(llvm::StringRef buffer, DiagnosticEngine &diags);

} // namespace coll::ast

#endif // COLL_SYNTAX_LEXER_H
