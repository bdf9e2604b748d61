//===- Parser.cpp - Tokens, errors and recovery of the parser -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::ast;
using llvm::StringRef;
using llvm::Twine;

Parser::Parser(std::vector<Token> tokens, DiagnosticEngine &diags,
               Context &context)
    : tokens(std::move(tokens)), diags(diags), context(context) {
  findClosers();
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

namespace {

/// The brackets that are open at one place, and how many of them are round and
/// square inside the innermost brace.
class OpenBrackets {
public:
  void open(TokenKind kind, uint32_t index) {
    stack.push_back({kind, index});
    if (kind == TokenKind::LBrace)
      counts.push_back({0, 0});
    else
      ++count(kind);
  }
  /// Whether a bracket of that kind is open with no brace in between.
  bool has(TokenKind kind) {
    return kind == TokenKind::LBrace ? counts.size() > 1 : count(kind) != 0;
  }
  bool empty() const { return stack.empty(); }
  std::pair<TokenKind, uint32_t> pop() {
    auto top = stack.pop_back_val();
    if (top.first == TokenKind::LBrace)
      counts.pop_back();
    else
      --count(top.first);
    return top;
  }

private:
  struct Counts {
    uint32_t round;
    uint32_t square;
  };
  uint32_t &count(TokenKind kind) {
    return kind == TokenKind::LParen ? counts.back().round
                                     : counts.back().square;
  }
  llvm::SmallVector<std::pair<TokenKind, uint32_t>> stack;
  llvm::SmallVector<Counts> counts = {{0, 0}};
};

} // namespace

static TokenKind getOpener(TokenKind kind) {
  switch (kind) {
  case TokenKind::RParen:
    return TokenKind::LParen;
  case TokenKind::RBracket:
    return TokenKind::LBracket;
  case TokenKind::RBrace:
    return TokenKind::LBrace;
  default:
    return TokenKind::EndOfFile;
  }
}

static bool isOpener(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LBracket ||
         kind == TokenKind::LBrace;
}

/// A bracket that is never closed ends where one around it does.
void Parser::findClosers() {
  closers.resize(tokens.size());
  OpenBrackets brackets;
  for (uint32_t i = 0; i < tokens.size(); ++i) {
    Kind kind = tokens[i].kind;
    Kind opener = getOpener(kind);
    if (isOpener(kind))
      brackets.open(kind, i);
    else if (opener != Kind::EndOfFile && brackets.has(opener))
      for (Kind popped = Kind::EndOfFile; popped != opener;) {
        auto [top, index] = brackets.pop();
        closers[index] = i;
        popped = top;
      }
  }
  while (!brackets.empty())
    closers[brackets.pop().second] = tokens.size() - 1;
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::accept(Kind kind) {
  if (!at(kind))
    return false;
  next();
  return true;
}

bool Parser::acceptWord(StringRef word) {
  if (!atWord(word))
    return false;
  next();
  return true;
}

bool Parser::expect(Kind kind, const Twine &where) {
  if (accept(kind))
    return true;
  expected("'" + getSpelling(kind) + "'" + where);
  return false;
}

Name Parser::takeName() {
  Name name{token().getText(), {token().getLoc(), token().getEndLoc()}};
  next();
  return name;
}

bool Parser::parseName(const Twine &what, Name &name) {
  if (at(Kind::Identifier)) {
    name = takeName();
    return true;
  }
  StringRef text = token().getText();
  if (!text.empty() && llvm::isAlpha(text.front()))
    error("expected " + what + ", got the keyword '" + text + "'");
  else
    expected(what);
  return false;
}

bool Parser::atPair(Kind second) const {
  return at(Kind::Greater) && token(1).is(second) &&
         token().begin + 1 == token(1).begin;
}

//===----------------------------------------------------------------------===//
// Errors and recovery
//===----------------------------------------------------------------------===//

std::string Parser::describeToken() const {
  StringRef text = token().getText();
  if (atEnd() || at(Kind::String))
    return getSpelling(token().kind).str();
  if (text.size() > 40)
    return ("'" + text.take_front(40) + "...'").str();
  return ("'" + text + "'").str();
}

void Parser::errorAt(size_t index, const Twine &text) {
  if (gaveUp || index == lastError)
    return;
  lastError = index;
  diags.error(tokens[index].getLoc(), text);
}

void Parser::expected(const Twine &what) {
  error("expected " + what + ", got " + describeToken());
}

bool Parser::expectSemicolon(const Twine &after) {
  if (accept(Kind::Semicolon))
    return true;
  if (gaveUp || pos == lastError || pos == 0)
    return false;
  lastError = pos;
  // A string that is not closed has taken the `;`, and has its error already.
  const Token &last = tokens[pos - 1];
  bool isOpenString = last.is(Kind::String) &&
                      (last.length < 2 || last.getText().back() != '"');
  if (!isOpenString)
    diags.error(last.getEndLoc(), "expected ';' after " + after);
  return token().startsLine || at(Kind::RBrace) || atEnd();
}

bool Parser::checkNesting() {
  if (gaveUp)
    return false;
  if (nesting <= maxNesting)
    return true;
  error("nested too deeply: more than " + Twine(maxNesting) + " levels");
  gaveUp = true;
  abandon();
  return false;
}

bool Parser::checkHeight(const Expr *expr) {
  tallest = std::max(tallest, expr->getHeight());
  if (gaveUp)
    return false;
  if (expr->getHeight() <= maxExprHeight)
    return true;
  diags.error(expr->getLoc(), "expression is too long: more than " +
                                  Twine(maxExprHeight) +
                                  " operators in a chain");
  gaveUp = true;
  abandon();
  return false;
}

bool Parser::atItem() const {
  switch (token().kind) {
  case Kind::KwKernel:
  case Kind::KwPipeline:
  case Kind::KwFn:
  case Kind::KwOp:
  case Kind::KwStruct:
  case Kind::KwEnum:
  case Kind::KwImport:
  case Kind::KwConst:
    return true;
  case Kind::Identifier:
    return (atWord("type") && token(1).is(Kind::Identifier) &&
            token(2).is(Kind::Equal)) ||
           (atWord("test") && token(1).is(Kind::String));
  default:
    return false;
  }
}

bool Parser::atStatementKeyword() const {
  switch (token().kind) {
  case Kind::KwLet:
  case Kind::KwVar:
  case Kind::KwIf:
  case Kind::KwWhile:
  case Kind::KwFor:
  case Kind::KwSwitch:
  case Kind::KwReturn:
  case Kind::KwBreak:
  case Kind::KwContinue:
  case Kind::KwStatic:
  case Kind::KwShared:
    return true;
  default:
    return false;
  }
}

/// Goes past a bracket and all that is in it. The end of a bracket that is not
/// closed belongs to one around it.
void Parser::skipGroup() {
  Kind opener = token().kind;
  pos = closers[pos];
  if (getOpener(token().kind) == opener)
    next();
}

/// Goes from the first token of a statement past the error in it, to where the
/// next may begin: after a `;` or a block, before the end of the block around,
/// or before a line that begins a statement. Brackets in the statement are
/// skipped as a whole, unless they are not closed.
void Parser::skipStatement(size_t first) {
  size_t broken = pos;
  for (pos = first; !atEnd();) {
    bool past = pos >= broken;
    bool fresh = pos != first && token().startsLine;
    if (past &&
        (at(Kind::RBrace) || (fresh && (atStatementKeyword() || atItem()))))
      return;
    bool isBlock = at(Kind::LBrace);
    bool isClosed = isOpener(token().kind) &&
                    getOpener(tokens[closers[pos]].kind) == token().kind;
    if (isClosed)
      pos = closers[pos];
    bool ends = at(Kind::Semicolon) || (isBlock && isClosed);
    next();
    if (ends && pos > broken && !at(Kind::KwElse))
      return;
  }
}

/// Goes to the next item. Brackets are skipped as a whole.
void Parser::skipItem() {
  while (!atEnd() && !atItem()) {
    if (isOpener(token().kind))
      skipGroup();
    else
      next();
  }
}

/// Goes to the `{` of a statement or item whose head is broken.
bool Parser::skipToBlock() {
  while (!atEnd() && !at(Kind::RBrace) && !at(Kind::Semicolon) && !atItem()) {
    if (at(Kind::LBrace))
      return true;
    if (isOpener(token().kind))
      skipGroup();
    else
      next();
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Lists and the entry
//===----------------------------------------------------------------------===//

bool Parser::parseList(Kind close, const Twine &what,
                       llvm::function_ref<bool()> element) {
  while (!at(close)) {
    if (atEnd())
      break;
    if (!element())
      return false;
    if (at(close) || accept(Kind::Comma))
      continue;
    expected("',' or '" + getSpelling(close) + "' after " + what);
    return false;
  }
  return expect(close, " after " + what);
}

const TypeExpr *Parser::parseOnlyType() {
  unsigned errors = diags.getErrorCount();
  const TypeExpr *type = parseType();
  if (diags.getErrorCount() == errors && !atEnd())
    expected("nothing after the type");
  return diags.getErrorCount() == errors ? type : nullptr;
}

const Expr *Parser::parseOnlyExpr() {
  unsigned errors = diags.getErrorCount();
  const Expr *expr = parseExpr();
  if (diags.getErrorCount() == errors && !atEnd())
    expected("nothing after the expression");
  return diags.getErrorCount() == errors ? expr : nullptr;
}

const SourceFile *ast::parseSource(unsigned bufferId, DiagnosticEngine &diags,
                                   Context &context) {
  StringRef buffer =
      diags.getSourceManager().getMemoryBuffer(bufferId)->getBuffer();
  return Parser(tokenize(buffer, diags), diags, context).parseFile(bufferId);
}

const TypeExpr *ast::parseWholeType(unsigned bufferId, DiagnosticEngine &diags,
                                    Context &context) {
  StringRef buffer =
      diags.getSourceManager().getMemoryBuffer(bufferId)->getBuffer();
  return Parser(tokenize(buffer, diags), diags, context).parseOnlyType();
}

const Expr *ast::parseWholeExpr(unsigned bufferId, DiagnosticEngine &diags,
                                Context &context) {
  StringRef buffer =
      diags.getSourceManager().getMemoryBuffer(bufferId)->getBuffer();
  return Parser(tokenize(buffer, diags), diags, context).parseOnlyExpr();
}
