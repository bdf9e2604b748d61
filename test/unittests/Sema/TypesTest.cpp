//===- TypesTest.cpp - Interning, layout, leaves --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Sema/Type.h"
#include "gtest/gtest.h"

using namespace coll::sema;

TEST(TypesTest, EqualTypesAreOneObject) {
  TypeContext types;
  EXPECT_EQ(types.getVector(ScalarKind::F32, 4),
            types.getVector(ScalarKind::F32, 4));
  EXPECT_EQ(types.getArray(types.getI32(), 3),
            types.getArray(types.getI32(), 3));
  EXPECT_NE(types.getArray(types.getI32(), 3),
            types.getArray(types.getI32(), 4));
  EXPECT_EQ(types.getTuple({types.getI32(), types.getBool()}),
            types.getTuple({types.getI32(), types.getBool()}));
  Extent n;
  n.symbol = "n";
  EXPECT_EQ(types.getView(types.getI32(), {n}, true, false),
            types.getView(types.getI32(), {n}, true, false));
  EXPECT_NE(types.getView(types.getI32(), {n}, true, false),
            types.getView(types.getI32(), {n}, false, false));
}

TEST(TypesTest, EveryStructDeclarationIsAType) {
  TypeContext types;
  EXPECT_NE(types.createStruct("S", {{"a", types.getI32()}}),
            types.createStruct("S", {{"a", types.getI32()}}));
}

TEST(TypesTest, StructsHaveTheLayoutOfC) {
  // struct { bool a; double b; short c; };
  TypeContext types;
  const Type *type =
      types.createStruct("S", {{"a", types.getBool()},
                               {"b", types.getScalar(ScalarKind::F64)},
                               {"c", types.getScalar(ScalarKind::I16)}});
  EXPECT_EQ(type->getSize(), 24u);
  EXPECT_EQ(type->getAlignment(), 8u);
  EXPECT_TRUE(type->hasPadding());
  ASSERT_EQ(type->getFields().size(), 3u);
  EXPECT_EQ(type->getFields()[1].offset, 8u);
  EXPECT_EQ(type->getFields()[2].offset, 16u);
  EXPECT_EQ(type->getFields()[2].firstLeaf, 2u);
}

TEST(TypesTest, LeavesAreDepthFirst) {
  TypeContext types;
  const Type *pair =
      types.getTuple({types.getI32(), types.getVector(ScalarKind::F32, 2)});
  const Type *array = types.getArray(pair, 2);
  ASSERT_EQ(array->getLeaves().size(), 4u);
  EXPECT_EQ(array->getSize(), 32u);
  EXPECT_EQ(array->getLeaves()[0].type, types.getI32());
  EXPECT_EQ(array->getLeaves()[1].type, types.getVector(ScalarKind::F32, 2));
  EXPECT_EQ(array->getLeaves()[1].offset, 8u);
  EXPECT_EQ(array->getLeaves()[3].offset, 24u);
  EXPECT_TRUE(array->hasPadding());
}

TEST(TypesTest, TooLargeArraysAreRefused) {
  TypeContext types;
  EXPECT_EQ(types.getArray(types.getI64(), uint64_t(1) << 40), nullptr);
  const Type *mega = types.getArray(types.getScalar(ScalarKind::U8), 1 << 20);
  ASSERT_NE(mega, nullptr);
  EXPECT_EQ(types.getArray(mega, 2), nullptr);
  const Type *empty = types.getArray(types.getI64(), 0);
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(empty->getSize(), 0u);
}

TEST(TypesTest, TypesPrintAsTheyAreWritten) {
  TypeContext types;
  const Type *f32 = types.getScalar(ScalarKind::F32);
  EXPECT_EQ(types.getArray(types.getArray(f32, 4), 2)->str(), "[[f32; 4]; 2]");
  EXPECT_EQ(types.getTuple({types.getI32(), types.getBool()})->str(),
            "(i32, bool)");
  EXPECT_EQ(types.getVector(ScalarKind::BF16, 8)->str(), "bf16x8");
  Extent rows;
  rows.symbol = "rows";
  Extent four;
  four.constant = 4;
  EXPECT_EQ(types.getView(f32, {rows, four}, true, false)->str(),
            "mut [rows, 4]f32");
  EXPECT_EQ(types.getView(f32, {Extent()}, false, true)->str(),
            "shared [?]f32");
}
