//===- Kernel.cpp - A kernel's signature, helpers of the emitter ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;

/// Functions are expanded at their calls, and so a short program may be huge.
static constexpr uint64_t maxOperations = 500000;
/// Statements and expressions inside each other, calls included.
static constexpr unsigned maxDepth = 1500;

KernelEmitter::KernelEmitter(const sema::Kernel &kernel, OpBuilder builder,
                             llvm::SourceMgr &sources,
                             coll::DiagnosticEngine &diags)
    : kernel(kernel), sources(sources), diags(diags),
      b(builder.getUnknownLoc(), builder), num(b) {
  b.setListener(&counter);
}

ir::KernelOp KernelEmitter::emit() {
  NodeScope scope(*this, kernel.loc);
  ir::KernelOp op = createKernelOp();
  if (hasFailed)
    return {};
  entryBlock = &op.getBody().front();
  bindParams(*entryBlock);
  b.setInsertionPointToEnd(entryBlock);
  emitStmt(kernel.body);
  if (!isTerminated(*entryBlock))
    ir::ReturnOp::create(b);
  if (!hasFailed)
    return op;
  op.erase();
  return {};
}

//===----------------------------------------------------------------------===//
// The signature
//===----------------------------------------------------------------------===//

/// Where the leaves of a type are in a value, depth first: "pos", "pair.0",
/// "history[2]"; empty of a scalar or vector itself.
static void appendLeafPaths(const sema::Type *type, const std::string &path,
                            SmallVectorImpl<std::string> &paths) {
  std::string prefix = path.empty() ? "" : path + ".";
  if (type->isStruct()) {
    for (const sema::StructField &field : type->getFields())
      appendLeafPaths(field.type, prefix + field.name.str(), paths);
  } else if (type->isTuple()) {
    for (auto [i, member] : llvm::enumerate(type->getMembers()))
      appendLeafPaths(member, prefix + std::to_string(i), paths);
  } else if (type->isArray()) {
    for (uint64_t i = 0; i < type->getCount(); ++i)
      appendLeafPaths(type->getElement(), path + "[" + std::to_string(i) + "]",
                      paths);
  } else {
    paths.push_back(path);
  }
}

ir::ParamAttr KernelEmitter::describeParam(const sema::Kernel::Param &param) {
  const sema::Type *type = param.variable->type;
  const sema::Type *element = type->isView() ? type->getElement() : type;
  SmallVector<int64_t> dims;
  for (const sema::Extent &extent : type->getExtents()) {
    if (extent.isConstant()) {
      dims.push_back(extent.constant);
      continue;
    }
    auto named = llvm::find_if(kernel.extents, [&](const auto *variable) {
      return variable->name == extent.symbol;
    });
    dims.push_back(-1 - std::distance(kernel.extents.begin(), named));
  }
  if (param.pitch && element->isArray())
    fail(param.variable->loc, "a pitch of '" + param.variable->name +
                                  "', whose elements are arrays, is not "
                                  "supported yet");
  for (; element->isArray(); element = element->getElement())
    dims.push_back(element->getCount());
  SmallVector<std::string> paths;
  appendLeafPaths(element, "", paths);
  SmallVector<StringAttr> leaves;
  for (auto [leaf, path] : llvm::zip_equal(element->getLeaves(), paths))
    leaves.push_back(
        b.getStringAttr((path.empty() ? "" : path + ":") + leaf.type->str()));
  return ir::ParamAttr::get(
      getContext(), param.variable->name, static_cast<ir::Access>(param.access),
      type->isView(), element->str(), leaves, dims,
      param.pitch ? static_cast<int64_t>(*param.pitch) : -1);
}

ir::KernelOp KernelEmitter::createKernelOp() {
  SmallVector<Attribute> params;
  for (const sema::Kernel::Param &param : kernel.params)
    params.push_back(describeParam(param));
  SmallVector<StringRef> extents, grid(kernel.grid.begin(), kernel.grid.end());
  for (const sema::Variable *extent : kernel.extents)
    extents.push_back(extent->name);
  SmallVector<int32_t> workgroup(kernel.workgroup.begin(),
                                 kernel.workgroup.end());
  if (hasFailed)
    return {};
  StringAttr sourceName;
  if (kernel.name != kernel.symbol)
    sourceName = b.getStringAttr(kernel.name);
  auto op = ir::KernelOp::create(
      b, kernel.symbol, sourceName, workgroup, b.getStrArrayAttr(grid),
      b.getStrArrayAttr(extents), b.getArrayAttr(params), kernel.maxRegisters,
      kernel.minBlocks, kernel.cluster, /*workspace=*/StringAttr());
  op.getBody().emplaceBlock();
  return op;
}

void KernelEmitter::bindParams(Block &entry) {
  for (const sema::Kernel::Param &param : kernel.params) {
    const sema::Type *type = param.variable->type;
    Location loc = getLocation(param.variable->loc);
    if (!type->isView()) {
      bindValue(param.variable,
                {entry.addArgument(getLeafType(type, getContext()), loc)});
      continue;
    }
    MemoryLayout layout = getLayout(type->getElement(), getContext());
    SmallVector<int64_t> shape;
    for (const sema::Extent &extent : type->getExtents())
      shape.push_back(extent.isConstant() ? extent.constant
                                          : ShapedType::kDynamic);
    llvm::append_range(shape, layout.dims);
    auto view = ir::ViewType::get(getContext(), shape, layout.element,
                                  ir::MemorySpace::Global);
    bindPlace(param.variable, {entry.addArgument(view, loc), {}});
  }
  for (const sema::Variable *extent : kernel.extents)
    bindValue(extent,
              {entry.addArgument(b.getI64Type(), getLocation(extent->loc))});
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

std::pair<unsigned, unsigned> KernelEmitter::getLineAndColumn(const char *place,
                                                              unsigned buffer) {
  // The source manager looks for the start of the line each time, which takes
  // long where a whole program is on one line. Most places are near the last.
  StringRef text = sources.getMemoryBuffer(buffer)->getBuffer();
  bool isNear =
      lastPlace >= text.begin() && lastPlace <= text.end() &&
      StringRef(std::min(place, lastPlace), std::abs(place - lastPlace))
              .find_first_of("\n\r") == StringRef::npos;
  if (isNear)
    lastLineAndColumn.second += place - lastPlace;
  else
    lastLineAndColumn =
        sources.getLineAndColumn(llvm::SMLoc::getFromPointer(place), buffer);
  lastPlace = place;
  return lastLineAndColumn;
}

Location KernelEmitter::getLocation(llvm::SMLoc loc) {
  unsigned id = loc.isValid() ? sources.FindBufferContainingLoc(loc) : 0;
  if (id == 0)
    return b.getLoc();
  StringRef file = sources.getMemoryBuffer(id)->getBufferIdentifier();
  auto [line, column] = getLineAndColumn(loc.getPointer(), id);
  auto place = FileLineColLoc::get(getContext(), file, line, column);
  if (callerLoc)
    return CallSiteLoc::get(place, Location(callerLoc));
  return place;
}

Location KernelEmitter::getNamedLoc(StringRef name, Location loc) {
  auto site = dyn_cast<CallSiteLoc>(loc);
  Location place = site ? site.getCallee() : loc;
  bool isDotted = name.contains('.');
  if (auto named = dyn_cast<NameLoc>(place))
    if (named.getName().getValue().contains('.') == isDotted)
      return loc;
  place = NameLoc::get(b.getStringAttr(name), place);
  if (site)
    return CallSiteLoc::get(place, site.getCaller());
  return place;
}

void KernelEmitter::fail(llvm::SMLoc loc, const llvm::Twine &text) {
  if (hasFailed)
    return;
  hasFailed = true;
  size_t first = diags.getDiagnostics().size();
  diags.error(loc, text);
  // What is said of the kernel as a whole has no callers.
  SmallVector<CallNote> notes;
  if (loc != kernel.loc)
    for (llvm::SMLoc call : llvm::reverse(calls))
      notes.push_back({call, "called from here"});
  diags.noteCalls(first, notes);
}

bool KernelEmitter::isGivenUp(llvm::SMLoc loc) {
  if (counter.count > maxOperations)
    fail(kernel.loc, "kernel '" + llvm::Twine(kernel.name) +
                         "' expands to more than " +
                         llvm::Twine(maxOperations) +
                         " operations; call fewer or smaller functions, or "
                         "use loops that are not static");
  if (depth > maxDepth)
    fail(loc, "this is nested too deeply: more than " + llvm::Twine(maxDepth) +
                  " levels of statements, expressions and calls");
  return hasFailed;
}

SmallVector<Type> KernelEmitter::getLeafTypes(const sema::Type *type) {
  return llvm::map_to_vector(type->getLeaves(), [&](const sema::Leaf &leaf) {
    return getLeafType(leaf.type, getContext());
  });
}

Leaves KernelEmitter::makeZeros(const sema::Type *type) {
  llvm::SmallDenseMap<Type, Value> zeros;
  Leaves leaves;
  for (Type leaf : getLeafTypes(type)) {
    Value &zero = zeros[leaf];
    if (!zero)
      zero = num.constant(leaf, 0);
    leaves.push_back(zero);
  }
  return leaves;
}

void KernelEmitter::bindValue(const sema::Variable *variable, Leaves leaves) {
  Binding binding;
  binding.leaves = std::move(leaves);
  binding.block = b.getInsertionBlock() ? b.getInsertionBlock() : entryBlock;
  if (b.getInsertionPoint() != binding.block->begin())
    binding.after = &*std::prev(b.getInsertionPoint());
  bindings[variable] = std::move(binding);
}

void KernelEmitter::bindPlace(const sema::Variable *variable, Place place) {
  Binding binding;
  binding.place = std::move(place);
  bindings[variable] = std::move(binding);
}

bool KernelEmitter::isTerminated(Block &block) {
  return !block.empty() && block.back().hasTrait<OpTrait::IsTerminator>();
}

void KernelEmitter::emitRegion(Region &region,
                               llvm::function_ref<void()> emitBody) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(&region.emplaceBlock());
  emitBody();
}

Leaves KernelEmitter::emitIf(Value condition, TypeRange types,
                             llvm::function_ref<Leaves()> emitThen,
                             llvm::function_ref<Leaves()> emitElse) {
  auto op = ir::IfOp::create(b, types, condition);
  emitRegion(op.getThenRegion(), [&] { ir::YieldOp::create(b, emitThen()); });
  emitRegion(op.getElseRegion(), [&] { ir::YieldOp::create(b, emitElse()); });
  return Leaves(op.getResults());
}
