//===- ParseType.cpp - Types, generic arguments and parameters ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

using namespace coll;
using namespace coll::ast;

/// Binary operators from here on bind tighter than comparisons and shifts, so
/// that a `>` after them ends the list.
static constexpr unsigned additivePrecedence = 9;

const TypeExpr *Parser::parseType(bool inCast) {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  if (at(Kind::LBracket))
    return parseBracketType();
  if (at(Kind::LParen))
    return parseTupleType();
  if (at(Kind::Identifier)) {
    const TypeExpr *type = parseNamedType(inCast);
    return type && !inCast && failArraySuffix(type) ? nullptr : type;
  }
  expected("a type");
  return nullptr;
}

/// Whether C's `float s[256]` is meant; reports it.
bool Parser::failArraySuffix(const TypeExpr *type) {
  if (!at(Kind::LBracket) || token().startsLine)
    return false;
  auto getText = [](llvm::SMLoc begin, llvm::SMLoc end) {
    return llvm::StringRef(begin.getPointer(),
                           end.getPointer() - begin.getPointer());
  };
  llvm::StringRef element =
      getText(type->getLoc(), tokens[pos - 1].getEndLoc());
  llvm::StringRef count =
      getText(token().getEndLoc(), tokens[closers[pos]].getLoc());
  if (count.empty() || count.contains('\n'))
    count = "N";
  error("no '[' follows a type: an array is '[" + element + "; " + count +
        "]', a view '[" + count + "]" + element + "'");
  return true;
}

/// After `as`, a `<` may also compare: `i as u32 < n`.
const TypeExpr *Parser::parseNamedType(bool inCast) {
  llvm::SMLoc begin = here();
  List<Name> path{takeName()};
  while (at(Kind::Dot) && token(1).is(Kind::Identifier)) {
    next();
    path.push_back(takeName());
  }
  List<GenericArg> args;
  if (at(Kind::Less)) {
    size_t end = findGenericEnd(pos);
    Kind after = tokens[end].kind;
    bool operandFollows = after == Kind::Identifier || after == Kind::LParen ||
                          after == Kind::Integer || after == Kind::Float;
    if ((!inCast || (end && !operandFollows)) && !parseGenericArgs(args))
      return nullptr;
  }
  return context.create<NamedType>(from(begin), copy(path), copy(args));
}

/// Whether a bracket holds a token of that kind outside inner brackets.
bool Parser::hasDirectly(size_t open, Kind kind) const {
  for (size_t i = open + 1; i < closers[open]; ++i) {
    if (tokens[i].is(kind))
      return true;
    if (closers[i])
      i = closers[i];
  }
  return false;
}

/// At `[`: `[T; N]` rather than `[rows, cols; pitch ld]T`.
bool Parser::isArrayType() const {
  for (size_t i = pos + 1; i < closers[pos]; ++i) {
    if (tokens[i].is(Kind::Semicolon))
      return !(tokens[i + 1].getText() == "pitch" &&
               tokens[i + 2].is(Kind::Identifier));
    if (closers[i])
      i = closers[i];
  }
  return false;
}

/// Whether `[n]T` begins at an index, where `[a, b]` might as well: an element
/// type must follow, a name or `[U; M]`.
bool Parser::isViewTypeAt(size_t index) const {
  if (!tokens[index].is(Kind::LBracket) ||
      !tokens[closers[index]].is(Kind::RBracket))
    return false;
  const Token &after = tokens[closers[index] + 1];
  if (after.getText() == "commutative" || after.getText() == "identity")
    return false; // What follows the identity of an operator.
  return after.is(Kind::Identifier) ||
         (after.is(Kind::LBracket) &&
          hasDirectly(closers[index] + 1, Kind::Semicolon));
}

const TypeExpr *Parser::parseBracketType() {
  llvm::SMLoc begin = here();
  bool isArray = isArrayType();
  StructLiterals allowed(*this, true);
  next();
  if (isArray) {
    const TypeExpr *element = parseType();
    if (!element || !expect(Kind::Semicolon, " after the element type"))
      return nullptr;
    const Expr *count = parseExpr();
    if (!count || !expect(Kind::RBracket, " after the array's length"))
      return nullptr;
    return context.create<ArrayType>(from(begin), element, count);
  }
  List<const Expr *> extents;
  do {
    const Expr *extent = parseExpr();
    if (!extent)
      return nullptr;
    extents.push_back(extent);
  } while (accept(Kind::Comma));
  Name pitch;
  if (accept(Kind::Semicolon)) {
    next(); // The word 'pitch'.
    if (!parseName("the name of the pitch", pitch))
      return nullptr;
  }
  if (!expect(Kind::RBracket, " after the extents"))
    return nullptr;
  const TypeExpr *element = parseType();
  if (!element)
    return nullptr;
  return context.create<ViewType>(from(begin), copy(extents), pitch, element);
}

const TypeExpr *Parser::parseTupleType() {
  llvm::SMLoc begin = here();
  next();
  List<const TypeExpr *> elements;
  bool comma = false;
  bool ok = parseList(Kind::RParen, "the element type", [&] {
    const TypeExpr *element = parseType();
    elements.push_back(element);
    comma |= at(Kind::Comma);
    return element != nullptr;
  });
  if (!ok)
    return nullptr;
  if (elements.size() == 1 && !comma)
    return elements.front();
  return context.create<TupleType>(from(begin), copy(elements));
}

//===----------------------------------------------------------------------===//
// Generics
//===----------------------------------------------------------------------===//

size_t Parser::findGenericEnd(size_t open) const {
  constexpr unsigned maxDepth = 16; // Keeps the time linear.
  unsigned depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    switch (tokens[i].kind) {
    case Kind::Less:
      if (++depth > maxDepth)
        return 0;
      break;
    case Kind::Greater:
      if (--depth == 0)
        return i == open + 1 ? 0 : i + 1;
      break;
    case Kind::LParen:
    case Kind::LBracket:
      i = closers[i];
      if (getSpelling(tokens[i].kind).size() != 1)
        return 0;
      break;
    case Kind::Identifier:
    case Kind::Integer:
    case Kind::Float:
    case Kind::KwTrue:
    case Kind::KwFalse:
    case Kind::Dot:
    case Kind::Comma:
    case Kind::Plus:
    case Kind::Minus:
    case Kind::Star:
    case Kind::Slash:
    case Kind::Percent:
      break;
    default:
      return 0;
    }
  }
  return 0;
}

bool Parser::parseGenericArgs(List<GenericArg> &args) {
  Nest nest(*this);
  if (!nest)
    return false;
  next();
  if (at(Kind::Greater)) {
    expected("a type or a constant");
    return false;
  }
  return parseList(Kind::Greater, "the generic argument", [&] {
    GenericArg arg;
    bool ok = parseGenericArg(arg);
    args.push_back(arg);
    return ok;
  });
}

/// At `(` in a list of generic arguments: a tuple type rather than a constant,
/// since a comma stands in it outside all brackets, angle brackets included.
bool Parser::isTupleType() const {
  unsigned depth = 0;
  for (size_t i = pos + 1; i < closers[pos]; ++i) {
    if (tokens[i].is(Kind::Less))
      ++depth;
    else if (tokens[i].is(Kind::Greater))
      depth -= depth != 0;
    else if (tokens[i].is(Kind::Comma) && depth == 0)
      return true;
    else if (closers[i])
      i = closers[i];
  }
  return tokens[pos + 1].is(Kind::RParen);
}

/// At a name that is the whole argument, with its own arguments if any.
bool Parser::isNamedTypeArg() const {
  size_t i = pos;
  if (!tokens[i].is(Kind::Identifier))
    return false;
  for (++i; tokens[i].is(Kind::Dot) && tokens[i + 1].is(Kind::Identifier);)
    i += 2;
  if (tokens[i].is(Kind::Less)) {
    i = findGenericEnd(i);
    if (!i)
      return true; // A broken list; inside a list nothing compares.
  }
  return (tokens[i].is(Kind::Comma) || tokens[i].is(Kind::Greater));
}

bool Parser::parseGenericArg(GenericArg &arg) {
  if (at(Kind::LBracket) || (at(Kind::LParen) && isTupleType())) {
    arg.type = parseType();
    return arg.type != nullptr;
  }
  if (isNamedTypeArg()) {
    arg.type = parseNamedType(/*inCast=*/false);
    return arg.type != nullptr;
  }
  arg.value = parseBinary(additivePrecedence);
  return arg.value != nullptr;
}

bool Parser::parseGenericParams(List<GenericParam> &params) {
  if (!accept(Kind::Less))
    return true;
  return parseList(Kind::Greater, "the generic parameter", [&] {
    GenericParam param;
    bool ok = parseGenericParam(param);
    params.push_back(param);
    return ok;
  });
}

bool Parser::parseGenericParam(GenericParam &param) {
  param.isConst = accept(Kind::KwConst);
  if (!parseName("the name of a generic parameter", param.name))
    return false;
  if (param.isConst) {
    if (!expect(Kind::Colon, " and a type after '" + param.name.text + "'"))
      return false;
    param.type = parseType();
    if (!param.type)
      return false;
    if (accept(Kind::Equal)) {
      param.defaultValue = parseBinary(additivePrecedence);
      return param.defaultValue != nullptr;
    }
    return true;
  }
  if (accept(Kind::Colon) && !parseName("a constraint", param.constraint))
    return false;
  if (accept(Kind::Equal)) {
    param.defaultType = parseType();
    return param.defaultType != nullptr;
  }
  return true;
}
