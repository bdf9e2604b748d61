//===- Printer.cpp - Prints items and statements --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrinterImpl.h"

using namespace coll;
using namespace coll::ast;
using llvm::cast;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Printer::print(const BlockStmt &block) {
  if (block.getBody().empty()) {
    os << "{}";
    return;
  }
  os << "{\n";
  indentation += 2;
  for (const Stmt *stmt : block.getBody()) {
    for (const Attribute &attribute : stmt->getAttributes()) {
      startLine() << "#[" << attribute.name.text;
      if (!attribute.args.empty()) {
        os << '(';
        printList(attribute.args);
        os << ')';
      }
      os << "]\n";
    }
    startLine();
    print(*stmt);
    os << '\n';
  }
  indentation -= 2;
  startLine() << '}';
}

void Printer::print(const Stmt &stmt) {
  switch (stmt.getKind()) {
  case Stmt::Kind::Block:
    return print(cast<BlockStmt>(stmt));
  case Stmt::Kind::Var:
    return print(cast<VarStmt>(stmt));
  case Stmt::Kind::Assign:
    return print(cast<AssignStmt>(stmt));
  case Stmt::Kind::Expr:
    print(*cast<ExprStmt>(stmt).getExpr());
    os << ';';
    return;
  case Stmt::Kind::If:
    return print(cast<IfStmt>(stmt));
  case Stmt::Kind::While:
    os << "while ";
    printHead(*cast<WhileStmt>(stmt).getCondition());
    os << ' ';
    return print(*cast<WhileStmt>(stmt).getBody());
  case Stmt::Kind::For:
    return print(cast<ForStmt>(stmt));
  case Stmt::Kind::Switch:
    return print(cast<SwitchStmt>(stmt));
  case Stmt::Kind::Break:
    os << "break;";
    return;
  case Stmt::Kind::Continue:
    os << "continue;";
    return;
  case Stmt::Kind::Return:
    return print(cast<ReturnStmt>(stmt));
  case Stmt::Kind::Assert:
    return print(cast<AssertStmt>(stmt));
  case Stmt::Kind::Print:
    os << "print(";
    printFormatted(*cast<PrintStmt>(stmt).getFormat(),
                   cast<PrintStmt>(stmt).getArgs());
    os << ");";
    return;
  case Stmt::Kind::Trap:
    os << "trap();";
    return;
  case Stmt::Kind::Shared:
    return print(cast<SharedStmt>(stmt));
  case Stmt::Kind::Workspace:
    return print(cast<WorkspaceStmt>(stmt));
  case Stmt::Kind::Barrier:
    return print(cast<BarrierStmt>(stmt));
  case Stmt::Kind::Launch:
    return print(cast<LaunchStmt>(stmt));
  case Stmt::Kind::Expect:
    os << "expect ";
    print(*cast<ExpectStmt>(stmt).getCondition());
    os << ';';
    return;
  }
}

void Printer::print(const Pattern &pattern) {
  if (!pattern.isTuple()) {
    os << pattern.getName().text;
    return;
  }
  os << '(';
  separated(pattern.getElements(), [&](const Pattern *p) { print(*p); });
  os << ')';
}

void Printer::print(const VarStmt &stmt) {
  os << (stmt.isLet() ? "let " : "var ");
  print(*stmt.getPattern());
  if (stmt.getType()) {
    os << ": ";
    print(*stmt.getType());
  }
  if (stmt.getInit()) {
    os << " = ";
    print(*stmt.getInit());
  }
  os << ';';
}

void Printer::print(const AssignStmt &stmt) {
  print(*stmt.getTarget());
  os << ' ';
  if (stmt.getOp())
    os << getSpelling(*stmt.getOp());
  os << "= ";
  print(*stmt.getValue());
  os << ';';
}

void Printer::print(const IfStmt &stmt, bool isElse) {
  os << (stmt.isStatic() && !isElse ? "static if " : "if ");
  printHead(*stmt.getCondition());
  os << ' ';
  print(*stmt.getThen());
  if (!stmt.getElse())
    return;
  os << " else ";
  if (const auto *next = llvm::dyn_cast<IfStmt>(stmt.getElse()))
    print(*next, /*isElse=*/true);
  else
    print(*stmt.getElse());
}

void Printer::print(const ForStmt &stmt) {
  os << (stmt.isStatic() ? "static for " : "for ") << stmt.getVariable().text
     << " in ";
  printHead(*stmt.getIterated());
  os << ' ';
  print(*stmt.getBody());
}

void Printer::print(const SwitchStmt &stmt) {
  os << "switch ";
  printHead(*stmt.getValue());
  os << " {\n";
  indentation += 2;
  for (const SwitchCase &switchCase : stmt.getCases()) {
    startLine();
    separated(switchCase.values,
              [&](const Expr *value) { print(*value, PrecTernary); });
    os << ": ";
    print(*switchCase.body);
    os << '\n';
  }
  if (stmt.getElse()) {
    startLine() << "else: ";
    print(*stmt.getElse());
    os << '\n';
  }
  indentation -= 2;
  startLine() << '}';
}

void Printer::printFormatted(const StringLiteral &format,
                             llvm::ArrayRef<const Expr *> args) {
  print(format);
  for (const Expr *arg : args) {
    os << ", ";
    print(*arg);
  }
}

void Printer::print(const AssertStmt &stmt) {
  os << "assert(";
  print(*stmt.getCondition());
  if (stmt.getFormat()) {
    os << ", ";
    printFormatted(*stmt.getFormat(), stmt.getArgs());
  }
  os << ");";
}

void Printer::print(const ReturnStmt &stmt) {
  os << "return";
  if (stmt.getValue()) {
    os << ' ';
    print(*stmt.getValue());
  }
  os << ';';
}

void Printer::print(const SharedStmt &stmt) {
  os << "shared " << stmt.getName().text << ": ";
  print(*stmt.getType());
  if (stmt.getAlignment()) {
    os << " align(";
    print(*stmt.getAlignment());
    os << ')';
  }
  os << ';';
}

void Printer::print(const WorkspaceStmt &stmt) {
  os << "workspace " << stmt.getName().text << ": ";
  print(*stmt.getType());
  os << (stmt.isKept() ? " kept;" : ";");
}

void Printer::print(const BarrierStmt &stmt) {
  os << "barrier ";
  separated(stmt.getDecls(), [&](const BarrierDecl &decl) {
    os << decl.name.text;
    if (decl.count) {
      os << '[';
      print(*decl.count);
      os << ']';
    }
    os << '(';
    print(*decl.arrivals);
    os << ')';
  });
  os << ';';
}

void Printer::print(const LaunchStmt &stmt) {
  os << "launch ";
  print(*stmt.getCall());
  if (!stmt.getGrid().empty()) {
    os << " grid(";
    printList(stmt.getGrid());
    os << ')';
  }
  os << ';';
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void Printer::printGenericParams(llvm::ArrayRef<GenericParam> params) {
  if (params.empty())
    return;
  os << '<';
  separated(params, [&](const GenericParam &param) {
    os << (param.isConst ? "const " : "") << param.name.text;
    if (param.type) {
      os << ": ";
      print(*param.type);
    } else if (param.constraint) {
      os << ": " << param.constraint.text;
    }
    if (param.defaultType || param.defaultValue)
      os << " = ";
    if (param.defaultType)
      print(*param.defaultType);
    else if (param.defaultValue)
      print(*param.defaultValue, PrecCast - 2);
  });
  os << '>';
}

void Printer::printHeader(StringRef keyword, const Name &name,
                          llvm::ArrayRef<GenericParam> generics,
                          llvm::ArrayRef<Param> params) {
  os << keyword << ' ' << name.text;
  printGenericParams(generics);
  os << '(';
  separated(params, [&](const Param &param) {
    os << param.name.text << ": ";
    if (param.passing != Passing::In)
      os << (param.passing == Passing::Mut ? "mut " : "inout ");
    if (param.isShared)
      os << "shared ";
    print(*param.type);
  });
  os << ')';
}

void Printer::printClauses(const KernelClauses &clauses) {
  auto printSizes = [&](StringRef word, llvm::ArrayRef<const Expr *> sizes) {
    if (sizes.empty())
      return;
    os << ' ' << word << '(';
    printList(sizes);
    os << ')';
  };
  auto printOne = [&](StringRef word, const Expr *value) {
    if (value)
      printSizes(word, value);
  };
  printSizes("workgroup", clauses.workgroup);
  if (clauses.gridDevice)
    os << " grid(device)";
  printSizes("grid", clauses.grid);
  printOne("cluster", clauses.cluster);
  printOne("max_registers", clauses.maxRegisters);
  printOne("min_blocks", clauses.minBlocks);
}

void Printer::print(const OperatorItem &item) {
  printHeader("op", item.getName(), item.getGenerics(), item.getParams());
  os << " -> ";
  print(*item.getResult());
  if (const Expr *identity = item.getIdentity()) {
    os << " identity ";
    // A name before an empty body would read as a struct literal.
    if (item.getBody()->getBody().empty())
      printParens(*identity);
    else
      print(*identity, PrecTernary);
  }
  os << (item.isCommutative() ? " commutative " : " ");
  print(*item.getBody());
}

void Printer::print(const StructItem &item) {
  os << "struct " << item.getName().text;
  printGenericParams(item.getGenerics());
  if (item.getFields().empty()) {
    os << " {}";
    return;
  }
  os << " { ";
  separated(item.getFields(), [&](const Field &field) {
    os << field.name.text << ": ";
    print(*field.type);
  });
  os << " }";
}

void Printer::print(const EnumItem &item) {
  os << "enum " << item.getName().text;
  if (item.getUnderlying()) {
    os << ": ";
    print(*item.getUnderlying());
  }
  if (item.getEnumerators().empty()) {
    os << " {}";
    return;
  }
  os << " { ";
  separated(item.getEnumerators(), [&](const Enumerator &enumerator) {
    os << enumerator.name.text;
    if (enumerator.value) {
      os << " = ";
      print(*enumerator.value, PrecTernary);
    }
  });
  os << " }";
}

void Printer::print(const ImportItem &item) {
  os << "import ";
  if (item.getFile())
    print(*item.getFile());
  else
    llvm::interleave(
        item.getPath(), os, [&](const Name &name) { os << name.text; }, ".");
  os << ';';
}

void Printer::print(const Item &item) {
  switch (item.getKind()) {
  case Item::Kind::Kernel: {
    const auto &kernel = cast<KernelItem>(item);
    printHeader("kernel", kernel.getName(), kernel.getGenerics(),
                kernel.getParams());
    printClauses(kernel.getClauses());
    os << ' ';
    return print(*kernel.getBody());
  }
  case Item::Kind::Pipeline: {
    const auto &pipeline = cast<PipelineItem>(item);
    printHeader("pipeline", pipeline.getName(), pipeline.getGenerics(),
                pipeline.getParams());
    os << ' ';
    return print(*pipeline.getBody());
  }
  case Item::Kind::Function: {
    const auto &function = cast<FunctionItem>(item);
    printHeader("fn", function.getName(), function.getGenerics(),
                function.getParams());
    if (function.getResult()) {
      os << " -> ";
      print(*function.getResult());
    }
    os << ' ';
    return print(*function.getBody());
  }
  case Item::Kind::Operator:
    return print(cast<OperatorItem>(item));
  case Item::Kind::Struct:
    return print(cast<StructItem>(item));
  case Item::Kind::Enum:
    return print(cast<EnumItem>(item));
  case Item::Kind::Const:
    os << "const " << item.getName().text << ": ";
    print(*cast<ConstItem>(item).getType());
    os << " = ";
    print(*cast<ConstItem>(item).getValue());
    os << ';';
    return;
  case Item::Kind::TypeAlias:
    os << "type " << item.getName().text << " = ";
    print(*cast<TypeAliasItem>(item).getType());
    os << ';';
    return;
  case Item::Kind::Import:
    return print(cast<ImportItem>(item));
  case Item::Kind::Test:
    os << "test ";
    print(*cast<TestItem>(item).getTitle());
    os << ' ';
    return print(*cast<TestItem>(item).getBody());
  }
}

/// Items of one line stand together; a blank line is around all others.
void Printer::print(const SourceFile &file) {
  auto isShort = [](const Item *item) {
    return llvm::isa<ConstItem, TypeAliasItem, ImportItem>(item);
  };
  const Item *previous = nullptr;
  for (const Item *item : file.getItems()) {
    bool together =
        previous && isShort(item) && previous->getKind() == item->getKind();
    if (previous && !together)
      os << '\n';
    print(*item);
    os << '\n';
    previous = item;
  }
}

void ast::printAST(llvm::raw_ostream &os, const SourceFile &file) {
  Printer(os).print(file);
}
