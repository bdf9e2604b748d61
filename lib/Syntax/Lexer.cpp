//===- Lexer.cpp - From text to tokens ------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Syntax/Lexer.h"
#include "coll/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::ast;
using llvm::StringRef;

/// Longer numbers are refused: no value needs them, and to round one exactly
/// takes time that grows with the square of its length.
static constexpr size_t maxNumberLength = 1000;

StringRef ast::getSpelling(TokenKind kind) {
  static constexpr StringRef spellings[] = {
#define COLL_TOKEN(name, spelling) spelling,
#include "coll/Syntax/Tokens.inc"
  };
  return spellings[unsigned(kind)];
}

static TokenKind getWordKind(StringRef word) {
  return llvm::StringSwitch<TokenKind>(word)
#define COLL_KEYWORD(name, spelling) .Case(spelling, TokenKind::name)
#include "coll/Syntax/Tokens.inc"
      .Default(TokenKind::Identifier);
}

static bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

namespace {

class Lexer {
public:
  Lexer(StringRef buffer, DiagnosticEngine &diags)
      : at(buffer.begin()), end(buffer.end()), diags(diags) {}
  std::vector<Token> run();

private:
  StringRef rest() const { return {at, size_t(end - at)}; }
  char peek(size_t n = 0) const { return n < size_t(end - at) ? at[n] : '\0'; }
  void error(const char *place, const llvm::Twine &text) {
    diags.error(llvm::SMLoc::getFromPointer(place), text);
  }
  void add(TokenKind kind, const char *begin) {
    tokens.push_back({kind, startsLine, uint32_t(at - begin), begin});
    startsLine = false;
  }
  void skipBlockComment();
  void lexNumber();
  void lexHexNumber();
  void lexString();
  bool lexPunctuation();
  void skipStrayBytes();
  void lexOne();
  template <typename Predicate> void skipWhile(Predicate predicate) {
    while (at != end && predicate(*at))
      ++at;
  }
  /// Whether an exponent with its digits begins `n` characters from here.
  bool exponentAt(size_t n) const {
    return llvm::isDigit(peek(n + 1)) ||
           ((peek(n + 1) == '+' || peek(n + 1) == '-') &&
            llvm::isDigit(peek(n + 2)));
  }

  const char *at;
  const char *end;
  DiagnosticEngine &diags;
  std::vector<Token> tokens;
  bool startsLine = true;
};

} // namespace

void Lexer::skipBlockComment() {
  const char *begin = at;
  unsigned depth = 0;
  do {
    if (rest().starts_with("/*")) {
      ++depth;
      at += 2;
    } else if (rest().starts_with("*/")) {
      --depth;
      at += 2;
    } else if (at == end) {
      return error(begin, "comment is not closed");
    } else {
      startsLine |= *at == '\n';
      ++at;
    }
  } while (depth != 0);
}

static bool isDigitOrSeparator(char c) { return llvm::isDigit(c) || c == '_'; }
static bool isHexOrSeparator(char c) { return llvm::isHexDigit(c) || c == '_'; }

void Lexer::lexHexNumber() {
  const char *begin = at;
  at += 2;
  skipWhile(isHexOrSeparator);
  // A dot begins a fraction only if the exponent that ends it is there.
  size_t n = 0;
  if (peek() == '.' && llvm::isHexDigit(peek(1))) {
    n = 1;
    while (isHexOrSeparator(peek(n)))
      ++n;
  }
  bool isFloat = (peek(n) == 'p' || peek(n) == 'P') && exponentAt(n);
  if (isFloat) {
    at += n + 2;
    skipWhile(isDigitOrSeparator);
  }
  add(isFloat ? TokenKind::Float : TokenKind::Integer, begin);
}

void Lexer::lexNumber() {
  const char *begin = at;
  if (tokens.size() && tokens.back().is(TokenKind::Dot)) {
    // The element of a tuple: in `t.0.1` there is no number 0.1.
    skipWhile(llvm::isDigit);
    add(TokenKind::Integer, begin);
  } else if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X') &&
             llvm::isHexDigit(peek(2))) {
    lexHexNumber();
  } else if (peek() == '0' && (peek(1) == 'b' || peek(1) == 'o') &&
             llvm::isDigit(peek(2))) {
    at += 2;
    skipWhile(isDigitOrSeparator);
    add(TokenKind::Integer, begin);
  } else {
    bool isFloat = false;
    skipWhile(isDigitOrSeparator);
    if (peek() == '.' && llvm::isDigit(peek(1))) {
      isFloat = true;
      ++at;
      skipWhile(isDigitOrSeparator);
    }
    if ((peek() == 'e' || peek() == 'E') && exponentAt(0)) {
      isFloat = true;
      at += 2;
      skipWhile(isDigitOrSeparator);
    }
    add(isFloat ? TokenKind::Float : TokenKind::Integer, begin);
  }
  const char *suffix = at;
  skipWhile(isWord);
  if (at != suffix)
    error(suffix, "unexpected suffix '" +
                      StringRef(suffix, at - suffix).take_front(40) +
                      "' of a number; a number takes the type of its context");
  else if (size_t(at - begin) > maxNumberLength) {
    error(begin, "number has more than " + llvm::Twine(maxNumberLength) +
                     " characters");
    tokens.back().length = 1;
  }
}

void Lexer::lexString() {
  const char *begin = at++;
  while (at != end && *at != '"') {
    if (*at == '\n' || *at == '\r')
      break;
    if (static_cast<unsigned char>(*at) < 0x20 && *at != '\t')
      error(at,
            "control byte 0x" + llvm::utohexstr(*at, true, 2) + " in a string");
    at += *at == '\\' && peek(1) != '\n' && end - at > 1 ? 2 : 1;
  }
  if (peek() != '"')
    error(begin, "string is not closed");
  else
    ++at;
  add(TokenKind::String, begin);
}

bool Lexer::lexPunctuation() {
  const char *begin = at;
#define COLL_PUNCTUATION(name, spelling)                                       \
  if (rest().starts_with(spelling)) {                                          \
    at += StringRef(spelling).size();                                          \
    add(TokenKind::name, begin);                                               \
    return true;                                                               \
  }
#include "coll/Syntax/Tokens.inc"
  return false;
}

static bool mayBeginToken(unsigned char c) {
  return c < 0x80 && (llvm::isPrint(c) || llvm::isSpace(c)) && c != '@' &&
         c != '$' && c != '`' && c != '\'' && c != '\\';
}

/// One error for a run of them: the bytes of one character, or of a picture.
void Lexer::skipStrayBytes() {
  unsigned char c = *at;
  if (llvm::isPrint(c))
    error(at, "unexpected character '" + llvm::Twine(char(c)) + "'");
  else
    error(at, "unexpected byte 0x" + llvm::utohexstr(c, /*LowerCase=*/true, 2));
  skipWhile([](char c) { return !mayBeginToken(c); });
}

void Lexer::lexOne() {
  char c = *at;
  const char *begin = at;
  if (llvm::isSpace(c)) {
    startsLine |= c == '\n';
    ++at;
  } else if (rest().starts_with("//")) {
    skipWhile([](char c) { return c != '\n'; });
  } else if (rest().starts_with("/*")) {
    skipBlockComment();
  } else if (isWordStart(c)) {
    skipWhile(isWord);
    add(getWordKind({begin, size_t(at - begin)}), begin);
  } else if (llvm::isDigit(c)) {
    lexNumber();
  } else if (c == '"') {
    lexString();
  } else if (!lexPunctuation()) {
    skipStrayBytes();
  }
}

std::vector<Token> Lexer::run() {
  if (rest().starts_with("\xef\xbb\xbf"))
    at += 3; // A byte order mark.
  while (at != end && !diags.reachedErrorLimit())
    lexOne();
  const char *begin = at = end;
  add(TokenKind::EndOfFile, begin);
  return std::move(tokens);
}

std::vector<Token> ast::tokenize(StringRef buffer, DiagnosticEngine &diags) {
  return Lexer(buffer, diags).run();
}
