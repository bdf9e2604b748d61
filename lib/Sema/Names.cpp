//===- Names.cpp - Looking names up ---------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "ForeignNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::sema;

const Symbol *Checker::lookupLocal(llvm::StringRef name) {
  return scopes().lookup(name);
}

Decl *Checker::lookupDecl(llvm::StringRef name) {
  Module *module = current->module;
  if (Decl *decl = module->decls.lookup(name))
    return decl;
  for (Module *import : module->imports)
    if (Decl *decl = import->decls.lookup(name))
      return decl;
  for (Module *std : stdModules)
    if (Decl *decl = std->decls.lookup(name))
      return decl;
  return nullptr;
}

Decl *Checker::lookupPath(llvm::ArrayRef<ast::Name> path) {
  const ast::Name &name = path.back();
  Module *module = path.size() == 3 && path[0].text == "std"
                       ? findStdModule(path[1].text)
                       : nullptr;
  if (!module) {
    error(path.front().getLoc(), "unknown module of '" + name.text + "'");
    return nullptr;
  }
  if (Decl *decl = module->decls.lookup(name.text))
    return decl;
  llvm::SmallVector<llvm::StringRef, 32> names;
  for (const auto &[candidate, decl] : module->decls)
    names.push_back(candidate);
  failNoMember("module std." + module->name + " has no item", name, names,
               name.range);
  return nullptr;
}

bool Checker::isBuiltinMeaning(llvm::StringRef name) {
  if (lookupLocal(name))
    return false;
  Decl *decl = lookupDecl(name);
  return !decl || decl->module->isStd;
}

bool Checker::isGroupName(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"thread", "warp", "block", "cluster", "grid"}, true)
      .Default(false);
}

void Checker::declare(const ast::Name &name, Symbol symbol) {
  if (name.text == "_")
    return;
  if (const Symbol *previous = scopes().declare(name.text, symbol))
    error(name.getLoc(),
          "'" + name.text + "' is already declared in this scope")
        .note(previous->loc, "the first declaration is here");
}

Variable *Checker::makeVariable(llvm::StringRef name, llvm::SMLoc loc,
                                const Type *type, Variable::Storage storage) {
  auto *variable = program.make<Variable>();
  variable->name = types.save(name);
  variable->loc = loc;
  variable->type = type;
  variable->storage = storage;
  return variable;
}

Variable *Checker::declareVariable(const ast::Name &name, const Type *type,
                                   Variable::Storage storage) {
  Variable *variable = makeVariable(name.text, name.getLoc(), type, storage);
  declare(name, type->isError() ? Symbol::poison(name.getLoc())
                                : Symbol::of(variable));
  return variable;
}

VariableExpr *Checker::makeRead(Variable *variable, llvm::SMRange range) {
  auto *read = make<VariableExpr>(variable->type, range);
  read->variable = variable;
  return read;
}

/// Names that mean something without a declaration.
static constexpr llvm::StringLiteral builtinNames[] = {
    "thread", "warp", "block", "grid", "target", "atomic", "fast", "bool",
    "i8",     "i16",  "i32",   "i64",  "u8",     "u16",    "u32",  "u64",
    "f16",    "bf16", "f32",   "f64",  "mask",   "bitcast"};

Expr *Checker::failUnknownName(const ast::Name &name, llvm::StringRef what) {
  // Messages beyond the limit are not kept, so they need no suggestion.
  if (diags.reachedErrorLimit())
    return failNoMember("unknown " + what, name, {}, name.range);
  if (llvm::StringRef own = translateForeignName(NameUse::Plain, name.text);
      !own.empty())
    return failMeant("unknown " + what, name, own);
  // C's functions of floats: sinf.
  if (llvm::StringRef base = name.text;
      base.consume_back("f") && isBuiltinFunction(base))
    return failMeant("unknown " + what, name, base);
  llvm::SmallVector<llvm::StringRef, 64> names(std::begin(builtinNames),
                                               std::end(builtinNames));
  scopes().list(names);
  listBuiltinFunctions(names);
  auto addModule = [&](const Module *module) {
    for (const auto &[candidate, decl] : module->decls)
      names.push_back(candidate);
  };
  addModule(current->module);
  llvm::for_each(current->module->imports, addModule);
  llvm::for_each(stdModules, addModule);
  // Hash tables have no order that a message may depend on.
  llvm::sort(names);
  return failMeant("unknown " + what, name, nearestName(name.text, names));
}

Expr *Checker::failMeant(const llvm::Twine &text, const ast::Name &name,
                         llvm::StringRef meant) {
  if (meant != "print" && !isUnsupportedFunction(meant))
    return failNamed(text, name, meant, name.range);
  std::string fast = ("fast." + meant).str();
  if (isBuiltinFunction(fast))
    return failNamed(text, name, fast, name.range);
  error(name.getLoc(), text + " '" + name.text + "'")
      .note(name.getLoc(),
            "'" + meant + "' is not supported yet" +
                (meant == "print" ? "; an assert that fails prints its values"
                                  : ""));
  return makeError(name.range);
}
