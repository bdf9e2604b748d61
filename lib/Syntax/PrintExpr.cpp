//===- PrintExpr.cpp - Prints types and expressions -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"
#include "llvm/ADT/ScopeExit.h"

using namespace coll;
using namespace coll::ast;
using llvm::StringRef;

StringRef ast::getSpelling(BinaryOp op) {
  static constexpr StringRef spellings[] = {
      "*",  "/",  "%",  "+",  "-", "<<", ">>", "<",  ">",
      "<=", ">=", "==", "!=", "&", "^",  "|",  "&&", "||"};
  return spellings[unsigned(op)];
}

StringRef ast::getSpelling(UnaryOp op) {
  static constexpr StringRef spellings[] = {"-", "!", "~"};
  return spellings[unsigned(op)];
}

static unsigned getPrecedence(BinaryOp op) {
  static constexpr unsigned levels[] = {9, 9, 9, 8, 8, 7, 7, 6, 6,
                                        6, 6, 5, 5, 4, 3, 2, 1, 0};
  return PrecBinary + levels[unsigned(op)];
}

static unsigned getPrecedence(const Expr &expr) {
  switch (expr.getKind()) {
  case Expr::Kind::Range:
    return PrecRange;
  case Expr::Kind::Conditional:
  case Expr::Kind::Lambda:
  case Expr::Kind::Scratch:
  case Expr::Kind::Type:
    return PrecTernary;
  case Expr::Kind::Binary:
    return getPrecedence(llvm::cast<BinaryExpr>(expr).getOp());
  case Expr::Kind::Cast:
    return PrecCast;
  case Expr::Kind::Unary:
    return PrecUnary;
  case Expr::Kind::Member:
  case Expr::Kind::Call:
  case Expr::Kind::Index:
    return PrecPostfix;
  default:
    return PrecPrimary;
  }
}

static bool isComparison(BinaryOp op) {
  return op >= BinaryOp::Less && op <= BinaryOp::NotEqual;
}

static bool isBitwise(BinaryOp op) {
  return op == BinaryOp::BitAnd || op == BinaryOp::BitXor ||
         op == BinaryOp::BitOr;
}

/// Comparisons get parentheses inside comparisons and bit operators.
static bool isMixed(BinaryOp op, const Expr &operand) {
  const auto *binary = llvm::dyn_cast<BinaryExpr>(&operand);
  return binary && isComparison(binary->getOp()) &&
         (isComparison(op) || isBitwise(op));
}

/// Whether the text ends with the type of a cast, so that a `<` after it might
/// begin generic arguments.
static bool endsWithCast(const Expr *expr) {
  while (const auto *binary = llvm::dyn_cast<BinaryExpr>(expr))
    expr = binary->getRHS();
  return llvm::isa<CastExpr>(expr);
}

/// A number would take the dot after it for its own.
static bool isBaseInParens(const Expr &expr) {
  return llvm::isa<IntLiteral, FloatLiteral, StructLiteral>(expr);
}

/// Whether the text begins with a parenthesis, so that with a `>` before it, it
/// might be taken for the arguments of a generic call.
static bool startsWithParen(const Expr *expr, unsigned minPrecedence) {
  while (getPrecedence(*expr) >= minPrecedence) {
    const Expr *base = nullptr;
    if (const auto *binary = llvm::dyn_cast<BinaryExpr>(expr)) {
      if (isMixed(binary->getOp(), *binary->getLHS()))
        return true;
      minPrecedence = getPrecedence(binary->getOp());
      expr = binary->getLHS();
    } else if (const auto *cast = llvm::dyn_cast<CastExpr>(expr)) {
      minPrecedence = PrecCast;
      expr = cast->getOperand();
    } else if (const auto *member = llvm::dyn_cast<MemberExpr>(expr)) {
      base = member->getBase();
    } else if (const auto *call = llvm::dyn_cast<CallExpr>(expr)) {
      base = call->getCallee();
    } else if (const auto *index = llvm::dyn_cast<IndexExpr>(expr)) {
      base = index->getBase();
    } else {
      return llvm::isa<TupleExpr>(expr);
    }
    if (base) {
      if (isBaseInParens(*base))
        return true;
      minPrecedence = PrecPostfix;
      expr = base;
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void Printer::print(const TypeExpr &type) {
  bool outer = std::exchange(inHead, false);
  auto restore = llvm::scope_exit([&] { inHead = outer; });
  if (const auto *named = llvm::dyn_cast<NamedType>(&type)) {
    llvm::interleave(
        named->getPath(), os, [&](const Name &name) { os << name.text; }, ".");
    printGenericArgs(named->getArgs());
  } else if (const auto *array = llvm::dyn_cast<ArrayType>(&type)) {
    os << '[';
    print(*array->getElement());
    os << "; ";
    print(*array->getCount());
    os << ']';
  } else if (const auto *tuple = llvm::dyn_cast<TupleType>(&type)) {
    os << '(';
    separated(tuple->getElements(), [&](const TypeExpr *t) { print(*t); });
    os << (tuple->getElements().size() == 1 ? ",)" : ")");
  } else {
    const auto &view = llvm::cast<ViewType>(type);
    os << '[';
    printList(view.getExtents());
    if (view.getPitch())
      os << "; pitch " << view.getPitch().text;
    os << ']';
    print(*view.getElement());
  }
}

/// Whether the parser's look-ahead knows it between `<` and `>`.
static bool isPlainConstant(const Expr &expr) {
  if (const auto *binary = llvm::dyn_cast<BinaryExpr>(&expr))
    return binary->getOp() <= BinaryOp::Sub &&
           isPlainConstant(*binary->getLHS()) &&
           isPlainConstant(*binary->getRHS());
  if (const auto *unary = llvm::dyn_cast<UnaryExpr>(&expr))
    return unary->getOp() == UnaryOp::Minus &&
           isPlainConstant(*unary->getOperand());
  if (const auto *number = llvm::dyn_cast<FloatLiteral>(&expr))
    return number->getText() != "inf" && number->getText() != "nan";
  return llvm::isa<IntLiteral, BoolLiteral, NameExpr>(expr);
}

void Printer::printGenericArgs(llvm::ArrayRef<GenericArg> args) {
  if (args.empty())
    return;
  os << '<';
  separated(args, [&](const GenericArg &arg) {
    if (arg.type)
      print(*arg.type);
    else if (isPlainConstant(*arg.value))
      print(*arg.value, getPrecedence(BinaryOp::Add));
    else
      printParens(*arg.value);
  });
  os << '>';
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Printer::print(const Expr &expr, unsigned minPrecedence) {
  bool literalInHead = inHead && llvm::isa<StructLiteral>(expr);
  if (getPrecedence(expr) < minPrecedence || literalInHead)
    printParens(expr);
  else
    printPlain(expr);
}

void Printer::printParens(const Expr &expr) {
  bool outer = std::exchange(inHead, false);
  os << '(';
  printPlain(expr);
  os << ')';
  inHead = outer;
}

void Printer::printHead(const Expr &expr) {
  inHead = true;
  print(expr);
  inHead = false;
}

void Printer::printList(llvm::ArrayRef<const Expr *> list) {
  bool outer = std::exchange(inHead, false);
  separated(list, [&](const Expr *expr) { print(*expr); });
  inHead = outer;
}

void Printer::printPlain(const Expr &expr) {
  switch (expr.getKind()) {
  case Expr::Kind::IntLiteral:
    os << llvm::cast<IntLiteral>(expr).getText();
    return;
  case Expr::Kind::FloatLiteral:
    os << llvm::cast<FloatLiteral>(expr).getText();
    return;
  case Expr::Kind::BoolLiteral:
    os << (llvm::cast<BoolLiteral>(expr).getValue() ? "true" : "false");
    return;
  case Expr::Kind::StringLiteral:
    return printString(llvm::cast<StringLiteral>(expr).getValue());
  case Expr::Kind::Name:
    os << llvm::cast<NameExpr>(expr).getName();
    return;
  case Expr::Kind::Member:
    return printMember(llvm::cast<MemberExpr>(expr));
  case Expr::Kind::Call:
    return printCall(llvm::cast<CallExpr>(expr));
  case Expr::Kind::Index:
    return printIndex(llvm::cast<IndexExpr>(expr));
  case Expr::Kind::Unary:
    os << getSpelling(llvm::cast<UnaryExpr>(expr).getOp());
    return print(*llvm::cast<UnaryExpr>(expr).getOperand(), PrecUnary);
  case Expr::Kind::Binary:
    return printBinary(llvm::cast<BinaryExpr>(expr));
  case Expr::Kind::Conditional:
    return printConditional(llvm::cast<ConditionalExpr>(expr));
  case Expr::Kind::Cast:
    print(*llvm::cast<CastExpr>(expr).getOperand(), PrecCast);
    os << " as ";
    return print(*llvm::cast<CastExpr>(expr).getType());
  case Expr::Kind::Range:
    return printRange(llvm::cast<RangeExpr>(expr));
  case Expr::Kind::Tuple:
    return printTuple(llvm::cast<TupleExpr>(expr));
  case Expr::Kind::ArrayLiteral:
    os << '[';
    printList(llvm::cast<ArrayLiteral>(expr).getElements());
    os << ']';
    return;
  case Expr::Kind::ArrayRepeat:
    os << '[';
    printList(llvm::cast<ArrayRepeat>(expr).getElement());
    os << "; ";
    printList(llvm::cast<ArrayRepeat>(expr).getCount());
    os << ']';
    return;
  case Expr::Kind::StructLiteral:
    return printStructLiteral(llvm::cast<StructLiteral>(expr));
  case Expr::Kind::Lambda:
    return printLambda(llvm::cast<LambdaExpr>(expr));
  case Expr::Kind::Scratch:
    os << "scratch ";
    return print(*llvm::cast<ScratchExpr>(expr).getType());
  case Expr::Kind::Type:
    return print(*llvm::cast<TypeArgExpr>(expr).getType());
  }
}

/// What a `.`, `[` or `(` follows.
void Printer::printBase(const Expr &expr) {
  if (isBaseInParens(expr))
    return printParens(expr);
  print(expr, PrecPostfix);
}

void Printer::printMember(const MemberExpr &expr) {
  printBase(*expr.getBase());
  os << '.' << expr.getMember().text;
}

void Printer::printIndex(const IndexExpr &expr) {
  printBase(*expr.getBase());
  os << '[';
  printList(expr.getIndices());
  os << ']';
}

void Printer::printBinary(const BinaryExpr &expr) {
  BinaryOp op = expr.getOp();
  unsigned precedence = getPrecedence(op);
  bool looksGeneric = (op == BinaryOp::Greater || op == BinaryOp::Shr) &&
                      startsWithParen(expr.getRHS(), precedence + 1);
  bool outer = inHead;
  if (looksGeneric) {
    os << '(';
    inHead = false;
  }
  auto printOperand = [&](const Expr &operand, unsigned minPrecedence) {
    if (isMixed(op, operand) ||
        (op == BinaryOp::Less && endsWithCast(&operand)))
      printParens(operand);
    else
      print(operand, minPrecedence);
  };
  printOperand(*expr.getLHS(), precedence);
  os << ' ' << getSpelling(op) << ' ';
  printOperand(*expr.getRHS(), precedence + 1);
  if (looksGeneric)
    os << ')';
  inHead = outer;
}

void Printer::printConditional(const ConditionalExpr &expr) {
  print(*expr.getCondition(), PrecBinary);
  os << " ? ";
  print(*expr.getTrue(), PrecTernary);
  os << " : ";
  print(*expr.getFalse(), PrecTernary);
}

void Printer::printRange(const RangeExpr &expr) {
  if (expr.getBegin())
    print(*expr.getBegin(), PrecTernary);
  os << (expr.isInclusive() ? "..=" : "..");
  if (expr.getEnd())
    print(*expr.getEnd(), PrecTernary);
}

void Printer::printTuple(const TupleExpr &expr) {
  os << '(';
  printList(expr.getElements());
  os << (expr.getElements().size() == 1 ? ",)" : ")");
}

void Printer::printCall(const CallExpr &expr) {
  printBase(*expr.getCallee());
  bool outer = std::exchange(inHead, false);
  printGenericArgs(expr.getGenericArgs());
  os << '(';
  separated(expr.getArgs(), [&](const Arg &arg) {
    if (arg.name)
      os << arg.name.text << " = ";
    print(*arg.value);
  });
  os << ')';
  inHead = outer;
}

void Printer::printStructLiteral(const StructLiteral &expr) {
  print(*expr.getType());
  if (expr.getFields().empty()) {
    os << " {}";
    return;
  }
  os << " { ";
  separated(expr.getFields(), [&](const FieldInit &field) {
    os << field.name.text << ": ";
    print(*field.value);
  });
  os << " }";
}

void Printer::printLambda(const LambdaExpr &expr) {
  os << '|';
  separated(expr.getParams(), [&](const LambdaParam &param) {
    os << param.name.text;
    if (param.type) {
      os << ": ";
      print(*param.type);
    }
  });
  os << "| ";
  if (expr.getValue())
    return print(*expr.getValue(), PrecTernary);
  bool outer = std::exchange(inHead, false);
  print(*expr.getBody());
  inHead = outer;
}

void Printer::printString(StringRef value) {
  os << '"';
  for (char c : value) {
    constexpr StringRef specials("\n\t\r\0\\\"", 6);
    constexpr StringRef letters = "ntr0\\\"";
    size_t which = specials.find(c);
    if (which == StringRef::npos)
      os << c;
    else
      os << '\\' << letters[which];
  }
  os << '"';
}

void ast::printAST(llvm::raw_ostream &os, const Expr &expr) {
  Printer(os).print(expr);
}

void ast::printAST(llvm::raw_ostream &os, const TypeExpr &type) {
  Printer(os).print(type);
}
