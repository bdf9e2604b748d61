//===- Calls.cpp - Who is called, with what -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Checker.h"
#include "coll/Target/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sema;

//===----------------------------------------------------------------------===//
// Finding the callee
//===----------------------------------------------------------------------===//

Expr *Checker::checkCall(const ast::CallExpr &call, const Type *expected) {
  if (const auto *member = llvm::dyn_cast<ast::MemberExpr>(call.getCallee()))
    return checkMemberCall(call, *member, expected);
  const auto *callee = llvm::dyn_cast<ast::NameExpr>(call.getCallee());
  if (!callee)
    return fail(call.getCallee()->getRange(), "this is not a function");
  llvm::StringRef name = callee->getName();
  if (const Symbol *symbol = lookupLocal(name)) {
    if (symbol->kind == Symbol::Kind::Poison)
      return makeError(call.getRange());
    error(callee->getLoc(), "'" + name + "' is not a function")
        .note(symbol->loc, "'" + name + "' is declared here");
    return makeError(call.getRange());
  }
  if (Decl *decl = lookupDecl(name))
    return checkDeclCall(decl, call, expected);
  if (isBuiltinFunction(name))
    return checkBuiltinCall(name, call, expected);
  if (name == "bitcast")
    return checkBitcast(call);
  if (name == "assume_uniform" || name == "print")
    return failUnsupported(call.getRange(), "'" + name + "'");
  if (const Type *type = lookupBuiltinType(name))
    return checkConstructor(type, call);
  if (isGroupName(name))
    return fail(call.getRange(), "'" + name + "' is a group, not a function");
  return failUnknownName({name, callee->getRange()}, "function");
}

Expr *Checker::checkDeclCall(Decl *decl, const ast::CallExpr &call,
                             const Type *expected) {
  llvm::StringRef name = decl->item->getName().text;
  switch (decl->item->getKind()) {
  case ast::Item::Kind::Function:
  case ast::Item::Kind::Operator:
    return checkFunctionCall(decl, call, expected);
  case ast::Item::Kind::Struct:
    return fail(call.getRange(), "struct '" + name +
                                     "' is made by a struct literal: " + name +
                                     " { ... }");
  case ast::Item::Kind::Enum:
  case ast::Item::Kind::TypeAlias: {
    const Type *type = resolveTypeDecl(decl, call.getRange());
    return type->isError() ? makeError(call.getRange())
                           : checkConstructor(type, call);
  }
  case ast::Item::Kind::Kernel:
  case ast::Item::Kind::Pipeline:
    return fail(call.getRange(),
                "'" + name + "' is launched by the host and cannot be called");
  default:
    return fail(call.getRange(), "'" + name + "' is not a function");
  }
}

Decl *Checker::lookupStdCallee(const ast::MemberExpr &callee) {
  const auto *middle = llvm::dyn_cast<ast::MemberExpr>(callee.getBase());
  if (!middle)
    return nullptr;
  const auto *root = llvm::dyn_cast<ast::NameExpr>(middle->getBase());
  if (!root || root->getName() != "std" || !isBuiltinMeaning("std"))
    return nullptr;
  return lookupPath({ast::Name{root->getName(), root->getRange()},
                     middle->getMember(), callee.getMember()});
}

Expr *Checker::checkMemberCall(const ast::CallExpr &call,
                               const ast::MemberExpr &callee,
                               const Type *expected) {
  llvm::StringRef method = callee.getMember().text;
  const auto *base = llvm::dyn_cast<ast::NameExpr>(callee.getBase());
  if (base && isBuiltinMeaning(base->getName())) {
    llvm::StringRef name = base->getName();
    if (name == "target" && method == "has")
      return checkTargetHas(call);
    if (name == "target")
      return failNoMember("target has no method", callee.getMember(), {"has"},
                          call.getRange());
    if (name == "atomic")
      return checkAtomicCall(method, call);
    if (name == "fast") {
      if (method.consume_front("atomic_"))
        return checkFastAtomicCall(method, call);
      std::string full = ("fast." + method).str();
      if (isBuiltinFunction(full))
        return checkBuiltinCall(full, call, expected);
      llvm::SmallVector<llvm::StringRef, 64> names;
      listBuiltinFunctions(names);
      llvm::StringRef near = nearestName(full, names);
      std::string hint =
          near.empty() ? "" : ("; did you mean '" + near + "'?").str();
      return fail(callee.getRange(), "unknown function '" + full + "'" + hint);
    }
    if (name == "nvidia" || name == "amd")
      return failUnsupported(call.getRange(), "'" + name + "." + method + "'");
  }
  if (const auto *middle = llvm::dyn_cast<ast::MemberExpr>(callee.getBase())) {
    const auto *root = llvm::dyn_cast<ast::NameExpr>(middle->getBase());
    if (root && root->getName() == "std" && isBuiltinMeaning("std")) {
      Decl *decl = lookupStdCallee(callee);
      return decl ? checkDeclCall(decl, call, expected)
                  : makeError(call.getRange());
    }
  }
  return checkMethodCall(call, callee, expected);
}

Expr *Checker::checkTargetHas(const ast::CallExpr &call) {
  const ast::StringLiteral *feature = nullptr;
  if (call.getArgs().size() == 1 && !call.getArgs().front().name)
    feature = llvm::dyn_cast<ast::StringLiteral>(call.getArgs().front().value);
  if (!feature)
    return fail(call.getRange(),
                "'target.has' takes the name of a feature as a string");
  llvm::StringRef name = feature->getValue();
  llvm::SmallVector<llvm::StringRef, numFeatures> names;
  for (unsigned i = 0; i < numFeatures; ++i)
    names.push_back(getFeatureName(static_cast<Feature>(i)));
  if (!llvm::is_contained(names, name))
    return failNoName("no chip has a feature", name, names,
                      feature->getRange());
  return makeBool(llvm::is_contained(options.target.features, name),
                  call.getRange());
}

//===----------------------------------------------------------------------===//
// bitcast and vectors
//===----------------------------------------------------------------------===//

Expr *Checker::checkBitcast(const ast::CallExpr &call) {
  llvm::SMRange range = call.getRange();
  auto args = matchArguments(call, "bitcast", {{"v"}}, diags);
  if (!args)
    return makeError(range);
  if (call.getGenericArgs().size() != 1 || !call.getGenericArgs().front().type)
    return fail(range, "bitcast takes one type: bitcast<T>(v)");
  const Type *type = resolveType(call.getGenericArgs().front().type);
  Expr *operand = checkValue(args->front());
  const Type *from = operand->getType();
  if (type->isError() || from->isError())
    return makeError(range);
  if (from->getSize() != type->getSize())
    return fail(range, "bitcast needs types of one size: " + from->str() +
                           " has " + llvm::Twine(from->getSize()) + " bytes, " +
                           type->str() + " has " +
                           llvm::Twine(type->getSize()));
  for (const Type *each : {from, type})
    if (each->hasPadding())
      return fail(range, "bitcast needs types without padding, " + each->str() +
                             " has some");
  if (from == type)
    return operand;
  if (const auto *constant = llvm::dyn_cast<ConstantExpr>(operand))
    if (ConstantExpr *folded = foldBitcast(*constant, type, range))
      return folded;
  auto *bitcast = make<BitcastExpr>(type, range);
  bitcast->operand = operand;
  return bitcast;
}

Expr *Checker::checkConstructor(const Type *type, const ast::CallExpr &call) {
  llvm::SMRange range = call.getRange();
  if (!type->isVector())
    return fail(range, "type " + type->str() +
                           " is not a function; write 'v "
                           "as " +
                           type->str() + "' to convert");
  llvm::SmallVector<Expr *, 4> members;
  for (const ast::Arg &arg : call.getArgs()) {
    if (arg.name)
      return fail(arg.name.range, type->str() + " takes no named arguments");
    members.push_back(checkAs(arg.value, type->getElement()));
  }
  if (members.size() != 1 && members.size() != type->getCount())
    return fail(range, type->str() + " takes 1 or " +
                           llvm::Twine(type->getCount()) + " values, got " +
                           llvm::Twine(members.size()));
  return makeAggregate(type, members, /*splat=*/members.size() == 1, range);
}

//===----------------------------------------------------------------------===//
// Calls of declared functions
//===----------------------------------------------------------------------===//

llvm::ArrayRef<ast::Param> Checker::getParams(const ast::Item *item) {
  if (const auto *function = llvm::dyn_cast<ast::FunctionItem>(item))
    return function->getParams();
  if (const auto *op = llvm::dyn_cast<ast::OperatorItem>(item))
    return op->getParams();
  if (const auto *kernel = llvm::dyn_cast<ast::KernelItem>(item))
    return kernel->getParams();
  return {};
}

bool Checker::checkArgCount(Decl *decl, const ast::CallExpr &call) {
  llvm::StringRef name = decl->item->getName().text;
  size_t wanted = getParams(decl->item).size(), got = call.getArgs().size();
  for (const ast::Arg &arg : call.getArgs())
    if (arg.name) {
      error(arg.name.getLoc(), "'" + name + "' takes no named arguments");
      return false;
    }
  if (wanted == got)
    return true;
  error(call.getLoc(), "'" + name + "' takes " + llvm::Twine(wanted) +
                           (wanted == 1 ? " argument" : " arguments") +
                           ", got " + llvm::Twine(got))
      .note(decl->item->getName().getLoc(), "'" + name + "' is declared here");
  return false;
}

Expr *Checker::checkFunctionCall(Decl *decl, const ast::CallExpr &call,
                                 const Type *expected) {
  llvm::SMRange range = call.getRange();
  llvm::ArrayRef<ast::GenericParam> generics = getGenerics(decl->item);
  llvm::SmallVector<GenericValue, 2> values(generics.size());
  if (!checkArgCount(decl, call) ||
      !bindExplicit(decl, generics, call.getGenericArgs(), values, range))
    return makeError(range);
  llvm::SmallVector<Expr *, 4> args(call.getArgs().size(), nullptr);
  if (!generics.empty() && !inferFromArgs(decl, call, values, args))
    return makeError(range);
  Instance *instance = getInstance(decl, values, range);
  if (!instance)
    return makeError(range);
  // What was not needed for inference adapts to the parameter's type.
  for (const auto &[arg, written, param] :
       llvm::zip_equal(args, call.getArgs(), instance->function->params))
    if (!arg)
      arg = checkExpr(written.value, param->type);
  return makeCall(instance, args, range);
}

bool Checker::inferFromArgs(Decl *decl, const ast::CallExpr &call,
                            llvm::MutableArrayRef<GenericValue> values,
                            llvm::MutableArrayRef<Expr *> args) {
  llvm::ArrayRef<ast::Param> params = getParams(decl->item);
  llvm::ArrayRef<ast::GenericParam> generics = getGenerics(decl->item);
  bool ok = true;
  for (const auto &[arg, written, param] :
       llvm::zip_equal(args, call.getArgs(), params)) {
    if (isFlexible(written.value))
      continue;
    arg = checkExpr(written.value);
    ok &= !arg->getType()->isError();
    infer(param.type, arg->getType(), generics, values);
  }
  // Literals decide only what nothing else did; they are checked again with
  // the parameter's type.
  if (llvm::none_of(values, [](const GenericValue &value) {
        return !value.type && !value.value;
      }))
    return ok;
  for (const auto &[arg, written, param] :
       llvm::zip_equal(args, call.getArgs(), params))
    if (!arg)
      infer(param.type, checkExpr(written.value)->getType(), generics, values);
  return ok;
}

Instance *Checker::instantiateFor(Decl *decl,
                                  llvm::ArrayRef<const Type *> argTypes,
                                  llvm::ArrayRef<ast::GenericArg> generics,
                                  llvm::SMRange range) {
  llvm::ArrayRef<ast::GenericParam> params = getGenerics(decl->item);
  llvm::SmallVector<GenericValue, 2> values(params.size());
  if (!bindExplicit(decl, params, generics, values, range))
    return nullptr;
  for (const auto &[param, type] : llvm::zip(getParams(decl->item), argTypes))
    infer(param.type, type, params, values);
  return getInstance(decl, values, range);
}

Expr *Checker::makeCall(Instance *instance, llvm::ArrayRef<Expr *> args,
                        llvm::SMRange range) {
  Function *function = instance->function;
  auto *call = make<CallExpr>(function->result, range);
  call->callee = function;
  bool ok = args.size() == function->params.size();
  for (const auto &[param, arg] : llvm::zip(function->params, args)) {
    call->args.push_back(makeArgument(*param, arg));
    ok &= !call->args.back()->getType()->isError();
  }
  if (!ok)
    return makeError(range);
  current->callees.push_back(instance);
  return call;
}

Expr *Checker::makeArgument(const Variable &param, Expr *arg) {
  const Type *type = arg->getType();
  if (type->isError())
    return arg;
  if (type->isVoid())
    return fail(arg->getRange(), "expected a value, got a call that gives "
                                 "none");
  if (param.storage != Variable::Storage::Reference)
    return coerce(arg, param.type, arg->getLoc());
  if (type != param.type)
    return fail(arg->getRange(), "'mut' parameter '" + param.name + "' is " +
                                     param.type->str() + ", got " +
                                     type->str());
  if (!requireMutable(arg, arg->getLoc(), "pass as a 'mut' argument"))
    return makeError(arg->getRange());
  return arg;
}
