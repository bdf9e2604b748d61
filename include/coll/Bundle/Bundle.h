//===- Bundle.h - Images of kernels and what a launch must know -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle is all that a run needs of a compilation: one manifest a kernel,
// shared by all targets, and one image a target. It is one file, the same bytes
// for the same content:
//
//   offset 0   "COLLBNDL"
//          8   u32 version (1), u32 bytes of the manifest (n)
//         16   u64 XXH3 of everything from offset 24 on
//         24   the manifest, JSON; then the images, each at the offset from
//              the end of the manifest that the manifest gives
//
// Integers are little-endian.
//
// The arguments of a kernel (docs/design.md, "Kernel ABI"): the parameters in
// order, then one i64 an extent, then one i64 a pitch, then a pointer to the
// workspace if its entry has one.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_BUNDLE_BUNDLE_H
#define COLL_BUNDLE_BUNDLE_H

#include "coll/Bundle/LaunchExpr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coll {

/// The scalar types of the language, as they lie in memory.
enum class ScalarType : uint8_t {
  Bool, ///< One byte, 0 or 1.
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
};
constexpr unsigned numScalarTypes = static_cast<unsigned>(ScalarType::F64) + 1;

/// "bool", "i8", … "f64".
llvm::StringRef getScalarTypeName(ScalarType type);
std::optional<ScalarType> parseScalarType(llvm::StringRef name);
/// In bytes; the alignment is the same.
unsigned getScalarTypeSize(ScalarType type);
bool isFloatType(ScalarType type);
bool isSignedIntegerType(ScalarType type);

/// One scalar inside a stored element.
struct StorageLeaf {
  /// "mean", "pair.0", "history[2]", "pos[3]" of a vector; "3" where the
  /// element is a vector; empty for a scalar element itself.
  std::string path;
  ScalarType type = ScalarType::I32;
  uint64_t offset = 0;
  bool operator==(const StorageLeaf &) const = default;
};

/// How one element of a view, or one scalar parameter, lies in memory.
struct StorageType {
  std::string name; ///< As in the language: "f32", "u8x16", "Moments".
  uint64_t sizeBytes = 0;
  uint64_t align = 1;
  std::vector<StorageLeaf> leaves; ///< Ascending offsets.

  static StorageType scalar(ScalarType type);
  /// The scalar type, if the element is one scalar and nothing else.
  std::optional<ScalarType> getScalar() const;
  bool operator==(const StorageType &) const = default;
};

/// One dimension of a view: a constant, or a named extent of the kernel.
struct ViewDim {
  std::optional<unsigned> extent; ///< Index into KernelManifest::extents.
  int64_t constant = 0;           ///< Where there is no extent.

  static ViewDim makeConstant(int64_t value) { return {std::nullopt, value}; }
  static ViewDim makeExtent(unsigned index) { return {index, 0}; }
  bool operator==(const ViewDim &) const = default;
};

enum class ParamKind : uint8_t { Scalar, View };
enum class ParamAccess : uint8_t { Read, Mut, Inout };

/// A parameter of a kernel.
struct ParamManifest {
  std::string name;
  ParamKind kind = ParamKind::Scalar;
  /// The element of a view, or the scalar's own type.
  StorageType element;
  ParamAccess access = ParamAccess::Read;
  std::vector<ViewDim> dims; ///< Empty for a scalar.
  /// Index into KernelManifest::pitches: the elements from one row (of the
  /// last dimension) to the next. Without it rows are dense.
  std::optional<unsigned> pitch;

  bool isView() const { return kind == ParamKind::View; }
  bool isWritten() const { return access != ParamAccess::Read; }
  bool operator==(const ParamManifest &) const = default;
};

/// What a launch must know of a kernel, on any target.
struct KernelManifest {
  std::string name; ///< As the user says it: "softmax", "pass<8>".
  std::vector<ParamManifest> params;
  std::vector<std::string> extents; ///< In order of first appearance.
  std::vector<std::string> pitches; ///< In order of first appearance.
  std::array<uint32_t, 3> workgroup = {1, 1, 1};
  /// Up to three; missing ones are 1. None at all: the launch must say.
  std::vector<LaunchExpr> grid;
  /// Bytes of dynamic shared memory, where `shared` arrays are sized by
  /// extents.
  std::optional<LaunchExpr> dynamicShared;

  bool operator==(const KernelManifest &) const = default;
};

/// In the launch expression of a workspace, the number of blocks of the grid.
constexpr llvm::StringLiteral gridCountName = "grid.count";

/// What an image is, which says who can load it.
enum class ImageKind : uint8_t {
  PTX,    ///< NVIDIA assembly, which the driver compiles.
  Cubin,  ///< NVIDIA machine code.
  HSACO,  ///< A linked AMDGPU code object.
  CollIR, ///< The coll dialect as text, for the reference device.
};
llvm::StringRef getImageKindName(ImageKind kind);

/// A kernel inside an image.
struct ImageEntry {
  std::string kernel; ///< The name of its manifest.
  std::string symbol; ///< Its name in the image.
  uint64_t staticSharedBytes = 0;
  /// Its blocks wait for each other: all of a launch must be resident at once.
  bool cooperative = false;
  /// Bytes of global memory that it takes as one more, last argument. They may
  /// depend on `gridCountName` besides the names of `grid`. Of a launch that
  /// begins, the low 31 bits of the first word must be 0; one that ends leaves
  /// them so. All else may be anything.
  std::optional<LaunchExpr> workspace = std::nullopt;
  /// Blocks of a cluster in each dimension; a grid is whole clusters.
  std::array<uint32_t, 3> cluster = {1, 1, 1};
  /// Bytes of shared memory that a launch has to ask for, before those of
  /// `KernelManifest::dynamicShared`: all that the kernel declares, where a
  /// chip sizes so much by the launch only.
  uint64_t launchSharedBytes = 0;
  bool operator==(const ImageEntry &) const = default;
};

/// Code for one target.
struct Image {
  std::string targetName; ///< "sm_90", "gfx1100:64"; "reference" for CollIR.
  ImageKind kind = ImageKind::PTX;
  /// What the loader needs of it: "ptx 7.8", "code object 5"; for messages.
  std::string isa;
  std::vector<ImageEntry> entries;
  std::string bytes;

  const ImageEntry *findEntry(llvm::StringRef kernel) const;
  bool operator==(const Image &) const = default;
};

/// Kernels compiled for some targets.
struct Bundle {
  std::vector<KernelManifest> kernels;
  std::vector<Image> images;

  const KernelManifest *findKernel(llvm::StringRef name) const;
  const Image *findImage(llvm::StringRef targetName) const;

  /// Checks all that `parse` promises: names are unique and not empty, indices
  /// are in range, leaves lie inside their elements, launch expressions name
  /// only extents, pitches and integer scalars, entries name kernels.
  llvm::Error verify() const;

  /// The bytes of the file. Fails as `verify` does.
  llvm::Expected<std::string> serialize() const;

  /// Whether these bytes begin as those of a bundle do.
  static bool isBundle(llvm::StringRef bytes);
  /// Reads what `serialize` wrote. Any other bytes give an error that says what
  /// is wrong, never a crash.
  static llvm::Expected<Bundle> parse(llvm::StringRef bytes);

  bool operator==(const Bundle &) const = default;
};

} // namespace coll

#endif // COLL_BUNDLE_BUNDLE_H
