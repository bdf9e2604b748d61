//===- LaunchExpr.cpp - What the host computes before a launch ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Bundle/LaunchExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cassert>
#include <limits>

using namespace coll;
using namespace llvm;

namespace {
struct OpInfo {
  LaunchExpr::Op op;
  StringLiteral text;
};
} // namespace

static constexpr OpInfo opTable[] = {
    {LaunchExpr::Op::Add, "+"},   {LaunchExpr::Op::Sub, "-"},
    {LaunchExpr::Op::Mul, "*"},   {LaunchExpr::Op::Div, "/"},
    {LaunchExpr::Op::Rem, "%"},   {LaunchExpr::Op::CeilDiv, "ceil_div"},
    {LaunchExpr::Op::Min, "min"}, {LaunchExpr::Op::Max, "max"},
    {LaunchExpr::Op::Shl, "<<"},  {LaunchExpr::Op::Shr, ">>"},
    {LaunchExpr::Op::And, "&"},   {LaunchExpr::Op::Or, "|"},
    {LaunchExpr::Op::Xor, "^"},   {LaunchExpr::Op::Eq, "=="},
    {LaunchExpr::Op::Ne, "!="},   {LaunchExpr::Op::Lt, "<"},
    {LaunchExpr::Op::Le, "<="},   {LaunchExpr::Op::Gt, ">"},
    {LaunchExpr::Op::Ge, ">="},   {LaunchExpr::Op::If, "if"},
};

static StringRef getOpText(LaunchExpr::Op op) {
  const OpInfo *info =
      find_if(opTable, [&](const OpInfo &info) { return info.op == op; });
  assert(info != std::end(opTable) && "constants and names have no text here");
  return info->text;
}

static std::optional<LaunchExpr::Op> parseOp(StringRef text) {
  for (const OpInfo &info : opTable)
    if (info.text == text)
      return info.op;
  return std::nullopt;
}

static bool isNameStart(char c) { return isAlpha(c) || c == '_'; }
static bool isNameChar(char c) { return isAlnum(c) || c == '_' || c == '.'; }

static bool isName(StringRef text) {
  return !text.empty() && isNameStart(text.front()) && all_of(text, isNameChar);
}

unsigned LaunchExpr::getOperandCount(Op op) {
  switch (op) {
  case Op::Constant:
  case Op::Name:
    return 0;
  case Op::If:
    return 3;
  default:
    return 2;
  }
}

LaunchExpr LaunchExpr::constant(int64_t value) {
  return LaunchExpr(std::vector<Node>{{Op::Constant, value, {}}});
}

LaunchExpr LaunchExpr::name(StringRef name) {
  assert(isName(name) && "not a name that parse() accepts");
  return LaunchExpr(std::vector<Node>{{Op::Name, 0, name.str()}});
}

LaunchExpr LaunchExpr::binary(Op op, const LaunchExpr &lhs,
                              const LaunchExpr &rhs) {
  assert(getOperandCount(op) == 2 && "not a binary operator");
  std::vector<Node> nodes = {{op, 0, {}}};
  llvm::append_range(nodes, lhs.nodes);
  llvm::append_range(nodes, rhs.nodes);
  return LaunchExpr(std::move(nodes));
}

LaunchExpr LaunchExpr::select(const LaunchExpr &condition,
                              const LaunchExpr &then,
                              const LaunchExpr &otherwise) {
  std::vector<Node> nodes = {{Op::If, 0, {}}};
  llvm::append_range(nodes, condition.nodes);
  llvm::append_range(nodes, then.nodes);
  llvm::append_range(nodes, otherwise.nodes);
  return LaunchExpr(std::move(nodes));
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Cuts the text into `(`, `)` and words.
class ExprLexer {
public:
  explicit ExprLexer(StringRef text) : text(text) {}

  /// The next token, empty at the end.
  StringRef next() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
    start = position;
    if (position == text.size())
      return {};
    if (!isParen(text[position]))
      while (position < text.size() && !isParen(text[position]) &&
             !isSpace(text[position]))
        ++position;
    else
      ++position;
    return text.slice(start, position);
  }

  /// An error at the last token.
  Error error(const Twine &message) const {
    return createStringError("launch expression '" + text + "', column " +
                             Twine(start + 1) + ": " + message);
  }

private:
  static bool isParen(char c) { return c == '(' || c == ')'; }

  StringRef text;
  size_t position = 0;
  size_t start = 0;
};

/// An operator whose operands are being read.
struct OpenOp {
  LaunchExpr::Op op;
  unsigned wanted;
  unsigned seen;
};
} // namespace

Expected<LaunchExpr> LaunchExpr::parse(StringRef text) {
  ExprLexer lexer(text);
  std::vector<Node> nodes;
  std::vector<OpenOp> open;
  auto arityError = [&](const OpenOp &top) {
    return lexer.error("'" + getOpText(top.op) + "' takes " +
                       Twine(top.wanted) + " operands");
  };
  do {
    StringRef token = lexer.next();
    if (token.empty())
      return lexer.error(open.empty() ? "expected an expression"
                                      : "expected ')'");
    if (token == ")") {
      if (open.empty())
        return lexer.error("')' without '('");
      if (open.back().seen != open.back().wanted)
        return arityError(open.back());
      open.pop_back();
      continue;
    }
    if (!open.empty() && open.back().seen++ == open.back().wanted)
      return arityError(open.back());
    int64_t value;
    if (token == "(") {
      StringRef word = lexer.next();
      std::optional<Op> op = parseOp(word);
      if (!op)
        return lexer.error("expected an operator, got '" + word + "'");
      nodes.push_back({*op, 0, {}});
      open.push_back({*op, getOperandCount(*op), 0});
    } else if (!token.getAsInteger(10, value)) {
      nodes.push_back({Op::Constant, value, {}});
    } else if (isName(token)) {
      nodes.push_back({Op::Name, 0, token.str()});
    } else {
      return lexer.error("expected a name, a 64-bit integer or '(', got '" +
                         token + "'");
    }
  } while (!open.empty());
  StringRef rest = lexer.next();
  if (!rest.empty())
    return lexer.error("'" + rest + "' after the end of the expression");
  return LaunchExpr(std::move(nodes));
}

std::string LaunchExpr::str() const {
  std::string text;
  SmallVector<unsigned> missing; // Operands that each open operator awaits.
  for (const Node &node : nodes) {
    if (!missing.empty()) {
      text += ' ';
      --missing.back();
    }
    if (unsigned count = getOperandCount(node.op)) {
      text += '(';
      text += getOpText(node.op);
      missing.push_back(count);
      continue;
    }
    text += node.op == Op::Name ? node.name : std::to_string(node.value);
    while (!missing.empty() && missing.back() == 0) {
      text += ')';
      missing.pop_back();
    }
  }
  return text;
}

/// How tightly an operator of the language binds: names and calls most.
static unsigned getPrecedence(LaunchExpr::Op op) {
  switch (op) {
  case LaunchExpr::Op::If:
    return 0;
  case LaunchExpr::Op::Or:
    return 1;
  case LaunchExpr::Op::Xor:
    return 2;
  case LaunchExpr::Op::And:
    return 3;
  case LaunchExpr::Op::Eq:
  case LaunchExpr::Op::Ne:
    return 4;
  case LaunchExpr::Op::Lt:
  case LaunchExpr::Op::Le:
  case LaunchExpr::Op::Gt:
  case LaunchExpr::Op::Ge:
    return 5;
  case LaunchExpr::Op::Shl:
  case LaunchExpr::Op::Shr:
    return 6;
  case LaunchExpr::Op::Add:
  case LaunchExpr::Op::Sub:
    return 7;
  case LaunchExpr::Op::Mul:
  case LaunchExpr::Op::Div:
  case LaunchExpr::Op::Rem:
    return 8;
  case LaunchExpr::Op::CeilDiv:
  case LaunchExpr::Op::Min:
  case LaunchExpr::Op::Max:
  case LaunchExpr::Op::Constant:
  case LaunchExpr::Op::Name:
    return 9;
  }
  llvm_unreachable("unknown operator");
}

std::string LaunchExpr::describe() const {
  struct Text {
    std::string text;
    unsigned precedence;
  };
  SmallVector<Text> stack;
  /// The last operand, in parentheses if it binds less tightly than `least`.
  auto pop = [&](unsigned least) {
    Text operand = stack.pop_back_val();
    return operand.precedence < least ? "(" + operand.text + ")"
                                      : std::move(operand.text);
  };
  // From the last node backwards, as they are evaluated.
  for (const Node &node : reverse(nodes)) {
    unsigned own = getPrecedence(node.op);
    std::string text;
    if (node.op == Op::Constant) {
      text = std::to_string(node.value);
    } else if (node.op == Op::Name) {
      text = node.name;
    } else if (node.op == Op::If) {
      text = pop(own + 1) + " ? ";
      text += pop(own) + " : ";
      text += pop(own);
    } else if (own == getPrecedence(Op::Name)) {
      text = getOpText(node.op).str() + "(" + pop(0) + ", ";
      text += pop(0) + ")";
    } else {
      text = pop(own) + " " + getOpText(node.op).str() + " ";
      text += pop(own + 1);
    }
    stack.push_back({std::move(text), own});
  }
  return stack.back().text;
}

bool LaunchExpr::operator==(const LaunchExpr &other) const {
  return nodes == other.nodes;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static int64_t ceilDiv(int64_t lhs, int64_t rhs) {
  int64_t quotient = lhs / rhs;
  bool inexact = lhs % rhs != 0;
  return quotient + (inexact && (lhs < 0) == (rhs < 0));
}

int64_t LaunchExpr::apply(Op op, int64_t lhs, int64_t rhs) {
  auto wrap = [](uint64_t value) { return static_cast<int64_t>(value); };
  uint64_t ulhs = lhs, urhs = rhs;
  constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
  int64_t divisor = rhs == 0 || (rhs == -1 && lhs == smallest) ? 1 : rhs;
  switch (op) {
  case Op::Add:
    return wrap(ulhs + urhs);
  case Op::Sub:
    return wrap(ulhs - urhs);
  case Op::Mul:
    return wrap(ulhs * urhs);
  case Op::Div:
    return lhs / divisor;
  case Op::Rem:
    return lhs % divisor;
  case Op::CeilDiv:
    return ceilDiv(lhs, divisor);
  case Op::Min:
    return std::min(lhs, rhs);
  case Op::Max:
    return std::max(lhs, rhs);
  case Op::Shl:
    return wrap(ulhs << (urhs & 63));
  case Op::Shr:
    return lhs >> (urhs & 63);
  case Op::And:
    return lhs & rhs;
  case Op::Or:
    return lhs | rhs;
  case Op::Xor:
    return lhs ^ rhs;
  case Op::Eq:
    return lhs == rhs;
  case Op::Ne:
    return lhs != rhs;
  case Op::Lt:
    return lhs < rhs;
  case Op::Le:
    return lhs <= rhs;
  case Op::Gt:
    return lhs > rhs;
  case Op::Ge:
    return lhs >= rhs;
  case Op::Constant:
  case Op::Name:
  case Op::If:
    break;
  }
  llvm_unreachable("not a binary operator");
}

Expected<int64_t> LaunchExpr::evaluate(
    function_ref<std::optional<int64_t>(StringRef)> lookup) const {
  for (const Node &node : nodes)
    if (node.op == Op::Name && !lookup(node.name))
      return createStringError("launch expression '" + describe() +
                               "' needs '" + node.name +
                               "', which has no value");
  // From the last node backwards, operands come before their operator.
  SmallVector<int64_t> stack;
  for (const Node &node : reverse(nodes)) {
    if (node.op == Op::Constant) {
      stack.push_back(node.value);
    } else if (node.op == Op::Name) {
      stack.push_back(*lookup(node.name));
    } else if (node.op == Op::If) {
      int64_t condition = stack.pop_back_val();
      int64_t then = stack.pop_back_val();
      int64_t otherwise = stack.pop_back_val();
      stack.push_back(condition ? then : otherwise);
    } else {
      int64_t lhs = stack.pop_back_val();
      int64_t rhs = stack.pop_back_val();
      stack.push_back(apply(node.op, lhs, rhs));
    }
  }
  return stack.back();
}

Expected<int64_t> LaunchExpr::evaluate(const StringMap<int64_t> &values) const {
  return evaluate([&](StringRef name) -> std::optional<int64_t> {
    auto it = values.find(name);
    if (it == values.end())
      return std::nullopt;
    return it->second;
  });
}

std::optional<int64_t> LaunchExpr::getConstant() const {
  if (any_of(nodes, [](const Node &node) { return node.op == Op::Name; }))
    return std::nullopt;
  return cantFail(evaluate(StringMap<int64_t>()));
}

std::vector<std::string> LaunchExpr::getNames() const {
  std::vector<std::string> names;
  for (const Node &node : nodes)
    if (node.op == Op::Name && !is_contained(names, node.name))
      names.push_back(node.name);
  return names;
}
