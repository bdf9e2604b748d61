//===- ImportsTest.cpp - Programs of several files ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sema;

namespace {

/// A folder of files that is removed at the end of each test.
class ImportsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("coll-imports", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string getPath(llvm::StringRef name) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  void write(llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(getPath(name), error);
    ASSERT_FALSE(error);
    os << text;
  }

  /// The text as the file main.coll of the folder.
  Checked check(llvm::StringRef text, SemaOptions options = {}) {
    return Checked(text, std::move(options), "", getPath("main.coll"));
  }

  llvm::SmallString<128> folder;
};

} // namespace

TEST_F(ImportsTest, NamesOfTheFileAreVisible) {
  write("a.coll", "import \"b.coll\";\n"
                  "const WIDTH: u32 = 32;\n"
                  "struct Pair { a: i32, b: i32 }\n"
                  "fn sum(p: Pair) -> i32 { return add2(p.a, p.b); }\n");
  write("b.coll", "fn add2(a: i32, b: i32) -> i32 { return a + b; }\n");
  const char *text = "import \"a.coll\";\n"
                     "kernel k(y: mut [n]i32) workgroup(WIDTH) {\n"
                     "  y[0] = sum(Pair { a: 1, b: 2 });\n"
                     "}\n";
  Checked checked = check(text);
  ASSERT_EQ(checked.messages(), "");
  EXPECT_EQ(checked.kernel("k")->workgroup[0], 32u);
  SemaOptions options;
  options.defines = {{"WIDTH", "64"}};
  EXPECT_EQ(check(text, options).kernel("k")->workgroup[0], 64u);
}

TEST_F(ImportsTest, ImportsOfImportsAreNotVisible) {
  write("a.coll", "import \"b.coll\";\n");
  write("b.coll", "fn hidden() { }\n");
  EXPECT_EQ(check("import \"a.coll\";\n"
                  "kernel k() workgroup(1) { hidden(); }\n")
                .messages(),
            "2: error: unknown function 'hidden'\n");
}

TEST_F(ImportsTest, FilesMayImportEachOther) {
  write("a.coll", "import \"b.coll\";\nfn f(v: i32) -> i32 { return v; }\n");
  write("b.coll", "import \"a.coll\";\nfn g(v: i32) -> i32 { return f(v); }\n");
  EXPECT_EQ(check("import \"b.coll\";\nimport \"a.coll\";\n"
                  "kernel k(y: mut [n]i32) workgroup(1) { y[0] = g(f(1)); }\n")
                .messages(),
            "");
}

TEST_F(ImportsTest, ErrorsOfTheFileAreReportedThere) {
  write("a.coll", "\nfn f() -> i32 { return 1.5; }\n");
  EXPECT_EQ(
      check("import \"a.coll\";\nkernel k() workgroup(1) { }\n").messages(),
      "2: error: expected i32, got f32; write 'as i32' to convert\n");
}

TEST_F(ImportsTest, KernelsOfTheFileAreMadeOnRequestOnly) {
  write("a.coll", "kernel other() workgroup(1) { }\n");
  const char *text = "import \"a.coll\";\nkernel k() workgroup(1) { }\n";
  EXPECT_EQ(check(text).program->getKernels().size(), 1u);
  SemaOptions options;
  options.kernelInstances = {"other"};
  Checked checked = check(text, options);
  ASSERT_EQ(checked.messages(), "");
  EXPECT_TRUE(checked.kernel("other"));
}
