//===- Words.cpp - Values as the words that lanes exchange ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

static unsigned getNumBits(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() *
           vector.getElementType().getIntOrFloatBitWidth();
  return type.getIntOrFloatBitWidth();
}

unsigned coll::getNumWords(Type type) {
  return llvm::divideCeil(getNumBits(type), 32);
}

/// `value` as another type of the same size.
static Value castBits(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(b, type, value);
}

/// Many words are a vector of them; few are one integer.
static bool isWordVector(Type type) {
  unsigned bits = getNumBits(type);
  return bits > 64 && bits % 32 == 0;
}

/// Marks the extension of a leaf to a word, which no one else reads.
static constexpr llvm::StringLiteral paddingName = "coll.padding";

bool coll::isPadded(Value word) {
  Operation *op = word.getDefiningOp();
  return op && op->hasAttr(paddingName);
}

/// The words of a constant of 64 bits are constants, which those who move them
/// look at.
static Leaves splitConstant(ImplicitLocOpBuilder &b, Value leaf) {
  Attribute attr;
  if (!leaf.getType().isIntOrFloat() || getNumBits(leaf.getType()) != 64 ||
      !matchPattern(leaf, m_Constant(&attr)))
    return {};
  APInt bits(64, 0);
  if (auto number = dyn_cast<FloatAttr>(attr))
    bits = number.getValue().bitcastToAPInt();
  else if (auto number = dyn_cast<IntegerAttr>(attr))
    bits = number.getValue();
  else
    return {};
  return {createI32(b, bits.trunc(32).getSExtValue()),
          createI32(b, bits.lshr(32).trunc(32).getSExtValue())};
}

Leaves coll::splitWords(ImplicitLocOpBuilder &b, Value leaf) {
  Type type = leaf.getType(), i32 = b.getI32Type();
  unsigned bits = getNumBits(type), count = getNumWords(type);
  Leaves words = splitConstant(b, leaf);
  if (!words.empty())
    return words;
  if (isWordVector(type)) {
    Value vector = castBits(b, leaf, VectorType::get(count, i32));
    for (unsigned i = 0; i != count; ++i)
      words.push_back(
          LLVM::ExtractElementOp::create(b, vector, createI32(b, i)));
    return words;
  }
  Value whole = castBits(b, leaf, b.getIntegerType(bits));
  Type padded = b.getIntegerType(32 * count);
  if (bits < 32 * count) {
    whole = arith::ExtUIOp::create(b, padded, whole);
    whole.getDefiningOp()->setAttr(paddingName, b.getUnitAttr());
  }
  if (count == 1)
    return {whole};
  for (unsigned i = 0; i != count; ++i) {
    Value word = whole;
    if (i != 0)
      word = arith::ShRUIOp::create(
          b, whole,
          arith::ConstantOp::create(b, b.getIntegerAttr(padded, 32 * i)));
    words.push_back(arith::TruncIOp::create(b, i32, word));
  }
  return words;
}

static Value joinVector(ImplicitLocOpBuilder &b, ValueRange words, Type type) {
  auto wordsType = VectorType::get(words.size(), b.getI32Type());
  Value vector = LLVM::PoisonOp::create(b, wordsType);
  for (auto [i, word] : llvm::enumerate(words))
    vector = LLVM::InsertElementOp::create(b, wordsType, vector, word,
                                           createI32(b, i));
  return castBits(b, vector, type);
}

Value coll::joinPair(ImplicitLocOpBuilder &b, ValueRange words, Type type) {
  return getNumBits(type) == 64 ? joinVector(b, words, type)
                                : joinWords(b, words, type);
}

Value coll::joinWords(ImplicitLocOpBuilder &b, ValueRange words, Type type) {
  unsigned bits = getNumBits(type), count = words.size();
  if (isWordVector(type))
    return joinVector(b, words, type);
  Type padded = b.getIntegerType(32 * count);
  Value whole = words.front();
  for (unsigned i = 0; count > 1 && i != count; ++i) {
    Value word = arith::ExtUIOp::create(b, padded, words[i]);
    if (i == 0) {
      whole = word;
      continue;
    }
    Value shift =
        arith::ConstantOp::create(b, b.getIntegerAttr(padded, 32 * i));
    whole =
        arith::OrIOp::create(b, whole, arith::ShLIOp::create(b, word, shift));
  }
  if (bits < 32 * count)
    whole = arith::TruncIOp::create(b, b.getIntegerType(bits), whole);
  return castBits(b, whole, type);
}

//===----------------------------------------------------------------------===//
// Several leaves
//===----------------------------------------------------------------------===//

namespace {
/// Where leaves are in packed words.
class Packing {
public:
  explicit Packing(TypeRange types) {
    for (Type type : types)
      places.push_back(add(type));
  }

  struct Place {
    unsigned word;  ///< The first, if it has several.
    unsigned shift; ///< In bits; leaves that share a word.
    unsigned count; ///< Words.
    bool isShared;
  };
  ArrayRef<Place> getPlaces() const { return places; }
  unsigned getNumWords() const { return numWords; }

private:
  Place add(Type type) {
    unsigned bits = llvm::alignTo(getNumBits(type), 8);
    if (bits >= 32) {
      unsigned count = coll::getNumWords(type), first = numWords;
      numWords += count;
      return {first, 0, count, false};
    }
    if (used + bits > 32) {
      open = numWords++;
      used = 0;
    }
    used += bits;
    return {open, used - bits, 1, true};
  }

  SmallVector<Place> places;
  unsigned numWords = 0;
  unsigned open = 0;  ///< The shared word that has room.
  unsigned used = 32; ///< Bits of it that are taken.
};
} // namespace

Leaves coll::packLeaves(ImplicitLocOpBuilder &b, ValueRange leaves) {
  Packing packing(leaves.getTypes());
  Leaves words(packing.getNumWords());
  for (auto [leaf, place] : llvm::zip_equal(leaves, packing.getPlaces())) {
    Leaves own = splitWords(b, leaf);
    if (place.shift) {
      Value shifted =
          arith::ShLIOp::create(b, own.front(), createI32(b, place.shift));
      own = {arith::OrIOp::create(b, words[place.word], shifted)};
    }
    llvm::copy(own, words.begin() + place.word);
  }
  return words;
}

Leaves coll::unpackLeaves(ImplicitLocOpBuilder &b, ValueRange words,
                          TypeRange types) {
  Packing packing(types);
  Leaves leaves;
  for (auto [type, place] : llvm::zip_equal(types, packing.getPlaces())) {
    Leaves own(words.slice(place.word, place.count));
    if (place.shift)
      own = {arith::ShRUIOp::create(b, own.front(), createI32(b, place.shift))};
    leaves.push_back(joinWords(b, own, type));
  }
  return leaves;
}
