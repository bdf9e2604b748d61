//===- ParserImpl.h - The recursive descent parser --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tokens are there before parsing starts, with the end of every bracket.
// Looking ahead and skipping a broken part are then jumps, and the time stays
// linear for any input.
//
// A function that parses something returns null (or false) once it has reported
// an error; its caller passes that on, up to the statement, the list or the
// item, which skips to where it can go on. At most one error is reported at one
// token.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SYNTAX_PARSERIMPL_H
#define COLL_LIB_SYNTAX_PARSERIMPL_H

#include "coll/Support/Diagnostics.h"
#include "coll/Syntax/Lexer.h"
#include "coll/Syntax/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace coll::ast {

class Parser {
public:
  Parser(std::vector<Token> tokens, DiagnosticEngine &diags, Context &context);
  const SourceFile *parseFile(unsigned bufferId);
  /// Null after an error.
  const TypeExpr *parseOnlyType();
  const Expr *parseOnlyExpr();

private:
  using Kind = TokenKind;
  template <typename T> using List = llvm::SmallVector<T, 8>;

  // Tokens (Parser.cpp).
  const Token &token(size_t ahead = 0) const {
    return tokens[std::min(pos + ahead, tokens.size() - 1)];
  }
  bool at(Kind kind) const { return token().is(kind); }
  /// At a name that means something in this place.
  bool atWord(llvm::StringRef word, size_t ahead = 0) const {
    return token(ahead).is(Kind::Identifier) && token(ahead).getText() == word;
  }
  bool atEnd() const { return at(Kind::EndOfFile); }
  void next() { pos += !atEnd(); }
  bool accept(Kind kind);
  bool acceptWord(llvm::StringRef word);
  /// Takes the token or reports "expected '(' after 'workgroup', got 'x'";
  /// `where` is what follows the token's name: " after 'workgroup'".
  bool expect(Kind kind, const llvm::Twine &where);
  bool parseName(const llvm::Twine &what, Name &name);
  Name takeName();
  /// Two `>` side by side, or `>` and `>=`.
  bool atPair(Kind second) const;
  void findClosers();

  // Errors and recovery (Parser.cpp).
  void error(const llvm::Twine &text) { errorAt(pos, text); }
  void errorAt(size_t index, const llvm::Twine &text);
  void expected(const llvm::Twine &what);
  std::string describeToken() const;
  /// Reports a missing `;` where it should be; says whether parsing can go on
  /// as if it were there.
  bool expectSemicolon(const llvm::Twine &after);
  void skipGroup();
  void skipStatement(size_t first);
  void skipItem();
  bool skipToBlock();
  bool atItem() const;
  bool atItemAfterBody() const;
  bool atStatementKeyword() const;
  /// Gives up the rest of the file.
  void abandon() { pos = tokens.size() - 1; }
  bool abandoned() const { return gaveUp; }

  /// One level of nesting; false, with an error, if that is one too many.
  class Nest {
  public:
    explicit Nest(Parser &parser) : parser(parser) { ++parser.nesting; }
    ~Nest() { --parser.nesting; }
    explicit operator bool() const { return parser.checkNesting(); }

  private:
    Parser &parser;
  };
  bool checkNesting();

  /// Measures the tallest expression made while it lives.
  class HeightScope {
  public:
    explicit HeightScope(Parser &parser)
        : parser(parser), outer(parser.tallest) {
      parser.tallest = 0;
    }
    ~HeightScope() { parser.tallest = std::max(parser.tallest, outer); }
    unsigned get() const { return parser.tallest; }

  private:
    Parser &parser;
    unsigned outer;
  };

  /// No struct literal while it lives: in the head of a statement its `{`
  /// would be taken for the body's. Brackets allow it again.
  class StructLiterals {
  public:
    StructLiterals(Parser &parser, bool allowed)
        : parser(parser), outer(parser.structLiterals) {
      parser.structLiterals = allowed;
    }
    ~StructLiterals() { parser.structLiterals = outer; }

  private:
    Parser &parser;
    bool outer;
  };

  // Making nodes (Parser.cpp).
  llvm::SMLoc here() const { return token().getLoc(); }
  /// From a place to the end of the last token taken.
  llvm::SMRange from(llvm::SMLoc begin) const {
    return {begin, pos ? tokens[pos - 1].getEndLoc() : begin};
  }
  /// An expression that begins at a place; null if it is too tall.
  template <typename T, typename... Args>
  const T *make(llvm::SMLoc begin, Args &&...args) {
    const T *expr = context.create<T>(from(begin), std::forward<Args>(args)...);
    return checkHeight(expr) ? expr : nullptr;
  }
  bool checkHeight(const Expr *expr);
  template <typename T> llvm::ArrayRef<T> copy(const List<T> &list) {
    return context.copy(list);
  }

  /// `element, element, ... close`, with a comma at the end if wanted. An
  /// element that fails ends the list: what is left is skipped.
  bool parseList(Kind close, const llvm::Twine &what,
                 llvm::function_ref<bool()> element);

  // Types (ParseType.cpp).
  const TypeExpr *parseType(bool inCast = false);
  const TypeExpr *parseNamedType(bool inCast);
  const TypeExpr *parseBracketType();
  bool failArraySuffix(const TypeExpr *type);
  const TypeExpr *parseTupleType();
  bool parseGenericArgs(List<GenericArg> &args);
  bool parseGenericArg(GenericArg &arg);
  bool isNamedTypeArg() const;
  bool isTupleType() const;
  bool parseGenericParams(List<GenericParam> &params);
  bool parseGenericParam(GenericParam &param);
  bool isArrayType() const;
  bool isViewTypeAt(size_t index) const;
  bool hasDirectly(size_t open, Kind kind) const;
  /// The index after the `>` that ends the list of generic arguments which
  /// begins at `open`, or 0 if that is none.
  size_t findGenericEnd(size_t open) const;

  // Expressions (ParseExpr.cpp).
  const Expr *parseExpr();
  const Expr *parseConditional();
  const Expr *parseBinary(unsigned minPrecedence);
  const Expr *parseCast();
  const Expr *parseUnary();
  const Expr *parsePostfix();
  const Expr *parsePrimary();
  const Expr *parseParen();
  bool failCast(const Expr *operand);
  const Expr *parseBracket();
  const Expr *parseInteger();
  const Expr *parseFloat();
  const Expr *parseLambda();
  const Expr *parseIndexExpr();
  const Expr *parseMember(const Expr *base, llvm::SMLoc begin);
  const Expr *parseCall(const Expr *callee, llvm::SMLoc begin);
  const Expr *parseIndex(const Expr *base, llvm::SMLoc begin);
  const Expr *parseStructLiteral(llvm::SMLoc begin, size_t first);
  const StringLiteral *parseString(const llvm::Twine &what);
  bool parseArg(List<Arg> &args);
  bool parseExprList(Kind close, const llvm::Twine &what,
                     List<const Expr *> &list);
  bool atStructLiteral(size_t ahead) const;
  bool atFieldList(size_t index) const;
  bool atRange() const { return at(Kind::DotDot) || at(Kind::DotDotEqual); }
  void warnMixed(BinaryOp op, const Expr *operand, size_t first);

  // Statements (ParseStmt.cpp).
  const BlockStmt *parseBlock(const llvm::Twine &where);
  const Stmt *parseStatement();
  const Stmt *parsePlainStatement();
  const Stmt *parseWordStatement();
  bool parseAttributes(List<Attribute> &attributes);
  const Expr *parseHead();
  /// The head of an `if` or `while`.
  const Expr *parseCondition();
  const Stmt *parseVar();
  const Pattern *parsePattern();
  const Stmt *parseIf(bool isStatic, llvm::SMLoc begin);
  const Stmt *parseWhile();
  const Stmt *parseFor(bool isStatic, llvm::SMLoc begin);
  const Stmt *parseStatic();
  const Stmt *parseSwitch();
  bool parseCase(List<SwitchCase> &cases, const BlockStmt *&elseBody);
  const Stmt *parseReturn();
  const Stmt *parseAssert();
  const Stmt *parsePrint();
  const Stmt *parseTrap();
  const Stmt *parseShared();
  const Stmt *parseWorkspace();
  const Stmt *parseBarrier();
  const Stmt *parseLaunch();
  const Stmt *parseExpect();
  const Stmt *parseSimple();
  /// Takes the `;` that ends a statement, then makes it; null if the rest
  /// cannot be trusted.
  template <typename T, typename... Args>
  const Stmt *finish(llvm::SMLoc begin, const llvm::Twine &after,
                     Args &&...args) {
    if (!expectSemicolon(after))
      return nullptr;
    return context.create<T>(from(begin), std::forward<Args>(args)...);
  }

  // Items (ParseItem.cpp).
  const Item *parseItem();
  const Item *parseKernel();
  const Item *parsePipeline();
  const Item *parseFunction();
  const Item *parseOperator();
  const Item *parseStruct();
  const Item *parseEnum();
  const Item *parseConst();
  const Item *parseTypeAlias();
  const Item *parseImport();
  const Item *parseTest();
  bool parseParams(List<Param> &params);
  bool parseParam(Param &param);
  bool parseClauses(KernelClauses &clauses);
  bool parseClause(KernelClauses &clauses);
  bool parseClauseExpr(llvm::StringRef clause, const Expr *&expr);
  bool parseSizes(llvm::StringRef clause, llvm::ArrayRef<const Expr *> &sizes);
  bool parseHeader(const llvm::Twine &what, Name &name,
                   List<GenericParam> &generics, List<Param> &params);
  bool parseLaws(const Expr *&identity, bool &commutative);

  std::vector<Token> tokens;
  /// For each opening bracket the index of the token that ends its group.
  std::vector<uint32_t> closers;
  size_t pos = 0;
  size_t lastError = ~size_t(0);
  unsigned nesting = 0;
  unsigned tallest = 0;
  unsigned warnings = 0;
  bool gaveUp = false;
  bool structLiterals = true;
  DiagnosticEngine &diags;
  Context &context;
};

} // namespace coll::ast

#endif // COLL_LIB_SYNTAX_PARSERIMPL_H
