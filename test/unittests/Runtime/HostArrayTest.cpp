//===- HostArrayTest.cpp - Values, printing and comparison of arrays ------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/HostArray.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <limits>

using namespace coll;
using namespace llvm;

namespace {

HostArray makeArray(ScalarType type, ArrayRef<int64_t> shape,
                    std::optional<int64_t> pitch = std::nullopt) {
  return cantFail(HostArray::create(StorageType::scalar(type), shape, pitch));
}

std::vector<uint64_t> getBits(const HostArray &array) {
  std::vector<uint64_t> bits;
  for (uint64_t index = 0; index != array.getCount(); ++index)
    for (const StorageLeaf &leaf : array.getElement().leaves)
      bits.push_back(array.getLeaf(index, leaf));
  return bits;
}

using Bits = std::vector<uint64_t>;

std::string createError(ArrayRef<int64_t> shape,
                        std::optional<int64_t> pitch = std::nullopt) {
  Expected<HostArray> array =
      HostArray::create(StorageType::scalar(ScalarType::F32), shape, pitch);
  return array ? "no error" : toString(array.takeError());
}

// The expected bits were computed by a separate program.
TEST(HostArray, RandomIsTheSameEverywhere) {
  auto random = [](ScalarType type) {
    HostArray array = makeArray(type, {4});
    fillRandom(array, 42);
    return getBits(array);
  };
  EXPECT_EQ(random(ScalarType::U64),
            (Bits{0xbdd732262feb6e95, 0x28efe333b266f103, 0x47526757130f9f52,
                  0x581ce1ff0e4ae394}));
  EXPECT_EQ(random(ScalarType::F64),
            (Bits{0x3fdeeb991317f5b4, 0xbfe5c40733136644, 0xbfdc56cc54767834,
                  0xbfd3f18f0078da90}));
  EXPECT_EQ(random(ScalarType::F32),
            (Bits{0x3ef75cc8, 0xbf2e203a, 0xbee2b664, 0xbe9f8c7c}));
  EXPECT_EQ(random(ScalarType::F16), (Bits{0x37b8, 0xb972, 0xb718, 0xb500}));
  EXPECT_EQ(random(ScalarType::BF16), (Bits{0x3ef4, 0xbf30, 0xbee4, 0xbea0}));
  EXPECT_EQ(random(ScalarType::I32), (Bits{static_cast<uint32_t>(-1109970394),
                                           686809907, 1196582743, 1478287871}));
  EXPECT_EQ(random(ScalarType::U8), (Bits{189, 40, 71, 88}));
  EXPECT_EQ(random(ScalarType::Bool), (Bits{1, 0, 0, 0}));
}

TEST(HostArray, RandomCountsScalarsOfStructs) {
  StorageType pair{
      "Pair", 16, 8, {{"a", ScalarType::U8, 0}, {"b", ScalarType::U64, 8}}};
  HostArray array = cantFail(HostArray::create(pair, {2}));
  fillRandom(array, 42);
  EXPECT_EQ(getBits(array),
            (Bits{189, 0x28efe333b266f103, 71, 0x581ce1ff0e4ae394}));
}

TEST(HostArray, IotaWrapsAndRounds) {
  HostArray bytes = makeArray(ScalarType::U8, {300});
  fillIota(bytes);
  EXPECT_EQ(getBits(bytes)[255], 255u);
  EXPECT_EQ(getBits(bytes)[256], 0u);
  // f16 has 11 bits: 2049 lies between 2048 and 2050 and goes to the even one.
  HostArray halves = makeArray(ScalarType::F16, {2052});
  fillIota(halves);
  EXPECT_EQ(getBits(halves)[1], 0x3c00u);
  EXPECT_EQ(getBits(halves)[2049], 0x6800u);
  EXPECT_EQ(getBits(halves)[2051], 0x6802u);
  HostArray floats = makeArray(ScalarType::F32, {4});
  fillIota(floats);
  EXPECT_EQ(getBits(floats), (Bits{0, 0x3f800000, 0x40000000, 0x40400000}));
  HostArray bools = makeArray(ScalarType::Bool, {3});
  fillIota(bools);
  EXPECT_EQ(getBits(bools), (Bits{0, 1, 0}));
}

TEST(HostArray, PitchLeavesGaps) {
  HostArray array = makeArray(ScalarType::U8, {2, 3}, 4);
  EXPECT_EQ(array.getBytes().size(), 8u);
  fillIota(array);
  EXPECT_EQ(array.getBytes().vec(),
            (std::vector<uint8_t>{0, 1, 2, 0, 3, 4, 5, 0}));
  std::vector<uint8_t> dense = array.getDenseBytes();
  EXPECT_EQ(dense, (std::vector<uint8_t>{0, 1, 2, 3, 4, 5}));
  HostArray other = makeArray(ScalarType::U8, {2, 3}, 5);
  other.setDenseBytes(dense);
  EXPECT_EQ(getBits(other), getBits(array));
  EXPECT_EQ(other.getChecksum(), array.getChecksum());
}

TEST(HostArray, RefusesImpossibleShapes) {
  EXPECT_EQ(createError({2, -1}), "the shape [2, -1] has a negative extent");
  EXPECT_EQ(createError({2, 3}, 2), "the pitch 2 is less than a row of 3");
  EXPECT_EQ(createError({int64_t(1) << 62, int64_t(1) << 62}),
            "an array of type [4611686018427387904, 4611686018427387904]f32 "
            "does not fit into this machine's memory");
  EXPECT_EQ(createError({int64_t(1) << 62, 0}), "no error");
}

Bits parseBits(StringRef text, ScalarType type) {
  Expected<uint64_t> bits = parseScalarBits(text, type);
  if (bits)
    return {*bits};
  consumeError(bits.takeError());
  return {};
}

TEST(Scalars, ParseToBits) {
  EXPECT_EQ(parseBits("1.5", ScalarType::F32), Bits{0x3fc00000});
  EXPECT_EQ(parseBits("-0", ScalarType::F32), Bits{0x80000000});
  EXPECT_EQ(parseBits("1e-3", ScalarType::F64), Bits{0x3f50624dd2f1a9fc});
  EXPECT_EQ(parseBits("inf", ScalarType::F16), Bits{0x7c00});
  EXPECT_EQ(parseBits("-inf", ScalarType::BF16), Bits{0xff80});
  // One rounding from the text: by way of f32 this would round twice, to
  // 0x3c00.
  EXPECT_EQ(parseBits("1.00048828126", ScalarType::F16), Bits{0x3c01});
  EXPECT_EQ(parseBits("-128", ScalarType::I8), Bits{0x80});
  EXPECT_EQ(parseBits("0xff", ScalarType::U8), Bits{0xff});
  EXPECT_EQ(parseBits("-9223372036854775808", ScalarType::I64),
            Bits{0x8000000000000000});
  EXPECT_EQ(parseBits("18446744073709551615", ScalarType::U64), Bits{~0ull});
  EXPECT_EQ(parseBits("true", ScalarType::Bool), Bits{1});
}

TEST(Scalars, RefuseWhatIsNotOne) {
  for (StringRef text : {"", "-", "x", "1.5", "256", "-1", "--1", "1 "})
    EXPECT_EQ(parseBits(text, ScalarType::U8), Bits{}) << text.str();
  for (StringRef text : {"", "-", ".", "1e", "1..2", "infinity", "1,5", "--1"})
    EXPECT_EQ(parseBits(text, ScalarType::F32), Bits{}) << text.str();
  EXPECT_EQ(parseBits("2", ScalarType::Bool), Bits{});
  EXPECT_EQ(toString(parseScalarBits("128", ScalarType::I8).takeError()),
            "the value 128 is out of range for i8");
  EXPECT_EQ(toString(parseScalarBits("-1e39", ScalarType::F32).takeError()),
            "the value -1e39 is out of range for f32");
  EXPECT_EQ(toString(parseScalarBits("65520", ScalarType::F16).takeError()),
            "the value 65520 is out of range for f16");
  EXPECT_EQ(parseBits("65519", ScalarType::F16), Bits{0x7bff});
  EXPECT_EQ(toString(parseScalarBits("x", ScalarType::F32).takeError()),
            "expected a value of type f32, got 'x'");
}

TEST(Scalars, PrintTheShortestText) {
  EXPECT_EQ(formatScalarBits(0x3dcccccd, ScalarType::F32), "0.1");
  EXPECT_EQ(formatScalarBits(0x3fb999999999999a, ScalarType::F64), "0.1");
  EXPECT_EQ(formatScalarBits(0x2e66, ScalarType::F16), "0.1");
  EXPECT_EQ(formatScalarBits(0x80000000, ScalarType::F32), "-0");
  EXPECT_EQ(formatScalarBits(0x41200000, ScalarType::F32), "10");
  EXPECT_EQ(formatScalarBits(0xc499c000, ScalarType::F32), "-1230");
  EXPECT_EQ(formatScalarBits(0x4b800000, ScalarType::F32), "16777216");
  EXPECT_EQ(formatScalarBits(0x42f6e979, ScalarType::F32), "123.456");
  EXPECT_EQ(formatScalarBits(0x42d6bcc41e900000, ScalarType::F64),
            "100000000000000");
  EXPECT_EQ(formatScalarBits(0x430c6bf526340000, ScalarType::F64),
            "1000000000000000");
  EXPECT_EQ(formatScalarBits(0x4341c37937e08000, ScalarType::F64), "1e16");
  EXPECT_EQ(formatScalarBits(0x44b52d02c7e14af6, ScalarType::F64), "1e23");
  EXPECT_EQ(formatScalarBits(1, ScalarType::F64), "5e-324");
  EXPECT_EQ(formatScalarBits(0x3fd5555555555555, ScalarType::F64),
            "0.3333333333333333");
  EXPECT_EQ(formatScalarBits(0x33d6bf95, ScalarType::F32), "1e-7");
  EXPECT_EQ(formatScalarBits(0x38d1b717, ScalarType::F32), "0.0001");
  EXPECT_EQ(formatScalarBits(0xb8d1b714, ScalarType::F32), "-9.9999976e-5");
  EXPECT_EQ(formatScalarBits(0x4e800000, ScalarType::F32), "1073741800");
  EXPECT_EQ(formatScalarBits(0x7f7fffff, ScalarType::F32), "3.4028235e38");
  EXPECT_EQ(formatScalarBits(0x7bff, ScalarType::F16), "65500");
  EXPECT_EQ(formatScalarBits(0x58635fa9, ScalarType::F32), "1000000000000000");
  EXPECT_EQ(formatScalarBits(0x0001, ScalarType::F16), "6e-8");
  EXPECT_EQ(formatScalarBits(0x7f7f, ScalarType::BF16), "3.39e38");
  // 2^64: 1.84e19 is nearer and the value below, 1.85e19 is the value's.
  EXPECT_EQ(formatScalarBits(0x5f80, ScalarType::BF16), "1.85e19");
  EXPECT_EQ(formatScalarBits(0xff800000, ScalarType::F32), "-inf");
  EXPECT_EQ(formatScalarBits(0x7fc00001, ScalarType::F32), "nan");
  EXPECT_EQ(formatScalarBits(0x80, ScalarType::I8), "-128");
  EXPECT_EQ(formatScalarBits(0x80, ScalarType::U8), "128");
  EXPECT_EQ(formatScalarBits(1, ScalarType::Bool), "true");
  for (uint64_t bits = 0; bits != 0x7c00; ++bits)
    ASSERT_EQ(
        parseBits(formatScalarBits(bits, ScalarType::F16), ScalarType::F16),
        Bits{bits});
  for (uint64_t bits = 0; bits != 0x7f80; ++bits)
    ASSERT_EQ(
        parseBits(formatScalarBits(bits, ScalarType::BF16), ScalarType::BF16),
        Bits{bits});
}

std::string summarize(const HostArray &array) {
  std::string text;
  raw_string_ostream stream(text);
  array.printSummary(stream, "y");
  return text;
}

TEST(HostArray, Summary) {
  // XXH3 of no bytes is a constant of its specification.
  EXPECT_EQ(summarize(makeArray(ScalarType::F32, {5, 0})),
            "y: [5, 0]f32 = (empty), checksum 2d06800538d394c2\n");
  HostArray array = makeArray(ScalarType::I32, {3, 3});
  fillIota(array);
  EXPECT_EQ(summarize(array).substr(0, 45),
            "y: [3, 3]i32 = 0 1 2 3 4 5 6 7 ..., checksum ");
  StorageType moments{
      "Moments",
      8,
      4,
      {{"mean", ScalarType::F32, 0}, {"n", ScalarType::U32, 4}}};
  HostArray structs = cantFail(HostArray::create(moments, {1}));
  cantFail(fillConstant(structs, "3"));
  EXPECT_EQ(structs.formatElement(0), "{mean: 3, n: 3}");
  StorageType vector{
      "f32x2", 8, 8, {{"0", ScalarType::F32, 0}, {"1", ScalarType::F32, 4}}};
  HostArray vectors = cantFail(HostArray::create(vector, {1}));
  cantFail(fillConstant(vectors, "0.5"));
  EXPECT_EQ(vectors.formatElement(0), "(0.5, 0.5)");
  StorageType nested{"Nested",
                     7,
                     1,
                     {{"pos[0]", ScalarType::I8, 0},
                      {"pos[1]", ScalarType::I8, 1},
                      {"tags[0].0", ScalarType::I8, 2},
                      {"tags[0].1", ScalarType::I8, 3},
                      {"tags[1].0", ScalarType::I8, 4},
                      {"tags[1].1", ScalarType::I8, 5},
                      {"in.id", ScalarType::I8, 6}}};
  HostArray deep = cantFail(HostArray::create(nested, {1}));
  cantFail(fillConstant(deep, "7"));
  EXPECT_EQ(deep.formatElement(0),
            "{pos: [7, 7], tags: [(7, 7), (7, 7)], in: {id: 7}}");
  // Paths of a damaged bundle.
  StorageType odd{"Odd",
                  4,
                  1,
                  {{"a", ScalarType::I8, 0},
                   {"a", ScalarType::I8, 1},
                   {"", ScalarType::I8, 2},
                   {"a.[", ScalarType::I8, 3}}};
  HostArray damaged = cantFail(HostArray::create(odd, {1}));
  cantFail(fillConstant(damaged, "7"));
  EXPECT_FALSE(damaged.formatElement(0).empty());
}

// The struct's scalars have the bytes 03 and 03 00 00 00.
TEST(HostArray, ChecksumLeavesOutPadding) {
  StorageType padded{
      "P", 8, 4, {{"a", ScalarType::U8, 0}, {"b", ScalarType::U32, 4}}};
  HostArray a = cantFail(HostArray::create(padded, {1}));
  cantFail(fillConstant(a, "3"));
  HostArray b = a;
  b.getBytes()[2] = 99;
  EXPECT_EQ(a.getChecksum(), b.getChecksum());
  HostArray bytes = makeArray(ScalarType::U8, {5});
  bytes.setDenseBytes({3, 3, 0, 0, 0});
  EXPECT_EQ(a.getChecksum(), bytes.getChecksum());
}

TEST(HostArray, ComparesBitsButForNaNs) {
  HostArray a = makeArray(ScalarType::F32, {2, 3});
  HostArray b = makeArray(ScalarType::F32, {2, 3});
  const StorageLeaf &leaf = a.getElement().leaves[0];
  a.setLeaf(1, leaf, 0x7fc00000);
  b.setLeaf(1, leaf, 0xffc12345);
  EXPECT_FALSE(findDifference(a, b).has_value());
  EXPECT_EQ(a.getChecksum(), b.getChecksum());
  b.setLeaf(5, leaf, 0x80000000);
  std::optional<ArrayDifference> difference = findDifference(a, b);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->index, 5u);
  EXPECT_EQ(difference->place, "[1, 2]");
  EXPECT_EQ(difference->lhs, "0 (0x00000000)");
  EXPECT_EQ(difference->rhs, "-0 (0x80000000)");
  EXPECT_NE(a.getChecksum(), b.getChecksum());
  a.setLeaf(0, leaf, 0x7f800000);
  b.setLeaf(0, leaf, 0x7f800001);
  EXPECT_EQ(findDifference(a, b)->rhs, "nan (0x7f800001)");
}

} // namespace
