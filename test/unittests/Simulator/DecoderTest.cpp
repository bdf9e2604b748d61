//===- DecoderTest.cpp - What becomes of an instruction's operands --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

static std::unique_ptr<DecodedInst> decode(llvm::StringRef chip,
                                           llvm::StringRef text) {
  coll::Target target = cantFail(coll::Target::parse(chip));
  auto decoder = cantFail(Decoder::create(target));
  std::vector<uint8_t> bytes = assemble(target, text);
  std::unique_ptr<DecodedInst> inst = decoder->decode(bytes, 0x100);
  EXPECT_TRUE(inst) << text.str();
  return inst;
}

TEST(Decoder, TellsEncodingsApart) {
  EXPECT_EQ(decode("gfx90a", "v_add_f32_e32 v0, v1, v2")->encoding,
            Encoding::Plain);
  EXPECT_EQ(decode("gfx90a", "v_fma_f32 v0, v1, v2, v3")->encoding,
            Encoding::VOP3);
  EXPECT_EQ(decode("gfx90a", "v_pk_add_f16 v0, v1, v2")->encoding,
            Encoding::VOP3P);
  EXPECT_EQ(decode("gfx90a", "v_exp_f32 v0, v1")->instClass, InstClass::Trans);
  EXPECT_EQ(decode("gfx1100", "v_mov_b32_dpp v0, v1 dpp8:[1,0,3,2,5,4,7,6]")
                ->encoding,
            Encoding::DPP8);
}

TEST(Decoder, LeavesTiedOperandsOut) {
  auto inst =
      decode("gfx90a", "v_add_f32_dpp v0, -v1, |v2| row_shr:3 row_mask:0xa "
                       "bank_mask:0x3 bound_ctrl:0");
  EXPECT_EQ(inst->mnemonic, "v_add_f32");
  ASSERT_EQ(inst->operands.size(), 3u);
  EXPECT_EQ(inst->getSource(0).index, 1u);
  EXPECT_EQ(inst->getSource(0).mods, Operand::Neg);
  EXPECT_EQ(inst->getSource(1).mods, Operand::Abs);
  EXPECT_EQ(inst->dpp.ctrl, 0x113);
  EXPECT_EQ(inst->dpp.rowMask, 0xa);
  EXPECT_EQ(inst->dpp.bankMask, 0x3);
  EXPECT_TRUE(inst->dpp.boundCtrl);
}

TEST(Decoder, MakesImpliedMasksOperands) {
  auto compare = decode("gfx90a", "v_cmp_lt_f32_e32 vcc, v0, v1");
  EXPECT_EQ(compare->numDefs, 1u);
  EXPECT_EQ(compare->getDef().index, VCCLo);
  EXPECT_EQ(compare->getDef().dwords, 2);
  auto carry = decode("gfx1100", "v_add_co_ci_u32_e32 v0, vcc_lo, v1, v2, "
                                 "vcc_lo");
  EXPECT_EQ(carry->numDefs, 2u);
  EXPECT_EQ(carry->operands.back().index, VCCLo);
  EXPECT_EQ(carry->operands.back().dwords, 1);
  auto select = decode("gfx90a", "v_cndmask_b32_e64 v0, v1, v2, s[4:5]");
  EXPECT_EQ(select->operands.back().index, 4);
  EXPECT_EQ(decode("gfx1100", "v_cmpx_lt_f32_e32 v1, v2")->getDef().index,
            ExecLo);
}

TEST(Decoder, ReadsModifiersFromTheText) {
  auto inst = decode("gfx90a", "v_mul_f32_e64 v0, v1, v2 clamp div:2");
  EXPECT_TRUE(inst->clamp);
  EXPECT_EQ(inst->omod, 3);
  EXPECT_EQ(
      decode("gfx90a", "global_load_dword v0, v[2:3], off offset:-16")->offset,
      -16);
  auto sdwa = decode("gfx90a", "v_add_u32_sdwa v0, v1, sext(v2) dst_sel:BYTE_2 "
                               "dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
                               "src1_sel:BYTE_0");
  EXPECT_EQ(sdwa->sdwa.dst, SDWASel::Byte2);
  EXPECT_EQ(sdwa->sdwa.unused, SDWAUnused::Preserve);
  EXPECT_EQ(sdwa->sdwa.src0, SDWASel::Word1);
  EXPECT_EQ(sdwa->getSource(1).mods, Operand::Sext);
}

TEST(Decoder, SplitsDualInstructions) {
  auto inst = decode("gfx1100", "v_dual_fmaak_f32 v0, v1, v2, 0x12345 :: "
                                "v_dual_cndmask_b32 v3, v4, v5");
  EXPECT_EQ(inst->mnemonic, "v_fmaak_f32");
  EXPECT_EQ(inst->getSource(2).value, 0x12345u);
  ASSERT_TRUE(inst->second);
  EXPECT_EQ(inst->second->mnemonic, "v_cndmask_b32");
  EXPECT_EQ(inst->second->getDef().index, 3);
  EXPECT_EQ(inst->second->operands.back().index, VCCLo);
}

TEST(Decoder, KnowsHalvesAndAccumulators) {
  auto inst = decode("gfx1100", "v_add_f16_e32 v0.h, v1.l, v2.h");
  EXPECT_TRUE(inst->writesHighHalf());
  EXPECT_FALSE(inst->getSource(0).takesHighHalf());
  EXPECT_TRUE(inst->getSource(1).takesHighHalf());
  EXPECT_EQ(decode("gfx90a", "v_accvgpr_write_b32 a3, v1")->getDef().index,
            259);
}

TEST(Decoder, RefusesWhatIsNoInstruction) {
  coll::Target target = cantFail(coll::Target::parse("gfx90a"));
  auto decoder = cantFail(Decoder::create(target));
  EXPECT_FALSE(decoder->decode({0xff, 0xff, 0xff, 0xff}, 0));
  EXPECT_FALSE(decoder->decode({0x00}, 0));
  EXPECT_FALSE(decoder->decode({}, 0));
}
