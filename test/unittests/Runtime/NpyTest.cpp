//===- NpyTest.cpp - Reading and writing .npy files -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Npy.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace llvm;

namespace {

const StorageType f32 = StorageType::scalar(ScalarType::F32);
const StorageType i32 = StorageType::scalar(ScalarType::I32);
const StorageType bf16 = StorageType::scalar(ScalarType::BF16);
const StorageType boolean = StorageType::scalar(ScalarType::Bool);
const StorageType f32x2{
    "f32x2", 8, 8, {{"0", ScalarType::F32, 0}, {"1", ScalarType::F32, 4}}};
const StorageType padded{
    "Padded",
    16,
    8,
    {{"tag", ScalarType::U8, 0}, {"value.re", ScalarType::F64, 8}}};

/// A file of version `major` with this header and data.
std::string makeFile(StringRef header, StringRef data, char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  file += static_cast<char>(header.size());
  file += static_cast<char>(header.size() >> 8);
  if (major > 1)
    file += StringRef("\0\0", 2);
  return file + header.str() + data.str();
}

std::string makeHeader(StringRef descr, StringRef shape) {
  return ("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape +
          ", }   \n")
      .str();
}

std::string parseError(StringRef bytes, const StorageType &element) {
  Expected<HostArray> array = parseNpy(bytes, "x.npy", element);
  return array ? "no error" : toString(array.takeError());
}

TEST(Npy, ReadsWhatNumPyWrites) {
  // numpy.save of numpy.array([[1, 2, 3], [4, 5, -6]], dtype='<i4').
  std::string data("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\xfa\xff\xff\xff",
                   24);
  for (char major : {1, 2, 3}) {
    std::string file = makeFile(makeHeader("'<i4'", "(2, 3)"), data, major);
    HostArray array = cantFail(parseNpy(file, "x.npy", i32));
    EXPECT_EQ(array.getTypeName(), "[2, 3]i32");
    EXPECT_EQ(array.formatElement(2), "3");
    EXPECT_EQ(array.formatElement(5), "-6");
  }
}

TEST(Npy, WritesWhatNumPyReads) {
  HostArray array = cantFail(HostArray::create(i32, {2, 3}));
  fillIota(array);
  std::string file = writeNpy(array);
  std::string header =
      "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\1\0", 8));
  EXPECT_EQ(file.substr(8, 2), std::string("\x76\0", 2));
  EXPECT_EQ(file.substr(10, header.size()), header);
  EXPECT_EQ(file[127], '\n');
  EXPECT_EQ(file.size(), 128u + 24);
}

TEST(Npy, ShapesOfAllRanks) {
  for (auto [shape, text] :
       {std::pair<std::vector<int64_t>, StringRef>{{}, "'shape': (), }"},
        {{3}, "'shape': (3,), }"},
        {{0, 4}, "'shape': (0, 4), }"},
        {{1, 2, 3}, "'shape': (1, 2, 3), }"}}) {
    HostArray array = cantFail(HostArray::create(f32, shape));
    fillIota(array);
    std::string file = writeNpy(array);
    EXPECT_TRUE(StringRef(file).contains(text)) << text.str();
    HostArray read = cantFail(parseNpy(file, "x.npy", f32));
    EXPECT_EQ(read.getShape(), ArrayRef(shape));
    EXPECT_FALSE(findDifference(array, read).has_value());
  }
}

TEST(Npy, EveryScalarTypeComesBack) {
  for (unsigned i = 0; i != numScalarTypes; ++i) {
    StorageType element = StorageType::scalar(static_cast<ScalarType>(i));
    HostArray array = cantFail(HostArray::create(element, {9}));
    fillRandom(array, i);
    HostArray read = cantFail(parseNpy(writeNpy(array), "x.npy", element));
    EXPECT_FALSE(findDifference(array, read).has_value()) << element.name;
  }
}

TEST(Npy, VectorsAreOneDimensionMore) {
  HostArray array = cantFail(HostArray::create(f32x2, {3}));
  fillRandom(array, 1);
  std::string file = writeNpy(array);
  EXPECT_TRUE(StringRef(file).contains("'descr': '<f4'"));
  EXPECT_TRUE(StringRef(file).contains("'shape': (3, 2)"));
  HostArray read = cantFail(parseNpy(file, "x.npy", f32x2));
  EXPECT_EQ(read.getTypeName(), "[3]f32x2");
  EXPECT_FALSE(findDifference(array, read).has_value());
  EXPECT_EQ(parseError(makeFile(makeHeader("'<f4'", "(2, 3)"), ""), f32x2),
            "x.npy: the last dimension of an array of f32x2 must be 2");
}

TEST(Npy, StructsAreStructuredTypes) {
  HostArray array = cantFail(HostArray::create(padded, {2}));
  fillRandom(array, 1);
  std::string file = writeNpy(array);
  EXPECT_TRUE(StringRef(file).contains(
      "'descr': [('tag','|u1'),('','|V7'),('value.re','<f8')], "));
  HostArray read = cantFail(parseNpy(file, "x.npy", padded));
  EXPECT_FALSE(findDifference(array, read).has_value());
  // As NumPy spaces it.
  std::string spaced = makeHeader(
      "[('tag', '|u1'), ('', '|V7'), (\"value.re\", '<f8')]", "(0,)");
  EXPECT_EQ(parseError(makeFile(spaced, ""), padded), "no error");
}

TEST(Npy, BF16IsTwoOpaqueBytes) {
  for (StringRef descr : {"'<V2'", "'|V2'", "'<u2'"}) {
    std::string file =
        makeFile(makeHeader(descr, "(1,)"), StringRef("\x80\x3f", 2));
    EXPECT_EQ(cantFail(parseNpy(file, "x.npy", bf16)).formatElement(0), "1");
  }
}

TEST(Npy, RefusesOtherTypes) {
  EXPECT_EQ(parseError(makeFile(makeHeader("'<f8'", "(1,)"), "12345678"), f32),
            "x.npy: expected elements of type f32, which are '<f4' in a .npy "
            "file, got '<f8'");
  EXPECT_EQ(parseError(makeFile(makeHeader("'>f4'", "(1,)"), "1234"), f32),
            "x.npy: expected elements of type f32, which are '<f4' in a .npy "
            "file, got '>f4'; this is big-endian, save "
            "a.astype(a.dtype.newbyteorder('<'))");
  EXPECT_EQ(parseError(makeFile("{'descr': '<f4', 'fortran_order': True, "
                                "'shape': (1,)}",
                                "1234"),
                       f32),
            "x.npy: byte 44: the array is in Fortran order; save "
            "numpy.ascontiguousarray(a)");
  EXPECT_EQ(
      parseError(makeFile(makeHeader("'|b1'", "(3,)"), StringRef("\0\1\2", 3)),
                 boolean),
      "x.npy: element 2 is the byte 2, which is no bool");
}

TEST(Npy, SaysWhatIsMalformed) {
  auto error = [](StringRef header) {
    return parseError(makeFile(header, ""), f32);
  };
  EXPECT_EQ(parseError("", f32), "x.npy: this is no .npy file: it does not "
                                 "start with \\x93NUMPY");
  EXPECT_EQ(parseError("\x93NUMPY\1", f32),
            "x.npy: the header is cut off: it has 10 bytes, the file 7");
  EXPECT_EQ(parseError(StringRef("\x93NUMPY\4\0\0\0\0\0", 12), f32),
            "x.npy: unknown .npy version 4, expected 1, 2 or 3");
  EXPECT_EQ(parseError(StringRef("\x93NUMPY\1\0\xff\xff{}", 12), f32),
            "x.npy: the header is cut off: it has 65545 bytes, the file 12");
  EXPECT_EQ(error("[]"), "x.npy: byte 10: expected '{'");
  EXPECT_EQ(error("{}"), "x.npy: byte 12: the header has no 'descr'");
  EXPECT_EQ(error("{'descr': 4}"),
            "x.npy: byte 20: expected a string in quotes");
  EXPECT_EQ(error("{'descr"), "x.npy: byte 11: the string does not end");
  EXPECT_EQ(error("{'a': 4}"), "x.npy: byte 14: unknown key 'a'");
  EXPECT_EQ(error("{'descr': [[[("),
            "x.npy: byte 24: the list of fields does not end");
  EXPECT_EQ(error("{'shape': (1, -2)}"),
            "x.npy: byte 24: expected an extent of at most 63 bits");
  EXPECT_EQ(error("{'shape': (9223372036854775808,)}"),
            "x.npy: byte 21: expected an extent of at most 63 bits");
  EXPECT_EQ(error("{'shape': (1 2)}"), "x.npy: byte 23: expected ',' or ')'");
  EXPECT_EQ(error("{'shape': (1,), 'shape': (1,)}"),
            "x.npy: byte 33: the key 'shape' is there twice");
}

TEST(Npy, DataMustBeAsLongAsTheShapeSays) {
  std::string header = makeHeader("'<f4'", "(2, 3)");
  EXPECT_EQ(parseError(makeFile(header, "1234"), f32),
            "x.npy: the data of [2, 3]f32 takes 24 bytes, the file has 4 after "
            "its header");
  EXPECT_EQ(parseError(makeFile(header, std::string(25, '1')), f32),
            "x.npy: the data of [2, 3]f32 takes 24 bytes, the file has 25 "
            "after its header");
  std::string huge = makeHeader("'<f4'", "(4611686018427387904, 4)");
  EXPECT_EQ(parseError(makeFile(huge, ""), f32),
            "x.npy: the data of [4611686018427387904, 4]f32 takes "
            "18446744073709551615 bytes, the file has 0 after its header");
}

TEST(Npy, NoPrefixAndNoFlippedByteCrashes) {
  HostArray array = cantFail(HostArray::create(padded, {2, 1}));
  std::string file = writeNpy(array);
  for (size_t size = 0; size != file.size(); ++size)
    EXPECT_NE(parseError(StringRef(file).take_front(size), padded), "no error");
  for (size_t i = 0; i != file.size(); ++i)
    for (char c : {'\0', '(', '[', '\'', '9', '\xff'}) {
      std::string damaged = file;
      damaged[i] = c;
      parseError(damaged, padded);
    }
}

TEST(Npy, FilesOnDisk) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("coll", "npy", path));
  FileRemover remover(path);
  HostArray array = cantFail(HostArray::create(f32, {5}));
  fillRandom(array, 3);
  cantFail(writeNpyFile(path, array));
  HostArray read = cantFail(readNpyFile(path, f32));
  EXPECT_FALSE(findDifference(array, read).has_value());
  EXPECT_EQ(cantFail(readRawFile(path, i32)).getCount(), (128u + 20) / 4);
  StorageType f64 = StorageType::scalar(ScalarType::F64);
  EXPECT_EQ(
      toString(readRawFile(path, f64).takeError()),
      (path + ": 148 bytes are no whole number of f64 (8 bytes each)").str());
  EXPECT_EQ(toString(readNpyFile("/nowhere/x.npy", f32).takeError()),
            "cannot read '/nowhere/x.npy': No such file or directory");
  EXPECT_EQ(toString(writeNpyFile("/nowhere/x.npy", array)),
            "cannot write '/nowhere/x.npy': No such file or directory");
  EXPECT_EQ(toString(readNpyFile("/", f32).takeError()),
            "cannot read '/': Is a directory");
}

} // namespace
