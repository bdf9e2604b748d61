//===- Lanes.cpp - Where a move's value comes from ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of shfl.sync were compared with an H200: every mode, segment and
// distance that plans use, in blocks of 1 to 32 threads, with membermask -1.
// The AMD rules are the ISA documents' and have not met hardware.
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Lanes.h"

using namespace coll;

static LaneSource fromLane(unsigned lane, const WarpShape &warp,
                           LaneSource::Kind ifAbsent) {
  if (lane < warp.presentLanes)
    return {LaneSource::Lane, lane, true};
  return {ifAbsent, 0, true};
}

static LaneSource findShuffleSource(const Move &move, unsigned lane,
                                    const WarpShape &warp) {
  unsigned b = warp.get(move.lane) & 31;
  if (move.operand == LaneOperand::InvertedLaneOr15)
    b = (~lane | 15) & 31;
  unsigned c = warp.get(move.clamp);
  unsigned segment = c >> 8 & 31;
  unsigned limit = (lane & segment) | (c & 31 & ~segment);
  unsigned source = 0;
  bool predicate = true;
  switch (move.kind) {
  case MoveKind::ShflUp:
    source = lane - b;
    predicate = b <= lane && source >= limit;
    break;
  case MoveKind::ShflDown:
    source = lane + b;
    predicate = source <= limit;
    break;
  case MoveKind::ShflBfly:
    source = lane ^ b;
    predicate = source <= limit;
    break;
  default:
    source = (lane & segment) | (b & ~segment);
    predicate = source <= limit;
    break;
  }
  if (!predicate)
    return {LaneSource::Lane, lane, false};
  return fromLane(source, warp, LaneSource::Undefined);
}

/// The lane that a DPP control names for `lane`; none if it is out of range.
static std::optional<unsigned> findDPPLane(unsigned control, unsigned lane) {
  unsigned row = lane & ~15u, column = lane & 15;
  unsigned count = control & 15;
  if (control < 0x100)
    return (lane & ~3u) | (control >> (2 * (lane & 3)) & 3);
  switch (control) {
  case dpp::waveShr1:
    return lane == 0 ? std::nullopt : std::optional(lane - 1);
  case dpp::rowMirror:
    return row | (15 - column);
  case dpp::rowHalfMirror:
    return row | (column ^ 7);
  case dpp::rowBcast15:
    return row == 0 ? std::nullopt : std::optional(row - 1);
  case dpp::rowBcast31:
    return lane < 32 ? std::nullopt : std::optional(31u);
  default:
    break;
  }
  switch (control & ~15u) {
  case dpp::rowShl(0):
    return column + count > 15 ? std::nullopt : std::optional(lane + count);
  case dpp::rowShr(0):
    return column < count ? std::nullopt : std::optional(lane - count);
  case dpp::rowShare(0):
    return row | count;
  case dpp::rowXMask(0):
    return lane ^ count;
  default:
    return std::nullopt;
  }
}

static LaneSource findDPPSource(const Move &move, unsigned lane,
                                const WarpShape &warp) {
  bool isWritten = (move.rowMask >> (lane / 16) & 1) &&
                   (move.bankMask >> (lane % 16 / 4) & 1);
  if (!isWritten)
    return {LaneSource::Old, 0, false};
  std::optional<unsigned> source = findDPPLane(move.control, lane);
  if (source && *source < warp.presentLanes)
    return {LaneSource::Lane, *source, false};
  return {move.boundCtrl ? LaneSource::Zero : LaneSource::Old, 0, false};
}

LaneSource coll::findSource(const Move &move, unsigned lane,
                            const WarpShape &warp) {
  switch (move.kind) {
  case MoveKind::None:
    return fromLane(lane, warp, LaneSource::Undefined);
  case MoveKind::ShflBfly:
  case MoveKind::ShflUp:
  case MoveKind::ShflDown:
  case MoveKind::ShflIdx:
    return findShuffleSource(move, lane, warp);
  case MoveKind::DPP:
    return findDPPSource(move, lane, warp);
  case MoveKind::PermlaneX16:
    return fromLane(((lane & ~15u) ^ 16) | (move.control & 15), warp,
                    LaneSource::Old);
  case MoveKind::Permlane64:
  case MoveKind::Permlane32Swap:
    return fromLane(lane ^ 32, warp, LaneSource::Undefined);
  case MoveKind::Permlane16Swap:
    return fromLane(lane ^ 16, warp, LaneSource::Undefined);
  case MoveKind::ReadLane:
    return fromLane(warp.get(move.lane), warp, LaneSource::Undefined);
  case MoveKind::DsSwizzle: {
    unsigned andMask = move.control & 31, orMask = move.control >> 5 & 31,
             xorMask = move.control >> 10 & 31;
    unsigned source = ((lane & 31 & andMask) | orMask) ^ xorMask;
    return fromLane((lane & ~31u) | source, warp, LaneSource::Undefined);
  }
  }
  return {};
}

/// The feature that a DPP control needs beyond DPP itself.
static Feature getDPPFeature(unsigned control) {
  if (control == dpp::waveShr1 || control == dpp::rowBcast15 ||
      control == dpp::rowBcast31)
    return Feature::DPPWaveShift;
  if (control >= dpp::rowXMask(0))
    return Feature::DPPRowXMask;
  if (control >= dpp::rowShare(0))
    return Feature::DPPRowShare;
  return Feature::DPP;
}

std::optional<std::string> coll::findMissingFeature(const Move &move,
                                                    const Target &target) {
  auto need = [&](bool isThere,
                  llvm::StringRef what) -> std::optional<std::string> {
    if (isThere)
      return std::nullopt;
    return (target.str() + " has no " + what).str();
  };
  switch (move.kind) {
  case MoveKind::None:
    return std::nullopt;
  case MoveKind::ShflBfly:
  case MoveKind::ShflUp:
  case MoveKind::ShflDown:
  case MoveKind::ShflIdx:
    return need(target.isNVIDIA(), "shfl.sync");
  case MoveKind::DPP: {
    Feature feature = getDPPFeature(move.control);
    return need(target.has(feature), getFeatureName(feature));
  }
  case MoveKind::PermlaneX16:
    return need(target.has(Feature::Permlane16), "permlanex16");
  case MoveKind::Permlane64:
    return need(target.has(Feature::Permlane64) && target.getWarpSize() == 64,
                "permlane64");
  case MoveKind::Permlane16Swap:
  case MoveKind::Permlane32Swap:
    return need(target.has(Feature::PermlaneSwap), "permlane-swap");
  case MoveKind::ReadLane:
  case MoveKind::DsSwizzle:
    return need(target.isAMD(), "readlane or ds_swizzle");
  }
  return std::nullopt;
}
