//===- Type.h - The types of the language -----------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types are interned in a TypeContext: equal types are one object, compared by
// pointer. A type knows its memory layout (C rules) and its *leaves*: the
// scalars and vectors that it consists of, depth first, each with its byte
// offset. Later stages only see leaves.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SEMA_TYPE_H
#define COLL_SEMA_TYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coll::sema {

enum class ScalarKind {
  Bool,
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
  F64
};

bool isSignedInteger(ScalarKind kind);
bool isUnsignedInteger(ScalarKind kind);
inline bool isInteger(ScalarKind kind) {
  return isSignedInteger(kind) || isUnsignedInteger(kind);
}
bool isFloat(ScalarKind kind);
/// Width of a value in bits: 1 for bool (which takes one byte in memory).
unsigned getBitWidth(ScalarKind kind);
/// "bool", "i32", "bf16", ...
llvm::StringRef getScalarName(ScalarKind kind);

class Type;

/// A scalar or vector inside a type, with its byte offset from the start.
struct Leaf {
  const Type *type;
  uint64_t offset;
};

struct StructField {
  llvm::StringRef name;
  const Type *type;
  uint64_t offset; ///< In bytes.
  unsigned
      firstLeaf; ///< Index of the field's first leaf in the struct's leaves.
};

struct EnumMember {
  llvm::StringRef name;
  int64_t value;
};

/// One extent of a view: a constant, or a named extent of the kernel or
/// function
/// (`symbol` not empty), or unknown at compile time (neither; a slice).
struct Extent {
  int64_t constant = -1;
  llvm::StringRef symbol;
  bool isConstant() const { return constant >= 0; }
  bool operator==(const Extent &other) const {
    return constant == other.constant && symbol == other.symbol;
  }
};

class Type {
public:
  enum class Kind {
    Error, ///< Of an expression whose error was already reported: silences
           ///< followers.
    Void,
    Scalar,
    Vector, ///< f32x4
    Array,  ///< [T; N]
    Tuple,
    Struct,
    Enum,
    Mask,  ///< One bit a rank; an i64 leaf.
    View,  ///< [n, m]T of global memory, or a shared array seen as a view.
    Group, ///< The type of `block`, `warp.tile(8)`: known at compile time, no
           ///< leaves.
    Chunk, ///< The variable of `for c in g.chunks(n, K)`: no leaves.
    Token, ///< What `g.arrive()` gives, one type for each group: no leaves.
    ElementsRange, ///< `a..b`, `g.strided(n)`: only the operand of `for`.
  };

  Kind getKind() const { return kind; }
  bool isError() const { return kind == Kind::Error; }
  bool isVoid() const { return kind == Kind::Void; }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isScalar(ScalarKind s) const {
    return kind == Kind::Scalar && scalar == s;
  }
  bool isBool() const { return isScalar(ScalarKind::Bool); }
  bool isVector() const { return kind == Kind::Vector; }
  bool isArray() const { return kind == Kind::Array; }
  bool isTuple() const { return kind == Kind::Tuple; }
  bool isStruct() const { return kind == Kind::Struct; }
  bool isEnum() const { return kind == Kind::Enum; }
  bool isMask() const { return kind == Kind::Mask; }
  bool isView() const { return kind == Kind::View; }
  bool isToken() const { return kind == Kind::Token; }
  bool isIntegerScalar() const { return isScalar() && isInteger(scalar); }
  bool isFloatScalar() const { return isScalar() && isFloat(scalar); }

  /// The scalar itself, a vector's or array's element kind where that is
  /// scalar, or an enum's underlying kind.
  ScalarKind getScalarKind() const { return scalar; }
  /// Vector and array: the element. View: the element. Enum: the underlying
  /// scalar.
  const Type *getElement() const { return element; }
  /// Vector: lanes. Array: length.
  uint64_t getCount() const { return count; }
  /// Tuple: the members.
  llvm::ArrayRef<const Type *> getMembers() const { return members; }
  /// Struct: the fields, in order.
  llvm::ArrayRef<StructField> getFields() const { return fields; }
  llvm::ArrayRef<EnumMember> getEnumMembers() const { return enumMembers; }
  /// Struct and enum: the declared name.
  llvm::StringRef getName() const { return name; }

  /// View: extents, one a dimension; whether it may be written; where it lives.
  llvm::ArrayRef<Extent> getExtents() const { return extents; }
  unsigned getRank() const { return extents.size(); }
  bool isMutable() const { return isMut; }
  bool isShared() const { return shared; }

  /// In bytes, C rules; 0 for types without a layout (void, view, group,
  /// chunk).
  uint64_t getSize() const { return size; }
  uint64_t getAlignment() const { return alignment; }
  bool hasPadding() const { return padding; }
  /// Depth first. Scalar, vector, mask and enum: themselves (an enum's leaf is
  /// its underlying scalar, a mask's u64). View, group, chunk: none.
  llvm::ArrayRef<Leaf> getLeaves() const { return leaves; }

  /// As the user would write it: "f32", "[f32; 4]", "(i32, bool)", "mut
  /// [n]f32".
  std::string str() const;

private:
  friend class TypeContext;
  explicit Type(Kind kind) : kind(kind) {}

  Kind kind;
  ScalarKind scalar = ScalarKind::I32;
  const Type *element = nullptr;
  uint64_t count = 0;
  std::vector<const Type *> members;
  std::vector<StructField> fields;
  std::vector<EnumMember> enumMembers;
  llvm::StringRef name;
  std::vector<Extent> extents;
  bool isMut = false;
  bool shared = false;
  bool padding = false;
  uint64_t size = 0;
  uint64_t alignment = 1;
  std::vector<Leaf> leaves;
};

/// Owns and interns types.
class TypeContext {
public:
  TypeContext();
  ~TypeContext();

  const Type *getError() const;
  const Type *getVoid() const;
  const Type *getScalar(ScalarKind kind) const;
  const Type *getBool() const { return getScalar(ScalarKind::Bool); }
  const Type *getI32() const { return getScalar(ScalarKind::I32); }
  const Type *getI64() const { return getScalar(ScalarKind::I64); }
  const Type *getMask() const;
  const Type *getGroup() const;
  const Type *getChunk() const;
  const Type *getRange() const;
  /// Of a group, named as in Group::str.
  const Type *getToken(llvm::StringRef group);
  /// `lanes` is a power of two from 2 to 16; the size is lanes times the
  /// element's.
  const Type *getVector(ScalarKind element, unsigned lanes);
  /// Null if it would be larger than 2^32 bytes or have more than 2^20 leaves.
  const Type *getArray(const Type *element, uint64_t count);
  /// The error type if it would be too large, as for arrays.
  const Type *getTuple(llvm::ArrayRef<const Type *> members);
  const Type *getView(const Type *element, llvm::ArrayRef<Extent> extents,
                      bool isMut, bool shared);
  /// A new struct or enum for a declaration; each call makes a distinct type.
  /// The error type for a struct that would be too large.
  const Type *
  createStruct(llvm::StringRef name,
               llvm::ArrayRef<std::pair<llvm::StringRef, const Type *>> fields);
  const Type *createEnum(llvm::StringRef name, ScalarKind underlying,
                         llvm::ArrayRef<EnumMember> members);
  /// Copies `text` into the context, for names that outlive the source.
  llvm::StringRef save(llvm::StringRef text);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace coll::sema

#endif // COLL_SEMA_TYPE_H
