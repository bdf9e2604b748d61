//===- VectorCompare.cpp - v_cmp and v_cmpx -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result is a bit a lane; inactive lanes get 0. v_cmpx writes EXEC as well.
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"
#include "VectorOps.h"

using namespace coll::sim;

static constexpr ValueKind B16 = ValueKind::B16, B32 = ValueKind::B32,
                           B64 = ValueKind::B64, H = ValueKind::F16,
                           S = ValueKind::F32, D = ValueKind::F64;

/// A set of orderings: a comparison holds if it has the operands' one.
enum : unsigned { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

template <class F, unsigned holds> static void compare(Lane &l) {
  Ordering ordering = compareFloat<F>(l.a, l.b, l.mode<F>());
  l.flag = (holds >> static_cast<unsigned>(ordering)) & 1;
}

template <class T, unsigned holds> static void compareInt(Lane &l) {
  T a = static_cast<T>(l.a), b = static_cast<T>(l.b);
  l.flag = holds & (a < b ? Less : a > b ? Greater : Equal);
}

template <class F> static void isClass(Lane &l) {
  l.flag = isOfClass<F>(l.a, static_cast<uint32_t>(l.b));
}

#define ROW(CONDITION, TYPE, KIND, SECOND, FUNCTION)                           \
  {"v_cmp_" CONDITION "_" TYPE, ValueKind::Mask, {KIND, SECOND}, FUNCTION}, {  \
    "v_cmpx_" CONDITION "_" TYPE, ValueKind::Mask, {KIND, SECOND}, FUNCTION,   \
        WritesExec                                                             \
  }
#define FLOAT_ROW(CONDITION, TYPE, F, KIND, HOLDS)                             \
  ROW(CONDITION, TYPE, KIND, KIND, (compare<F, HOLDS>))
#define INT_ROW(CONDITION, TYPE, T, KIND, HOLDS)                               \
  ROW(CONDITION, TYPE, KIND, KIND, (compareInt<T, HOLDS>))

#define FLOAT(TYPE, F, KIND, CLASSES)                                          \
  FLOAT_ROW("f", TYPE, F, KIND, 0), FLOAT_ROW("lt", TYPE, F, KIND, Less),      \
      FLOAT_ROW("eq", TYPE, F, KIND, Equal),                                   \
      FLOAT_ROW("le", TYPE, F, KIND, Less | Equal),                            \
      FLOAT_ROW("gt", TYPE, F, KIND, Greater),                                 \
      FLOAT_ROW("lg", TYPE, F, KIND, Less | Greater),                          \
      FLOAT_ROW("ge", TYPE, F, KIND, Greater | Equal),                         \
      FLOAT_ROW("o", TYPE, F, KIND, Less | Equal | Greater),                   \
      FLOAT_ROW("u", TYPE, F, KIND, Unordered),                                \
      FLOAT_ROW("nge", TYPE, F, KIND, Less | Unordered),                       \
      FLOAT_ROW("nlg", TYPE, F, KIND, Equal | Unordered),                      \
      FLOAT_ROW("ngt", TYPE, F, KIND, Less | Equal | Unordered),               \
      FLOAT_ROW("nle", TYPE, F, KIND, Greater | Unordered),                    \
      FLOAT_ROW("neq", TYPE, F, KIND, Less | Greater | Unordered),             \
      FLOAT_ROW("nlt", TYPE, F, KIND, Greater | Equal | Unordered),            \
      FLOAT_ROW("tru", TYPE, F, KIND, Less | Equal | Greater | Unordered),     \
      FLOAT_ROW("t", TYPE, F, KIND, Less | Equal | Greater | Unordered),       \
      ROW("class", TYPE, KIND, CLASSES, isClass<F>)

#define INT(TYPE, T, KIND)                                                     \
  INT_ROW("f", TYPE, T, KIND, 0), INT_ROW("lt", TYPE, T, KIND, Less),          \
      INT_ROW("eq", TYPE, T, KIND, Equal),                                     \
      INT_ROW("le", TYPE, T, KIND, Less | Equal),                              \
      INT_ROW("gt", TYPE, T, KIND, Greater),                                   \
      INT_ROW("ne", TYPE, T, KIND, Less | Greater),                            \
      INT_ROW("ge", TYPE, T, KIND, Greater | Equal),                           \
      INT_ROW("t", TYPE, T, KIND, Less | Equal | Greater)

static const VectorOp compareOps[] = {
    FLOAT("f16", F16, H, B16), FLOAT("f32", F32, S, B32),
    FLOAT("f64", F64, D, B32), INT("i16", int16_t, B16),
    INT("u16", uint16_t, B16), INT("i32", int32_t, B32),
    INT("u32", uint32_t, B32), INT("i64", int64_t, B64),
    INT("u64", uint64_t, B64),
};

void coll::sim::registerVectorCompare(HandlerTable &table) {
  addVectorOps(table, compareOps);
}
