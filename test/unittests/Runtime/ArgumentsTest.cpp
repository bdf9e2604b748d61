//===- ArgumentsTest.cpp - From the command line to a launch --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Arguments.h"
#include "coll/Runtime/Npy.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace llvm;

namespace {

ParamManifest makeView(StringRef name, ScalarType type, ParamAccess access,
                       std::vector<ViewDim> dims) {
  return {name.str(), ParamKind::View, StorageType::scalar(type),
          access,     std::move(dims), std::nullopt};
}

/// kernel scale(x: [rows, cols]f32, y: mut [rows, cols]f32, k: i32)
///   workgroup(256) grid(rows, ceil_div(cols, 256))
KernelManifest makeKernel() {
  KernelManifest kernel;
  kernel.name = "scale";
  kernel.extents = {"rows", "cols"};
  std::vector<ViewDim> dims = {ViewDim::makeExtent(0), ViewDim::makeExtent(1)};
  kernel.params = {makeView("x", ScalarType::F32, ParamAccess::Read, dims),
                   makeView("y", ScalarType::F32, ParamAccess::Mut, dims),
                   {"k",
                    ParamKind::Scalar,
                    StorageType::scalar(ScalarType::I32),
                    ParamAccess::Read,
                    {},
                    std::nullopt}};
  kernel.workgroup = {256, 1, 1};
  kernel.grid = {cantFail(LaunchExpr::parse("rows")),
                 cantFail(LaunchExpr::parse("(ceil_div cols 256)"))};
  kernel.dynamicShared = cantFail(LaunchExpr::parse("(* k 4)"));
  return kernel;
}

using Values = std::vector<NamedValue>;

std::string bindError(const KernelManifest &kernel, const Values &values,
                      const Values &extents) {
  Expected<BoundArguments> bound = bindArguments(kernel, values, extents);
  return bound ? "no error" : toString(bound.takeError());
}

/// A file that goes away at the end of the test.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix, StringRef content)
      : path(create(suffix)), remover(path) {
    std::error_code code;
    raw_fd_ostream(path, code) << content;
  }
  std::string getPath() const { return std::string(path); }

private:
  static SmallString<128> create(StringRef suffix) {
    SmallString<128> path;
    sys::fs::createTemporaryFile("coll", suffix, path);
    return path;
  }
  SmallString<128> path;
  FileRemover remover;
};

std::string makeNpy(ArrayRef<int64_t> shape) {
  HostArray array =
      cantFail(HostArray::create(StorageType::scalar(ScalarType::F32), shape));
  fillIota(array);
  return writeNpy(array);
}

TEST(Arguments, ExtentsGiveShapes) {
  KernelManifest kernel = makeKernel();
  BoundArguments bound = cantFail(bindArguments(
      kernel, {{"x", "iota"}, {"k", "-3"}}, {{"rows", "2"}, {"cols", "300"}}));
  EXPECT_EQ(bound.extents, (std::vector<int64_t>{2, 300}));
  ASSERT_TRUE(bound.args[0].array && bound.args[1].array);
  EXPECT_EQ(bound.args[0].array->getTypeName(), "[2, 300]f32");
  EXPECT_EQ(bound.args[0].array->formatElement(301), "301");
  EXPECT_EQ(bound.args[1].array->formatElement(301), "0");
  EXPECT_EQ(bound.args[2].scalarBits, 0xfffffffdu);
  StringMap<int64_t> values = getLaunchValues(kernel, bound);
  EXPECT_EQ(values.lookup("rows"), 2);
  EXPECT_EQ(values.lookup("k"), -3);
}

TEST(Arguments, FilesGiveExtents) {
  TemporaryFile x("npy", makeNpy({3, 5}));
  BoundArguments bound = cantFail(
      bindArguments(makeKernel(), {{"x", "@" + x.getPath()}, {"k", "1"}}, {}));
  EXPECT_EQ(bound.extents, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(bound.args[0].array->formatElement(14), "14");
  EXPECT_EQ(bound.args[1].array->getTypeName(), "[3, 5]f32");
}

TEST(Arguments, RawFilesGiveTheMissingExtent) {
  TemporaryFile x("raw", std::string(4 * 12, '\0'));
  std::string value = "@" + x.getPath() + ":f32";
  BoundArguments bound = cantFail(
      bindArguments(makeKernel(), {{"x", value}, {"k", "1"}}, {{"rows", "3"}}));
  EXPECT_EQ(bound.extents, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(bindError(makeKernel(), {{"x", value}, {"k", "1"}}, {}),
            "parameter 'x': raw data has no shape: give --extent rows=... or "
            "--extent cols=...");
  EXPECT_EQ(
      bindError(makeKernel(), {{"x", value}, {"k", "1"}}, {{"rows", "5"}}),
      "parameter 'x': the file '" + x.getPath() +
          "' has 12 elements, which are no whole number of 5");
  EXPECT_EQ(bindError(makeKernel(), {{"x", value}, {"k", "1"}},
                      {{"rows", "5"}, {"cols", "2"}}),
            "parameter 'x': its extents ask for 10 elements, the file '" +
                x.getPath() + "' has 12");
  EXPECT_EQ(bindError(makeKernel(),
                      {{"x", "@" + x.getPath() + ":u8"}, {"k", "1"}}, {}),
            "parameter 'x': raw data of type u8 for elements of type f32");
}

TEST(Arguments, ExtentsAreCheckedAgainstEachOther) {
  TemporaryFile x("npy", makeNpy({3, 5})), y("npy", makeNpy({3, 4}));
  EXPECT_EQ(
      bindError(
          makeKernel(),
          {{"x", "@" + x.getPath()}, {"y", "@" + y.getPath()}, {"k", "1"}}, {}),
      "extent 'cols' is 5 from 'x' but 4 from 'y'");
  EXPECT_EQ(bindError(makeKernel(), {{"x", "@" + x.getPath()}, {"k", "1"}},
                      {{"rows", "4"}}),
            "extent 'rows' is 4 from --extent but 3 from 'x'");
  TemporaryFile flat("npy", makeNpy({15}));
  EXPECT_EQ(
      bindError(makeKernel(), {{"x", "@" + flat.getPath()}, {"k", "1"}}, {}),
      "parameter 'x': expected 2 dimensions, got the shape [15]");
  KernelManifest kernel = makeKernel();
  kernel.params[0].dims[1] = ViewDim::makeConstant(4);
  EXPECT_EQ(bindError(kernel, {{"x", "@" + x.getPath()}, {"k", "1"}}, {}),
            "parameter 'x': expected the extent 4, got the shape [3, 5]");
}

TEST(Arguments, SayWhatIsMissingOrUnknown) {
  KernelManifest kernel = makeKernel();
  EXPECT_EQ(bindError(kernel, {{"x", "iota"}, {"k", "1"}}, {{"rows", "2"}}),
            "extent 'cols' of kernel 'scale' has no value: give --extent "
            "cols=..., or a file whose shape has it");
  EXPECT_EQ(bindError(kernel, {{"x", "iota"}}, {}),
            "parameter 'k': it needs a value: --arg k=...");
  EXPECT_EQ(bindError(kernel, {}, {}),
            "parameters of kernel 'scale' need values: --arg x=... --arg "
            "k=...");
  EXPECT_EQ(bindError(kernel, {{"x", "iota"}, {"k", "1"}}, {}),
            "extents 'rows', 'cols' of kernel 'scale' have no values: give "
            "--extent rows=... --extent cols=..., or files whose shapes have "
            "them");
  EXPECT_EQ(bindError(kernel, {{"z", "iota"}}, {}),
            "kernel 'scale' has no parameter 'z'");
  EXPECT_EQ(bindError(kernel, {}, {{"col", "4"}}),
            "kernel 'scale' has no extent 'col'; did you mean 'cols'?");
  EXPECT_EQ(bindError(kernel, {{"k", "1"}, {"k", "1"}}, {}),
            "parameter 'k': it is given twice");
}

TEST(Arguments, RefuseBadValues) {
  KernelManifest kernel = makeKernel();
  auto error = [&](StringRef value) {
    return bindError(kernel, {{"x", value.str()}, {"k", "1"}},
                     {{"rows", "2"}, {"cols", "2"}});
  };
  EXPECT_EQ(error("random(1)"), "no error");
  EXPECT_EQ(error("full( -1e3 )"), "no error");
  EXPECT_EQ(error("1"),
            "parameter 'x': expected @FILE.npy, @FILE:TYPE, iota, zeros, "
            "full(VALUE) or random(SEED), got '1'");
  EXPECT_EQ(error("full(x)"),
            "parameter 'x': expected a value of type f32, got 'x'");
  EXPECT_EQ(error("random(-1)"),
            "parameter 'x': expected an unsigned 64-bit seed, got '-1'");
  EXPECT_EQ(error("@data.bin"),
            "parameter 'x': '@data.bin' names no type: expected @FILE.npy, or "
            "@FILE:TYPE for raw data such as @FILE:u8");
  EXPECT_EQ(error("@/nowhere.npy"),
            "parameter 'x': cannot read '/nowhere.npy': No such file or "
            "directory");
  EXPECT_EQ(bindError(kernel, {}, {{"rows", "-1"}}),
            "--extent rows expects a number from 0 up, got '-1'");
  EXPECT_EQ(bindError(kernel, {{"x", "zeros"}, {"k", "4294967296"}}, {}),
            "parameter 'k': the value 4294967296 is out of range for i32");
  EXPECT_EQ(toString(NamedValue::parse("x", "--arg").takeError()),
            "--arg expects NAME=VALUE, got 'x'");
  EXPECT_EQ(cantFail(NamedValue::parse("x=a=b", "--arg")).value, "a=b");
}

TEST(Arguments, PitchIsThatOfDenseRowsUnlessGiven) {
  KernelManifest kernel = makeKernel();
  kernel.pitches = {"ld"};
  kernel.params[0].pitch = 0;
  Values values = {{"x", "iota"}, {"k", "1"}};
  BoundArguments dense =
      cantFail(bindArguments(kernel, values, {{"rows", "2"}, {"cols", "3"}}));
  EXPECT_EQ(dense.pitches, std::vector<int64_t>{3});
  BoundArguments wide = cantFail(bindArguments(
      kernel, values, {{"rows", "2"}, {"cols", "3"}, {"ld", "4"}}));
  EXPECT_EQ(wide.pitches, std::vector<int64_t>{4});
  EXPECT_EQ(wide.args[0].array->getBytes().size(), 4u * 8);
  EXPECT_FALSE(
      findDifference(*dense.args[0].array, *wide.args[0].array).has_value());
  EXPECT_EQ(
      bindError(kernel, values, {{"rows", "2"}, {"cols", "3"}, {"ld", "2"}}),
      "parameter 'x': the pitch 2 is less than a row of 3");
}

TEST(Launch, EvaluatesTheGrid) {
  KernelManifest kernel = makeKernel();
  BoundArguments bound = cantFail(bindArguments(
      kernel, {{"x", "iota"}, {"k", "10"}}, {{"rows", "2"}, {"cols", "300"}}));
  LaunchConfig config = cantFail(makeLaunchConfig(kernel, bound));
  EXPECT_EQ(config.grid, (std::array<uint64_t, 3>{2, 2, 1}));
  EXPECT_EQ(config.block, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(config.dynamicSharedBytes, 40u);
  config =
      cantFail(makeLaunchConfig(kernel, bound, cantFail(parseGrid("7,1,3"))));
  EXPECT_EQ(config.grid, (std::array<uint64_t, 3>{7, 1, 3}));
  kernel.grid[0] = cantFail(LaunchExpr::parse("(- 0 k)"));
  EXPECT_EQ(toString(makeLaunchConfig(kernel, bound).takeError()),
            "the grid of kernel 'scale', '0 - k', is -10 where k is 10");
  kernel.grid.clear();
  EXPECT_EQ(toString(makeLaunchConfig(kernel, bound).takeError()),
            "kernel 'scale' has no grid clause: give --grid=X,Y,Z");
  for (StringRef text : {"", "1,", "1,2,3,4", "-1", "a"})
    EXPECT_EQ(toString(parseGrid(text).takeError()),
              ("expected a grid such as 4 or 4,2,1, got '" + text + "'").str());
}

TEST(Launch, DescribesTheFirstDifference) {
  KernelManifest kernel = makeKernel();
  BoundArguments a = cantFail(bindArguments(kernel, {{"x", "iota"}, {"k", "1"}},
                                            {{"rows", "2"}, {"cols", "3"}}));
  BoundArguments b = a;
  EXPECT_EQ(describeDifference(kernel, a, "cuda:0", b, "reference:32"),
            std::nullopt);
  // Inputs are not compared.
  fillRandom(*b.args[0].array, 1);
  EXPECT_EQ(describeDifference(kernel, a, "cuda:0", b, "reference:32"),
            std::nullopt);
  HostArray &y = *b.args[1].array;
  y.setLeaf(4, y.getElement().leaves[0], 0x3fc00000);
  EXPECT_EQ(describeDifference(kernel, a, "cuda:0", b, "reference:32"),
            "'y[1, 1]' is 0 (0x00000000) on cuda:0 and 1.5 (0x3fc00000) on "
            "reference:32");
}

} // namespace
