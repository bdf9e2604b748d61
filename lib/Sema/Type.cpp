//===- Type.cpp - The types of the language -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Sema/Type.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <map>
#include <tuple>

using namespace coll;
using namespace coll::sema;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

namespace {
struct ScalarInfo {
  llvm::StringLiteral name;
  unsigned bits;
  enum { Bool, Signed, Unsigned, Float } family;
};
} // namespace

/// In the order of ScalarKind.
static constexpr ScalarInfo scalarInfos[] = {
    {"bool", 1, ScalarInfo::Bool},     {"i8", 8, ScalarInfo::Signed},
    {"i16", 16, ScalarInfo::Signed},   {"i32", 32, ScalarInfo::Signed},
    {"i64", 64, ScalarInfo::Signed},   {"u8", 8, ScalarInfo::Unsigned},
    {"u16", 16, ScalarInfo::Unsigned}, {"u32", 32, ScalarInfo::Unsigned},
    {"u64", 64, ScalarInfo::Unsigned}, {"f16", 16, ScalarInfo::Float},
    {"bf16", 16, ScalarInfo::Float},   {"f32", 32, ScalarInfo::Float},
    {"f64", 64, ScalarInfo::Float},
};

static const ScalarInfo &getInfo(ScalarKind kind) {
  return scalarInfos[static_cast<unsigned>(kind)];
}

bool sema::isSignedInteger(ScalarKind kind) {
  return getInfo(kind).family == ScalarInfo::Signed;
}

bool sema::isUnsignedInteger(ScalarKind kind) {
  return getInfo(kind).family == ScalarInfo::Unsigned;
}

bool sema::isFloat(ScalarKind kind) {
  return getInfo(kind).family == ScalarInfo::Float;
}

unsigned sema::getBitWidth(ScalarKind kind) { return getInfo(kind).bits; }

llvm::StringRef sema::getScalarName(ScalarKind kind) {
  return getInfo(kind).name;
}

static uint64_t getByteSize(ScalarKind kind) {
  return std::max(1u, getBitWidth(kind) / 8);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static std::string printView(const Type &type) {
  std::string text = type.isMutable() ? "mut " : "";
  if (type.isShared())
    text += "shared ";
  text += '[';
  llvm::ListSeparator comma;
  for (const Extent &extent : type.getExtents()) {
    text += llvm::StringRef(comma);
    if (extent.isConstant())
      text += std::to_string(extent.constant);
    else
      text += extent.symbol.empty() ? "?" : extent.symbol.str();
  }
  return text + ']' + type.getElement()->str();
}

std::string Type::str() const {
  switch (kind) {
  case Kind::Error:
    return "<error>";
  case Kind::Void:
    return "void";
  case Kind::Scalar:
    return getScalarName(scalar).str();
  case Kind::Vector:
    return element->str() + 'x' + std::to_string(count);
  case Kind::Array:
    return '[' + element->str() + "; " + std::to_string(count) + ']';
  case Kind::Tuple: {
    std::string text = "(";
    llvm::ListSeparator comma;
    for (const Type *member : members)
      text += (llvm::StringRef(comma) + member->str()).str();
    return text + ')';
  }
  case Kind::Struct:
  case Kind::Enum:
    return name.str();
  case Kind::Mask:
    return "mask";
  case Kind::View:
    return printView(*this);
  case Kind::Group:
    return "group";
  case Kind::Chunk:
    return "chunk";
  case Kind::Token:
    return name.str() + " token";
  case Kind::ElementsRange:
    return "range";
  }
  llvm_unreachable("unknown type kind");
}

//===----------------------------------------------------------------------===//
// TypeContext
//===----------------------------------------------------------------------===//

/// A type may have at most this many leaves: no chip's shared memory holds
/// more.
static constexpr uint64_t maxLeaves = 1u << 20;

struct TypeContext::Impl {
  llvm::BumpPtrAllocator allocator;
  llvm::DenseSet<llvm::StringRef> strings;
  std::vector<std::unique_ptr<Type>> types;

  Type *error = nullptr, *voidType = nullptr, *mask = nullptr, *group = nullptr,
       *chunk = nullptr, *range = nullptr;
  std::array<Type *, std::size(scalarInfos)> scalars{};
  std::map<std::pair<ScalarKind, unsigned>, const Type *> vectors;
  std::map<std::pair<const Type *, uint64_t>, const Type *> arrays;
  std::map<std::vector<const Type *>, const Type *> tuples;
  std::map<std::string, const Type *, std::less<>> tokens;
  using ExtentKey = std::vector<std::pair<int64_t, llvm::StringRef>>;
  std::map<std::tuple<const Type *, ExtentKey, bool, bool>, const Type *> views;

  Type *make(Type *type) {
    types.emplace_back(type);
    return type;
  }
};

/// Whether a type with these members would be larger than the limits.
template <typename Range, typename Fn>
static bool isTooLarge(const Range &members, Fn getType) {
  uint64_t leaves = 0, size = 0;
  for (const auto &member : members) {
    leaves += getType(member)->getLeaves().size();
    size += getType(member)->getSize();
    if (leaves > maxLeaves || size > uint64_t(1) << 32)
      return true;
  }
  return false;
}

/// Lays `member` out at the end of a type of `size` bytes so far.
static uint64_t placeMember(const Type *member, uint64_t &size,
                            uint64_t &alignment, bool &padding,
                            std::vector<Leaf> &leaves) {
  uint64_t offset = llvm::alignTo(size, member->getAlignment());
  padding |= offset != size || member->hasPadding();
  for (const Leaf &leaf : member->getLeaves())
    leaves.push_back({leaf.type, offset + leaf.offset});
  size = offset + member->getSize();
  alignment = std::max(alignment, member->getAlignment());
  return offset;
}

static void finishLayout(uint64_t &size, uint64_t alignment, bool &padding) {
  uint64_t whole = llvm::alignTo(size, alignment);
  padding |= whole != size;
  size = whole;
}

TypeContext::TypeContext() : impl(std::make_unique<Impl>()) {
  for (unsigned i = 0; i < impl->scalars.size(); ++i) {
    Type *type = impl->make(new Type(Type::Kind::Scalar));
    type->scalar = static_cast<ScalarKind>(i);
    type->size = type->alignment = getByteSize(type->scalar);
    type->leaves.push_back({type, 0});
    impl->scalars[i] = type;
  }
  impl->error = impl->make(new Type(Type::Kind::Error));
  impl->voidType = impl->make(new Type(Type::Kind::Void));
  impl->group = impl->make(new Type(Type::Kind::Group));
  impl->chunk = impl->make(new Type(Type::Kind::Chunk));
  impl->range = impl->make(new Type(Type::Kind::ElementsRange));
  impl->mask = impl->make(new Type(Type::Kind::Mask));
  impl->mask->scalar = ScalarKind::U64;
  impl->mask->size = impl->mask->alignment = 8;
  impl->mask->leaves.push_back({getScalar(ScalarKind::U64), 0});
}

TypeContext::~TypeContext() = default;

const Type *TypeContext::getError() const { return impl->error; }
const Type *TypeContext::getVoid() const { return impl->voidType; }
const Type *TypeContext::getMask() const { return impl->mask; }
const Type *TypeContext::getGroup() const { return impl->group; }
const Type *TypeContext::getChunk() const { return impl->chunk; }
const Type *TypeContext::getRange() const { return impl->range; }

const Type *TypeContext::getScalar(ScalarKind kind) const {
  return impl->scalars[static_cast<unsigned>(kind)];
}

const Type *TypeContext::getToken(llvm::StringRef group) {
  const Type *&slot = impl->tokens[group.str()];
  if (slot)
    return slot;
  Type *type = impl->make(new Type(Type::Kind::Token));
  type->name = save(group);
  return slot = type;
}

const Type *TypeContext::getVector(ScalarKind element, unsigned lanes) {
  const Type *&slot = impl->vectors[{element, lanes}];
  if (slot)
    return slot;
  Type *type = impl->make(new Type(Type::Kind::Vector));
  type->scalar = element;
  type->element = getScalar(element);
  type->count = lanes;
  type->size = lanes * type->element->getSize();
  type->alignment = std::min<uint64_t>(type->size, 16);
  type->leaves.push_back({type, 0});
  return slot = type;
}

const Type *TypeContext::getArray(const Type *element, uint64_t count) {
  uint64_t size = element->getSize();
  uint64_t leafCount = element->getLeaves().size();
  if (count != 0 && ((size != 0 && count > (uint64_t(1) << 32) / size) ||
                     (leafCount != 0 && count > maxLeaves / leafCount)))
    return nullptr;
  const Type *&slot = impl->arrays[{element, count}];
  if (slot)
    return slot;
  Type *type = impl->make(new Type(Type::Kind::Array));
  type->scalar = element->getScalarKind();
  type->element = element;
  type->count = count;
  type->size = size * count;
  type->alignment = element->getAlignment();
  type->padding = element->hasPadding();
  type->leaves.reserve(leafCount * count);
  for (uint64_t i = 0; i < count && leafCount != 0; ++i)
    for (const Leaf &leaf : element->getLeaves())
      type->leaves.push_back({leaf.type, i * size + leaf.offset});
  return slot = type;
}

const Type *TypeContext::getTuple(llvm::ArrayRef<const Type *> members) {
  if (isTooLarge(members, [](const Type *member) { return member; }))
    return getError();
  const Type *&slot = impl->tuples[members.vec()];
  if (slot)
    return slot;
  Type *type = impl->make(new Type(Type::Kind::Tuple));
  type->members = members.vec();
  for (const Type *member : members)
    placeMember(member, type->size, type->alignment, type->padding,
                type->leaves);
  finishLayout(type->size, type->alignment, type->padding);
  return slot = type;
}

const Type *TypeContext::getView(const Type *element,
                                 llvm::ArrayRef<Extent> extents, bool isMut,
                                 bool shared) {
  std::vector<Extent> saved;
  Impl::ExtentKey key;
  for (const Extent &extent : extents) {
    saved.push_back({extent.constant, save(extent.symbol)});
    key.emplace_back(saved.back().constant, saved.back().symbol);
  }
  const Type *&slot =
      impl->views[std::make_tuple(element, std::move(key), isMut, shared)];
  if (slot)
    return slot;
  Type *type = impl->make(new Type(Type::Kind::View));
  type->scalar = element->getScalarKind();
  type->element = element;
  type->extents = std::move(saved);
  type->isMut = isMut;
  type->shared = shared;
  return slot = type;
}

const Type *TypeContext::createStruct(
    llvm::StringRef name,
    llvm::ArrayRef<std::pair<llvm::StringRef, const Type *>> fields) {
  if (isTooLarge(fields, [](const auto &field) { return field.second; }))
    return getError();
  Type *type = impl->make(new Type(Type::Kind::Struct));
  type->name = save(name);
  for (const auto &[fieldName, fieldType] : fields) {
    unsigned firstLeaf = type->leaves.size();
    uint64_t offset = placeMember(fieldType, type->size, type->alignment,
                                  type->padding, type->leaves);
    type->fields.push_back({save(fieldName), fieldType, offset, firstLeaf});
  }
  finishLayout(type->size, type->alignment, type->padding);
  return type;
}

const Type *TypeContext::createEnum(llvm::StringRef name, ScalarKind underlying,
                                    llvm::ArrayRef<EnumMember> members) {
  Type *type = impl->make(new Type(Type::Kind::Enum));
  type->name = save(name);
  type->scalar = underlying;
  type->element = getScalar(underlying);
  type->size = type->alignment = type->element->getSize();
  type->leaves.push_back({type->element, 0});
  for (const EnumMember &member : members)
    type->enumMembers.push_back({save(member.name), member.value});
  return type;
}

llvm::StringRef TypeContext::save(llvm::StringRef text) {
  if (auto it = impl->strings.find(text); it != impl->strings.end())
    return *it;
  llvm::StringRef copy = text.copy(impl->allocator);
  impl->strings.insert(copy);
  return copy;
}
