//===- Types.cpp - From written types to types ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::sema;
using llvm::APSInt;

/// The scalar of that name, or none.
static std::optional<ScalarKind> parseScalar(llvm::StringRef name) {
  for (unsigned i = 0; i <= unsigned(ScalarKind::F64); ++i)
    if (getScalarName(ScalarKind(i)) == name)
      return ScalarKind(i);
  return std::nullopt;
}

const Type *Checker::lookupBuiltinType(llvm::StringRef name) {
  if (name == "mask")
    return types.getMask();
  if (std::optional<ScalarKind> kind = parseScalar(name))
    return types.getScalar(*kind);
  auto [element, lanes] = name.rsplit('x');
  std::optional<ScalarKind> kind = parseScalar(element);
  unsigned count = 0;
  if (!kind || *kind == ScalarKind::Bool || lanes.starts_with("0") ||
      lanes.getAsInteger(10, count))
    return nullptr;
  if (count != 2 && count != 4 && count != 8 && count != 16)
    return nullptr;
  return types.getVector(*kind, count);
}

const Type *Checker::resolveType(const ast::TypeExpr *type) {
  if (isStackNearlyExhausted()) {
    error(type->getLoc(), "this type is nested too deeply");
    return types.getError();
  }
  switch (type->getKind()) {
  case ast::TypeExpr::Kind::Named:
    return resolveNamedType(*llvm::cast<ast::NamedType>(type));
  case ast::TypeExpr::Kind::Array:
    return resolveArrayType(*llvm::cast<ast::ArrayType>(type));
  case ast::TypeExpr::Kind::Tuple: {
    llvm::SmallVector<const Type *, 4> members;
    for (const ast::TypeExpr *each :
         llvm::cast<ast::TupleType>(type)->getElements()) {
      members.push_back(resolveType(each));
      if (members.back()->isError())
        return types.getError();
    }
    return makeTuple(members, type->getLoc());
  }
  case ast::TypeExpr::Kind::View:
    error(type->getLoc(), "a view may only be the type of a parameter");
    return types.getError();
  }
  llvm_unreachable("unknown type kind");
}

const Type *Checker::makeTuple(llvm::ArrayRef<const Type *> members,
                               llvm::SMLoc loc) {
  const Type *type = types.getTuple(members);
  if (type->isError())
    error(loc, "this tuple is too large");
  return type;
}

const Type *Checker::resolveViewElement(const ast::ViewType &view) {
  const Type *element = resolveType(view.getElement());
  if (element->isError() || !element->getLeaves().empty())
    return element;
  error(view.getElement()->getLoc(),
        "a view of the empty type " + element->str() + " has no elements");
  return types.getError();
}

const Type *Checker::makeArray(const Type *element, uint64_t count,
                               llvm::SMLoc loc) {
  if (element->isError())
    return element;
  if (const Type *type = types.getArray(element, count))
    return type;
  error(loc, "an array of " + llvm::Twine(count) + " elements of type " +
                 element->str() + " is too large");
  return types.getError();
}

const Type *Checker::resolveArrayType(const ast::ArrayType &type) {
  const Type *element = resolveType(type.getElement());
  std::optional<int64_t> count = requireConstantInt(
      type.getCount(), "the length of an array", 0, UINT32_MAX);
  if (!count)
    return types.getError();
  return makeArray(element, *count, type.getLoc());
}

const Type *Checker::resolveNamedType(const ast::NamedType &type) {
  const ast::Name &name = type.getName();
  bool isPlain = type.getPath().size() == 1;
  auto refuseArgs = [&](const Type *result) {
    if (type.getArgs().empty())
      return result;
    error(type.getLoc(), "type '" + name.text + "' takes no generic arguments");
    return types.getError();
  };
  const Symbol *symbol = isPlain ? lookupLocal(name.text) : nullptr;
  if (symbol && symbol->kind == Symbol::Kind::Type)
    return refuseArgs(symbol->type);
  Decl *decl = isPlain ? lookupDecl(name.text) : lookupPath(type.getPath());
  if (!decl && isPlain)
    if (const Type *builtin = lookupBuiltinType(name.text))
      return refuseArgs(builtin);
  if (!decl) {
    if (isPlain)
      failUnknownName(name, "type");
    return types.getError();
  }
  if (const auto *item = llvm::dyn_cast<ast::StructItem>(decl->item))
    if (!item->getGenerics().empty()) {
      llvm::SmallVector<GenericValue, 2> args(item->getGenerics().size());
      if (!bindExplicit(decl, item->getGenerics(), type.getArgs(), args,
                        type.getRange()))
        return types.getError();
      return resolveStruct(decl, args, type.getLoc());
    }
  if (const Type *result = resolveTypeDecl(decl, type.getRange()))
    return refuseArgs(result);
  error(type.getLoc(), "'" + name.text + "' is not a type")
      .note(decl->item->getName().getLoc(),
            "'" + name.text + "' is declared here");
  return types.getError();
}

const Type *Checker::resolveTypeDecl(Decl *decl, llvm::SMRange range) {
  ast::Item::Kind kind = decl->item->getKind();
  if (kind == ast::Item::Kind::Struct) {
    const auto *item = llvm::cast<ast::StructItem>(decl->item);
    if (item->getGenerics().empty())
      return resolveStruct(decl, {}, range.Start);
    error(range.Start,
          "struct '" + item->getName().text + "' needs generic arguments");
    return types.getError();
  }
  if (kind != ast::Item::Kind::Enum && kind != ast::Item::Kind::TypeAlias)
    return nullptr;
  if (decl->progress == Progress::Done)
    return decl->type;
  if (decl->progress == Progress::InProgress) {
    error(range.Start,
          "type '" + decl->item->getName().text + "' is defined by itself");
    return types.getError();
  }
  decl->progress = Progress::InProgress;
  InstanceGuard guard(*this, decl->module->top.get());
  if (const auto *alias = llvm::dyn_cast<ast::TypeAliasItem>(decl->item))
    decl->type = resolveType(alias->getType());
  else
    decl->type = resolveEnum(*llvm::cast<ast::EnumItem>(decl->item));
  decl->progress = Progress::Done;
  return decl->type;
}

const Type *Checker::resolveEnum(const ast::EnumItem &item) {
  const Type *underlying =
      item.getUnderlying() ? resolveType(item.getUnderlying()) : types.getI32();
  if (underlying->isError())
    return underlying;
  if (!underlying->isIntegerScalar()) {
    error(item.getUnderlying()->getLoc(),
          "the type of an enum must be an integer, got " + underlying->str());
    return types.getError();
  }
  llvm::SmallVector<EnumMember, 8> members;
  llvm::DenseMap<llvm::StringRef, llvm::SMLoc> seen;
  int64_t next = 0;
  for (const ast::Enumerator &each : item.getEnumerators()) {
    auto [it, isNew] = seen.try_emplace(each.name.text, each.name.getLoc());
    if (!isNew)
      error(each.name.getLoc(), "'" + each.name.text + "' is already a member")
          .note(it->second, "the first one is here");
    if (each.value) {
      Expr *value = checkAs(each.value, underlying);
      std::optional<APSInt> constant = getInteger(value);
      if (!constant && !value->getType()->isError())
        error(each.value->getLoc(), "the value of '" + each.name.text +
                                        "' is not known at compile time");
      if (constant)
        next = constant->isUnsigned()
                   ? static_cast<int64_t>(constant->getZExtValue())
                   : constant->getSExtValue();
    } else if (!fits(APSInt::get(next), underlying->getScalarKind())) {
      error(each.name.getLoc(), "the value " + llvm::Twine(next) + " of '" +
                                    each.name.text + "' does not fit " +
                                    underlying->str());
    }
    members.push_back({each.name.text, next});
    next = static_cast<int64_t>(static_cast<uint64_t>(next) + 1);
  }
  return types.createEnum(item.getName().text, underlying->getScalarKind(),
                          members);
}

//===----------------------------------------------------------------------===//
// Structs
//===----------------------------------------------------------------------===//

/// Generic structs may not expand into ever larger ones.
static constexpr unsigned maxStructDepth = 64;

const Type *Checker::resolveStruct(Decl *decl,
                                   llvm::ArrayRef<GenericValue> args,
                                   llvm::SMLoc loc) {
  const auto *item = llvm::cast<ast::StructItem>(decl->item);
  llvm::StringRef name = item->getName().text;
  Instance scope;
  scope.decl = decl;
  scope.module = decl->module;
  scope.args.assign(args.begin(), args.end());
  scope.caller = current;
  scope.callLoc = loc;
  InstanceGuard guard(*this, &scope);
  if (!declareGenerics(scope, item->getGenerics(), {loc, loc}))
    return types.getError();
  StructInfo *&info = structs[makeKey(scope)];
  if (info && info->type)
    return info->type;
  if (info || structDepth >= maxStructDepth) {
    error(loc, info ? "struct '" + name + "' contains itself"
                    : "struct '" + name + "' is instantiated too deeply")
        .note(item->getName().getLoc(), "'" + name + "' is declared here");
    return types.getError();
  }
  info = program.make<StructInfo>();
  StructInfo *entry = info;
  entry->decl = decl;
  entry->args = scope.args;
  scope.name = makeInstanceName(scope);
  ++structDepth;
  entry->type = makeStruct(*item, scope.name);
  --structDepth;
  structOrigins[entry->type] = entry;
  return entry->type;
}

const Type *Checker::makeStruct(const ast::StructItem &item,
                                llvm::StringRef name) {
  llvm::SmallVector<std::pair<llvm::StringRef, const Type *>, 8> fields;
  llvm::DenseMap<llvm::StringRef, llvm::SMLoc> seen;
  bool ok = true;
  for (const ast::Field &field : item.getFields()) {
    auto [it, isNew] = seen.try_emplace(field.name.text, field.name.getLoc());
    if (!isNew) {
      error(field.name.getLoc(),
            "field '" + field.name.text + "' is declared twice")
          .note(it->second, "the first one is here");
      ok = false;
    }
    fields.emplace_back(field.name.text, resolveType(field.type));
    ok &= !fields.back().second->isError();
  }
  if (!ok)
    return types.getError();
  const Type *type = types.createStruct(name, fields);
  if (type->isError())
    error(item.getName().getLoc(), "struct '" + name + "' is too large");
  return type;
}

const Type *Checker::resolveLiteralStruct(const ast::StructLiteral &literal,
                                          const Type *expected) {
  const ast::NamedType &type = *literal.getType();
  // `Pair { ... }` of a generic struct takes its arguments from the context.
  if (type.getArgs().empty() && type.getPath().size() == 1 && expected &&
      expected->isStruct())
    if (StructInfo *origin = structOrigins.lookup(expected))
      if (lookupDecl(type.getName().text) == origin->decl &&
          !lookupLocal(type.getName().text))
        return expected;
  return resolveNamedType(type);
}
