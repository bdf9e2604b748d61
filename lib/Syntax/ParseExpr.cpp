//===- ParseExpr.cpp - Expressions ----------------------------------------===//
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

namespace {

struct BinaryOpInfo {
  TokenKind token;
  BinaryOp op;
  unsigned precedence;
};

} // namespace

/// C's precedences, from 1.
static constexpr BinaryOpInfo binaryOps[] = {
    {TokenKind::PipePipe, BinaryOp::LogicalOr, 1},
    {TokenKind::AmpAmp, BinaryOp::LogicalAnd, 2},
    {TokenKind::Pipe, BinaryOp::BitOr, 3},
    {TokenKind::Caret, BinaryOp::BitXor, 4},
    {TokenKind::Amp, BinaryOp::BitAnd, 5},
    {TokenKind::EqualEqual, BinaryOp::Equal, 6},
    {TokenKind::BangEqual, BinaryOp::NotEqual, 6},
    {TokenKind::Less, BinaryOp::Less, 7},
    {TokenKind::Greater, BinaryOp::Greater, 7},
    {TokenKind::LessEqual, BinaryOp::LessEqual, 7},
    {TokenKind::GreaterEqual, BinaryOp::GreaterEqual, 7},
    {TokenKind::LessLess, BinaryOp::Shl, 8},
    {TokenKind::Plus, BinaryOp::Add, 9},
    {TokenKind::Minus, BinaryOp::Sub, 9},
    {TokenKind::Star, BinaryOp::Mul, 10},
    {TokenKind::Slash, BinaryOp::Div, 10},
    {TokenKind::Percent, BinaryOp::Rem, 10},
};
static constexpr BinaryOpInfo shiftRight = {TokenKind::Greater, BinaryOp::Shr,
                                            8};

static const BinaryOpInfo *findBinaryOp(TokenKind token) {
  for (const BinaryOpInfo &info : binaryOps)
    if (info.token == token)
      return &info;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

const Expr *Parser::parseExpr() {
  llvm::SMLoc begin = here();
  const Expr *lhs = parseConditional();
  if (!lhs || !atRange())
    return lhs;
  bool inclusive = at(Kind::DotDotEqual);
  next();
  const Expr *rhs = parseConditional();
  return rhs ? make<RangeExpr>(begin, lhs, rhs, inclusive) : nullptr;
}

/// An index may leave out either end of a range.
const Expr *Parser::parseIndexExpr() {
  auto atIndexEnd = [&] { return at(Kind::Comma) || at(Kind::RBracket); };
  llvm::SMLoc begin = here();
  const Expr *lhs = nullptr;
  if (!atRange()) {
    lhs = parseConditional();
    if (!lhs || !atRange())
      return lhs;
  }
  bool inclusive = at(Kind::DotDotEqual);
  next();
  const Expr *rhs = nullptr;
  if (inclusive || !atIndexEnd()) {
    rhs = parseConditional();
    if (!rhs)
      return nullptr;
  }
  return make<RangeExpr>(begin, lhs, rhs, inclusive);
}

const Expr *Parser::parseConditional() {
  Nest nest(*this);
  if (!nest)
    return nullptr;
  llvm::SMLoc begin = here();
  const Expr *condition = parseBinary(1);
  if (!condition || !accept(Kind::Question))
    return condition;
  const Expr *ifTrue = parseConditional();
  if (!ifTrue || !expect(Kind::Colon, " between the values of '?'"))
    return nullptr;
  const Expr *ifFalse = parseConditional();
  if (!ifFalse)
    return nullptr;
  return make<ConditionalExpr>(begin, condition, ifTrue, ifFalse);
}

static bool isComparison(BinaryOp op) {
  return op >= BinaryOp::Less && op <= BinaryOp::NotEqual;
}

/// `a & b == c` means `a & (b == c)`, which is seldom meant.
void Parser::warnMixed(BinaryOp op, const Expr *operand, size_t first) {
  constexpr unsigned maxWarnings = 20;
  if (op != BinaryOp::BitAnd && op != BinaryOp::BitOr && op != BinaryOp::BitXor)
    return;
  const auto *inner = llvm::dyn_cast<BinaryExpr>(operand);
  bool inParens = operand->getLoc() != tokens[first].getLoc() ||
                  operand->getRange().End != tokens[pos - 1].getEndLoc();
  if (!inner || inParens || !isComparison(inner->getOp()) ||
      warnings++ >= maxWarnings)
    return;
  diags.warning(inner->getOpLoc(),
                "'" + getSpelling(inner->getOp()) + "' binds tighter than '" +
                    getSpelling(op) +
                    "'; parentheses would say which one is meant");
}

const Expr *Parser::parseBinary(unsigned minPrecedence) {
  size_t first = pos;
  const Expr *lhs = parseCast();
  while (lhs) {
    bool isShift = atPair(Kind::Greater);
    if (atPair(Kind::GreaterEqual))
      return lhs; // `>>=` assigns.
    const BinaryOpInfo *info =
        isShift ? &shiftRight : findBinaryOp(token().kind);
    if (!info || info->precedence < minPrecedence)
      return lhs;
    warnMixed(info->op, lhs, first);
    llvm::SMLoc opLoc = here();
    next();
    if (isShift)
      next();
    size_t second = pos;
    const Expr *rhs = parseBinary(info->precedence + 1);
    if (!rhs)
      return nullptr;
    warnMixed(info->op, rhs, second);
    lhs = make<BinaryExpr>(tokens[first].getLoc(), info->op, opLoc, lhs, rhs);
  }
  return nullptr;
}

const Expr *Parser::parseCast() {
  llvm::SMLoc begin = here();
  const Expr *operand = parseUnary();
  while (operand && accept(Kind::KwAs)) {
    HeightScope scope(*this);
    const TypeExpr *type = parseType(/*inCast=*/true);
    if (!type)
      return nullptr;
    operand = make<CastExpr>(begin, operand, type, scope.get());
  }
  return operand;
}

const Expr *Parser::parseUnary() {
  UnaryOp op;
  if (at(Kind::Minus))
    op = UnaryOp::Minus;
  else if (at(Kind::Bang))
    op = UnaryOp::Not;
  else if (at(Kind::Tilde))
    op = UnaryOp::BitNot;
  else
    return parsePostfix();
  Nest nest(*this);
  if (!nest)
    return nullptr;
  llvm::SMLoc begin = here();
  next();
  const Expr *operand = parseUnary();
  return operand ? make<UnaryExpr>(begin, op, operand) : nullptr;
}

//===----------------------------------------------------------------------===//
// Postfix expressions
//===----------------------------------------------------------------------===//

static bool isPath(const Expr *expr) {
  while (const auto *member = llvm::dyn_cast<MemberExpr>(expr))
    expr = member->getBase();
  return llvm::isa<NameExpr>(expr);
}

const Expr *Parser::parsePostfix() {
  size_t first = pos;
  llvm::SMLoc begin = here();
  const Expr *expr = parsePrimary();
  while (expr) {
    bool isCallee = llvm::isa<NameExpr, MemberExpr>(expr);
    bool isTypeName = tokens[first].is(Kind::Identifier) && isPath(expr);
    if (at(Kind::Dot)) {
      expr = parseMember(expr, begin);
    } else if (at(Kind::LBracket)) {
      expr = parseIndex(expr, begin);
    } else if (at(Kind::LParen)) {
      expr = parseCall(expr, begin);
    } else if (at(Kind::Less) && isCallee) {
      size_t end = findGenericEnd(pos);
      if (end && tokens[end].is(Kind::LParen))
        expr = parseCall(expr, begin);
      else if (end && isTypeName && atStructLiteral(end - pos))
        expr = parseStructLiteral(begin, first);
      else
        return expr;
    } else if (at(Kind::LBrace) && isTypeName && atStructLiteral(0)) {
      expr = parseStructLiteral(begin, first);
    } else {
      return expr;
    }
  }
  return nullptr;
}

const Expr *Parser::parseMember(const Expr *base, llvm::SMLoc begin) {
  next();
  if (!at(Kind::Identifier) && !at(Kind::Integer)) {
    Name member;
    parseName("the name of a member", member);
    return nullptr;
  }
  Name member = takeName();
  return make<MemberExpr>(begin, base, member);
}

const Expr *Parser::parseIndex(const Expr *base, llvm::SMLoc begin) {
  StructLiterals allowed(*this, true);
  next();
  List<const Expr *> indices;
  if (at(Kind::RBracket)) {
    expected("an index");
    return nullptr;
  }
  bool ok = parseList(Kind::RBracket, "the index", [&] {
    indices.push_back(parseIndexExpr());
    return indices.back() != nullptr;
  });
  return ok ? make<IndexExpr>(begin, base, copy(indices)) : nullptr;
}

const Expr *Parser::parseCall(const Expr *callee, llvm::SMLoc begin) {
  StructLiterals allowed(*this, true);
  List<GenericArg> genericArgs;
  unsigned inner = 0;
  if (at(Kind::Less)) {
    HeightScope scope(*this);
    if (!parseGenericArgs(genericArgs))
      return nullptr;
    inner = scope.get();
  }
  next(); // The '('.
  List<Arg> args;
  if (!parseList(Kind::RParen, "the argument", [&] { return parseArg(args); }))
    return nullptr;
  return make<CallExpr>(begin, callee, copy(genericArgs), copy(args), inner);
}

bool Parser::parseArg(List<Arg> &args) {
  Arg arg;
  if (at(Kind::Identifier) && token(1).is(Kind::Equal)) {
    arg.name = takeName();
    next();
  }
  arg.value = parseExpr();
  args.push_back(arg);
  return arg.value != nullptr;
}

bool Parser::parseExprList(Kind close, const Twine &what,
                           List<const Expr *> &list) {
  return parseList(close, what, [&] {
    list.push_back(parseExpr());
    return list.back() != nullptr;
  });
}

//===----------------------------------------------------------------------===//
// Struct literals
//===----------------------------------------------------------------------===//

/// `{ }`, `{ name: ...`, `{ name, ...` or `{ name }`: no block begins so,
/// except for the empty one.
bool Parser::atFieldList(size_t index) const {
  auto kind = [&](size_t ahead) {
    return tokens[std::min(index + ahead, tokens.size() - 1)].kind;
  };
  if (kind(0) != Kind::LBrace)
    return false;
  if (kind(1) == Kind::RBrace)
    return structLiterals;
  if (kind(1) != Kind::Identifier)
    return false;
  return kind(2) == Kind::Colon ||
         (structLiterals &&
          (kind(2) == Kind::Comma || kind(2) == Kind::RBrace));
}

bool Parser::atStructLiteral(size_t ahead) const {
  return atFieldList(pos + ahead);
}

/// The name that was read as an expression, from the token `first` on, is read
/// again as a type.
const Expr *Parser::parseStructLiteral(llvm::SMLoc begin, size_t first) {
  size_t brace = pos;
  pos = first;
  HeightScope scope(*this);
  const auto *type = static_cast<const NamedType *>(parseNamedType(false));
  if (!type)
    return nullptr;
  unsigned inner = scope.get();
  if (!structLiterals)
    errorAt(brace, "a struct literal in the head of a statement needs "
                   "parentheses around it");
  StructLiterals allowed(*this, true);
  next(); // The '{'.
  List<FieldInit> fields;
  bool ok = parseList(Kind::RBrace, "the field", [&] {
    FieldInit field;
    if (!parseName("the name of a field", field.name))
      return false;
    if (accept(Kind::Colon))
      field.value = parseExpr();
    else
      field.value = context.create<NameExpr>(field.name.range, field.name.text);
    fields.push_back(field);
    return field.value != nullptr;
  });
  return ok ? make<StructLiteral>(begin, type, copy(fields), inner) : nullptr;
}

//===----------------------------------------------------------------------===//
// Primary expressions
//===----------------------------------------------------------------------===//

const Expr *Parser::parsePrimary() {
  llvm::SMLoc begin = here();
  switch (token().kind) {
  case Kind::Integer:
    return parseInteger();
  case Kind::Float:
  case Kind::KwInf:
  case Kind::KwNan:
    return parseFloat();
  case Kind::String:
    return parseString("a string");
  case Kind::KwTrue:
  case Kind::KwFalse: {
    bool value = at(Kind::KwTrue);
    next();
    return make<BoolLiteral>(begin, value);
  }
  case Kind::LParen:
    return parseParen();
  case Kind::LBracket:
    return parseBracket();
  case Kind::Pipe:
    return parseLambda();
  case Kind::Identifier: {
    HeightScope scope(*this);
    if (atWord("scratch") && isViewTypeAt(pos + 1)) {
      next();
      const TypeExpr *type = parseType();
      return type ? make<ScratchExpr>(begin, type, scope.get()) : nullptr;
    }
    StringRef name = takeName().text;
    return make<NameExpr>(begin, name);
  }
  case Kind::Plus:
  case Kind::Minus: {
    bool twice = pos > 0 && tokens[pos - 1].is(token().kind);
    error(twice ? Twine("'") + token().getText() + token().getText() +
                      "' is no operator; write '" + token().getText() + "= 1'"
                : "expected an expression, got '" + token().getText() + "'");
    return nullptr;
  }
  default:
    expected("an expression");
    return nullptr;
  }
}

/// Whether `name` means a number: "u32", "bf16".
static bool isNumberType(llvm::StringRef name) {
  if (name == "bf16")
    return true;
  unsigned bits = 0;
  llvm::StringRef digits = name.ltrim("fiu");
  return name.size() - digits.size() == 1 && !digits.getAsInteger(10, bits) &&
         (bits == 16 || bits == 32 || bits == 64 ||
          (bits == 8 && name.front() != 'f'));
}

/// Parentheses or a tuple.
const Expr *Parser::parseParen() {
  llvm::SMLoc begin = here();
  StructLiterals allowed(*this, true);
  next();
  List<const Expr *> elements;
  bool comma = false;
  bool ok = parseList(Kind::RParen, "the expression", [&] {
    elements.push_back(parseExpr());
    comma |= at(Kind::Comma);
    return elements.back() != nullptr;
  });
  if (!ok)
    return nullptr;
  if (elements.size() != 1 || comma)
    return make<TupleExpr>(begin, copy(elements));
  return failCast(elements.front()) ? nullptr : elements.front();
}

/// Whether `operand` in parentheses is a type's name, and what follows a value,
/// as in C's casts; reports it.
bool Parser::failCast(const Expr *operand) {
  const auto *name = llvm::dyn_cast<NameExpr>(operand);
  bool isOperand = at(Kind::Identifier) || at(Kind::Integer) ||
                   at(Kind::Float) || at(Kind::LParen);
  if (!name || !isOperand || token().startsLine ||
      !isNumberType(name->getName()))
    return false;
  llvm::StringRef value =
      at(Kind::LParen) ? llvm::StringRef("(...)") : token().getText();
  diags.error(operand->getLoc(), "a conversion follows its value: write '" +
                                     value + " as " + name->getName() + "'");
  lastError = pos;
  return true;
}

/// `[a, b]`, `[e; N]` or the shape `[n]T`.
const Expr *Parser::parseBracket() {
  llvm::SMLoc begin = here();
  HeightScope scope(*this);
  if (isViewTypeAt(pos)) {
    const TypeExpr *type = parseType();
    return type ? make<TypeArgExpr>(begin, type, scope.get()) : nullptr;
  }
  StructLiterals allowed(*this, true);
  next();
  List<const Expr *> elements;
  if (!at(Kind::RBracket)) {
    const Expr *element = parseExpr();
    if (!element)
      return nullptr;
    if (accept(Kind::Semicolon)) {
      const Expr *count = parseExpr();
      if (!count || !expect(Kind::RBracket, " after the array's length"))
        return nullptr;
      return make<ArrayRepeat>(begin, element, count);
    }
    elements.push_back(element);
    if (!at(Kind::RBracket) && !accept(Kind::Comma)) {
      expected("',', ';' or ']' after the element");
      return nullptr;
    }
  }
  if (!parseExprList(Kind::RBracket, "the element", elements))
    return nullptr;
  return make<ArrayLiteral>(begin, copy(elements));
}

const Expr *Parser::parseInteger() {
  llvm::SMLoc begin = here();
  StringRef text = token().getText();
  StringRef digits = text;
  unsigned radix = 10;
  if (digits.consume_front_insensitive("0x"))
    radix = 16;
  else if (digits.consume_front("0b"))
    radix = 2;
  else if (digits.consume_front("0o"))
    radix = 8;
  llvm::APInt value(128, 0);
  for (char c : digits) {
    if (c == '_')
      continue;
    unsigned digit = llvm::hexDigitValue(c);
    if (digit >= radix) {
      error("'" + Twine(c) + "' is no digit of a number of base " +
            Twine(radix));
      break;
    }
    bool tooLarge = false;
    bool carried = false;
    value = value.umul_ov(llvm::APInt(128, radix), tooLarge)
                .uadd_ov(llvm::APInt(128, digit), carried);
    if (tooLarge || carried) {
      error("integer literal is too large");
      break;
    }
  }
  next();
  const uint64_t *words = value.getRawData();
  return make<IntLiteral>(begin, text, words[0], words[1]);
}

const Expr *Parser::parseFloat() {
  llvm::SMLoc begin = here();
  StringRef text = token().getText();
  if (text.contains('_')) {
    std::string plain = text.str();
    llvm::erase(plain, '_');
    text = context.copy(StringRef(plain));
  }
  next();
  return make<FloatLiteral>(begin, text);
}

const StringLiteral *Parser::parseString(const Twine &what) {
  if (!at(Kind::String)) {
    expected(what);
    return nullptr;
  }
  llvm::SMLoc begin = here();
  StringRef text = token().getText().drop_front();
  text.consume_back("\"");
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      value += text[i];
      continue;
    }
    constexpr StringRef letters = "ntr0\\\"";
    constexpr StringRef meanings("\n\t\r\0\\\"", 6);
    size_t which = letters.find(text[++i]);
    if (which == StringRef::npos)
      error("unknown escape '\\" + Twine(text[i]) + "' in a string");
    else
      value += meanings[which];
  }
  next();
  return make<StringLiteral>(begin, context.copy(StringRef(value)));
}

const Expr *Parser::parseLambda() {
  llvm::SMLoc begin = here();
  next();
  List<LambdaParam> params;
  bool ok = parseList(Kind::Pipe, "the parameter", [&] {
    LambdaParam param;
    if (!parseName("the name of a parameter", param.name))
      return false;
    if (accept(Kind::Colon))
      param.type = parseType();
    params.push_back(param);
    return pos != lastError;
  });
  if (!ok)
    return nullptr;
  HeightScope scope(*this);
  if (at(Kind::LBrace)) {
    StructLiterals allowed(*this, true);
    const BlockStmt *body = parseBlock("");
    if (!body)
      return nullptr;
    return make<LambdaExpr>(begin, copy(params), nullptr, body, scope.get());
  }
  const Expr *value = parseConditional();
  if (!value)
    return nullptr;
  return make<LambdaExpr>(begin, copy(params), value, nullptr, 0u);
}
