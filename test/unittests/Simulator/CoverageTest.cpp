//===- CoverageTest.cpp - Which instructions have no handler --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the opcodes of every encoding through LLVM's disassembler, chip by
// chip. What decodes must have a handler, or be named in the list of
// docs/simulator.md; what LLVM's tables name must be found by the walk.
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Simulator/Decoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace coll;
using namespace coll::sim;

//===----------------------------------------------------------------------===//
// Encodings
//===----------------------------------------------------------------------===//

namespace {
/// The words of an encoding: `bits` with an opcode of `width` bits at `shift`,
/// and the words after it.
struct EncodingSpace {
  uint32_t bits;
  unsigned shift, width;
  uint32_t second = 0, third = 0;
};
} // namespace

/// v0 for each of the three sources of a VOP3 instruction.
static constexpr uint32_t vectorSources = 0x04020100;
/// The same with the high halves of the first two for the high result.
static constexpr uint32_t packedSources = 0x1c020100;
/// The same with a source 0 whose lanes the third word names.
static constexpr uint32_t dppSources = 0x040200fa;
static constexpr uint32_t packedDPPSources = 0x1c0200fa;
/// row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1 of v0.
static constexpr uint32_t rowShift = 0xff091100;
/// dpp8:[1,0,3,2,5,4,7,6] of v0.
static constexpr uint32_t eightLanes = 0xde54c100;
/// WORD_1 of v0, to the whole register.
static constexpr uint32_t upperWord = 0x05050600;
/// "off" instead of a scalar address of FLAT.
static constexpr uint32_t noAddressGfx9 = 0x007f0000;
static constexpr uint32_t noAddressGfx10 = 0x007d0000;
static constexpr uint32_t noAddressGfx11 = 0x007c0000;

static const EncodingSpace commonSpaces[] = {
    {0x80000000, 23, 7},           // SOP2
    {0xb0000000, 23, 5},           // SOPK
    {0xbe800000, 8, 8},            // SOP1
    {0xbf000000, 16, 7},           // SOPC
    {0xbf800000, 16, 7},           // SOPP
    {0x00000100, 25, 6},           // VOP2
    {0x7e000100, 9, 8},            // VOP1
    {0x7c000100, 17, 8},           // VOPC
    {0x000000fa, 25, 6, rowShift}, // VOP2 with DPP
    {0x7e0000fa, 9, 8, rowShift},  // VOP1 with DPP
};

static const EncodingSpace gfx9Spaces[] = {
    {0x000000f9, 25, 6, upperWord},      // VOP2 with SDWA
    {0x7e0000f9, 9, 8, upperWord},       // VOP1 with SDWA
    {0x7c0000f9, 17, 8, upperWord},      // VOPC with SDWA
    {0xc0000000, 18, 8},                 // SMEM, a register as offset
    {0xc0020000, 18, 8},                 // SMEM
    {0xd0000000, 16, 10, vectorSources}, // VOP3
    {0xd3800000, 16, 7, vectorSources},  // VOP3P
    {0xd3804000, 16, 7, packedSources},  // VOP3P
    {0xd8000000, 17, 8},                 // DS
    {0xd8010000, 17, 8},                 // DS with gds
    {0xdc000000, 18, 7},                 // FLAT
    {0xdc004000, 18, 7, noAddressGfx9},  // SCRATCH
    {0xdc008000, 18, 7, noAddressGfx9},  // GLOBAL
    {0xe0000000, 18, 7},                 // MUBUF
    {0xe0010000, 18, 7},                 // MUBUF with lds
};

static const EncodingSpace gfx10Spaces[] = {
    {0x000000e9, 25, 6, eightLanes},     // VOP2 with DPP8
    {0x7e0000e9, 9, 8, eightLanes},      // VOP1 with DPP8
    {0x000000f9, 25, 6, upperWord},      // VOP2 with SDWA
    {0x7e0000f9, 9, 8, upperWord},       // VOP1 with SDWA
    {0x7c0000f9, 17, 8, upperWord},      // VOPC with SDWA
    {0xf4000000, 18, 8, 0xfa000000},     // SMEM
    {0xd4000000, 16, 10, vectorSources}, // VOP3
    {0xcc000000, 16, 7, vectorSources},  // VOP3P
    {0xcc004000, 16, 7, packedSources},  // VOP3P
    {0xd8000000, 18, 8},                 // DS
    {0xd8020000, 18, 8},                 // DS with gds
    {0xdc000000, 18, 7, noAddressGfx10}, // FLAT
    {0xdc004000, 18, 7, noAddressGfx10}, // SCRATCH
    {0xdc008000, 18, 7, noAddressGfx10}, // GLOBAL
    {0xe0000000, 18, 8},                 // MUBUF
    {0xe0010000, 18, 8},                 // MUBUF with lds
};

/// What gfx11 and later share.
static const EncodingSpace laterVectorSpaces[] = {
    {0x000000e9, 25, 6, eightLanes},                 // VOP2 with DPP8
    {0x7e0000e9, 9, 8, eightLanes},                  // VOP1 with DPP8
    {0x7c0000fa, 17, 8, rowShift},                   // VOPC with DPP
    {0xd4000000, 16, 10, dppSources, rowShift},      // VOP3 with DPP
    {0xcc000000, 16, 7, dppSources, rowShift},       // VOP3P with DPP
    {0xcc004000, 16, 7, packedDPPSources, rowShift}, // VOP3P with DPP
    {0xd4000000, 16, 10, vectorSources},             // VOP3
    {0xcc000000, 16, 7, vectorSources},              // VOP3P
    {0xcc004000, 16, 7, packedSources},              // VOP3P
    {0xc8000100, 22, 4, 0x00000100},                 // VOPD, the first half
    {0xc8000100, 17, 5, 0x00000100},                 // VOPD, the second half
};

static const EncodingSpace gfx11Spaces[] = {
    {0xf4000000, 18, 8, 0xf8000000},     // SMEM
    {0xd8000000, 18, 8},                 // DS
    {0xd8020000, 18, 8},                 // DS with gds
    {0xdc000000, 18, 7, noAddressGfx11}, // FLAT
    {0xdc010000, 18, 7, noAddressGfx11}, // SCRATCH
    {0xdc020000, 18, 7, noAddressGfx11}, // GLOBAL
    {0xe0000000, 18, 8},                 // MUBUF
};

static const EncodingSpace gfx12Spaces[] = {
    {0xf4000000, 13, 6, 0xf8000000}, // SMEM
    {0xd8000000, 18, 8},             // DS
    {0xec00007c, 14, 8},             // VFLAT
    {0xed00007c, 14, 8},             // VSCRATCH
    {0xee00007c, 14, 8},             // VGLOBAL
    {0xc400007c, 14, 8},             // VBUFFER
};

static llvm::ArrayRef<EncodingSpace> getSpaces(const Chip &chip) {
  if (chip.isGFX12Plus())
    return gfx12Spaces;
  if (chip.isGFX11Plus())
    return gfx11Spaces;
  return chip.isGFX10Plus() ? llvm::ArrayRef(gfx10Spaces)
                            : llvm::ArrayRef(gfx9Spaces);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
/// Mnemonics that decode on a chip.
struct Instructions {
  std::set<std::string> known, unknown;
};
} // namespace

static void walk(const Decoder &decoder, const EncodingSpace &space,
                 Instructions &found) {
  for (uint32_t opcode = 0; opcode != 1u << space.width; ++opcode) {
    uint8_t bytes[20] = {};
    llvm::support::endian::write32le(bytes, space.bits | opcode << space.shift);
    llvm::support::endian::write32le(bytes + 4, space.second);
    llvm::support::endian::write32le(bytes + 8, space.third);
    std::unique_ptr<DecodedInst> inst = decoder.decode(bytes, 0);
    if (!inst)
      continue;
    // The half of a dual instruction that is unknown may be either.
    if (inst->second && !inst->second->handler)
      found.unknown.insert(inst->second->mnemonic);
    else
      (inst->handler ? found.known : found.unknown).insert(inst->mnemonic);
  }
}

static Instructions walkChip(llvm::StringRef name) {
  auto decoder = cantFail(Decoder::create(cantFail(Target::parse(name))));
  Instructions found;
  for (const EncodingSpace &space : commonSpaces)
    walk(*decoder, space, found);
  for (const EncodingSpace &space : getSpaces(decoder->getChip()))
    walk(*decoder, space, found);
  if (decoder->getChip().isGFX11Plus())
    for (const EncodingSpace &space : laterVectorSpaces)
      walk(*decoder, space, found);
  return found;
}

static const char *const chips[] = {"gfx900",  "gfx906",  "gfx908",  "gfx90a",
                                    "gfx942",  "gfx950",  "gfx1030", "gfx1100",
                                    "gfx1101", "gfx1151", "gfx1200", "gfx1201"};

namespace {
/// Patterns of mnemonics, of which each has to match something.
class Patterns {
public:
  explicit Patterns(llvm::ArrayRef<llvm::StringRef> texts) {
    for (llvm::StringRef text : texts)
      unused.insert(text.str());
    for (llvm::StringRef text : texts)
      globs.emplace_back(text.str(), cantFail(llvm::GlobPattern::create(text)));
  }
  bool match(llvm::StringRef mnemonic) {
    bool found = false;
    for (auto &[text, glob] : globs)
      if (glob.match(mnemonic)) {
        unused.erase(text);
        found = true;
      }
    return found;
  }
  std::set<std::string> unused;

private:
  std::vector<std::pair<std::string, llvm::GlobPattern>> globs;
};
} // namespace

/// What is between backquotes in the first column of the table under the
/// heading "Instructions without a handler".
static std::vector<llvm::StringRef> readList(llvm::StringRef text) {
  text = text.split("## Instructions without a handler\n").second;
  text = text.split("\n#").first;
  std::vector<llvm::StringRef> patterns;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    if (!line.consume_front("| `"))
      continue;
    line = line.split(" |").first;
    line.consume_back("`");
    for (llvm::StringRef pattern : llvm::split(line, "`, `"))
      patterns.push_back(pattern);
  }
  return patterns;
}

TEST(Coverage, WhatHasNoHandlerIsDocumented) {
  auto file = llvm::MemoryBuffer::getFile(COLL_SOURCE_DIR "/docs/simulator.md");
  ASSERT_TRUE(file);
  std::vector<llvm::StringRef> list = readList((*file)->getBuffer());
  ASSERT_FALSE(list.empty());
  Patterns documented(list);
  std::map<std::string, std::string> undocumented;
  for (const char *chip : chips) {
    Instructions found = walkChip(chip);
    EXPECT_GT(found.known.size(), 900u) << chip;
    for (const std::string &mnemonic : found.unknown)
      if (!documented.match(mnemonic))
        undocumented[mnemonic] += std::string(" ") + chip;
  }
  for (const auto &[mnemonic, where] : undocumented)
    ADD_FAILURE() << "no handler for " << mnemonic << " of" << where;
  for (const std::string &pattern : documented.unused)
    ADD_FAILURE() << "docs/simulator.md lists " << pattern
                  << ", which every chip has a handler for or has not";
}

//===----------------------------------------------------------------------===//
// Is the walk complete?
//===----------------------------------------------------------------------===//

namespace {
/// Opcodes of LLVM end in what they belong to.
struct Generation {
  std::vector<const char *> suffixes, chips;
};
} // namespace

static const Generation generations[] = {
    {{"_vi", "_gfx9", "_gfx90a", "_gfx940", "_gfx950"},
     {"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"}},
    {{"_gfx10"}, {"gfx1030"}},
    {{"_gfx11"}, {"gfx1100", "gfx1151"}},
    {{"_gfx12"}, {"gfx1200"}}};

/// What the walk does not reach: other encodings (images, exports, parameters
/// of pixels), chips of a generation that are not simulated (gfx8, gfx1010,
/// gfx1170, gfx1250), and placeholders of the assembler.
static const llvm::StringRef notReached[] = {
    // Graphics.
    "image_*", "tbuffer_*", "exp", "export", "v_interp_*", "lds_*_load",
    "ds_param_load", "ds_direct_load",
    // Placeholders.
    "*_pad_s_nop",
    // gfx8
    "v_addc_u32", "v_subb_u32", "v_subbrev_u32", "v_movrel*", "v_mul_lo_i32",
    // gfx1010
    "ds_*_src2_*", "s_atomic_*", "s_buffer_atomic_*", "s_buffer_store_*",
    "s_store_*", "s_scratch_*", "s_dcache_*", "s_get_waveid_in_workgroup",
    "v_dot8c_i32_i4", "v_mac_*", "v_mad_*", "v_madak_f32", "v_madmk_f32",
    // gfx1170
    "v_cvt_*", "v_minimum_f64", "v_maximum_f64",
    // gfx1250
    "buffer_atomic_*_f64", "ds_add_*", "ds_atomic_*", "ds_load_tr*",
    "s_add_pc_i64", "s_get_shader_cycles_u64", "s_monitor_sleep",
    "s_set_vgpr_msb", "s_setprio_inc_wg", "s_wait_*", "s_wakeup_barrier",
    "v_fmac_f64", "v_mov_b16", "v_permlane_*", "v_pk_*_f32", "v_swap_b16"};

static std::set<std::string> getNames(const Generation &generation,
                                      const llvm::MCInstrInfo &instructions,
                                      const llvm::MCInstPrinter &printer) {
  std::set<std::string> names;
  for (unsigned opcode = 0; opcode != instructions.getNumOpcodes(); ++opcode) {
    llvm::StringRef name = instructions.getName(opcode);
    if (llvm::none_of(generation.suffixes, [&](const char *suffix) {
          return name.ends_with(suffix);
        }))
      continue;
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    const char *text = printer.getMnemonic(inst).first;
    if (!text)
      continue;
    llvm::StringRef mnemonic = llvm::StringRef(text).ltrim().split(' ').first;
    for (llvm::StringRef suffix : {"_e64_dpp", "_dpp", "_sdwa", "_e32", "_e64"})
      if (mnemonic.consume_back(suffix))
        break;
    // The walk names the halves.
    if (!mnemonic.starts_with("v_dual_"))
      names.insert(mnemonic.str());
  }
  return names;
}

TEST(Coverage, ReachesAllThatLLVMNames) {
  // Makes the back end known.
  auto decoder = cantFail(Decoder::create(cantFail(Target::parse("gfx900"))));
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, message);
  ASSERT_TRUE(backend) << message;
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(
      backend->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> assembly(
      backend->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(backend->createMCInstrInfo());
  std::unique_ptr<llvm::MCInstPrinter> printer(backend->createMCInstPrinter(
      triple, 0, *assembly, *instructions, *registers));

  Patterns exceptions(notReached);
  for (const Generation &generation : generations) {
    std::set<std::string> reached;
    for (const char *chip : generation.chips) {
      Instructions found = walkChip(chip);
      reached.merge(found.known);
      reached.merge(found.unknown);
    }
    for (const std::string &name :
         getNames(generation, *instructions, *printer))
      if (!reached.count(name) && !exceptions.match(name))
        ADD_FAILURE() << "the walk of " << generation.chips.front()
                      << " and kin does not reach " << name;
  }
  for (const std::string &pattern : exceptions.unused)
    ADD_FAILURE() << "the walk reaches " << pattern;
}
