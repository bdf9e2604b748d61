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
  case dpp::waveShl1:
    return lane == 63 ? std::nullopt : std::optional(lane + 1);
  case dpp::waveRol1:
    return (lane + 1) & 63;
  case dpp::waveShr1:
    return lane == 0 ? std::nullopt : std::optional(lane - 1);
  case dpp::waveRor1:
    return (lane - 1) & 63;
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
  case dpp::rowRor(0):
    return row | ((column - count) & 15);
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

/// The lane of its 32 that a ds_swizzle offset names for `lane`.
static unsigned findSwizzleLane(unsigned offset, unsigned lane) {
  unsigned kept = offset & 31, middle = offset >> 5 & 31;
  if (offset >= 0xc000)
    return (lane & kept) | ((lane + middle) & ~kept & 31);
  return ((lane & kept) | middle) ^ (offset >> 10 & 31);
}

/// The lane whose word `lane` loads from shared memory; none outside the warp.
static std::optional<unsigned> findSharedLane(const Move &move, unsigned lane,
                                              unsigned size) {
  int source = static_cast<int>(lane) + move.distance;
  switch (static_cast<SharedForm>(move.control)) {
  case SharedForm::Xor:
    source = static_cast<int>(lane) ^ move.distance;
    break;
  case SharedForm::Shift:
    break;
  case SharedForm::Rotate:
    source &= static_cast<int>(size) - 1;
    break;
  }
  if (source < 0 || source >= static_cast<int>(size))
    return std::nullopt;
  return source;
}

/// The lane of its row (or eight lanes) that `selects` names for `lane`.
static unsigned findSelectedLane(const Move &move, unsigned lane) {
  if (move.kind == MoveKind::DPP8)
    return (lane & ~7u) | (move.selects >> (3 * (lane & 7)) & 7);
  return (lane & ~15u) | (move.selects >> (4 * (lane & 15)) & 15);
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
  case MoveKind::DPP8:
    return fromLane(findSelectedLane(move, lane), warp, LaneSource::Zero);
  case MoveKind::Permlane16:
    return fromLane(findSelectedLane(move, lane), warp, LaneSource::Old);
  case MoveKind::PermlaneX16:
    return fromLane(findSelectedLane(move, lane) ^ 16, warp, LaneSource::Old);
  case MoveKind::Permlane64:
    return fromLane(lane ^ 32, warp, LaneSource::Undefined);
  case MoveKind::Permlane16Swap:
    return fromLane((lane & ~16u) | move.control << 4, warp,
                    LaneSource::Undefined);
  case MoveKind::Permlane32Swap:
    return fromLane((lane & ~32u) | move.control << 5, warp,
                    LaneSource::Undefined);
  case MoveKind::ReadLane:
    return fromLane(warp.get(move.lane), warp, LaneSource::Undefined);
  case MoveKind::CopyLane:
    if (lane != move.control)
      return {LaneSource::Old, 0, false};
    return fromLane(warp.get(move.lane), warp, LaneSource::Undefined);
  case MoveKind::DsSwizzle:
    return fromLane((lane & ~31u) | findSwizzleLane(move.control, lane & 31),
                    warp, LaneSource::Undefined);
  case MoveKind::Shared:
    if (auto source = findSharedLane(move, lane, warp.size))
      return fromLane(*source, warp, LaneSource::Undefined);
    return {LaneSource::Undefined, 0, true};
  }
  return {};
}

/// The feature that a DPP control needs beyond DPP itself.
static Feature getDPPFeature(unsigned control) {
  if ((control >= dpp::waveShl1 && control <= dpp::waveRor1) ||
      control == dpp::rowBcast15 || control == dpp::rowBcast31)
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
  case MoveKind::DPP8: // Came with the other.
    return need(target.has(Feature::Permlane16), "dpp8");
  case MoveKind::Permlane16:
    return need(target.has(Feature::Permlane16), "permlane16");
  case MoveKind::PermlaneX16:
    return need(target.has(Feature::Permlane16), "permlanex16");
  case MoveKind::Permlane64:
    return need(target.has(Feature::Permlane64) && target.getWarpSize() == 64,
                "permlane64");
  case MoveKind::Permlane16Swap:
  case MoveKind::Permlane32Swap:
    return need(target.has(Feature::PermlaneSwap), "permlane-swap");
  case MoveKind::ReadLane:
  case MoveKind::CopyLane:
    return need(target.isAMD(), "readlane");
  case MoveKind::DsSwizzle:
    if (move.control >= 0xc000)
      return need(target.isGFX9(), "rotating ds_swizzle");
    return need(target.isAMD(), "ds_swizzle");
  case MoveKind::Shared:
    return need(target.isAMD(), "moves through shared memory");
  }
  return std::nullopt;
}

/// The same for an operator on floats of 16 or 32 bits.
static unsigned countFloatInstructions(const PlanKey &key) {
  switch (key.op.kind) {
  case OperatorKind::Add:
  case OperatorKind::Mul: {
    if (!key.element.leaves.front().isBF16)
      return 1;
    bool hasRounding = key.target.getFamily() == AMDFamily::GFX950;
    return hasRounding ? 2 : 4;
  }
  case OperatorKind::MinNum:
  case OperatorKind::MaxNum:
    return 1;
  case OperatorKind::Minimum:
  case OperatorKind::Maximum:
    return key.target.getFamily() == AMDFamily::GFX12 ? 1 : 0;
  default:
    return 0;
  }
}

/// Of an operator on integers.
static unsigned countIntegerInstructions(const PlanKey &key) {
  bool isWide = key.element.leaves.front().bits == 64;
  unsigned clear = key.target.getFamily() == AMDFamily::GFX10 ? 1 : 0;
  switch (key.op.kind) {
  case OperatorKind::Add:
    return isWide ? 2 + clear : 1;
  case OperatorKind::SMin:
  case OperatorKind::SMax:
  case OperatorKind::UMin:
  case OperatorKind::UMax:
    return isWide ? 4 + clear : 1;
  case OperatorKind::And:
  case OperatorKind::Or:
  case OperatorKind::Xor:
    return isWide ? 2 : 1;
  default:
    return 0;
  }
}

unsigned coll::countDPPInstructions(const PlanKey &key) {
  if (!key.target.has(Feature::DPP) || key.element.leaves.size() != 1)
    return 0;
  const LeafType &leaf = key.element.leaves.front();
  if (leaf.lanes != 1 || leaf.bits == 1)
    return 0;
  if (!leaf.isFloat)
    return countIntegerInstructions(key);
  return leaf.bits == 64 ? 0 : countFloatInstructions(key);
}

Encoding coll::getDPPEncoding(const PlanKey &key) {
  if (!hasDPPInstruction(key))
    return Encoding::Element;
  const LeafType &leaf = key.element.leaves.front();
  if (leaf.isBF16 || (!leaf.isFloat && leaf.bits < 32))
    return Encoding::Wide;
  bool isSigned =
      key.op.kind == OperatorKind::SMin || key.op.kind == OperatorKind::SMax;
  return leaf.bits == 64 && isSigned ? Encoding::Unsigned : Encoding::Element;
}
