//===- Items.cpp - Files, imports, declarations ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "coll/Support/ReadFile.h"
#include "coll/Syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace coll;
using namespace coll::sema;

std::unique_ptr<Program>
sema::analyze(const ast::SourceFile &file,
              llvm::ArrayRef<const ast::SourceFile *> std,
              const SemaOptions &options, DiagnosticEngine &diags) {
  auto program = std::make_unique<Program>();
  Checker(*program, options, diags).run(file, std);
  return program;
}

Checker::Checker(Program &program, const SemaOptions &options,
                 DiagnosticEngine &diags)
    : program(program), types(program.getTypes()), options(options),
      diags(diags),
      stackBottom(static_cast<const char *>(__builtin_frame_address(0))) {}

Checker::~Checker() = default;

/// How far checking may go down the stack: calls nest (an instance is made
/// where it is first called), so that the height of expressions alone does not
/// bound it.
static constexpr ptrdiff_t maxStackBytes = 4 << 20;

bool Checker::isStackNearlyExhausted(ptrdiff_t more) const {
  const char *here = static_cast<const char *>(__builtin_frame_address(0));
  return std::abs(stackBottom - here) + more > maxStackBytes;
}

void Checker::run(const ast::SourceFile &file,
                  llvm::ArrayRef<const ast::SourceFile *> std) {
  for (const ast::SourceFile *each : std)
    stdModules.push_back(addModule(each, /*isStd=*/true));
  Module *main = addModule(&file, /*isStd=*/false);
  current = main->top.get();
  // Imports add modules; std is checked where it is used.
  for (size_t i = 0; i < modules.size(); ++i)
    if (!modules[i]->isStd)
      resolveImports(modules[i].get());
  checkDefines();
  for (const auto &module : modules)
    if (!module->isStd)
      for (const ast::Item *item : module->file->getItems())
        checkItem(module.get(), item);
  makeKernels(main);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static llvm::StringRef getBufferName(DiagnosticEngine &diags,
                                     const ast::SourceFile *file) {
  return diags.getSourceManager()
      .getMemoryBuffer(file->getBufferId())
      ->getBufferIdentifier();
}

Module *Checker::addModule(const ast::SourceFile *file, bool isStd) {
  Module *module = modules.emplace_back(std::make_unique<Module>()).get();
  module->name = llvm::sys::path::stem(getBufferName(diags, file));
  module->isStd = isStd;
  module->file = file;
  module->top = std::make_unique<Instance>();
  module->top->module = module;
  for (const ast::Item *item : file->getItems()) {
    const ast::Name &name = item->getName();
    if (!name)
      continue;
    auto [it, isNew] = module->decls.try_emplace(name.text);
    if (!isNew) {
      error(name.getLoc(), "'" + name.text + "' is already declared")
          .note(it->second->item->getName().getLoc(),
                "the first declaration is here");
      continue;
    }
    it->second = program.make<Decl>();
    it->second->item = item;
    it->second->module = module;
  }
  return module;
}

void Checker::resolveImports(Module *module) {
  for (const ast::Item *item : module->file->getItems()) {
    const auto *import = llvm::dyn_cast<ast::ImportItem>(item);
    if (!import)
      continue;
    if (import->getFile()) {
      resolveFileImport(module, import);
      continue;
    }
    llvm::ArrayRef<ast::Name> path = import->getPath();
    if (path.size() == 2 && path[0].text == "std" &&
        findStdModule(path[1].text))
      continue; // The functions of std are visible everywhere.
    std::string text;
    for (const ast::Name &name : path)
      text += (text.empty() ? "" : ".") + name.text.str();
    error(import->getLoc(), path.size() == 2 && path[0].text == "std"
                                ? "module '" + text + "' is not supported yet"
                                : "unknown module '" + text + "'");
  }
}

Module *Checker::findStdModule(llvm::StringRef name) {
  for (Module *module : stdModules)
    if (module->name == name)
      return module;
  return nullptr;
}

void Checker::resolveFileImport(Module *module, const ast::ImportItem *item) {
  llvm::SmallString<128> path(getBufferName(diags, module->file));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, item->getFile()->getValue());
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/false);
  for (const auto &each : modules)
    if (!each->isStd && getBufferName(diags, each->file) == path) {
      module->imports.push_back(each.get());
      return;
    }
  auto buffer = readFile(path);
  if (!buffer) {
    error(item->getFile()->getLoc(), llvm::toString(buffer.takeError()));
    return;
  }
  unsigned id = diags.getSourceManager().AddNewSourceBuffer(std::move(*buffer),
                                                            item->getLoc());
  const ast::SourceFile *file = ast::parseSource(id, diags, importedContext);
  module->imports.push_back(addModule(file, /*isStd=*/false));
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

void Checker::checkItem(Module *module, const ast::Item *item) {
  Decl *decl =
      item->getName() ? module->decls.lookup(item->getName().text) : nullptr;
  if (decl && decl->item != item)
    return; // Declared twice, which was reported.
  current = module->top.get();
  llvm::SMRange range =
      item->getName() ? item->getName().range : item->getRange();
  switch (item->getKind()) {
  case ast::Item::Kind::Pipeline:
    failUnsupported(range, "a pipeline");
    return;
  case ast::Item::Kind::Test:
    failUnsupported({item->getLoc(), item->getLoc()}, "a test");
    return;
  case ast::Item::Kind::Struct:
    if (llvm::cast<ast::StructItem>(item)->getGenerics().empty())
      resolveTypeDecl(decl, range);
    return;
  case ast::Item::Kind::Enum:
  case ast::Item::Kind::TypeAlias:
    resolveTypeDecl(decl, range);
    return;
  case ast::Item::Kind::Const:
    resolveConst(decl, range);
    return;
  case ast::Item::Kind::Function:
  case ast::Item::Kind::Operator:
    if (getGenerics(item).empty())
      getInstance(decl, {}, range);
    return;
  case ast::Item::Kind::Kernel: // See makeKernels.
  case ast::Item::Kind::Import:
    return;
  }
}

llvm::ArrayRef<ast::GenericParam> Checker::getGenerics(const ast::Item *item) {
  if (const auto *function = llvm::dyn_cast<ast::FunctionItem>(item))
    return function->getGenerics();
  if (const auto *op = llvm::dyn_cast<ast::OperatorItem>(item))
    return op->getGenerics();
  if (const auto *kernel = llvm::dyn_cast<ast::KernelItem>(item))
    return kernel->getGenerics();
  if (const auto *type = llvm::dyn_cast<ast::StructItem>(item))
    return type->getGenerics();
  return {};
}

ConstantExpr *Checker::resolveConst(Decl *decl, llvm::SMRange use) {
  if (decl->progress == Progress::Done)
    return decl->value;
  const auto *item = llvm::cast<ast::ConstItem>(decl->item);
  llvm::StringRef name = item->getName().text;
  if (decl->progress == Progress::InProgress) {
    error(use.Start, "constant '" + name + "' is defined by itself");
    return nullptr;
  }
  decl->progress = Progress::InProgress;
  InstanceGuard guard(*this, decl->module->top.get());
  const Type *type = resolveType(item->getType());
  const ast::Expr *initial = item->getValue();
  if (auto it = defines.find(name); it != defines.end() && !decl->module->isStd)
    initial = it->second;
  Expr *value = checkAs(initial, type);
  if (!value->getType()->isError()) {
    decl->value = llvm::dyn_cast<ConstantExpr>(value);
    if (!decl->value)
      error(initial->getLoc(), "the value of constant '" + name +
                                   "' is not known at compile time");
  }
  decl->progress = Progress::Done;
  return decl->value;
}

void Checker::checkDefines() {
  for (const auto &[name, text] : options.defines) {
    Decl *decl = nullptr;
    for (const auto &module : modules)
      if (!module->isStd && !decl)
        decl = module->decls.lookup(name);
    if (!decl || !llvm::isa<ast::ConstItem>(decl->item)) {
      error({}, "-D " + name + "=" + text + ": the program has no constant '" +
                    name + "'");
      continue;
    }
    unsigned id = diags.getSourceManager().AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "-D " + name), {});
    if (const ast::Expr *value =
            ast::parseWholeExpr(id, diags, importedContext))
      defines[name] = value;
  }
}
