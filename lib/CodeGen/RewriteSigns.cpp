//===- RewriteSigns.cpp - Negations and magnitudes of integers in PTX -----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (13.0, sm_90) computes neg.s16 and abs.s16 in 32 bits and takes the
// result for one of 16, so that -32768 becomes 32768 where it is extended,
// compared, divided or shifted. It takes abs.s32 and abs.s64 for no less than
// zero, where they are the least number, in comparisons and remainders. Other
// instructions give the right bits: all of twelve uses on an H200.
//
// The text is changed, as LLVM makes these instructions of many others.
//
//===----------------------------------------------------------------------===//

#include "RewriteSigns.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

/// What computes the same, with OUT and IN for the operands. Of a number and
/// its negative the magnitude is the lesser one without signs; of signed maxima
/// ptxas drops one where another follows.
static StringRef getReplacement(StringRef instruction) {
  return StringSwitch<StringRef>(instruction)
      .Case("neg.s16", "{ .reg .b32 %sign; cvt.s32.s16 %sign, IN; "
                       "neg.s32 %sign, %sign; cvt.u16.u32 OUT, %sign; }")
      .Case("abs.s16", "{ .reg .b32 %sign, %other; cvt.s32.s16 %sign, IN; "
                       "neg.s32 %other, %sign; "
                       "min.u32 %sign, %sign, %other; "
                       "cvt.u16.u32 OUT, %sign; }")
      .Case("abs.s32", "{ .reg .b32 %sign; neg.s32 %sign, IN; "
                       "min.u32 OUT, IN, %sign; }")
      .Case("abs.s64", "{ .reg .b64 %sign; neg.s64 %sign, IN; "
                       "min.u64 OUT, IN, %sign; }")
      .Default("");
}

static void append(std::string &text, StringRef replacement, StringRef out,
                   StringRef in) {
  while (!replacement.empty()) {
    if (replacement.consume_front("OUT")) {
      text += out;
    } else if (replacement.consume_front("IN")) {
      text += in;
    } else {
      text += replacement.front();
      replacement = replacement.drop_front();
    }
  }
}

std::string coll::rewriteSigns(StringRef ptx) {
  std::string text;
  text.reserve(ptx.size());
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    auto [instruction, operands] = line.trim().split(' ');
    StringRef replacement = getReplacement(instruction);
    if (replacement.empty()) {
      text += line;
    } else {
      auto [out, in] = operands.trim().split(',');
      text += '\t';
      append(text, replacement, out, in.split(';').first.trim());
    }
    text += '\n';
    ptx = rest;
  }
  return text;
}
