//===- TextModifiers.cpp - Named modifiers of instructions ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextModifiers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll::sim;
using namespace llvm;

static SDWASel parseSelection(StringRef text) {
  return StringSwitch<SDWASel>(text)
      .Case("BYTE_0", SDWASel::Byte0)
      .Case("BYTE_1", SDWASel::Byte1)
      .Case("BYTE_2", SDWASel::Byte2)
      .Case("BYTE_3", SDWASel::Byte3)
      .Case("WORD_0", SDWASel::Word0)
      .Case("WORD_1", SDWASel::Word1)
      .Default(SDWASel::DWord);
}

static SDWAUnused parseUnused(StringRef text) {
  return StringSwitch<SDWAUnused>(text)
      .Case("UNUSED_SEXT", SDWAUnused::SignExtend)
      .Case("UNUSED_PRESERVE", SDWAUnused::Preserve)
      .Default(SDWAUnused::Pad);
}

static void parseNamed(DecodedInst &inst, StringRef name, StringRef value) {
  int64_t number = 0;
  // ds_swizzle's offset may be a word; it is in `imms` as a number.
  bool isNumber = !value.getAsInteger(0, number);
  if (name == "offset" && isNumber)
    inst.offset = number;
  else if (name == "offset0" && isNumber)
    inst.offset0 = static_cast<uint8_t>(number);
  else if (name == "offset1" && isNumber)
    inst.offset1 = static_cast<uint8_t>(number);
  else if (name == "mul" && isNumber)
    inst.omod = number == 2 ? 1 : 2;
  else if (name == "div" && isNumber)
    inst.omod = 3;
  else if (name == "dst_sel")
    inst.sdwa.dst = parseSelection(value);
  else if (name == "src0_sel")
    inst.sdwa.src0 = parseSelection(value);
  else if (name == "src1_sel")
    inst.sdwa.src1 = parseSelection(value);
  else if (name == "dst_unused")
    inst.sdwa.unused = parseUnused(value);
}

void coll::sim::parseTextModifiers(DecodedInst &inst) {
  SmallVector<StringRef, 16> words;
  StringRef(inst.text).split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (word == "clamp")
      inst.clamp = true;
    else if (word == "offen")
      inst.offen = true;
    else if (word == "idxen")
      inst.idxen = true;
    else if (auto [name, value] = word.split(':'); !value.empty())
      parseNamed(inst, name, value);
  }
}
