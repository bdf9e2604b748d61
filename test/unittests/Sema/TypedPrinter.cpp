//===- TypedPrinter.cpp - Bodies as the checker leaves them ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedPrinter.h"
#include "Check.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll::sema;
using namespace coll::sema::test;
using llvm::dyn_cast;
using llvm::Twine;

std::string coll::sema::test::wrap(const Twine &body, const Twine &items) {
  return (items +
          "kernel k(x: [n]f32, y: mut [n]f32, u: mut [n]u32, h: mut [n]f16, "
          "d: [n, m]f64, a: f32, b: f32, c: f32, i: i32, j: i32, p: bool) "
          "workgroup(64) {\n" +
          body + "\n}\n")
      .str();
}

/// The messages without their line numbers.
static std::string getMessages(Checked &checked) {
  std::string text = checked.messages(), result;
  llvm::SmallVector<llvm::StringRef, 4> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    result += line.split(": ").second.str() + "\n";
  return result;
}

std::string coll::sema::test::check(const Twine &body, const Twine &items,
                                    const SemaOptions &options) {
  Checked checked(wrap(body, items), options);
  return getMessages(checked);
}

std::string coll::sema::test::print(const Twine &body, const Twine &items,
                                    const SemaOptions &options) {
  Checked checked(wrap(body, items), options);
  std::string messages = getMessages(checked);
  if (!messages.empty())
    return messages;
  return printStmt(checked.kernel("k")->body);
}

namespace {

template <typename Range> std::string printList(const Range &list) {
  std::string text;
  for (const Expr *expr : list) {
    if (!text.empty())
      text += ", ";
    text += expr ? printExpr(expr) : "-";
  }
  return text;
}

std::string printScalar(const ConstantExpr::Scalar &scalar, bool isSigned) {
  llvm::SmallString<16> text;
  if (auto *integer = std::get_if<llvm::APInt>(&scalar))
    integer->toString(text, 10, isSigned);
  else
    std::get<llvm::APFloat>(scalar).toString(text);
  return text.str().str();
}

std::string printConstant(const ConstantExpr &constant) {
  const Type *type = constant.getType();
  std::string text;
  for (const auto &scalar : constant.scalars) {
    if (!text.empty())
      text += ", ";
    text += printScalar(scalar, !type->isScalar() ||
                                    isSignedInteger(type->getScalarKind()));
  }
  return constant.scalars.size() == 1 ? text : "{" + text + "}";
}

std::string printBinary(const BinaryExpr &binary) {
  static constexpr const char *spellings[] = {"+",  "-",  "*", "/", "%",
                                              "<<", ">>", "&", "|", "^"};
  return "(" + printExpr(binary.left) + " " +
         spellings[static_cast<unsigned>(binary.op)] + " " +
         printExpr(binary.right) + ")";
}

std::string printCompare(const CompareExpr &compare) {
  static constexpr const char *spellings[] = {"==", "!=", "<", "<=", ">", ">="};
  return "(" + printExpr(compare.left) + " " +
         spellings[static_cast<unsigned>(compare.op)] + " " +
         printExpr(compare.right) + ")";
}

std::string printOperator(const Operator &op) {
  if (op.builtin)
    return getOperatorName(*op.builtin).str();
  std::string text = "|" + op.left->name.str() + ", " + op.right->name.str() +
                     "| " + printExpr(op.result);
  if (op.identity)
    text += " identity " + printExpr(op.identity);
  return text + (op.commutative ? " commutative" : "");
}

std::string printCollective(const CollectiveExpr &collective) {
  std::string text = collective.group.str() + "." +
                     getMethodName(collective.method).str() + "(";
  if (collective.op)
    text += printOperator(*collective.op) + "; ";
  text += printList(collective.operands);
  if (collective.reverse)
    text += "; reverse";
  if (collective.overArray)
    text += "; over array";
  return text + "): " + collective.getType()->str();
}

std::string printAccess(const VectorAccessExpr &access) {
  std::string text =
      printExpr(access.base) + (access.value ? ".store<" : ".load<") +
      std::to_string(access.count) + ">(" + printExpr(access.first);
  if (access.value)
    text += ", " + printExpr(access.value);
  if (access.limit)
    text += ", limit " + printExpr(access.limit);
  if (access.fill)
    text += ", fill " + printExpr(access.fill);
  return text + ")";
}

std::string printQuery(const GroupQueryExpr &query) {
  static constexpr const char *names[] = {"rank",   "size",  "index", "count",
                                          "index3", "size3", "count3"};
  std::string text =
      query.group.str() + "." + names[static_cast<unsigned>(query.query)];
  if (query.query >= GroupQueryExpr::Query::Index3)
    text += std::string(".") + "xyz"[query.dimension];
  return text;
}

std::string printAtomic(const AtomicExpr &atomic) {
  static constexpr const char *ops[] = {"add",  "sub",      "min",
                                        "max",  "and",      "or",
                                        "xor",  "exchange", "compare_exchange",
                                        "load", "store"};
  std::string text = std::string("atomic.") +
                     ops[static_cast<unsigned>(atomic.op)] + "(" +
                     printExpr(atomic.place);
  for (const Expr *operand : {atomic.expected, atomic.value})
    if (operand)
      text += ", " + printExpr(operand);
  static constexpr const char *orders[] = {"relaxed", "acquire", "release",
                                           "acq_rel", "seq_cst"};
  static constexpr const char *scopes[] = {"warp", "block", "cluster", "device",
                                           "system"};
  return text + "; " + orders[static_cast<unsigned>(atomic.order)] + " " +
         scopes[static_cast<unsigned>(atomic.scope)] + ")";
}

std::string printSlice(const SliceExpr &slice) {
  if (slice.form == SliceExpr::Form::Flat)
    return printExpr(slice.base) + ".flat()";
  if (slice.form == SliceExpr::Form::Vectors)
    return printExpr(slice.base) + ".vectors()";
  return printExpr(slice.base) + "[..]";
}

/// Operators, conditionals and conversions.
std::string printOperation(const Expr *expr) {
  switch (expr->getKind()) {
  case Expr::Kind::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(expr);
    static constexpr const char *spellings[] = {"-", "!", "~"};
    return spellings[static_cast<unsigned>(unary->op)] +
           printExpr(unary->operand);
  }
  case Expr::Kind::Binary:
    return printBinary(*llvm::cast<BinaryExpr>(expr));
  case Expr::Kind::Compare:
    return printCompare(*llvm::cast<CompareExpr>(expr));
  case Expr::Kind::Logical: {
    auto *logical = llvm::cast<LogicalExpr>(expr);
    return "(" + printExpr(logical->left) + (logical->isAnd ? " && " : " || ") +
           printExpr(logical->right) + ")";
  }
  case Expr::Kind::Conditional: {
    auto *conditional = llvm::cast<ConditionalExpr>(expr);
    return "(" + printExpr(conditional->condition) + " ? " +
           printExpr(conditional->ifTrue) + " : " +
           printExpr(conditional->ifFalse) + ")";
  }
  case Expr::Kind::Cast:
    return "(" + printExpr(llvm::cast<CastExpr>(expr)->operand) + " as " +
           expr->getType()->str() + ")";
  case Expr::Kind::Bitcast:
    return "bitcast<" + expr->getType()->str() + ">(" +
           printExpr(llvm::cast<BitcastExpr>(expr)->operand) + ")";
  default:
    return "?";
  }
}

} // namespace

std::string coll::sema::test::printExpr(const Expr *expr) {
  switch (expr->getKind()) {
  case Expr::Kind::Constant:
    return printConstant(*llvm::cast<ConstantExpr>(expr));
  case Expr::Kind::Variable:
    return llvm::cast<VariableExpr>(expr)->variable->name.str();
  case Expr::Kind::Member: {
    auto *member = llvm::cast<MemberExpr>(expr);
    return printExpr(member->base) + "." + std::to_string(member->index);
  }
  case Expr::Kind::Index: {
    auto *index = llvm::cast<IndexExpr>(expr);
    return printExpr(index->base) + "[" + printList(index->indices) + "]";
  }
  case Expr::Kind::Slice:
    return printSlice(*llvm::cast<SliceExpr>(expr));
  case Expr::Kind::Call: {
    auto *call = llvm::cast<CallExpr>(expr);
    return call->callee->name.str() + "(" + printList(call->args) + ")";
  }
  case Expr::Kind::Builtin: {
    auto *builtin = llvm::cast<BuiltinExpr>(expr);
    return getBuiltinName(builtin->builtin).str() + "(" +
           printList(builtin->args) + ")";
  }
  case Expr::Kind::Aggregate: {
    auto *aggregate = llvm::cast<AggregateExpr>(expr);
    return (aggregate->splat ? "splat{" : "{") + printList(aggregate->members) +
           "}";
  }
  case Expr::Kind::GroupQuery:
    return printQuery(*llvm::cast<GroupQueryExpr>(expr));
  case Expr::Kind::Collective:
    return printCollective(*llvm::cast<CollectiveExpr>(expr));
  case Expr::Kind::Atomic:
    return printAtomic(*llvm::cast<AtomicExpr>(expr));
  case Expr::Kind::ViewQuery: {
    auto *query = llvm::cast<ViewQueryExpr>(expr);
    return printExpr(query->base) + ".extent(" +
           std::to_string(query->dimension) + ")";
  }
  case Expr::Kind::VectorAccess:
    return printAccess(*llvm::cast<VectorAccessExpr>(expr));
  default:
    return printOperation(expr);
  }
}

static std::string printFor(const ForStmt &loop) {
  std::string text = "for " + loop.variable->name.str() + " in " +
                     printExpr(loop.begin) + ".." + printExpr(loop.end);
  if (loop.step)
    text += " step " + printExpr(loop.step);
  if (loop.strided)
    text += " strided " + loop.strided->str();
  if (loop.chunked)
    text += " chunked " + loop.chunked->str();
  if (loop.unroll == ~0u)
    text += " unroll";
  return text + " " + printStmt(loop.body);
}

std::string coll::sema::test::printStmt(const Stmt *stmt) {
  switch (stmt->getKind()) {
  case Stmt::Kind::Block: {
    std::string text = "{";
    for (const Stmt *inner : llvm::cast<BlockStmt>(stmt)->body)
      text += " " + printStmt(inner);
    return text + " }";
  }
  case Stmt::Kind::Declare: {
    auto *declare = llvm::cast<DeclareStmt>(stmt);
    std::string text = "let " + declare->variable->name.str() + ": " +
                       declare->variable->type->str();
    return text + (declare->init ? " = " + printExpr(declare->init) : "") + ";";
  }
  case Stmt::Kind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(stmt);
    std::string old =
        assign->oldValue ? " <" + assign->oldValue->name.str() + ">" : "";
    return printExpr(assign->place) + old + " = " + printExpr(assign->value) +
           ";";
  }
  case Stmt::Kind::Expression:
    return printExpr(llvm::cast<ExpressionStmt>(stmt)->expr) + ";";
  case Stmt::Kind::If: {
    auto *branch = llvm::cast<IfStmt>(stmt);
    std::string text = "if " + printExpr(branch->condition) + " " +
                       printStmt(branch->thenBody);
    return text +
           (branch->elseBody ? " else " + printStmt(branch->elseBody) : "");
  }
  case Stmt::Kind::While: {
    auto *loop = llvm::cast<WhileStmt>(stmt);
    return "while " + printExpr(loop->condition) + " " + printStmt(loop->body);
  }
  case Stmt::Kind::For:
    return printFor(*llvm::cast<ForStmt>(stmt));
  case Stmt::Kind::Break:
    return "break;";
  case Stmt::Kind::Continue:
    return "continue;";
  case Stmt::Kind::Return: {
    auto *leave = llvm::cast<ReturnStmt>(stmt);
    return leave->value ? "return " + printExpr(leave->value) + ";" : "return;";
  }
  case Stmt::Kind::Assert: {
    auto *check = llvm::cast<AssertStmt>(stmt);
    return "assert(" + printExpr(check->condition) + ", \"" +
           check->message.str() + "\", " + printList(check->args) + ");";
  }
  }
  return "?";
}
