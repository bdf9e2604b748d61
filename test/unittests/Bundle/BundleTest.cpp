//===- BundleTest.cpp - The bundle's file and what it refuses -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Bundle/Bundle.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace llvm;

namespace {

LaunchExpr expr(StringRef text) { return cantFail(LaunchExpr::parse(text)); }

/// A kernel with every kind of parameter, and two images.
Bundle makeBundle() {
  KernelManifest kernel;
  kernel.name = "stats<8>";
  kernel.extents = {"rows", "cols"};
  kernel.pitches = {"ld"};
  ParamManifest x{"x",
                  ParamKind::View,
                  StorageType::scalar(ScalarType::F32),
                  ParamAccess::Read,
                  {ViewDim::makeExtent(0), ViewDim::makeExtent(1)},
                  0};
  StorageType moments{"Moments",
                      12,
                      4,
                      {{"mean", ScalarType::F32, 0},
                       {"m2", ScalarType::F32, 4},
                       {"n", ScalarType::U32, 8}}};
  ParamManifest y{"y",
                  ParamKind::View,
                  moments,
                  ParamAccess::Mut,
                  {ViewDim::makeExtent(0), ViewDim::makeConstant(4)},
                  {}};
  ParamManifest k{"k",
                  ParamKind::Scalar,
                  StorageType::scalar(ScalarType::I32),
                  ParamAccess::Read,
                  {},
                  {}};
  kernel.params = {x, y, k};
  kernel.workgroup = {256, 2, 1};
  kernel.grid = {expr("rows"), expr("(ceil_div cols k)")};
  kernel.dynamicShared = expr("(* 4 cols)");
  Bundle bundle;
  bundle.kernels = {kernel};
  bundle.images = {{"sm_90",
                    ImageKind::PTX,
                    "ptx 7.8",
                    {{"stats<8>", "stats_8", 128}},
                    std::string("// text\0with zero", 17)},
                   {"gfx1100:64",
                    ImageKind::HSACO,
                    "code object 5",
                    {{"stats<8>", "stats_8", 64}},
                    "\x7f"
                    "ELF"}};
  ImageEntry &entry = bundle.images[0].entries[0];
  entry.cooperative = true;
  entry.workspace = expr("(+ 128 (* grid.count (* 8 cols)))");
  entry.cluster = {4, 2, 1};
  entry.launchSharedBytes = 60016;
  return bundle;
}

std::string parseError(StringRef bytes) {
  Expected<Bundle> bundle = Bundle::parse(bytes);
  return bundle ? "no error" : toString(bundle.takeError());
}

/// A file with this manifest, a right checksum and no images.
std::string makeFile(StringRef manifest) {
  std::string file = "COLLBNDL" + std::string(16, '\0') + manifest.str();
  support::endian::write32le(&file[8], 1);
  support::endian::write32le(&file[12], manifest.size());
  support::endian::write64le(&file[16],
                             xxh3_64bits(StringRef(file).substr(24)));
  return file;
}

TEST(Bundle, ComesBackFromItsFile) {
  Bundle bundle = makeBundle();
  std::string file = cantFail(bundle.serialize());
  EXPECT_EQ(file, cantFail(bundle.serialize()));
  Bundle read = cantFail(Bundle::parse(file));
  EXPECT_TRUE(read == bundle);
  EXPECT_EQ(file, cantFail(read.serialize()));
  ASSERT_NE(read.findKernel("stats<8>"), nullptr);
  EXPECT_EQ(read.findKernel("stats"), nullptr);
  ASSERT_NE(read.findImage("gfx1100:64"), nullptr);
  const ImageEntry *entry = read.findImage("gfx1100:64")->findEntry("stats<8>");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->staticSharedBytes, 64u);
}

TEST(Bundle, EntriesOfImagesAreChecked) {
  Bundle bundle = makeBundle();
  bundle.images[0].entries[0].cluster = {2, 0, 1};
  EXPECT_EQ(toString(bundle.verify()),
            "the cluster of entry 'stats<8>' of image 'sm_90' has a 0 in it");
  bundle = makeBundle();
  bundle.images[0].entries[0].workspace = expr("(* grid.count depth)");
  EXPECT_EQ(toString(bundle.verify()),
            "launch expression '(* grid.count depth)' of kernel 'stats<8>' "
            "uses 'depth', which is no extent, pitch or integer parameter");
  bundle = makeBundle();
  bundle.kernels[0].dynamicShared = expr("(* grid.count 4)");
  EXPECT_EQ(toString(bundle.verify()),
            "launch expression '(* grid.count 4)' of kernel 'stats<8>' uses "
            "'grid.count', which is no extent, pitch or integer parameter");
}

TEST(Bundle, EmptyBundleIsValid) {
  std::string file = cantFail(Bundle().serialize());
  EXPECT_TRUE(cantFail(Bundle::parse(file)) == Bundle());
}

TEST(Bundle, EveryPrefixIsRefused) {
  std::string file = cantFail(makeBundle().serialize());
  for (size_t size = 0; size != file.size(); ++size)
    EXPECT_NE(parseError(StringRef(file).take_front(size)), "no error");
}

TEST(Bundle, EveryFlippedByteIsRefused) {
  std::string file = cantFail(makeBundle().serialize());
  for (size_t i = 0; i != file.size(); ++i) {
    std::string damaged = file;
    damaged[i] ^= 0x20;
    EXPECT_NE(parseError(damaged), "no error") << "byte " << i;
  }
}

TEST(Bundle, DamagedManifestWithRightChecksumNeverCrashes) {
  std::string file = cantFail(makeBundle().serialize());
  for (size_t i = 12; i != file.size(); ++i)
    for (char c : {'\0', '"', '}', '9', '\xff'}) {
      std::string damaged = file;
      damaged[i] = c;
      support::endian::write64le(&damaged[16],
                                 xxh3_64bits(StringRef(damaged).substr(24)));
      Expected<Bundle> bundle = Bundle::parse(damaged);
      if (!bundle)
        consumeError(bundle.takeError());
    }
}

TEST(Bundle, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(parseError("ELF"),
            "not a valid bundle: it does not start with 'COLLBNDL'");
  EXPECT_EQ(parseError("COLLBNDLxx"),
            "not a valid bundle: the header is cut off after 10 of 24 bytes");
  std::string file = cantFail(makeBundle().serialize());
  std::string newer = file;
  newer[8] = 2;
  EXPECT_EQ(parseError(newer),
            "not a valid bundle: format version 2, expected 1");
  std::string damaged = file;
  damaged.back() ^= 1;
  EXPECT_EQ(parseError(damaged), "not a valid bundle: the checksum does not "
                                 "match; the file is damaged");
  EXPECT_EQ(parseError(makeFile(std::string(100000, '['))),
            "not a valid bundle: the manifest nests too deeply");
  EXPECT_EQ(parseError(makeFile("{\"kernels\": []}")),
            "not a valid bundle: missing value at manifest.images");
  EXPECT_EQ(parseError(makeFile(
                "{\"kernels\": [], \"images\": [{\"target\": \"sm_90\", "
                "\"kind\": \"ptx\", \"isa\": \"\", \"offset\": 1, \"size\": "
                "18446744073709551615, \"entries\": []}]}")),
            "not a valid bundle: image 'sm_90' of 18446744073709551615 bytes "
            "at 1 is outside the file's 0");
}

std::string verifyError(void (*damage)(Bundle &)) {
  Bundle bundle = makeBundle();
  damage(bundle);
  return toString(bundle.verify());
}

TEST(Bundle, VerifyNamesTheFault) {
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels.push_back(b.kernels[0]); }),
            "a kernel 'stats<8>' is there twice");
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels[0].params[1].name = "x"; }),
            "a parameter of kernel 'stats<8>' 'x' is there twice");
  EXPECT_EQ(
      verifyError([](Bundle &b) { b.kernels[0].params[0].dims[1].extent = 2; }),
      "parameter 'x' of kernel 'stats<8>': extent 2 of 2");
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels[0].params[0].pitch = 1; }),
            "parameter 'x' of kernel 'stats<8>': pitch 1 of 1");
  EXPECT_EQ(verifyError([](Bundle &b) {
              b.kernels[0].params[1].element.leaves[2].offset = 9;
            }),
            "parameter 'y' of kernel 'stats<8>': leaf 'n' at offset 9 is "
            "outside the element or overlaps another");
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels[0].workgroup[2] = 0; }),
            "the workgroup of kernel 'stats<8>' has a 0 in it");
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels[0].grid[0] = expr("x"); }),
            "launch expression 'x' of kernel 'stats<8>' uses 'x', which is no "
            "extent, pitch or integer parameter");
  EXPECT_EQ(verifyError([](Bundle &b) { b.images[0].entries[0].kernel = "k"; }),
            "entry 'k' of image 'sm_90' has no manifest");
  EXPECT_EQ(verifyError([](Bundle &b) { b.kernels[0].name = "\xff"; }),
            "a kernel has a name that is not UTF-8");
}

TEST(Bundle, ScalarTypeTable) {
  unsigned sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  for (unsigned i = 0; i != numScalarTypes; ++i) {
    ScalarType type = static_cast<ScalarType>(i);
    EXPECT_EQ(parseScalarType(getScalarTypeName(type)), type);
    EXPECT_EQ(getScalarTypeSize(type), sizes[i]);
    EXPECT_EQ(StorageType::scalar(type).getScalar(), type);
  }
  EXPECT_EQ(parseScalarType("f8"), std::nullopt);
  EXPECT_TRUE(isFloatType(ScalarType::BF16));
  EXPECT_FALSE(isFloatType(ScalarType::U64));
  EXPECT_TRUE(isSignedIntegerType(ScalarType::I8));
  EXPECT_FALSE(isSignedIntegerType(ScalarType::Bool));
}

} // namespace
