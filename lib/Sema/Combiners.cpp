//===- Combiners.cpp - What reductions and scans combine with -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an operator is expected stands the name of a builtin one, an `op`, a
// function of two parameters, or a lambda, typed by the element it combines.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "ForeignNames.h"
#include "Passes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::sema;
using llvm::dyn_cast;
using llvm::StringRef;
using llvm::Twine;

static std::optional<BuiltinOperator> getBuiltinOperator(StringRef name) {
  return llvm::StringSwitch<std::optional<BuiltinOperator>>(name)
      .Case("add", BuiltinOperator::Add)
      .Case("mul", BuiltinOperator::Mul)
      .Case("min", BuiltinOperator::Min)
      .Case("max", BuiltinOperator::Max)
      .Case("minimum", BuiltinOperator::Minimum)
      .Case("maximum", BuiltinOperator::Maximum)
      .Case("and", BuiltinOperator::And)
      .Case("or", BuiltinOperator::Or)
      .Case("xor", BuiltinOperator::Xor)
      .Default(std::nullopt);
}

namespace {

/// Builds the operator that one argument denotes.
class CombinerChecker {
public:
  CombinerChecker(Checker &checker, const ast::Expr *expr, const Type *element)
      : checker(checker), expr(expr), element(element) {}

  /// Null after an error.
  Operator *run() {
    if (auto *lambda = dyn_cast<ast::LambdaExpr>(expr))
      return checkLambda(*lambda);
    auto *name = dyn_cast<ast::NameExpr>(expr);
    if (!name)
      return failKind();
    if (checker.lookupLocal(name->getName()))
      return failKind();
    if (checker.isBuiltinOperator(name))
      return checkBuiltin(*getBuiltinOperator(name->getName()));
    Decl *decl = checker.lookupDecl(name->getName());
    if (!decl)
      return failUnknown(*name);
    if (!llvm::isa<ast::FunctionItem, ast::OperatorItem>(decl->item))
      return failKind();
    return checkDeclared(*name, decl);
  }

private:
  static constexpr llvm::StringLiteral choice =
      "add, mul, min, max, minimum, maximum, and, or, xor, an op, a function "
      "of two parameters or a lambda";

  Operator *failKind() {
    checker.error(expr->getLoc(), "expected an operator: " + choice);
    return nullptr;
  }

  Operator *failUnknown(const ast::NameExpr &name) {
    std::string quoted = ("'" + name.getName() + "'").str();
    if (checker.isBuiltinFunction(name.getName())) {
      checker.error(expr->getLoc(),
                    "function " + quoted + " is no operator: " + choice);
      return nullptr;
    }
    StringRef own = translateForeignName(NameUse::Operator, name.getName());
    checker.error(expr->getLoc(),
                  "unknown operator " + quoted +
                      (own.empty() ? ": there are " + choice.str()
                                   : ("; did you mean '" + own + "'?").str()));
    return nullptr;
  }

  //===--------------------------------------------------------------------===//
  // Builtin operators
  //===--------------------------------------------------------------------===//

  Operator *checkBuiltin(BuiltinOperator op) {
    if (!acceptsType(op, element))
      return nullptr;
    auto *result = checker.program.make<Operator>();
    result->builtin = op;
    result->commutative = true;
    result->name = getOperatorName(op);
    return result;
  }

  /// Whether `op` combines values of `type` member by member; reports if not.
  bool acceptsType(BuiltinOperator op, const Type *type) {
    if (type->isStruct())
      return llvm::all_of(type->getFields(), [&](const StructField &field) {
        return acceptsType(op, field.type);
      });
    if (type->isTuple())
      return llvm::all_of(type->getMembers(), [&](const Type *member) {
        return acceptsType(op, member);
      });
    if (type->isArray() || type->isVector())
      return acceptsType(op, type->getElement());
    StringRef wanted = getWantedType(op);
    bool bitwise = op >= BuiltinOperator::And;
    if (type->isMask())
      return bitwise || failType(op, type, wanted);
    if (!type->isScalar())
      return failType(op, type, wanted);
    ScalarKind kind = type->getScalarKind();
    bool fits = bitwise                          ? !isFloat(kind)
                : op >= BuiltinOperator::Minimum ? isFloat(kind)
                                                 : kind != ScalarKind::Bool;
    return fits || failType(op, type, wanted);
  }

  static StringRef getWantedType(BuiltinOperator op) {
    switch (op) {
    case BuiltinOperator::Add:
    case BuiltinOperator::Mul:
    case BuiltinOperator::Min:
    case BuiltinOperator::Max:
      return "a numeric type";
    case BuiltinOperator::Minimum:
    case BuiltinOperator::Maximum:
      return "a float type";
    case BuiltinOperator::And:
    case BuiltinOperator::Or:
    case BuiltinOperator::Xor:
      return "an integer type or bool";
    }
    return "";
  }

  bool failType(BuiltinOperator op, const Type *type, StringRef wanted) {
    std::string hint;
    if (type->isBool() &&
        (op == BuiltinOperator::Add || op == BuiltinOperator::Mul))
      hint = "; the group's count(p) counts the ranks with a true p";
    else if (type->isIntegerScalar() && op == BuiltinOperator::Minimum)
      hint = "; use min";
    else if (type->isIntegerScalar() && op == BuiltinOperator::Maximum)
      hint = "; use max";
    std::string of = type == element ? "" : " in " + element->str();
    checker.error(expr->getLoc(), "operator '" + Twine(getOperatorName(op)) +
                                      "' combines " + wanted + ", got " +
                                      type->str() + of + hint);
    return false;
  }

  //===--------------------------------------------------------------------===//
  // Lambdas, ops and functions
  //===--------------------------------------------------------------------===//

  Variable *makeParam(StringRef name, llvm::SMLoc loc) {
    return checker.makeVariable(name, loc, element, Variable::Storage::Value);
  }

  Operator *checkLambda(const ast::LambdaExpr &lambda) {
    auto params = lambda.getParams();
    if (params.size() != 2) {
      checker.error(lambda.getLoc(),
                    "an operator has two parameters, this lambda has " +
                        Twine(params.size()));
      return nullptr;
    }
    if (lambda.getBody()) {
      checker.failUnsupported(lambda.getRange(), "a lambda with a block");
      return nullptr;
    }
    for (const ast::LambdaParam &param : params) {
      if (param.type && !checkParamType(param))
        return nullptr;
    }
    auto *op = checker.program.make<Operator>();
    op->name = "lambda";
    ScopeGuard scope(checker.scopes());
    op->left = checker.declareVariable(params[0].name, element,
                                       Variable::Storage::Value);
    op->right = checker.declareVariable(params[1].name, element,
                                        Variable::Storage::Value);
    size_t reported = checker.diags.getDiagnostics().size();
    op->result = checker.checkAs(lambda.getValue(), element);
    if (!params[0].type || !params[1].type)
      checker.diags.noteCalls(
          reported, {{lambda.getLoc(),
                      "the parameters of this lambda are " + element->str() +
                          ", the type of the combined values"}});
    if (op->result->getType()->isError())
      return nullptr;
    checkOperatorPurity(*op, lambda.getLoc(), checker.diags);
    return op;
  }

  bool checkParamType(const ast::LambdaParam &param) {
    const Type *type = checker.resolveType(param.type);
    if (type == element || type->isError())
      return !type->isError();
    checker.error(param.type->getLoc(),
                  "'" + Twine(param.name.text) + "' is " + type->str() +
                      ", but the combined values are " + element->str());
    return false;
  }

  Operator *checkDeclared(const ast::NameExpr &name, Decl *decl) {
    Instance *instance =
        checker.instantiateFor(decl, {element, element}, {}, name.getRange());
    if (!instance || !instance->function)
      return nullptr;
    const Function &function = *instance->function;
    if (!fitsElement(name, function))
      return nullptr;
    auto *op = checker.program.make<Operator>();
    op->name = function.name;
    op->left = makeParam(function.params[0]->name, function.params[0]->loc);
    op->right = makeParam(function.params[1]->name, function.params[1]->loc);
    Expr *args[] = {checker.makeRead(op->left, name.getRange()),
                    checker.makeRead(op->right, name.getRange())};
    op->result = checker.makeCall(instance, args, name.getRange());
    if (op->result->getType()->isError())
      return nullptr;
    op->identity = instance->identity;
    op->commutative = instance->commutative;
    // An op is checked where it is declared.
    if (llvm::isa<ast::FunctionItem>(decl->item))
      checkOperatorPurity(*op, name.getLoc(), checker.diags);
    return op;
  }

  /// Whether the function is (element, element) -> element; reports if not.
  bool fitsElement(const ast::NameExpr &name, const Function &function) {
    auto fail = [&](const Twine &text) {
      checker.error(name.getLoc(), "'" + Twine(function.name) + "' " + text)
          .note(function.loc,
                "'" + Twine(function.name) + "' is declared here");
      return false;
    };
    if (function.params.size() != 2)
      return fail("has " + Twine(function.params.size()) +
                  (function.params.size() == 1 ? " parameter" : " parameters") +
                  ", an operator has two");
    for (const Variable *param : function.params) {
      if (param->storage != Variable::Storage::Value)
        return fail("takes '" + Twine(param->name) +
                    "' by reference, an operator takes values");
      if (param->type != element)
        return param->type->isError()
                   ? false
                   : fail("combines " + Twine(param->type->str()) +
                          ", but the combined values are " + element->str());
    }
    if (!function.result || function.result->isError())
      return false;
    if (function.result != element)
      return fail("gives " + Twine(function.result->str()) +
                  ", but the combined values are " + element->str());
    return true;
  }

  Checker &checker;
  const ast::Expr *expr;
  const Type *element;
};

} // namespace

Operator *Checker::resolveOperator(const ast::Expr *expr, const Type *element) {
  return CombinerChecker(*this, expr, element).run();
}

bool Checker::isBuiltinOperator(const ast::Expr *expr) {
  auto *name = dyn_cast<ast::NameExpr>(expr);
  return name && getBuiltinOperator(name->getName()) &&
         isBuiltinMeaning(name->getName());
}
