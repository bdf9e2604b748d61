//===- PrinterImpl.h - From the tree to text --------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the parentheses that the tree needs, and a few that a reader or the
// parser's look-ahead for `f<4>(x)` needs.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SYNTAX_PRINTERIMPL_H
#define COLL_LIB_SYNTAX_PRINTERIMPL_H

#include "coll/Syntax/AST.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace coll::ast {

/// How tightly an expression holds together. Binary operators lie between
/// `Ternary` and `Cast`.
enum Precedence : unsigned {
  PrecRange = 0,
  PrecTernary = 1,
  PrecBinary = 2,
  PrecCast = 12,
  PrecUnary = 13,
  PrecPostfix = 14,
  PrecPrimary = 15
};

class Printer {
public:
  explicit Printer(llvm::raw_ostream &os) : os(os) {}

  // PrintExpr.cpp.
  void print(const TypeExpr &type);
  void print(const Expr &expr, unsigned minPrecedence = PrecRange);

  // Printer.cpp.
  void print(const SourceFile &file);
  void print(const Item &item);

private:
  // PrintExpr.cpp.
  void printPlain(const Expr &expr);
  void printMember(const MemberExpr &expr);
  void printIndex(const IndexExpr &expr);
  void printBinary(const BinaryExpr &expr);
  void printConditional(const ConditionalExpr &expr);
  void printRange(const RangeExpr &expr);
  void printTuple(const TupleExpr &expr);
  void printCall(const CallExpr &expr);
  void printStructLiteral(const StructLiteral &expr);
  void printLambda(const LambdaExpr &expr);
  void printString(llvm::StringRef value);
  void printBase(const Expr &expr);
  void printParens(const Expr &expr);
  void printGenericArgs(llvm::ArrayRef<GenericArg> args);
  void printList(llvm::ArrayRef<const Expr *> list);
  /// The expression before the `{` of a body.
  void printHead(const Expr &expr);

  // Printer.cpp.
  void print(const BlockStmt &block);
  void print(const Stmt &stmt);
  void print(const Pattern &pattern);
  void print(const VarStmt &stmt);
  void print(const AssignStmt &stmt);
  void print(const IfStmt &stmt, bool isElse = false);
  void print(const ForStmt &stmt);
  void print(const SwitchStmt &stmt);
  void print(const AssertStmt &stmt);
  void print(const ReturnStmt &stmt);
  void print(const SharedStmt &stmt);
  void print(const WorkspaceStmt &stmt);
  void print(const BarrierStmt &stmt);
  void print(const LaunchStmt &stmt);
  void printFormatted(const StringLiteral &format,
                      llvm::ArrayRef<const Expr *> args);
  void printGenericParams(llvm::ArrayRef<GenericParam> params);
  void printHeader(llvm::StringRef keyword, const Name &name,
                   llvm::ArrayRef<GenericParam> generics,
                   llvm::ArrayRef<Param> params);
  void printClauses(const KernelClauses &clauses);
  void print(const OperatorItem &item);
  void print(const StructItem &item);
  void print(const EnumItem &item);
  void print(const ImportItem &item);
  llvm::raw_ostream &startLine() { return os.indent(indentation); }

  template <typename List, typename Each>
  void separated(const List &list, Each each) {
    llvm::interleaveComma(list, os, each);
  }

  llvm::raw_ostream &os;
  unsigned indentation = 0;
  bool inHead = false;
};

} // namespace coll::ast

#endif // COLL_LIB_SYNTAX_PRINTERIMPL_H
