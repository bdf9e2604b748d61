//===- ParseStmt.cpp - Statements -----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

using namespace coll;
using namespace coll::ast;
using llvm::Twine;

/// At an item, which means that the body before it was not closed. A `const`
/// and a `pipeline p(2);` inside a body are taken for statements.
bool Parser::atItemAfterBody() const {
  if (!at(Kind::KwPipeline))
    return atItem() && !at(Kind::KwConst);
  return !token(2).is(Kind::LParen) ||
         !token(closers[pos + 2] + 1 - pos).is(Kind::Semicolon);
}

/// `where` follows "expected '{'". The result is null only if the block does
/// not begin: a broken statement inside is left out.
const BlockStmt *Parser::parseBlock(const Twine &where) {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  llvm::SMLoc begin = here();
  if (!expect(Kind::LBrace, where))
    return nullptr;
  StructLiterals allowed(*this, true);
  List<const Stmt *> body;
  while (!at(Kind::RBrace) && !atEnd() && !atItemAfterBody()) {
    size_t first = pos;
    const Stmt *stmt = parseStatement();
    if (stmt) {
      body.push_back(stmt);
      continue;
    }
    // After a body whose head was broken, the next statement begins here.
    bool past =
        pos > first && pos != lastError && tokens[pos - 1].is(Kind::RBrace);
    if (!past)
      skipStatement(first);
    if (pos == first)
      next();
  }
  if (!at(Kind::RBrace) && !gaveUp && pos != lastError) {
    lastError = pos;
    diags.error(here(), "expected '}', got " + describeToken())
        .note(begin, "to match this '{'");
  }
  accept(Kind::RBrace);
  return context.create<BlockStmt>(from(begin), copy(body));
}

const Stmt *Parser::parseStatement() {
  if (!at(Kind::Hash))
    return parsePlainStatement();
  List<Attribute> attributes;
  if (!parseAttributes(attributes))
    return nullptr;
  const Stmt *stmt = parsePlainStatement();
  if (stmt)
    context.setAttributes(stmt, copy(attributes));
  return stmt;
}

bool Parser::parseAttributes(List<Attribute> &attributes) {
  while (accept(Kind::Hash)) {
    Attribute attribute;
    if (!expect(Kind::LBracket, " after '#'") ||
        !parseName("the name of an attribute", attribute.name))
      return false;
    List<const Expr *> args;
    if (accept(Kind::LParen) &&
        !parseExprList(Kind::RParen, "the argument", args))
      return false;
    attribute.args = copy(args);
    if (!expect(Kind::RBracket, " after the attribute"))
      return false;
    attributes.push_back(attribute);
  }
  return true;
}

const Stmt *Parser::parsePlainStatement() {
  llvm::SMLoc begin = here();
  switch (token().kind) {
  case Kind::LBrace:
    return parseBlock("");
  case Kind::KwLet:
  case Kind::KwVar:
    return parseVar();
  case Kind::KwIf:
    return parseIf(/*isStatic=*/false, begin);
  case Kind::KwWhile:
    return parseWhile();
  case Kind::KwFor:
    return parseFor(/*isStatic=*/false, begin);
  case Kind::KwStatic:
    return parseStatic();
  case Kind::KwSwitch:
    return parseSwitch();
  case Kind::KwReturn:
    return parseReturn();
  case Kind::KwBreak:
    next();
    return finish<BreakStmt>(begin, "'break'");
  case Kind::KwContinue:
    next();
    return finish<ContinueStmt>(begin, "'continue'");
  case Kind::KwShared:
    return parseShared();
  case Kind::KwElse:
    error("'else' has no 'if' before it");
    return nullptr;
  case Kind::KwConst:
    error("'const' stands at the top of a file; inside a body use 'let'");
    return nullptr;
  case Kind::KwPipeline:
    error("a pipeline is not supported yet");
    return nullptr;
  case Kind::Semicolon:
    error("expected a statement, got ';'");
    return nullptr;
  case Kind::Identifier:
    return parseWordStatement();
  default:
    return parseSimple();
  }
}

/// Statements that begin with a word which is a name elsewhere.
const Stmt *Parser::parseWordStatement() {
  bool nameFollows = token(1).is(Kind::Identifier);
  bool callFollows = token(1).is(Kind::LParen);
  if (callFollows && atWord("assert"))
    return parseAssert();
  if (callFollows && atWord("print"))
    return parsePrint();
  if (callFollows && atWord("trap"))
    return parseTrap();
  if (nameFollows && atWord("workspace"))
    return parseWorkspace();
  if (nameFollows && atWord("barrier"))
    return parseBarrier();
  if (nameFollows && atWord("launch"))
    return parseLaunch();
  if (atWord("expect") && !token(1).is(Kind::Equal) && !token(1).is(Kind::Dot))
    return parseExpect();
  return parseSimple();
}

/// The expression before the `{` of a body. If it is broken, goes to the `{`,
/// so that the body is parsed all the same.
const Expr *Parser::parseHead() {
  StructLiterals forbidden(*this, false);
  const Expr *expr = parseExpr();
  if (!expr)
    skipToBlock();
  return expr;
}

//===----------------------------------------------------------------------===//
// Variables and assignments
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseVar() {
  llvm::SMLoc begin = here();
  bool isLet = at(Kind::KwLet);
  next();
  const Pattern *pattern = parsePattern();
  if (!pattern)
    return nullptr;
  const TypeExpr *type = nullptr;
  if (accept(Kind::Colon) && !(type = parseType()))
    return nullptr;
  const Expr *init = nullptr;
  if (accept(Kind::Equal)) {
    init = parseExpr();
    if (!init)
      return nullptr;
  } else if (isLet || !type) {
    expected(type    ? "'=' and the value of the 'let'"
             : isLet ? "'=' and the value of the 'let'"
                     : "':' and a type, or '=' and a value, after 'var'");
    return nullptr;
  }
  return finish<VarStmt>(begin, "the declaration", isLet, pattern, type, init);
}

const Pattern *Parser::parsePattern() {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  llvm::SMLoc begin = here();
  if (!accept(Kind::LParen)) {
    Name name;
    if (!parseName("the name of a variable", name))
      return nullptr;
    return context.create<Pattern>(from(begin), name,
                                   llvm::ArrayRef<const Pattern *>());
  }
  List<const Pattern *> elements;
  bool ok = parseList(Kind::RParen, "the name", [&] {
    elements.push_back(parsePattern());
    return elements.back() != nullptr;
  });
  if (!ok)
    return nullptr;
  return context.create<Pattern>(from(begin), Name(), copy(elements));
}

static std::optional<BinaryOp> getCompound(TokenKind kind) {
  switch (kind) {
  case TokenKind::PlusEqual:
    return BinaryOp::Add;
  case TokenKind::MinusEqual:
    return BinaryOp::Sub;
  case TokenKind::StarEqual:
    return BinaryOp::Mul;
  case TokenKind::SlashEqual:
    return BinaryOp::Div;
  case TokenKind::PercentEqual:
    return BinaryOp::Rem;
  case TokenKind::AmpEqual:
    return BinaryOp::BitAnd;
  case TokenKind::PipeEqual:
    return BinaryOp::BitOr;
  case TokenKind::CaretEqual:
    return BinaryOp::BitXor;
  case TokenKind::LessLessEqual:
    return BinaryOp::Shl;
  default:
    return std::nullopt;
  }
}

/// An assignment or an expression.
const Stmt *Parser::parseSimple() {
  llvm::SMLoc begin = here();
  const Expr *target = parseExpr();
  if (!target)
    return nullptr;
  llvm::SMLoc opLoc = here();
  std::optional<BinaryOp> op = getCompound(token().kind);
  if (atPair(Kind::GreaterEqual)) {
    op = BinaryOp::Shr;
    next();
  }
  if (llvm::isa<NameExpr>(target) && at(Kind::Identifier) &&
      !token().startsLine) {
    // As in C: 'int i = 0;'.
    llvm::StringRef name = token().getText();
    error("expected ';' after the expression; a variable is declared by 'let " +
          name + " = ...' or 'var " + name + ": ...'");
    return nullptr;
  }
  if (!op && !at(Kind::Equal))
    return finish<ExprStmt>(begin, "the expression", target);
  next();
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return finish<AssignStmt>(begin, "the assignment", op, opLoc, target, value);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseStatic() {
  llvm::SMLoc begin = here();
  next();
  if (at(Kind::KwIf))
    return parseIf(/*isStatic=*/true, begin);
  if (at(Kind::KwFor))
    return parseFor(/*isStatic=*/true, begin);
  expected("'if' or 'for' after 'static'");
  return nullptr;
}

const Expr *Parser::parseCondition() {
  const Expr *condition = parseHead();
  if (condition && at(Kind::Equal))
    error("'=' assigns and gives no value; write '==' to compare");
  return condition;
}

const Stmt *Parser::parseIf(bool isStatic, llvm::SMLoc begin) {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  next();
  const Expr *condition = parseCondition();
  const BlockStmt *thenBlock = parseBlock(" after the condition");
  if (!thenBlock)
    return nullptr;
  const Stmt *elseStmt = nullptr;
  if (accept(Kind::KwElse)) {
    llvm::SMLoc elseBegin = here();
    if (isStatic)
      accept(Kind::KwStatic);
    elseStmt = at(Kind::KwIf) ? parseIf(isStatic, elseBegin)
                              : parseBlock(" or 'if' after 'else'");
    if (!elseStmt)
      return nullptr;
  }
  if (!condition)
    return nullptr;
  return context.create<IfStmt>(from(begin), isStatic, condition, thenBlock,
                                elseStmt);
}

const Stmt *Parser::parseWhile() {
  llvm::SMLoc begin = here();
  next();
  const Expr *condition = parseCondition();
  const BlockStmt *body = parseBlock(" after the condition");
  if (!condition || !body)
    return nullptr;
  return context.create<WhileStmt>(from(begin), condition, body);
}

const Stmt *Parser::parseFor(bool isStatic, llvm::SMLoc begin) {
  next();
  Name variable;
  const Expr *iterated = nullptr;
  if (parseName("the name of the loop's variable", variable) &&
      expect(Kind::KwIn, " after '" + variable.text + "'"))
    iterated = parseHead();
  else
    skipToBlock();
  const BlockStmt *body = parseBlock(" after the head of the loop");
  if (!iterated || !body)
    return nullptr;
  return context.create<ForStmt>(from(begin), isStatic, variable, iterated,
                                 body);
}

const Stmt *Parser::parseSwitch() {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  llvm::SMLoc begin = here();
  next();
  const Expr *value = parseHead();
  size_t open = pos;
  if (!expect(Kind::LBrace, " after the value of the switch"))
    return nullptr;
  StructLiterals allowed(*this, true);
  List<SwitchCase> cases;
  const BlockStmt *elseBody = nullptr;
  while (!at(Kind::RBrace) && !atEnd())
    if (!parseCase(cases, elseBody)) {
      if (!gaveUp)
        pos = open; // For the whole of it to be skipped.
      return nullptr;
    }
  if (!expect(Kind::RBrace, " after the cases") || !value)
    return nullptr;
  return context.create<SwitchStmt>(from(begin), value, copy(cases), elseBody);
}

bool Parser::parseCase(List<SwitchCase> &cases, const BlockStmt *&elseBody) {
  if (at(Kind::KwElse)) {
    if (elseBody)
      error("a switch has one 'else' at most");
    next();
    if (!expect(Kind::Colon, " after 'else'"))
      return false;
    elseBody = parseBlock(" after 'else:'");
    return elseBody != nullptr;
  }
  if (elseBody)
    error("no case may follow the 'else' of a switch");
  List<const Expr *> values;
  do {
    const Expr *value = parseConditional();
    if (!value)
      return false;
    values.push_back(value);
  } while (accept(Kind::Comma));
  if (!expect(Kind::Colon, " after the values of a case"))
    return false;
  const BlockStmt *body = parseBlock(" after ':'");
  cases.push_back({copy(values), body});
  return body != nullptr;
}

const Stmt *Parser::parseReturn() {
  llvm::SMLoc begin = here();
  next();
  const Expr *value = nullptr;
  bool ends = at(Kind::Semicolon) || at(Kind::RBrace);
  if (!ends && !(value = parseExpr()))
    return nullptr;
  return finish<ReturnStmt>(begin, value ? "the value" : "'return'", value);
}

//===----------------------------------------------------------------------===//
// Checks and output
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseAssert() {
  llvm::SMLoc begin = here();
  next();
  next();
  const Expr *condition = parseExpr();
  if (!condition)
    return nullptr;
  const StringLiteral *format = nullptr;
  List<const Expr *> args;
  if (accept(Kind::Comma) && !at(Kind::RParen)) {
    format = parseString("a string after the condition");
    if (!format)
      return nullptr;
    if (!at(Kind::RParen) && !expect(Kind::Comma, " after the string"))
      return nullptr;
  }
  if (!parseExprList(Kind::RParen, format ? "the argument" : "the condition",
                     args))
    return nullptr;
  return finish<AssertStmt>(begin, "'assert(...)'", condition, format,
                            copy(args));
}

const Stmt *Parser::parsePrint() {
  llvm::SMLoc begin = here();
  next();
  next();
  const StringLiteral *format = parseString("a string after 'print('");
  if (!format ||
      (!at(Kind::RParen) && !expect(Kind::Comma, " or ')' after the string")))
    return nullptr;
  List<const Expr *> args;
  if (!parseExprList(Kind::RParen, "the argument", args))
    return nullptr;
  return finish<PrintStmt>(begin, "'print(...)'", format, copy(args));
}

const Stmt *Parser::parseTrap() {
  llvm::SMLoc begin = here();
  next();
  next();
  if (!expect(Kind::RParen, " after 'trap('"))
    return nullptr;
  return finish<TrapStmt>(begin, "'trap()'");
}

const Stmt *Parser::parseExpect() {
  llvm::SMLoc begin = here();
  next();
  const Expr *condition = parseExpr();
  return condition ? finish<ExpectStmt>(begin, "the expectation", condition)
                   : nullptr;
}

//===----------------------------------------------------------------------===//
// Memory, barriers and launches
//===----------------------------------------------------------------------===//

const Stmt *Parser::parseShared() {
  llvm::SMLoc begin = here();
  next();
  Name name;
  if (!parseName("a name after 'shared'", name) ||
      !expect(Kind::Colon, " and a type after '" + name.text + "'"))
    return nullptr;
  const TypeExpr *type = parseType();
  if (!type)
    return nullptr;
  const Expr *alignment = nullptr;
  if (acceptWord("align")) {
    if (!expect(Kind::LParen, " after 'align'") || !(alignment = parseExpr()) ||
        !expect(Kind::RParen, " after the alignment"))
      return nullptr;
  }
  if (at(Kind::Equal)) {
    error("shared '" + name.text +
          "' cannot have an initial value: its memory is undefined at first");
    return nullptr;
  }
  return finish<SharedStmt>(begin, "the declaration", name, type, alignment);
}

const Stmt *Parser::parseWorkspace() {
  llvm::SMLoc begin = here();
  next();
  Name name = takeName();
  if (!expect(Kind::Colon, " and a type after '" + name.text + "'"))
    return nullptr;
  const TypeExpr *type = parseType();
  if (!type)
    return nullptr;
  bool kept = acceptWord("kept");
  return finish<WorkspaceStmt>(begin, "the declaration", name, type, kept);
}

const Stmt *Parser::parseBarrier() {
  llvm::SMLoc begin = here();
  next();
  List<BarrierDecl> decls;
  do {
    BarrierDecl decl;
    if (!parseName("the name of a barrier", decl.name))
      return nullptr;
    if (accept(Kind::LBracket) &&
        (!(decl.count = parseExpr()) ||
         !expect(Kind::RBracket, " after the number of barriers")))
      return nullptr;
    if (!expect(Kind::LParen,
                " and the number of arrivals after '" + decl.name.text + "'") ||
        !(decl.arrivals = parseExpr()) ||
        !expect(Kind::RParen, " after the number of arrivals"))
      return nullptr;
    decls.push_back(decl);
  } while (accept(Kind::Comma));
  return finish<BarrierStmt>(begin, "the declaration", copy(decls));
}

const Stmt *Parser::parseLaunch() {
  llvm::SMLoc begin = here();
  next();
  size_t first = pos;
  const Expr *expr = parseExpr();
  if (!expr)
    return nullptr;
  const auto *call = llvm::dyn_cast<CallExpr>(expr);
  if (!call) {
    errorAt(first, "expected a kernel with its arguments after 'launch'");
    return nullptr;
  }
  List<const Expr *> grid;
  if (acceptWord("grid") && (!expect(Kind::LParen, " after 'grid'") ||
                             !parseExprList(Kind::RParen, "the size", grid)))
    return nullptr;
  return finish<LaunchStmt>(begin, "the launch", call, copy(grid));
}
