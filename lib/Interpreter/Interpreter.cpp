//===- Interpreter.cpp - Loading and launching ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Interpreter/Interpreter.h"
#include "Compiler.h"
#include "Machine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

ReferenceProgram::ReferenceProgram() = default;
ReferenceProgram::ReferenceProgram(ReferenceProgram &&) noexcept = default;
ReferenceProgram &
ReferenceProgram::operator=(ReferenceProgram &&) noexcept = default;
ReferenceProgram::~ReferenceProgram() = default;

void coll::ref::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<ir::CollDialect, mlir::arith::ArithDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::vector::VectorDialect>();
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

llvm::Expected<ReferenceProgram> ReferenceProgram::load(mlir::ModuleOp module) {
  ReferenceProgram program;
  for (mlir::Operation &op : *module.getBody()) {
    auto kernelOp = mlir::dyn_cast<ir::KernelOp>(op);
    if (!kernelOp)
      return makeError(makePlace(op.getLoc()).place,
                       "the reference device runs coll.kernel, not '" +
                           op.getName().getStringRef() + "'");
    auto kernel = std::make_unique<CompiledKernel>();
    if (llvm::Error error = Compiler(kernelOp, *kernel).compile())
      return error;
    program.kernels.push_back(std::move(kernel));
  }
  return program;
}

llvm::Expected<ReferenceProgram> ReferenceProgram::parse(llvm::StringRef text) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string error;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (error.empty())
          error = llvm::toString(makeError(
              makePlace(diagnostic.getLocation()).place, diagnostic.str()));
      });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return llvm::createStringError("not a module of the coll dialect: " +
                                   error);
  return load(*module);
}

const CompiledKernel *ReferenceProgram::find(llvm::StringRef symbol) const {
  for (const std::unique_ptr<CompiledKernel> &kernel : kernels)
    if (kernel->symbol == symbol)
      return kernel.get();
  return nullptr;
}

std::vector<std::string> ReferenceProgram::getKernels() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<CompiledKernel> &kernel : kernels)
    names.push_back(kernel->symbol);
  return names;
}

std::optional<uint64_t>
ReferenceProgram::getStaticSharedBytes(llvm::StringRef symbol) const {
  const CompiledKernel *kernel = find(symbol);
  if (!kernel)
    return std::nullopt;
  uint64_t bytes = 0;
  for (const SharedObject &object : kernel->shareds)
    if (!object.isDynamic)
      bytes = llvm::alignTo(bytes, 16) + object.size;
  return bytes;
}

std::optional<uint32_t>
ReferenceProgram::getBlockSize(llvm::StringRef symbol) const {
  const CompiledKernel *kernel = find(symbol);
  if (!kernel)
    return std::nullopt;
  return kernel->getBlockSize();
}

std::optional<uint64_t>
ReferenceProgram::getHostBytes(llvm::StringRef symbol, unsigned warpSize,
                               uint64_t dynamicSharedBytes) const {
  const CompiledKernel *kernel = find(symbol);
  if (!kernel)
    return std::nullopt;
  uint64_t threads = kernel->getBlockSize();
  uint64_t warps = llvm::divideCeil(threads, warpSize) + kernel->hasCombiner;
  uint64_t lanes = warps * warpSize;
  // A byte of shared memory has a record of who used it, at worst one each.
  constexpr uint64_t sharedRecord = 64;
  uint64_t shared = *getStaticSharedBytes(symbol) + dynamicSharedBytes;
  return lanes *
             (kernel->slotCount * sizeof(uint64_t) + 2 * kernel->frameSize) +
         warps * (sizeof(Warp) + kernel->maskCount * sizeof(uint64_t)) +
         shared * (1 + sharedRecord) + sizeof(Block);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

/// Bytes from the first element of a view to the end of its last one;
/// saturating.
static uint64_t getNeededBytes(const CompiledKernel &kernel,
                               const ParamInfo &param,
                               llvm::ArrayRef<Argument> arguments) {
  auto valueOf = [&](int64_t extent) {
    return arguments[kernel.params.size() + extent].bits;
  };
  uint64_t rows = 1, last = 1;
  for (size_t d = 0; d != param.dims.size(); ++d) {
    int64_t dim = param.dims[d];
    uint64_t extent = dim >= 0 ? dim : valueOf(-1 - dim);
    if (extent == 0)
      return 0;
    if (d + 1 == param.dims.size())
      last = extent;
    else
      rows = llvm::SaturatingMultiply(rows, extent);
  }
  uint64_t pitch = param.pitch >= 0 ? valueOf(param.pitch) : last;
  uint64_t elements =
      llvm::SaturatingAdd(llvm::SaturatingMultiply(rows - 1, pitch), last);
  return llvm::SaturatingMultiply(elements, param.view.elementSize);
}

static llvm::Error checkArguments(const CompiledKernel &kernel,
                                  llvm::ArrayRef<Argument> arguments) {
  auto error = [&](const llvm::Twine &text) {
    return llvm::createStringError("kernel '" + kernel.name + "': " + text);
  };
  size_t expected = kernel.params.size() + kernel.extents.size();
  if (arguments.size() != expected)
    return error("expects " + llvm::Twine(expected) + " arguments, got " +
                 llvm::Twine(arguments.size()));
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    bool isView = i < kernel.params.size() && kernel.params[i].isView;
    if (argument.isView != isView)
      return error("argument " + llvm::Twine(i) + " must be a " +
                   (isView ? "view" : "scalar"));
  }
  for (auto [i, name] : llvm::enumerate(kernel.extents)) {
    int64_t value = arguments[kernel.params.size() + i].bits;
    if (value < 0)
      return error("extent '" + name + "' cannot be " + llvm::Twine(value));
  }
  for (auto [param, argument] : llvm::zip(kernel.params, arguments)) {
    if (!param.isView)
      continue;
    uint64_t needed = getNeededBytes(kernel, param, arguments);
    if (needed > argument.size)
      return error("'" + param.name + "' needs " + llvm::Twine(needed) +
                   " bytes for these extents, and its buffer has " +
                   llvm::Twine(argument.size));
  }
  return llvm::Error::success();
}

llvm::Expected<LaunchResult>
ReferenceProgram::launch(llvm::StringRef symbol, std::array<uint64_t, 3> grid,
                         llvm::ArrayRef<Argument> arguments,
                         const LaunchOptions &options) const {
  const CompiledKernel *kernel = find(symbol);
  if (!kernel)
    return llvm::createStringError("there is no kernel '" + symbol + "'");
  if (options.warpSize != 32 && options.warpSize != 64)
    return llvm::createStringError("a warp has 32 or 64 threads, not " +
                                   llvm::Twine(options.warpSize));
  bool isPart = kernel->getBlockSize() % kernel->widestTile == 0;
  if (kernel->widestTile > options.warpSize && !isPart)
    return llvm::createStringError(
        "kernel '" + kernel->name + "' has tiles of " +
        llvm::Twine(kernel->widestTile) + " threads, wider than a warp of " +
        llvm::Twine(options.warpSize));
  constexpr uint64_t maxGrid = 0x7fffffff;
  uint64_t blocks = 1;
  for (uint64_t extent : grid) {
    if (extent > maxGrid)
      return llvm::createStringError("a grid of " + llvm::Twine(extent) +
                                     " blocks in one dimension is too large");
    blocks = llvm::SaturatingMultiply(blocks, extent);
  }
  if (grid[0] % kernel->cluster)
    return llvm::createStringError("a grid of " + llvm::Twine(grid[0]) +
                                   " blocks in x is not whole clusters of " +
                                   llvm::Twine(kernel->cluster));
  if (llvm::Error error = checkArguments(*kernel, arguments))
    return error;
  if (blocks == 0)
    return LaunchResult();
  if (blocks == ~uint64_t(0))
    return llvm::createStringError("the grid has too many blocks");
  return Machine(*kernel, grid, arguments, options).run();
}
