//===- LdsMoves.cpp - ds_* that move values between lanes -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They use the crossbar of the LDS and none of its memory, and count as LDS
// accesses.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

namespace {
/// One register for all lanes.
struct LaneValues {
  uint32_t values[64] = {};
  uint64_t initialized = ~uint64_t(0);
};
} // namespace

static LaneValues readLanes(const Wave &wave, const Operand &operand) {
  LaneValues result;
  for (unsigned lane = 0; lane != wave.size(); ++lane)
    result.values[lane] = wave.readLane(operand, lane);
  if (operand.isVGPR())
    result.initialized = wave.getInitializedLanes(operand);
  return result;
}

static void writeLanes(Wave &wave, const DecodedInst &inst,
                       const LaneValues &result) {
  uint64_t lanes = wave.getExec();
  const Operand &destination = inst.getDef();
  uint32_t *values = wave.getVGPR(destination.index);
  forEachLane(lanes,
              [&](unsigned lane) { values[lane] = result.values[lane]; });
  wave.markVGPR(destination.index, lanes, result.initialized);
  noteAccess(wave, AccessClass::LDS, &destination);
}

/// The lane that a byte address names, as `lane` sees it: gfx10 and gfx11 move
/// values in halves of a wave of 64 only.
static unsigned getNamedLane(const Wave &wave, uint32_t address,
                             unsigned lane) {
  unsigned named = address / 4;
  bool isWaveWide = wave.chip.isGFX9() || wave.chip.isGFX12Plus();
  if (wave.size() == 64 && isWaveWide)
    return named % 64;
  return (lane & ~31u) | named % 32;
}

/// Sets lane `to` to the value of lane `from`, or to 0 if that is not in
/// `valid`.
static void copyLane(LaneValues &result, unsigned to, const LaneValues &data,
                     unsigned from, uint64_t valid) {
  uint64_t bit = uint64_t(1) << to;
  result.values[to] = 0;
  result.initialized |= bit;
  if (!(valid >> from & 1))
    return;
  result.values[to] = data.values[from];
  if (!(data.initialized >> from & 1))
    result.initialized &= ~bit;
}

/// Each lane takes the value of the lane that its address names.
template <bool fetchesInactive>
static void executeBpermute(Wave &wave, const DecodedInst &inst) {
  LaneValues addresses = readLanes(wave, inst.getSource(0));
  LaneValues data = readLanes(wave, inst.getSource(1));
  uint64_t valid = fetchesInactive ? ~uint64_t(0) : wave.getExec();
  LaneValues result;
  forEachLane(wave.getExec(), [&](unsigned lane) {
    uint32_t address = addresses.values[lane] + inst.offset;
    copyLane(result, lane, data, getNamedLane(wave, address, lane), valid);
  });
  result.initialized &= addresses.initialized;
  writeLanes(wave, inst, result);
}

/// Each lane sends its value to the lane that its address names; the highest
/// sender wins.
static void executePermute(Wave &wave, const DecodedInst &inst) {
  LaneValues addresses = readLanes(wave, inst.getSource(0));
  LaneValues data = readLanes(wave, inst.getSource(1));
  LaneValues result;
  forEachLane(wave.getExec(), [&](unsigned lane) {
    uint32_t address = addresses.values[lane] + inst.offset;
    unsigned named = getNamedLane(wave, address, lane);
    copyLane(result, named, data, lane, ~uint64_t(0));
    if (!(addresses.initialized >> lane & 1))
      result.initialized &= ~(uint64_t(1) << named);
  });
  writeLanes(wave, inst, result);
}

//===----------------------------------------------------------------------===//
// ds_swizzle
//===----------------------------------------------------------------------===//

static uint32_t reverse5(uint32_t value) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit != 5; ++bit)
    result |= (value >> bit & 1) << (4 - bit);
  return result;
}

/// The lane of a group of 32 from which `lane` reads.
static unsigned getSwizzleSource(uint32_t offset, unsigned lane) {
  uint32_t mask = offset & 31;
  if (offset >= 0xe000) // FFT: the bits reversed.
    return (reverse5(lane) >> __builtin_popcount(mask)) | (lane & mask);
  if (offset >= 0xc000) { // Rotation.
    uint32_t distance = offset >> 5 & 31;
    uint32_t moved = offset & 0x400 ? lane - distance : lane + distance;
    return (lane & mask) | (moved & ~mask & 31);
  }
  if (offset & 0x8000) // Permutation of four lanes.
    return (lane & ~3u) | (offset >> (2 * (lane & 3)) & 3);
  return (((lane & mask) | (offset >> 5 & 31)) ^ (offset >> 10 & 31)) & 31;
}

static void executeSwizzle(Wave &wave, const DecodedInst &inst) {
  LaneValues data = readLanes(wave, inst.getSource(0));
  uint32_t offset = inst.imms[0];
  LaneValues result;
  forEachLane(wave.getExec(), [&](unsigned lane) {
    unsigned from = getSwizzleSource(offset, lane % 32) | (lane & 32);
    copyLane(result, lane, data, from, wave.getExec());
  });
  writeLanes(wave, inst, result);
}

void coll::sim::registerLdsMoves(HandlerTable &table, const Chip &chip) {
  table.add("ds_bpermute_b32", executeBpermute<false>);
  table.add("ds_bpermute_fi_b32", executeBpermute<true>);
  table.add("ds_permute_b32", executePermute);
  table.add("ds_swizzle_b32", executeSwizzle);
}
