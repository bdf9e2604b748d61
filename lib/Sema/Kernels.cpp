//===- Kernels.cpp - Kernels and their clauses ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "coll/Syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace coll;
using namespace coll::sema;

//===----------------------------------------------------------------------===//
// Which kernels
//===----------------------------------------------------------------------===//

/// Its name as an instance is asked for: "first", "pass<K, T>".
static std::string describeKernel(const ast::Item &item) {
  std::string text = item.getName().text.str();
  llvm::ArrayRef<ast::GenericParam> generics =
      llvm::cast<ast::KernelItem>(item).getGenerics();
  if (generics.empty())
    return text;
  auto getName = [](const ast::GenericParam &param) { return param.name.text; };
  return text + "<" + llvm::join(llvm::map_range(generics, getName), ", ") +
         ">";
}

/// Whether its name alone is an instance of it.
static bool hasDefaults(const ast::KernelItem &kernel) {
  return llvm::all_of(kernel.getGenerics(), [](const ast::GenericParam &param) {
    return param.defaultType || param.defaultValue;
  });
}

void Checker::makeKernels(Module *main) {
  for (const ast::Item *item : main->file->getItems()) {
    const auto *kernel = llvm::dyn_cast<ast::KernelItem>(item);
    Decl *decl = kernel ? main->decls.lookup(item->getName().text) : nullptr;
    if (decl && decl->item == item && kernel->getGenerics().empty())
      instantiateKernel(decl, {}, item->getName().text, item->getName().range,
                        main);
  }
  for (const std::string &request : options.kernelInstances)
    makeRequestedKernel(request, main);
  if (!program.getKernels().empty() || diags.getErrorCount() != 0)
    return;
  // All kernels are generic, and the program comes out empty.
  for (const ast::Item *item : main->file->getItems())
    if (llvm::isa<ast::KernelItem>(item))
      diags.warning(item->getName().getLoc(),
                    "generic kernel '" + item->getName().text +
                        "' is compiled for the instances that are asked for, "
                        "and none is: name one, as in --kernel='" +
                        describeKernel(*item) + "'" +
                        (hasDefaults(*llvm::cast<ast::KernelItem>(item))
                             ? ", or take its defaults with "
                               "--kernel=" +
                                   item->getName().text
                             : llvm::StringRef()));
}

void Checker::makeRequestedKernel(llvm::StringRef request, Module *main) {
  current = main->top.get();
  unsigned id = diags.getSourceManager().AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(request, "--kernel"), {});
  const ast::TypeExpr *type = ast::parseWholeType(id, diags, importedContext);
  if (!type)
    return;
  const auto *named = llvm::dyn_cast<ast::NamedType>(type);
  Decl *decl = named && named->getPath().size() == 1
                   ? lookupDecl(named->getName().text)
                   : nullptr;
  if (!decl || !llvm::isa<ast::KernelItem>(decl->item)) {
    llvm::SmallVector<std::string> names;
    for (const ast::Item *known : main->file->getItems())
      if (llvm::isa<ast::KernelItem>(known))
        names.push_back(describeKernel(*known));
    error({}, "the program has no kernel '" + request + "'" +
                  (names.empty() ? "" : ": it has " + llvm::join(names, ", ")));
    return;
  }
  llvm::ArrayRef<ast::GenericParam> generics = getGenerics(decl->item);
  llvm::SmallVector<GenericValue, 2> values(generics.size());
  if (bindExplicit(decl, generics, named->getArgs(), values, named->getRange()))
    instantiateKernel(decl, values, request.trim(), named->getRange(), main);
}

void Checker::instantiateKernel(Decl *decl, llvm::ArrayRef<GenericValue> values,
                                llvm::StringRef name, llvm::SMRange range,
                                Module *main) {
  auto instance = std::make_shared<Instance>();
  instance->decl = decl;
  instance->module = decl->module;
  instance->args.assign(values.begin(), values.end());
  instance->callLoc = range.Start;
  current = main->top.get();
  InstanceGuard guard(*this, instance.get());
  ScopeGuard scope(instance->scopes);
  if (!declareGenerics(*instance, getGenerics(decl->item), range))
    return;
  std::shared_ptr<Instance> &slot = instances[makeKey(*instance)];
  if (slot)
    return; // Asked for twice.
  slot = instance;
  instance->progress = Progress::InProgress;
  instance->name = makeInstanceName(*instance);
  instance->result = types.getVoid();
  checkKernel(*instance, name, *llvm::cast<ast::KernelItem>(decl->item));
  instance->progress = Progress::Done;
}

/// "pass<8, f32>" as "pass_8_f32".
static std::string makeSymbol(llvm::StringRef name) {
  std::string symbol;
  for (char c : name) {
    if (llvm::isAlnum(c) || c == '_')
      symbol += c;
    else if (c == '-')
      symbol += 'm';
    else if (c != '>' && c != ' ' && c != ']' && c != ')')
      symbol += '_';
  }
  return symbol;
}

/// Names that ptxas or LLD keep for themselves.
static bool isReservedSymbol(llvm::StringRef symbol) {
  return symbol == "_" || symbol == "WARP_SZ" ||
         symbol == "_GLOBAL_OFFSET_TABLE_";
}

void Checker::checkKernel(Instance &instance, llvm::StringRef name,
                          const ast::KernelItem &item) {
  unsigned errors = diags.getErrorCount();
  auto *kernel = program.make<Kernel>();
  instance.kernel = kernel;
  kernel->name = types.save(name);
  kernel->loc = item.getName().getLoc();
  std::string symbol = makeSymbol(instance.name);
  while (isReservedSymbol(symbol) || !kernelSymbols.insert(symbol).second)
    symbol += '_';
  kernel->symbol = types.save(symbol);
  checkKernelParams(instance, item);
  checkClauses(instance, item);
  kernel->body = checkBlock(item.getBody());
  if (diags.getErrorCount() != errors)
    return;
  finishBody(instance, kernel->body);
  checkSharedSize(instance);
  program.addKernel(kernel);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void Checker::checkKernelParams(Instance &instance,
                                const ast::KernelItem &item) {
  llvm::SmallVector<Kernel::Param, 8> params;
  for (const ast::Param &param : item.getParams()) {
    Kernel::Param result;
    result.variable = declareParam(instance, param, params.size());
    checkKernelParam(param, result);
    params.push_back(result);
  }
  llvm::SmallVector<Variable *, 8> extents;
  for (const Function::BoundExtent &extent : instance.extents)
    extents.push_back(extent.variable);
  for (const auto &[param, written] : llvm::zip_equal(params, item.getParams()))
    if (const auto *view = llvm::dyn_cast<ast::ViewType>(written.type);
        view && view->getPitch())
      param.pitch = declarePitch(*view, extents);
  instance.kernel->params = program.copy<Kernel::Param>(params);
  instance.kernel->extents = program.copy<Variable *>(extents);
}

void Checker::checkKernelParam(const ast::Param &param, Kernel::Param &result) {
  const Type *type = result.variable->type;
  if (type->isError())
    return;
  if (type->isView()) {
    if (type->isShared())
      error(param.type->getLoc(), "a kernel's parameter cannot be 'shared'");
    if (param.passing == ast::Passing::Mut)
      result.access = Kernel::Param::Access::Mut;
    if (param.passing == ast::Passing::InOut)
      result.access = Kernel::Param::Access::Inout;
    return;
  }
  if (param.passing != ast::Passing::In)
    error(param.name.getLoc(), "a kernel's parameter of type " + type->str() +
                                   " cannot be 'mut'; pass a view");
  if (!type->isScalar() && !type->isEnum())
    error(param.type->getLoc(), "a kernel's parameter must be a view, a "
                                "scalar or an enum, got " +
                                    type->str());
}

std::optional<unsigned>
Checker::declarePitch(const ast::ViewType &view,
                      llvm::SmallVectorImpl<Variable *> &extents) {
  const ast::Name &name = view.getPitch();
  if (view.getExtents().size() < 2) {
    error(name.getLoc(), "a view of one dimension has no pitch");
    return std::nullopt;
  }
  for (const auto &[i, extent] : llvm::enumerate(extents))
    if (extent->name == name.text)
      return i;
  extents.push_back(
      declareVariable(name, types.getI64(), Variable::Storage::Extent));
  return extents.size() - 1;
}

//===----------------------------------------------------------------------===//
// Clauses
//===----------------------------------------------------------------------===//

/// The most threads that a block of any chip has.
static constexpr int64_t maxThreads = 1024;

void Checker::checkClauses(Instance &instance, const ast::KernelItem &item) {
  const ast::KernelClauses &clauses = item.getClauses();
  Kernel *kernel = instance.kernel;
  checkWorkgroup(instance, item);
  if (clauses.gridDevice)
    failUnsupported(clauses.gridRange, "'grid(device)'");
  for (const ast::Expr *each : clauses.grid) {
    Expr *extent = checkValue(each, types.getI64());
    const Type *type = extent->getType();
    if (type->isError())
      continue;
    if (!type->isIntegerScalar()) {
      error(each->getLoc(), "the grid must be an integer, got " + type->str() +
                                "; it may use constants, extents and integer "
                                "parameters");
      continue;
    }
    extent = makeCast(extent, types.getI64(), each->getRange());
    if (std::optional<LaunchExpr> expr = makeLaunchExpr(extent, "the grid"))
      kernel->grid.push_back(expr->str());
  }
  if (clauses.cluster)
    checkCluster(instance, *clauses.cluster, clauses.grid);
  if (clauses.maxRegisters)
    kernel->maxRegisters =
        requireConstantInt(clauses.maxRegisters, "max_registers", 1, 512)
            .value_or(0);
  if (clauses.minBlocks)
    kernel->minBlocks =
        requireConstantInt(clauses.minBlocks, "min_blocks", 1, 64).value_or(0);
}

/// The most blocks that a cluster of any chip has without asking for more.
static constexpr int64_t maxCluster = 8;

void Checker::checkCluster(Instance &instance, const ast::Expr &clause,
                           llvm::ArrayRef<const ast::Expr *> grid) {
  std::optional<int64_t> size =
      requireConstantInt(&clause, "the size of a cluster", 1, maxCluster);
  if (!size)
    return;
  instance.kernel->cluster = *size;
  llvm::ArrayRef<std::string> extents = instance.kernel->grid;
  int64_t blocks = 0;
  if (extents.size() == grid.size() && !grid.empty() &&
      !llvm::StringRef(extents.front()).getAsInteger(10, blocks) &&
      blocks % *size != 0)
    error(grid.front()->getLoc(), "the grid has " + llvm::Twine(blocks) +
                                      " blocks in x, which is no multiple of "
                                      "the cluster's " +
                                      llvm::Twine(*size));
  if (*size == 1 || llvm::is_contained(options.target.features, "cluster"))
    return;
  error(clause.getLoc(),
        getDeviceName() +
            " has no clusters; write cluster(target.has(\"cluster\") ? " +
            llvm::Twine(*size) +
            " : 1), and 'static if target.has(\"cluster\")' where the kernel "
            "differs");
}

void Checker::checkWorkgroup(Instance &instance, const ast::KernelItem &item) {
  const ast::KernelClauses &clauses = item.getClauses();
  Kernel *kernel = instance.kernel;
  kernel->workgroupLoc = clauses.workgroupRange.isValid()
                             ? clauses.workgroupRange.Start
                             : item.getName().getLoc();
  if (clauses.workgroup.empty()) {
    error(item.getName().getLoc(),
          "kernel '" + item.getName().text + "' has no 'workgroup' clause");
    return;
  }
  int64_t total = 1;
  for (const auto &[i, each] : llvm::enumerate(clauses.workgroup)) {
    std::optional<int64_t> size =
        requireConstantInt(each, "a dimension of the workgroup", 1, maxThreads);
    if (!size)
      return;
    kernel->workgroup[i] = *size;
    total *= *size;
  }
  if (total > maxThreads)
    error(kernel->workgroupLoc, "a workgroup has at most " +
                                    llvm::Twine(maxThreads) + " threads, got " +
                                    llvm::Twine(total));
}

void Checker::checkSharedSize(const Instance &kernel) {
  llvm::SmallVector<const Instance *, 16> work{&kernel};
  llvm::SmallPtrSet<const Instance *, 16> seen{&kernel};
  uint64_t bytes = 0;
  while (!work.empty()) {
    const Instance *instance = work.pop_back_val();
    bytes += instance->sharedBytes;
    for (const Instance *callee : instance->callees)
      if (seen.insert(callee).second)
        work.push_back(callee);
  }
  if (bytes > options.target.maxSharedBytes)
    error(kernel.kernel->loc,
          "kernel '" + kernel.name + "' declares " + llvm::Twine(bytes) +
              " bytes of shared memory, a block of " + getDeviceName() +
              " has " + llvm::Twine(options.target.maxSharedBytes));
}
