//===- Dpp.cpp - Which lane a DPP operand reads ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dpp.h"

using namespace coll::sim;

namespace {
/// Values of dpp_ctrl; the four of bits 3:0 are a lane or a distance.
enum DPPCtrl : unsigned {
  QuadPermLast = 0xff,
  RowShl = 0x100,
  RowShr = 0x110,
  RowRor = 0x120,
  WaveShl1 = 0x130,
  WaveRol1 = 0x134,
  WaveShr1 = 0x138,
  WaveRor1 = 0x13c,
  RowMirror = 0x140,
  RowHalfMirror = 0x141,
  RowBcast15 = 0x142,
  RowBcast31 = 0x143,
  RowShare = 0x150, ///< row_newbcast on gfx90a and gfx940.
  RowXmask = 0x160
};
} // namespace

bool coll::sim::isValidDPPControl(unsigned ctrl) {
  switch (ctrl) {
  case WaveShl1:
  case WaveRol1:
  case WaveShr1:
  case WaveRor1:
  case RowMirror:
  case RowHalfMirror:
  case RowBcast15:
  case RowBcast31:
    return true;
  default:
    break;
  }
  if (ctrl <= QuadPermLast || (ctrl & 0xff0) == RowShare ||
      (ctrl & 0xff0) == RowXmask)
    return true;
  // A distance of 0 is reserved.
  unsigned kind = ctrl & 0xff0;
  return (kind == RowShl || kind == RowShr || kind == RowRor) && (ctrl & 0xf);
}

/// The lane at `position` of the row, if the row has such a lane.
static std::optional<unsigned> getInRow(unsigned row, int position) {
  if (position < 0 || position > 15)
    return std::nullopt;
  return row + position;
}

std::optional<unsigned> coll::sim::getDPPSource(unsigned ctrl, unsigned lane,
                                                unsigned waveSize) {
  unsigned row = lane & ~15u;
  int position = lane & 15;
  if (ctrl <= QuadPermLast)
    return (lane & ~3u) + ((ctrl >> (2 * (lane & 3))) & 3);
  int number = ctrl & 0xf;
  switch (ctrl & 0xff0) {
  case RowShl:
    return getInRow(row, position + number);
  case RowShr:
    return getInRow(row, position - number);
  case RowRor:
    return row + ((position - number) & 15);
  case RowShare:
    return row + number;
  case RowXmask:
    return row + (position ^ number);
  default:
    break;
  }
  switch (ctrl) {
  case WaveShl1:
    return lane + 1 < waveSize ? std::optional(lane + 1) : std::nullopt;
  case WaveRol1:
    return (lane + 1) % waveSize;
  case WaveShr1:
    return lane > 0 ? std::optional(lane - 1) : std::nullopt;
  case WaveRor1:
    return (lane + waveSize - 1) % waveSize;
  case RowMirror:
    return row + 15 - position;
  case RowHalfMirror:
    return (lane & ~7u) + 7 - (lane & 7);
  case RowBcast15: // The last lane of the row before.
    return row > 0 ? std::optional(row - 1) : std::nullopt;
  case RowBcast31: // Lane 31, for rows 2 and 3.
    return lane >= 32 ? std::optional(31u) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Adds a lane that EXEC and masks have.
static void addLane(DPPLanes &lanes, unsigned lane,
                    std::optional<unsigned> source, bool boundCtrl,
                    bool fetchInactive, uint64_t exec) {
  uint64_t bit = 1ull << lane;
  if (source && (fetchInactive || ((exec >> *source) & 1))) {
    lanes.enabled |= bit;
    lanes.source[lane] = static_cast<uint8_t>(*source);
  } else if (boundCtrl) {
    lanes.enabled |= bit;
    lanes.zero |= bit;
  }
}

DPPLanes coll::sim::selectDPP16(const DPPControl &control, uint64_t exec,
                                unsigned waveSize) {
  DPPLanes lanes;
  for (unsigned lane = 0; lane < waveSize; ++lane) {
    bool inRow = (control.rowMask >> (lane / 16)) & 1;
    bool inBank = (control.bankMask >> (lane / 4 % 4)) & 1;
    if (!((exec >> lane) & 1) || !inRow || !inBank)
      continue;
    addLane(lanes, lane, getDPPSource(control.ctrl, lane, waveSize),
            control.boundCtrl, control.fetchInactive, exec);
  }
  return lanes;
}

DPPLanes coll::sim::selectDPP8(const DPPControl &control, uint64_t exec,
                               unsigned waveSize) {
  DPPLanes lanes;
  for (unsigned lane = 0; lane < waveSize; ++lane) {
    if (!((exec >> lane) & 1))
      continue;
    unsigned select = (control.lanes >> (3 * (lane & 7))) & 7;
    addLane(lanes, lane, (lane & ~7u) + select, /*boundCtrl=*/true,
            control.fetchInactive, exec);
  }
  return lanes;
}

DPPLanes coll::sim::selectPermlane16(uint64_t selects, bool exchange,
                                     bool fetchInactive, bool boundCtrl,
                                     uint64_t exec, unsigned waveSize) {
  DPPLanes lanes;
  for (unsigned lane = 0; lane < waveSize; ++lane) {
    if (!((exec >> lane) & 1))
      continue;
    unsigned row = (lane & ~15u) ^ (exchange ? 16 : 0);
    unsigned select = (selects >> (4 * (lane & 15))) & 15;
    addLane(lanes, lane, row + select, boundCtrl, fetchInactive, exec);
  }
  return lanes;
}
