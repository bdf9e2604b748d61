//===- Instances.cpp - Signatures and bodies of functions -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is checked once for each set of generic arguments, where it is
// first called. Asking for an instance that is being checked is a recursion.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sema;

/// The number of calls inside one another.
static constexpr unsigned maxCallDepth = 256;
/// The number of instances in a program.
static constexpr unsigned maxInstances = 16384;

Instance *Checker::getInstance(Decl *decl, llvm::ArrayRef<GenericValue> values,
                               llvm::SMRange range) {
  auto created = std::make_shared<Instance>();
  created->decl = decl;
  created->module = decl->module;
  created->args.assign(values.begin(), values.end());
  created->caller = current;
  created->callLoc = range.Start;
  InstanceGuard guard(*this, created.get());
  ScopeGuard scope(created->scopes);
  if (!declareGenerics(*created, getGenerics(decl->item), range))
    return nullptr;
  std::shared_ptr<Instance> &slot = instances[makeKey(*created)];
  if (slot && slot->progress == Progress::InProgress)
    return failRecursion(slot.get(), range);
  if (slot)
    return checkCallDepth(*slot, range) && slot->isValid ? slot.get() : nullptr;
  if (instances.size() > maxInstances) {
    error(range.Start, "the program needs more than " +
                           llvm::Twine(maxInstances) +
                           " instances of functions");
    return nullptr;
  }
  if (!checkCallDepth(*created, range))
    return nullptr;
  slot = created;
  checkInstance(*created);
  noteCallDepth(*created);
  return created->isValid ? created.get() : nullptr;
}

/// The name of an instance in a note; an endless one is cut.
static std::string shorten(llvm::StringRef name) {
  constexpr size_t maxName = 80;
  return name.size() <= maxName ? name.str()
                                : name.take_front(maxName).str() + "...";
}

void Checker::noteCallers(const Instance *instance) {
  // What is wrong with the request for an instance is its caller's.
  while (instance && instance->name.empty())
    instance = instance->caller;
  llvm::SmallVector<CallNote, 4> calls;
  // Without generic arguments it does not matter who asks.
  for (; instance && !instance->args.empty(); instance = instance->caller) {
    bool isCalled =
        llvm::isa<ast::FunctionItem, ast::OperatorItem>(instance->decl->item);
    calls.push_back({instance->callLoc,
                     "in '" + shorten(instance->name) +
                         (isCalled ? "', called from here" : "', used here")});
  }
  diags.noteCalls(firstWithoutCallers, calls);
  firstWithoutCallers = diags.getDiagnostics().size();
}

bool Checker::checkCallDepth(Instance &callee, llvm::SMRange range) {
  // `current` is the new request, with the callers above it.
  unsigned depth = callee.callHeight;
  for (Instance *each = current; each; each = each->caller)
    ++depth;
  if (depth > maxCallDepth || isStackNearlyExhausted(callee.stackHeight)) {
    error(range.Start, "the calls of '" + callee.decl->item->getName().text +
                           "' are nested too deeply (the limit is " +
                           llvm::Twine(maxCallDepth) + ")");
    return false;
  }
  current->frame = static_cast<const char *>(__builtin_frame_address(0));
  noteCallDepth(callee);
  return true;
}

void Checker::noteCallDepth(const Instance &callee) {
  Instance *caller = current->caller;
  caller->callHeight = std::max(caller->callHeight, callee.callHeight + 1);
  if (caller->frame)
    caller->stackHeight =
        std::max(caller->stackHeight,
                 std::abs(caller->frame - current->frame) + callee.stackHeight);
}

Instance *Checker::failRecursion(Instance *instance, llvm::SMRange range) {
  auto report = error(range.Start, "'" + instance->name + "' calls itself");
  // `current` is the new request; its callers lead back to the instance.
  llvm::SmallVector<Instance *, 8> cycle;
  for (Instance *each = current->caller; each && each != instance;
       each = each->caller)
    cycle.push_back(each);
  for (Instance *each : llvm::reverse(cycle))
    report.note(each->callLoc,
                "'" + each->caller->name + "' calls '" + each->name + "' here");
  return nullptr;
}

void Checker::checkInstance(Instance &instance) {
  instance.progress = Progress::InProgress;
  instance.name = makeInstanceName(instance);
  unsigned errors = diags.getErrorCount();
  const ast::Item *item = instance.decl->item;
  auto *function = program.make<Function>();
  function->name = types.save(instance.name);
  function->loc = item->getName().getLoc();
  instance.function = function;
  instance.isValid = checkSignature(instance);
  if (instance.isValid)
    checkFunctionBody(instance);
  // A broken body is reported once; calls of it go on with its result type.
  instance.progress = Progress::Done;
  if (instance.isValid && diags.getErrorCount() == errors) {
    finishBody(instance, function->body);
    if (llvm::isa<ast::OperatorItem>(item))
      checkPurity(*function, diags);
  }
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool Checker::checkSignature(Instance &instance) {
  const ast::Item *item = instance.decl->item;
  const auto *op = llvm::dyn_cast<ast::OperatorItem>(item);
  const ast::TypeExpr *result =
      op ? op->getResult() : llvm::cast<ast::FunctionItem>(item)->getResult();
  instance.result = result ? resolveType(result) : types.getVoid();
  bool ok = !instance.result->isError();
  if (op && op->getIdentity() && ok) {
    instance.identity = checkAs(op->getIdentity(), instance.result);
    ok &= !instance.identity->getType()->isError();
  }
  llvm::SmallVector<Variable *, 4> params;
  for (const ast::Param &param : getParams(item)) {
    params.push_back(declareParam(instance, param, params.size()));
    ok &= !params.back()->type->isError();
  }
  Function *function = instance.function;
  function->params = program.copy<Variable *>(params);
  function->extents = program.copy<Function::BoundExtent>(instance.extents);
  function->result = instance.result;
  if (op) {
    instance.commutative = op->isCommutative();
    ok = ok && checkOperatorSignature(instance, *op);
  }
  return ok;
}

bool Checker::checkOperatorSignature(Instance &instance,
                                     const ast::OperatorItem &op) {
  llvm::StringRef name = op.getName().text;
  llvm::ArrayRef<Variable *> params = instance.function->params;
  if (params.size() != 2) {
    error(op.getName().getLoc(), "op '" + name +
                                     "' must have 2 parameters, "
                                     "got " +
                                     llvm::Twine(params.size()));
    return false;
  }
  for (Variable *param : params) {
    if (param->storage != Variable::Storage::Value) {
      error(param->loc, "a parameter of an op must be a value");
      return false;
    }
    if (param->type != instance.result) {
      error(param->loc, "the parameters and the result of op '" + name +
                            "' must have one type, got " + param->type->str() +
                            " and " + instance.result->str());
      return false;
    }
  }
  return true;
}

Variable *Checker::declareParam(Instance &instance, const ast::Param &param,
                                unsigned index) {
  bool isMut = param.passing != ast::Passing::In;
  if (param.passing == ast::Passing::InOut && !instance.kernel)
    error(param.name.getLoc(), "only a kernel's parameter may be 'inout'");
  if (const auto *view = llvm::dyn_cast<ast::ViewType>(param.type))
    return declareVariable(
        param.name, resolveView(instance, *view, isMut, param.isShared, index),
        Variable::Storage::View);
  const Type *type = resolveType(param.type);
  if (type->isError())
    return declareVariable(param.name, type, Variable::Storage::Value);
  if (!param.isShared)
    return declareVariable(param.name, type,
                           isMut ? Variable::Storage::Reference
                                 : Variable::Storage::Value);
  llvm::SmallVector<Extent, 3> extents;
  const Type *element = type;
  for (; element->isArray(); element = element->getElement()) {
    extents.emplace_back();
    extents.back().constant = element->getCount();
  }
  if (extents.empty())
    error(param.type->getLoc(),
          "a 'shared' parameter must be an array, got " + type->str());
  return declareVariable(param.name,
                         extents.empty()
                             ? types.getError()
                             : types.getView(element, extents, isMut, true),
                         Variable::Storage::View);
}

const Type *Checker::resolveView(Instance &instance, const ast::ViewType &view,
                                 bool isMut, bool isShared, unsigned index) {
  const Type *element = resolveViewElement(view);
  llvm::SmallVector<Extent, 3> extents;
  bool ok = !element->isError();
  for (const ast::Expr *each : view.getExtents()) {
    std::optional<Extent> extent =
        resolveExtent(instance, each, index, extents.size());
    ok &= extent.has_value();
    extents.push_back(extent.value_or(Extent()));
  }
  if (view.getPitch() && !instance.kernel) {
    error(view.getPitch().getLoc(), "only a kernel's parameter may name its "
                                    "pitch");
    return types.getError();
  }
  return ok ? types.getView(element, extents, isMut, isShared)
            : types.getError();
}

const ast::NameExpr *Checker::findVariableName(const ast::Expr *expr) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
    const Symbol *symbol = lookupLocal(name->getName());
    bool isKnown = symbol ? symbol->kind != Symbol::Kind::Variable
                          : lookupDecl(name->getName()) != nullptr;
    return isKnown ? nullptr : name;
  }
  if (const auto *unary = llvm::dyn_cast<ast::UnaryExpr>(expr))
    return findVariableName(unary->getOperand());
  if (const auto *cast = llvm::dyn_cast<ast::CastExpr>(expr))
    return findVariableName(cast->getOperand());
  if (const auto *binary = llvm::dyn_cast<ast::BinaryExpr>(expr)) {
    const ast::NameExpr *name = findVariableName(binary->getLHS());
    return name ? name : findVariableName(binary->getRHS());
  }
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
    for (const ast::Arg &arg : call->getArgs())
      if (const ast::NameExpr *name = findVariableName(arg.value))
        return name;
  return nullptr;
}

std::optional<Extent> Checker::resolveExtent(Instance &instance,
                                             const ast::Expr *expr,
                                             unsigned param,
                                             unsigned dimension) {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  const Symbol *symbol = name ? lookupLocal(name->getName()) : nullptr;
  if (symbol && symbol->kind == Symbol::Kind::Variable) {
    Variable *variable = symbol->variable;
    if (variable->storage == Variable::Storage::Extent)
      return Extent{-1, variable->name};
    error(expr->getLoc(), "'" + name->getName() +
                              "' is a parameter, not an extent or a constant")
        .note(variable->loc, "'" + name->getName() + "' is declared here");
    return std::nullopt;
  }
  if (const auto *inner = name ? nullptr : findVariableName(expr)) {
    error(expr->getLoc(), "an extent in a signature is a name or a constant, "
                          "got an expression over '" +
                              inner->getName() + "'");
    return std::nullopt;
  }
  Decl *decl = name && !symbol ? lookupDecl(name->getName()) : nullptr;
  bool isConst = decl && llvm::isa<ast::ConstItem>(decl->item);
  if (!name || symbol || isConst) {
    std::optional<int64_t> constant =
        requireConstantInt(expr, "an extent", 0, INT64_MAX);
    if (!constant)
      return std::nullopt;
    return Extent{*constant, {}};
  }
  Variable *variable =
      declareVariable({name->getName(), name->getRange()}, types.getI64(),
                      Variable::Storage::Extent);
  instance.extents.push_back({variable, param, dimension});
  return Extent{-1, variable->name};
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Whether a `break` in the statement leaves it.
static bool mayBreak(const Stmt *stmt) {
  if (!stmt)
    return false;
  if (llvm::isa<BreakStmt>(stmt))
    return true;
  if (const auto *block = llvm::dyn_cast<BlockStmt>(stmt))
    return llvm::any_of(block->body, mayBreak);
  const auto *branch = llvm::dyn_cast<IfStmt>(stmt);
  return branch && (mayBreak(branch->thenBody) || mayBreak(branch->elseBody));
}

/// Whether control never reaches the end of the statement.
static bool neverEnds(const Stmt *stmt) {
  if (!stmt)
    return false;
  switch (stmt->getKind()) {
  case Stmt::Kind::Return:
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    return true;
  case Stmt::Kind::Block:
    return llvm::any_of(llvm::cast<BlockStmt>(stmt)->body, neverEnds);
  case Stmt::Kind::If: {
    const auto *branch = llvm::cast<IfStmt>(stmt);
    return neverEnds(branch->thenBody) && neverEnds(branch->elseBody);
  }
  case Stmt::Kind::While: {
    const auto *loop = llvm::cast<WhileStmt>(stmt);
    return Checker::getBool(loop->condition).value_or(false) &&
           !mayBreak(loop->body);
  }
  case Stmt::Kind::Expression: {
    const auto *call =
        llvm::dyn_cast<BuiltinExpr>(llvm::cast<ExpressionStmt>(stmt)->expr);
    return call && call->builtin == Builtin::Trap;
  }
  default:
    return false;
  }
}

static const ast::BlockStmt *getBody(const ast::Item *item) {
  if (const auto *function = llvm::dyn_cast<ast::FunctionItem>(item))
    return function->getBody();
  return llvm::cast<ast::OperatorItem>(item)->getBody();
}

void Checker::checkFunctionBody(Instance &instance) {
  const ast::BlockStmt *body = getBody(instance.decl->item);
  unsigned errors = diags.getErrorCount();
  instance.function->body = checkBlock(body);
  if (diags.getErrorCount() != errors || instance.result->isVoid() ||
      neverEnds(instance.function->body))
    return;
  error(instance.decl->item->getName().getLoc(),
        "'" + instance.name + "' may end without returning " +
            instance.result->str());
}

void Checker::finishBody(Instance &instance, Stmt *body) {
  checkDefiniteAssignment(body, diags);
  checkTokens(body, diags);
  if (options.contract && !instance.module->isStd)
    contract(program, body);
}
