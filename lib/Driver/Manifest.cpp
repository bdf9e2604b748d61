//===- Manifest.cpp - What a launch must know of a kernel -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;

/// The scalars of a leaf named as in the language ("u8", "f32x4"), and how many
/// there are.
static std::optional<std::pair<ScalarType, unsigned>>
parseLeafName(llvm::StringRef name) {
  if (std::optional<ScalarType> scalar = parseScalarType(name))
    return std::make_pair(*scalar, 1u);
  auto [element, lanes] = name.rsplit('x');
  unsigned count = 0;
  std::optional<ScalarType> scalar = parseScalarType(element);
  if (!scalar || lanes.getAsInteger(10, count))
    return std::nullopt;
  return std::make_pair(*scalar, count);
}

/// Lays the leaves of an element out: at the offsets of its struct type, or,
/// for a scalar or vector, from 0.
static llvm::Error addLeaves(ir::ParamAttr param, mlir::Type elementType,
                             StorageType &storage) {
  auto structType = mlir::dyn_cast_or_null<ir::StructType>(elementType);
  llvm::ArrayRef<mlir::StringAttr> names = param.getLeaves();
  for (size_t i = 0; i < names.size(); ++i) {
    llvm::StringRef path, typeName = names[i].getValue();
    if (typeName.contains(':'))
      std::tie(path, typeName) = typeName.split(':');
    auto leaf = parseLeafName(typeName);
    if (!leaf || (structType && i >= structType.getOffsets().size()))
      return llvm::createStringError("parameter '" + param.getName() +
                                     "' has an unknown leaf '" +
                                     names[i].getValue() + "'");
    uint64_t offset = structType ? structType.getOffsets()[i] : 0;
    for (unsigned lane = 0; lane < leaf->second; ++lane) {
      std::string lanePath = path.str(), number = std::to_string(lane);
      if (leaf->second > 1)
        lanePath = path.empty() ? number : lanePath + "[" + number + "]";
      storage.leaves.push_back(
          {lanePath, leaf->first,
           offset + lane * getScalarTypeSize(leaf->first)});
    }
    if (!structType) {
      storage.sizeBytes = leaf->second * getScalarTypeSize(leaf->first);
      storage.align = storage.sizeBytes;
    }
  }
  if (structType) {
    storage.sizeBytes = structType.getSize();
    storage.align = structType.getAlignment();
  }
  return llvm::Error::success();
}

static llvm::Expected<ParamManifest>
buildParam(ir::ParamAttr param, mlir::Type argumentType, size_t numExtents) {
  ParamManifest manifest;
  manifest.name = param.getName().str();
  manifest.kind = param.getIsView() ? ParamKind::View : ParamKind::Scalar;
  manifest.access = static_cast<ParamAccess>(param.getAccess());
  manifest.element.name = param.getType().str();
  auto view = mlir::dyn_cast<ir::ViewType>(argumentType);
  if (llvm::Error error = addLeaves(
          param, view ? view.getElementType() : argumentType, manifest.element))
    return error;
  for (int64_t dim : param.getDims())
    manifest.dims.push_back(dim >= 0 ? ViewDim::makeConstant(dim)
                                     : ViewDim::makeExtent(unsigned(-1 - dim)));
  if (param.getPitch() >= 0)
    manifest.pitch = unsigned(param.getPitch() - numExtents);
  return manifest;
}

/// The kernel's list of extents holds the pitches last: those that no
/// dimension refers to.
static size_t countExtents(ir::KernelOp kernel) {
  size_t count = kernel.getExtents().size();
  for (auto param : kernel.getParams().getAsRange<ir::ParamAttr>())
    if (param.getPitch() >= 0)
      count = std::min(count, size_t(param.getPitch()));
  return count;
}

static llvm::Expected<KernelManifest> buildManifest(ir::KernelOp kernel) {
  KernelManifest manifest;
  manifest.name = kernel.getKernelName().str();
  size_t numExtents = countExtents(kernel);
  for (auto [index, name] :
       llvm::enumerate(kernel.getExtents().getAsRange<mlir::StringAttr>()))
    (index < numExtents ? manifest.extents : manifest.pitches)
        .push_back(name.str());
  for (auto [param, argument] :
       llvm::zip(kernel.getParams().getAsRange<ir::ParamAttr>(),
                 kernel.getBody().getArguments())) {
    llvm::Expected<ParamManifest> built =
        buildParam(param, argument.getType(), numExtents);
    if (!built)
      return built.takeError();
    manifest.params.push_back(std::move(*built));
  }
  for (int i = 0; i < 3; ++i)
    manifest.workgroup[i] = kernel.getWorkgroup()[i];
  for (auto text : kernel.getGrid().getAsRange<mlir::StringAttr>()) {
    llvm::Expected<LaunchExpr> expr = LaunchExpr::parse(text.getValue());
    if (!expr)
      return expr.takeError();
    manifest.grid.push_back(std::move(*expr));
  }
  llvm::Error failure = llvm::Error::success();
  kernel.walk([&](ir::SharedOp shared) {
    if (!shared.getBytes() || manifest.dynamicShared)
      return;
    llvm::Expected<LaunchExpr> expr = LaunchExpr::parse(*shared.getBytes());
    if (expr)
      manifest.dynamicShared = std::move(*expr);
    else
      failure = llvm::joinErrors(std::move(failure), expr.takeError());
  });
  if (failure)
    return failure;
  return manifest;
}

llvm::Expected<std::vector<KernelManifest>>
coll::buildManifests(mlir::ModuleOp module) {
  std::vector<KernelManifest> manifests;
  for (auto kernel : module.getOps<ir::KernelOp>()) {
    llvm::Expected<KernelManifest> manifest = buildManifest(kernel);
    if (!manifest)
      return manifest.takeError();
    manifests.push_back(std::move(*manifest));
  }
  return manifests;
}
