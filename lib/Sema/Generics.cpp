//===- Generics.cpp - Generic arguments and their inference ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "coll/Support/FormatFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::sema;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Written arguments
//===----------------------------------------------------------------------===//

/// A plain name as an argument of a const generic is an expression.
static const ast::NamedType *getPlainName(const ast::GenericArg &arg) {
  const auto *named = llvm::dyn_cast_if_present<ast::NamedType>(arg.type);
  return named && named->getPath().size() == 1 && named->getArgs().empty()
             ? named
             : nullptr;
}

bool Checker::bindExplicit(Decl *decl, llvm::ArrayRef<ast::GenericParam> params,
                           llvm::ArrayRef<ast::GenericArg> args,
                           llvm::MutableArrayRef<GenericValue> values,
                           llvm::SMRange range) {
  llvm::StringRef name = decl->item->getName().text;
  if (args.size() > params.size()) {
    error(range.Start,
          params.empty()
              ? "'" + name + "' takes no generic arguments"
              : ("'" + name + "' takes " + llvm::Twine(params.size()) +
                 (params.size() == 1 ? " generic argument, got "
                                     : " generic arguments, got ") +
                 llvm::Twine(args.size()))
                    .str())
        .note(decl->item->getName().getLoc(),
              "'" + name + "' is declared here");
    return false;
  }
  for (const auto &[i, arg] : llvm::enumerate(args)) {
    const ast::Name &param = params[i].name;
    if (params[i].isConst) {
      if (!bindConst(param, arg, values[i], range))
        return false;
    } else if (arg.type) {
      values[i].type = resolveType(arg.type);
      if (values[i].type->isError())
        return false;
    } else {
      error(arg.value->getLoc(),
            "generic argument '" + param.text + "' is a type, got a value");
      return false;
    }
  }
  return true;
}

bool Checker::bindConst(const ast::Name &param, const ast::GenericArg &arg,
                        GenericValue &value, llvm::SMRange range) {
  Expr *result = nullptr;
  if (const ast::NamedType *plain = getPlainName(arg)) {
    ast::NameExpr name(plain->getRange(), plain->getName().text);
    result = checkExpr(&name);
  } else if (arg.value) {
    result = checkExpr(arg.value);
  } else {
    error(arg.type ? arg.type->getLoc() : range.Start,
          "generic argument '" + param.text + "' is a constant, got a type");
    return false;
  }
  if (result->getType()->isError())
    return false;
  value.value = llvm::dyn_cast<ConstantExpr>(result);
  if (!value.value)
    error(result->getLoc(), "generic argument '" + param.text +
                                "' must be known at compile time");
  return value.value;
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// Matches written types, in which generic parameters occur, with types.
class Checker::Inference {
public:
  Inference(Checker &checker, llvm::ArrayRef<ast::GenericParam> params,
            llvm::MutableArrayRef<GenericValue> values)
      : checker(checker), params(params), values(values) {}

  void match(const ast::TypeExpr *pattern, const Type *type) {
    if (type->isError())
      return;
    switch (pattern->getKind()) {
    case ast::TypeExpr::Kind::Named:
      matchNamed(*llvm::cast<ast::NamedType>(pattern), type);
      return;
    case ast::TypeExpr::Kind::Array: {
      const auto *array = llvm::cast<ast::ArrayType>(pattern);
      matchSequence({array->getCount()}, array->getElement(), type);
      return;
    }
    case ast::TypeExpr::Kind::View: {
      const auto *view = llvm::cast<ast::ViewType>(pattern);
      matchSequence(view->getExtents(), view->getElement(), type);
      return;
    }
    case ast::TypeExpr::Kind::Tuple: {
      const auto *tuple = llvm::cast<ast::TupleType>(pattern);
      if (type->isTuple())
        for (const auto &[element, member] :
             llvm::zip(tuple->getElements(), type->getMembers()))
          match(element, member);
      return;
    }
    }
  }

private:
  GenericValue *find(llvm::StringRef name) {
    for (const auto &[param, value] : llvm::zip_equal(params, values))
      if (param.name.text == name)
        return &value;
    return nullptr;
  }

  void matchNamed(const ast::NamedType &named, const Type *type) {
    if (named.getPath().size() != 1)
      return;
    if (GenericValue *value = find(named.getName().text)) {
      bool isValueType = !type->isView() && !type->isVoid();
      if (!value->type && !value->value && isValueType)
        value->type = type;
      return;
    }
    StructInfo *origin = checker.structOrigins.lookup(type);
    if (!origin)
      return;
    for (const auto &[arg, given] : llvm::zip(named.getArgs(), origin->args)) {
      if (given.type && arg.type)
        match(arg.type, given.type);
      else if (given.value)
        if (const ast::NamedType *plain = getPlainName(arg))
          bind(plain->getName().text, given.value);
    }
  }

  /// `[T; N]` or `[n, m]T` against an array or a view.
  void matchSequence(llvm::ArrayRef<const ast::Expr *> extents,
                     const ast::TypeExpr *element, const Type *type) {
    for (const ast::Expr *extent : extents) {
      int64_t length = -1;
      if (type->isArray()) {
        length = type->getCount();
        type = type->getElement();
      } else if (type->isView()) {
        length = type->getExtents().front().constant;
        type = type->getRank() == 1
                   ? type->getElement()
                   : checker.types.getView(type->getElement(),
                                           type->getExtents().drop_front(),
                                           type->isMutable(), type->isShared());
      } else {
        return;
      }
      const auto *name = llvm::dyn_cast<ast::NameExpr>(extent);
      if (name && length >= 0)
        bind(name->getName(), checker.makeInt(checker.types.getI64(), length,
                                              extent->getRange()));
    }
    match(element, type);
  }

  void bind(llvm::StringRef name, ConstantExpr *constant) {
    GenericValue *value = find(name);
    if (value && !value->value && !value->type)
      value->value = constant;
  }

  Checker &checker;
  llvm::ArrayRef<ast::GenericParam> params;
  llvm::MutableArrayRef<GenericValue> values;
};

void Checker::infer(const ast::TypeExpr *pattern, const Type *type,
                    llvm::ArrayRef<ast::GenericParam> params,
                    llvm::MutableArrayRef<GenericValue> values) {
  Inference(*this, params, values).match(pattern, type);
}

//===----------------------------------------------------------------------===//
// Declaring in an instance
//===----------------------------------------------------------------------===//

/// Whether a type meets a constraint; none if there is no such constraint.
static std::optional<bool> meets(llvm::StringRef constraint, const Type *type) {
  if (type->isVector())
    type = type->getElement();
  bool isInt = type->isIntegerScalar(), isFloat = type->isFloatScalar();
  return llvm::StringSwitch<std::optional<bool>>(constraint)
      .Cases({"", "any"}, true)
      .Case("numeric", isInt || isFloat)
      .Case("integer", isInt)
      .Case("float", isFloat)
      .Default(std::nullopt);
}

bool Checker::declareGenerics(Instance &instance,
                              llvm::ArrayRef<ast::GenericParam> params,
                              llvm::SMRange use) {
  for (const auto &[param, value] : llvm::zip_equal(params, instance.args)) {
    bool ok = param.isConst ? declareConstGeneric(instance, param, value, use)
                            : declareTypeGeneric(instance, param, value, use);
    if (!ok)
      return false;
  }
  return true;
}

bool Checker::failToInfer(const Instance &instance,
                          const ast::GenericParam &param, llvm::SMRange use) {
  llvm::StringRef name = instance.decl->item->getName().text;
  error(use.Start, "cannot infer generic argument '" + param.name.text +
                       "' of '" + name + "'")
      .note(param.name.getLoc(), "'" + param.name.text + "' is declared here");
  return false;
}

bool Checker::declareTypeGeneric(Instance &instance,
                                 const ast::GenericParam &param,
                                 GenericValue &value, llvm::SMRange use) {
  if (!value.type && param.defaultType)
    value.type = resolveType(param.defaultType);
  if (!value.type)
    return failToInfer(instance, param, use);
  if (value.type->isError())
    return false;
  std::optional<bool> fitsConstraint = meets(param.constraint.text, value.type);
  if (!fitsConstraint) {
    failNoMember("unknown constraint", param.constraint,
                 {"any", "numeric", "integer", "float"},
                 param.constraint.range);
    return false;
  }
  if (!*fitsConstraint) {
    error(use.Start, "type " + value.type->str() + " is not '" +
                         param.constraint.text + "', which generic argument '" +
                         param.name.text + "' must be")
        .note(param.name.getLoc(),
              "'" + param.name.text + "' is declared here");
    return false;
  }
  declare(param.name, Symbol::of(value.type, param.name.getLoc()));
  return true;
}

bool Checker::declareConstGeneric(Instance &instance,
                                  const ast::GenericParam &param,
                                  GenericValue &value, llvm::SMRange use) {
  const Type *type = resolveType(param.type);
  if (type->isError())
    return false;
  if (!type->isScalar() && !type->isEnum()) {
    error(param.type->getLoc(), "a generic constant must be a scalar or an "
                                "enum, got " +
                                    type->str());
    return false;
  }
  Expr *result = value.value;
  if (!result && param.defaultValue)
    result = checkExpr(param.defaultValue, type);
  if (!result)
    return failToInfer(instance, param, use);
  result = coerce(result, type, use.Start);
  if (result->getType()->isError())
    return false;
  value.value = llvm::dyn_cast<ConstantExpr>(result);
  if (!value.value) {
    error(param.defaultValue->getLoc(), "the default of '" + param.name.text +
                                            "' is not known at compile time");
    return false;
  }
  declare(param.name, Symbol::of(value.value, param.name.getLoc()));
  return true;
}

//===----------------------------------------------------------------------===//
// Names and keys of instances
//===----------------------------------------------------------------------===//

static std::string printScalar(const ConstantExpr &constant) {
  const ConstantExpr::Scalar &scalar = constant.scalars.front();
  if (const auto *value = std::get_if<llvm::APInt>(&scalar)) {
    const Type *type = constant.getType();
    if (type->isBool())
      return value->isZero() ? "false" : "true";
    return llvm::toString(*value, 10, isSignedInteger(type->getScalarKind()));
  }
  return formatFloat(std::get<llvm::APFloat>(scalar));
}

std::string Checker::makeInstanceName(const Instance &instance) {
  std::string name = instance.decl->item->getName().text.str();
  if (instance.args.empty())
    return name;
  name += '<';
  llvm::ListSeparator comma;
  for (const GenericValue &value : instance.args) {
    name += llvm::StringRef(comma);
    name += value.type ? value.type->str() : printScalar(*value.value);
  }
  return name + '>';
}

std::string Checker::makeKey(const Instance &instance) {
  // Types are unique objects, but their names are not: two files may each have
  // a struct of one name.
  std::string key = llvm::utohexstr(reinterpret_cast<uintptr_t>(instance.decl));
  for (const GenericValue &value : instance.args) {
    key += ',';
    if (value.type) {
      key += llvm::utohexstr(reinterpret_cast<uintptr_t>(value.type));
      continue;
    }
    const ConstantExpr::Scalar &scalar = value.value->scalars.front();
    const auto *integer = std::get_if<llvm::APInt>(&scalar);
    key += 'c';
    key += llvm::toString(
        integer ? *integer : std::get<llvm::APFloat>(scalar).bitcastToAPInt(),
        16, /*Signed=*/false);
  }
  return key;
}
