//===- ParseItem.cpp - Kernels, functions, types and the like -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

using namespace coll;
using namespace coll::ast;
using llvm::StringRef;
using llvm::Twine;

const SourceFile *Parser::parseFile(unsigned bufferId) {
  llvm::SMLoc begin = here();
  List<const Item *> items;
  while (!atEnd()) {
    size_t first = pos;
    if (const Item *item = parseItem()) {
      items.push_back(item);
      continue;
    }
    if (pos == first && (atItem() || at(Kind::RBrace)))
      next();
    skipItem();
  }
  return context.create<SourceFile>(from(begin), bufferId, copy(items));
}

const Item *Parser::parseItem() {
  switch (token().kind) {
  case Kind::KwKernel:
    return parseKernel();
  case Kind::KwPipeline:
    return parsePipeline();
  case Kind::KwFn:
    return parseFunction();
  case Kind::KwOp:
    return parseOperator();
  case Kind::KwStruct:
    return parseStruct();
  case Kind::KwEnum:
    return parseEnum();
  case Kind::KwConst:
    return parseConst();
  case Kind::KwImport:
    return parseImport();
  default:
    if (atWord("type"))
      return parseTypeAlias();
    if (atWord("test"))
      return parseTest();
    expected("an item such as 'kernel', 'fn' or 'const'");
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

bool Parser::parseParam(Param &param) {
  llvm::SMLoc begin = here();
  if (at(Kind::KwMut) || at(Kind::KwInout) || at(Kind::KwShared)) {
    StringRef word = token().getText();
    error("'" + word +
          "' stands before the type of a parameter: 'NAME: " + word + " TYPE'");
    return false;
  }
  if (!parseName("the name of a parameter", param.name) ||
      !expect(Kind::Colon, " and a type after '" + param.name.text + "'"))
    return false;
  if (accept(Kind::KwMut))
    param.passing = Passing::Mut;
  else if (accept(Kind::KwInout))
    param.passing = Passing::InOut;
  param.isShared = accept(Kind::KwShared);
  param.type = parseType();
  param.range = from(begin);
  return param.type != nullptr;
}

bool Parser::parseParams(List<Param> &params) {
  return parseList(Kind::RParen, "the parameter", [&] {
    Param param;
    bool ok = parseParam(param);
    params.push_back(param);
    return ok;
  });
}

/// The keyword, the name, the generic parameters and the parameters.
bool Parser::parseHeader(const Twine &what, Name &name,
                         List<GenericParam> &generics, List<Param> &params) {
  next();
  return parseName("the name of " + what, name) &&
         parseGenericParams(generics) &&
         expect(Kind::LParen, " and parameters after '" + name.text + "'") &&
         parseParams(params);
}

//===----------------------------------------------------------------------===//
// Kernels and pipelines
//===----------------------------------------------------------------------===//

bool Parser::parseSizes(StringRef clause, llvm::ArrayRef<const Expr *> &sizes) {
  size_t word = pos;
  next();
  List<const Expr *> list;
  if (!expect(Kind::LParen, " after '" + clause + "'"))
    return false;
  if (at(Kind::RParen)) {
    expected("a size in '" + clause + "(...)'");
    return false;
  }
  if (!parseExprList(Kind::RParen, "the size", list))
    return false;
  if (list.size() > 3) {
    errorAt(word, "'" + clause + "' takes three sizes at most, got " +
                      Twine(list.size()));
    list.resize(3);
  }
  if (!sizes.empty())
    errorAt(word, "'" + clause + "' is given twice");
  sizes = copy(list);
  return true;
}

bool Parser::parseClauseExpr(StringRef clause, const Expr *&expr) {
  if (expr)
    error("'" + clause + "' is given twice");
  next();
  return expect(Kind::LParen, " after '" + clause + "'") &&
         (expr = parseExpr()) &&
         expect(Kind::RParen, " after the value of '" + clause + "'");
}

bool Parser::parseClause(KernelClauses &clauses) {
  llvm::SMLoc begin = here();
  if (atWord("workgroup")) {
    bool ok = parseSizes("workgroup", clauses.workgroup);
    clauses.workgroupRange = from(begin);
    return ok;
  }
  if (atWord("grid")) {
    if (clauses.gridDevice)
      error("'grid' is given twice");
    bool ok = parseSizes("grid", clauses.grid);
    clauses.gridRange = from(begin);
    if (ok && clauses.grid.size() == 1)
      if (const auto *name = llvm::dyn_cast<NameExpr>(clauses.grid.front()))
        if (name->getName() == "device") {
          clauses.gridDevice = true;
          clauses.grid = {};
        }
    return ok;
  }
  if (atWord("cluster"))
    return parseClauseExpr("cluster", clauses.cluster);
  if (atWord("max_registers"))
    return parseClauseExpr("max_registers", clauses.maxRegisters);
  if (atWord("min_blocks"))
    return parseClauseExpr("min_blocks", clauses.minBlocks);
  error("expected 'workgroup', 'grid', 'cluster', 'max_registers', "
        "'min_blocks' or '{', got " +
        describeToken());
  return false;
}

/// Goes on to the body after a broken clause, with false.
bool Parser::parseClauses(KernelClauses &clauses) {
  while (!at(Kind::LBrace))
    if (!parseClause(clauses)) {
      skipToBlock();
      return false;
    }
  return true;
}

const Item *Parser::parseKernel() {
  llvm::SMLoc begin = here();
  Name name;
  List<GenericParam> generics;
  List<Param> params;
  KernelClauses clauses;
  bool ok =
      parseHeader("a kernel", name, generics, params) && parseClauses(clauses);
  if (!ok && !skipToBlock())
    return nullptr;
  const BlockStmt *body = parseBlock(" after the kernel's signature");
  if (!ok || !body)
    return nullptr;
  return context.create<KernelItem>(from(begin), name, copy(generics),
                                    copy(params), clauses, body);
}

const Item *Parser::parsePipeline() {
  llvm::SMLoc begin = here();
  Name name;
  List<GenericParam> generics;
  List<Param> params;
  bool ok = parseHeader("a pipeline", name, generics, params);
  if (!ok && !skipToBlock())
    return nullptr;
  const BlockStmt *body = parseBlock(" after the pipeline's parameters");
  if (!ok || !body)
    return nullptr;
  return context.create<PipelineItem>(from(begin), name, copy(generics),
                                      copy(params), body);
}

//===----------------------------------------------------------------------===//
// Functions and operators
//===----------------------------------------------------------------------===//

const Item *Parser::parseFunction() {
  llvm::SMLoc begin = here();
  Name name;
  List<GenericParam> generics;
  List<Param> params;
  const TypeExpr *result = nullptr;
  bool ok = parseHeader("a function", name, generics, params) &&
            (!accept(Kind::Arrow) || (result = parseType()));
  if (!ok && !skipToBlock())
    return nullptr;
  const BlockStmt *body =
      parseBlock(result ? " after the function's result type"
                        : " or '->' after the function's parameters");
  if (!ok || !body)
    return nullptr;
  return context.create<FunctionItem>(from(begin), name, copy(generics),
                                      copy(params), result, body);
}

/// `identity e` and `commutative`, in either order.
bool Parser::parseLaws(const Expr *&identity, bool &commutative) {
  while (!at(Kind::LBrace)) {
    if (atWord("identity")) {
      if (identity)
        error("'identity' is given twice");
      next();
      identity = parseConditional();
      if (!identity)
        return false;
    } else if (atWord("commutative")) {
      if (commutative)
        error("'commutative' is given twice");
      next();
      commutative = true;
    } else {
      expected("'identity', 'commutative' or '{'");
      return false;
    }
  }
  return true;
}

const Item *Parser::parseOperator() {
  llvm::SMLoc begin = here();
  Name name;
  List<GenericParam> generics;
  List<Param> params;
  const TypeExpr *result = nullptr;
  const Expr *identity = nullptr;
  bool commutative = false;
  bool ok = parseHeader("an operator", name, generics, params) &&
            expect(Kind::Arrow, " and the result type after the parameters") &&
            (result = parseType()) && parseLaws(identity, commutative);
  if (!ok && !skipToBlock())
    return nullptr;
  const BlockStmt *body = parseBlock(" after the operator's signature");
  if (!ok || !body)
    return nullptr;
  return context.create<OperatorItem>(from(begin), name, copy(generics),
                                      copy(params), result, identity,
                                      commutative, body);
}

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

const Item *Parser::parseStruct() {
  llvm::SMLoc begin = here();
  next();
  Name name;
  List<GenericParam> generics;
  if (!parseName("the name of a struct", name) ||
      !parseGenericParams(generics) ||
      !expect(Kind::LBrace, " after '" + name.text + "'"))
    return nullptr;
  List<Field> fields;
  bool ok = parseList(Kind::RBrace, "the field", [&] {
    Field field;
    if (!parseName("the name of a field", field.name) ||
        !expect(Kind::Colon, " and a type after '" + field.name.text + "'"))
      return false;
    field.type = parseType();
    fields.push_back(field);
    return field.type != nullptr;
  });
  if (!ok)
    return nullptr;
  return context.create<StructItem>(from(begin), name, copy(generics),
                                    copy(fields));
}

const Item *Parser::parseEnum() {
  llvm::SMLoc begin = here();
  next();
  Name name;
  if (!parseName("the name of an enum", name))
    return nullptr;
  const TypeExpr *underlying = nullptr;
  if (accept(Kind::Colon) && !(underlying = parseType()))
    return nullptr;
  if (!expect(Kind::LBrace, " after '" + name.text + "'"))
    return nullptr;
  List<Enumerator> enumerators;
  bool ok = parseList(Kind::RBrace, "the enumerator", [&] {
    Enumerator enumerator;
    if (!parseName("the name of an enumerator", enumerator.name))
      return false;
    if (accept(Kind::Equal) && !(enumerator.value = parseConditional()))
      return false;
    enumerators.push_back(enumerator);
    return true;
  });
  if (!ok)
    return nullptr;
  return context.create<EnumItem>(from(begin), name, underlying,
                                  copy(enumerators));
}

const Item *Parser::parseConst() {
  llvm::SMLoc begin = here();
  next();
  Name name;
  if (!parseName("the name of a constant", name) ||
      !expect(Kind::Colon, " and a type after '" + name.text + "'"))
    return nullptr;
  const TypeExpr *type = parseType();
  if (!type || !expect(Kind::Equal, " and the value of the constant"))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value || !expectSemicolon("the constant"))
    return nullptr;
  return context.create<ConstItem>(from(begin), name, type, value);
}

const Item *Parser::parseTypeAlias() {
  llvm::SMLoc begin = here();
  next();
  Name name;
  if (!parseName("the name of a type", name) ||
      !expect(Kind::Equal, " and a type after '" + name.text + "'"))
    return nullptr;
  const TypeExpr *type = parseType();
  if (!type || !expectSemicolon("the type"))
    return nullptr;
  return context.create<TypeAliasItem>(from(begin), name, type);
}

//===----------------------------------------------------------------------===//
// Imports and tests
//===----------------------------------------------------------------------===//

const Item *Parser::parseImport() {
  llvm::SMLoc begin = here();
  next();
  List<Name> path;
  const StringLiteral *file = nullptr;
  if (at(Kind::String)) {
    file = parseString("a file");
    if (!file)
      return nullptr;
  } else {
    do {
      Name name;
      if (!parseName("a module or a file in quotes", name))
        return nullptr;
      path.push_back(name);
    } while (accept(Kind::Dot));
  }
  if (!expectSemicolon("the import"))
    return nullptr;
  return context.create<ImportItem>(from(begin), copy(path), file);
}

const Item *Parser::parseTest() {
  llvm::SMLoc begin = here();
  next();
  const StringLiteral *title = parseString("the test's title in quotes");
  if (!title && !skipToBlock())
    return nullptr;
  const BlockStmt *body = parseBlock(" after the test's title");
  if (!title || !body)
    return nullptr;
  return context.create<TestItem>(from(begin), title, body);
}
