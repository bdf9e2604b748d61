//===- Instruction.h - A decoded instruction --------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's disassembler makes an MCInst from the bytes at an address; `Decoder`
// makes a DecodedInst of it once, and handlers see only that.
//
// How the operands of an MCInst look (LLVM 22), and what becomes of them:
//
//   V_ADD_F32_e64   vdst, mods0, src0, mods1, src1, clamp, omod
//   V_PK_ADD_F16    vdst, mods0, src0, mods1, src1, clamp
//   V_ADD_F32_dpp   vdst, old (tied to vdst), mods0, src0, mods1, src1, ctrl,
//                   row_mask, bank_mask, bound_ctrl [, fi from gfx10 on]
//   V_ADD_F32_dpp8  vdst, old, mods0, src0, mods1, src1, lanes (8 x 3 bits), fi
//   V_ADD_F32_sdwa  vdst, mods0, src0, mods1, src1, clamp, omod, dst_sel,
//                   dst_unused, src0_sel, src1_sel
//   DS_READ_B32     vdst, addr, offset, gds
//   DS_READ2_B32    vdst, addr, offset0, offset1, gds
//   GLOBAL_LOAD_DWORD             vdst, vaddr, offset, cpol
//   GLOBAL_LOAD_DWORD_SADDR       vdst, saddr, vaddr, offset, cpol
//   GLOBAL_STORE_DWORD[_SADDR]    vaddr, vdata [, saddr], offset, cpol
//   GLOBAL_ATOMIC_ADD_SADDR_RTN   vdst, vaddr, vdata, saddr, offset, cpol
//   SCRATCH_STORE_DWORD           vdata, vaddr, offset, cpol
//   SCRATCH_..._SADDR/_SVS/_ST    vdata, saddr / vaddr, saddr / nothing, ...
//   BUFFER_LOAD_DWORD_OFFEN       vdata, vaddr, srsrc, soffset, offset, cpol
//   S_LOAD_DWORD_IMM/_SGPR/_SGPR_IMM   sdst, sbase, [soffset,] [offset,] cpol
//   V_DUAL_ADD_F32_X_MUL_F32      vdstX, vdstY, src0X, src1X, src0Y, src1Y
//
// `operands` has the registers and the constants that stand for one, the
// definitions (`numDefs`) first, in this order. Operands that are tied to a
// definition (DPP's old, the addend of v_fmac, the old halves of d16 loads, the
// register of s_addk_i32) are left out: a handler reads the definition.
// The input modifiers `mods` are in the operand after them. Everything else
// (offset, clamp, cpol, simm16, branch distance, ...) is in `imms`, as encoded
// (an offset of -16 is 0x1ff0), in the order of the MCInst; what has a name in
// assembly has a decoded field here too, taken from the printed text.
//
// Encodings are made alike: the VCC that _e32, DPP and SDWA forms imply is an
// operand as in _e64: v_cmp's destination (EXEC for gfx10's v_cmpx), the carry
// out of v_add_co_u32 and kin as operand 1, the carry in and v_cndmask's
// condition as last source. v_div_fmas reads VCC by itself.
//
// Constants come as the bits that the operand's type asks for: 1.0 is
// 0x3f800000 in an f32 operand, 0x3c00 in an f16 and in a packed f16 operand,
// 0x3ff0000000000000 in an f64 one. Integers are sign extended.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_INSTRUCTION_H
#define COLL_LIB_SIMULATOR_INSTRUCTION_H

#include "coll/Simulator/Simulator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>

namespace coll::sim {

struct DecodedInst;
struct Wave;

/// Carries out one instruction on a wave. `wave.pc` is already behind it.
using Handler = void (*)(Wave &wave, const DecodedInst &inst);

enum class OperandKind : uint8_t {
  VGPR,     ///< index: 0 to 255; AGPRs are 256 to 511.
  SGPR,     ///< index: in Wave::scalars, see ScalarIndex.
  Constant, ///< value
  Null,     ///< Reads as 0, ignores writes.
  Special   ///< index: a SpecialRegister, read only.
};

enum class SpecialRegister : uint16_t {
  SharedBase,
  SharedLimit,
  PrivateBase,
  PrivateLimit,
  VCCZ,
  EXECZ,
  SCC,
  PopsExitingWaveId,
  LDSDirect
};

/// Which half of its register a true16 operand (gfx11 and later) names.
enum class Half : uint8_t { None, Low, High };

struct Operand {
  /// The input modifiers of a source. What a bit means depends on the
  /// encoding: sext is SDWA's, op_sel_hi and neg_hi are packed math's.
  enum : uint8_t {
    Neg = 1,      ///< Also neg_lo.
    Abs = 2,      ///< Also neg_hi.
    NegHi = 2,    ///< Packed math.
    OpSel = 4,    ///< Take the high half (packed: for the low result).
    OpSelHi = 8,  ///< Packed: take the high half for the high result.
    DstOpSel = 8, ///< VOP3, first source: write the high half.
    Sext = 16     ///< SDWA of integers: sign extend.
  };
  OperandKind kind = OperandKind::Constant;
  Half half = Half::None;
  uint8_t mods = 0;
  /// Registers of 32 bits; a 16-bit half counts as one. For constants 1.
  uint8_t dwords = 1;
  uint16_t index = 0;
  /// Of a constant.
  uint64_t value = 0;

  bool isVGPR() const { return kind == OperandKind::VGPR; }
  bool isSGPR() const { return kind == OperandKind::SGPR; }
  /// For a 16-bit source outside packed math.
  bool takesHighHalf() const {
    return half == Half::High || (half == Half::None && (mods & OpSel));
  }
};

enum class Encoding : uint8_t {
  Plain, ///< All that is no VALU instruction, and _e32.
  VOP3,  ///< _e64, and instructions that have no other form.
  VOP3P,
  SDWA,
  DPP16,
  DPP8,
  VOPD ///< Each half of a dual instruction.
};

/// How DPP picks the lanes of source 0.
struct DPPControl {
  uint16_t ctrl = 0; ///< dpp_ctrl of DPP16: 0x111 is row_shr:1.
  uint8_t rowMask = 0xf, bankMask = 0xf;
  bool boundCtrl = false; ///< An invalid lane reads 0.
  bool fetchInactive = false;
  uint32_t lanes = 0; ///< DPP8: 8 selectors of 3 bits.
};

enum class SDWASel : uint8_t {
  Byte0,
  Byte1,
  Byte2,
  Byte3,
  Word0,
  Word1,
  DWord
};
enum class SDWAUnused : uint8_t { Pad, SignExtend, Preserve };

struct SDWAControl {
  SDWASel dst = SDWASel::DWord, src0 = SDWASel::DWord, src1 = SDWASel::DWord;
  SDWAUnused unused = SDWAUnused::Pad;
};

struct DecodedInst {
  uint64_t address = 0;
  uint32_t size = 4;
  /// As in assembly, without the suffix of the encoding (_e32, _e64, _dpp,
  /// _sdwa and their combinations): "v_add_f32", "s_and_saveexec_b64".
  std::string mnemonic;
  /// LLVM's name of the opcode, "GLOBAL_LOAD_DWORDX4_SADDR_vi": says the form
  /// of addresses (_SADDR, _SVS, _ST, _OFFEN, _RTN, ...).
  llvm::StringRef name;
  /// The whole instruction in assembly, for faults and traces.
  std::string text;
  InstClass instClass = InstClass::Other;
  Encoding encoding = Encoding::Plain;

  unsigned numDefs = 0;
  llvm::SmallVector<Operand, 6> operands;
  llvm::SmallVector<int64_t, 6> imms;

  bool clamp = false;
  uint8_t omod = 0; ///< 1: times 2, 2: times 4, 3: divided by 2.
  /// `offset:` as a signed number, `offset0:` and `offset1:`.
  int64_t offset = 0;
  uint8_t offset0 = 0, offset1 = 0;
  bool offen = false, idxen = false;
  /// Atomics: the old value is returned (numDefs is 1 then).
  bool returnsValue() const { return numDefs != 0; }
  DPPControl dpp;
  SDWAControl sdwa;

  /// From the handler table.
  Handler handler = nullptr;
  const void *info = nullptr;
  /// The second half of a dual instruction. Both read before either writes.
  std::shared_ptr<const DecodedInst> second;

  bool isDPP() const {
    return encoding == Encoding::DPP16 || encoding == Encoding::DPP8;
  }
  llvm::ArrayRef<Operand> getDefs() const {
    return llvm::ArrayRef<Operand>(operands).take_front(numDefs);
  }
  llvm::ArrayRef<Operand> getSources() const {
    return llvm::ArrayRef<Operand>(operands).drop_front(numDefs);
  }
  const Operand &getDef(unsigned i = 0) const { return operands[i]; }
  const Operand &getSource(unsigned i) const { return operands[numDefs + i]; }
  /// VOP3's op_sel of the destination, or a true16 destination's half.
  bool writesHighHalf() const {
    const Operand &def = operands.front();
    if (def.half != Half::None)
      return def.half == Half::High;
    return encoding == Encoding::VOP3 && operands.size() > numDefs &&
           (getSource(0).mods & Operand::DstOpSel);
  }
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_INSTRUCTION_H
