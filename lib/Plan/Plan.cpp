//===- Plan.cpp - Moves by name, and plans as text ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Plan.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using llvm::raw_ostream;

static Move makeMove(MoveKind kind, WarpConstant lane, WarpConstant clamp) {
  Move move;
  move.kind = kind;
  move.lane = lane;
  move.clamp = clamp;
  return move;
}

static Move makeMove(MoveKind kind, unsigned control = 0) {
  Move move;
  move.kind = kind;
  move.control = control;
  return move;
}

Move Move::bfly(unsigned distance, WarpConstant clamp) {
  return makeMove(MoveKind::ShflBfly, WarpConstant::same(distance), clamp);
}

Move Move::up(unsigned distance, unsigned clamp) {
  return makeMove(MoveKind::ShflUp, WarpConstant::same(distance),
                  WarpConstant::same(clamp));
}

Move Move::down(unsigned distance, WarpConstant clamp) {
  return makeMove(MoveKind::ShflDown, WarpConstant::same(distance), clamp);
}

Move Move::idx(WarpConstant lane, WarpConstant clamp) {
  return makeMove(MoveKind::ShflIdx, lane, clamp);
}

Move Move::dpp(unsigned control, unsigned rowMask, unsigned bankMask,
               bool boundCtrl) {
  Move move = makeMove(MoveKind::DPP, control);
  move.rowMask = rowMask;
  move.bankMask = bankMask;
  move.boundCtrl = boundCtrl;
  return move;
}

Move Move::permlaneX16(unsigned nibble) {
  return makeMove(MoveKind::PermlaneX16, nibble);
}

Move Move::permlane64() { return makeMove(MoveKind::Permlane64); }
Move Move::swap16() { return makeMove(MoveKind::Permlane16Swap); }
Move Move::swap32() { return makeMove(MoveKind::Permlane32Swap); }

Move Move::readLane(WarpConstant lane) {
  return makeMove(MoveKind::ReadLane, lane, {});
}

Move Move::swizzle(unsigned andMask, unsigned orMask, unsigned xorMask) {
  return makeMove(MoveKind::DsSwizzle, andMask | orMask << 5 | xorMask << 10);
}

/// "31", or "31|12" where full and short warps differ.
static void printConstant(raw_ostream &os, WarpConstant value,
                          bool isHex = false) {
  auto printOne = [&](uint64_t number) {
    if (isHex)
      os << llvm::format_hex(number, 1);
    else
      os << number;
  };
  printOne(value.full);
  if (value.isSame())
    return;
  os << '|';
  printOne(value.tail);
}

static void printDPP(raw_ostream &os, const Move &move) {
  unsigned control = move.control;
  os << "dpp ";
  if (control < 0x100)
    os << "quad_perm:[" << (control & 3) << ',' << (control >> 2 & 3) << ','
       << (control >> 4 & 3) << ',' << (control >> 6) << ']';
  else if (control == dpp::waveShr1)
    os << "wave_shr:1";
  else if (control == dpp::rowMirror)
    os << "row_mirror";
  else if (control == dpp::rowHalfMirror)
    os << "row_half_mirror";
  else if (control == dpp::rowBcast15)
    os << "row_bcast:15";
  else if (control == dpp::rowBcast31)
    os << "row_bcast:31";
  else if (control < dpp::rowShr(0))
    os << "row_shl:" << (control & 15);
  else if (control < dpp::rowShr(16))
    os << "row_shr:" << (control & 15);
  else if (control < dpp::rowXMask(0))
    os << "row_share:" << (control & 15);
  else
    os << "row_xmask:" << (control & 15);
  if (move.rowMask != 0xf)
    os << " row_mask:" << llvm::format_hex(move.rowMask, 1);
  if (move.bankMask != 0xf)
    os << " bank_mask:" << llvm::format_hex(move.bankMask, 1);
  if (move.boundCtrl)
    os << " bound_ctrl";
}

static void printShuffle(raw_ostream &os, llvm::StringRef mode,
                         const Move &move) {
  os << "shfl." << mode << ' ';
  if (move.operand == LaneOperand::InvertedLaneOr15)
    os << "~lane|15";
  else
    printConstant(os, move.lane);
  os << " (c=";
  printConstant(os, move.clamp, /*isHex=*/true);
  os << ')';
}

static void printMove(raw_ostream &os, const Move &move) {
  switch (move.kind) {
  case MoveKind::None:
    os << "here";
    return;
  case MoveKind::ShflBfly:
    return printShuffle(os, "bfly", move);
  case MoveKind::ShflUp:
    return printShuffle(os, "up", move);
  case MoveKind::ShflDown:
    return printShuffle(os, "down", move);
  case MoveKind::ShflIdx:
    return printShuffle(os, "idx", move);
  case MoveKind::DPP:
    return printDPP(os, move);
  case MoveKind::PermlaneX16:
    os << "permlanex16 " << move.control;
    return;
  case MoveKind::Permlane64:
    os << "permlane64";
    return;
  case MoveKind::Permlane16Swap:
    os << "permlane16_swap";
    return;
  case MoveKind::Permlane32Swap:
    os << "permlane32_swap";
    return;
  case MoveKind::ReadLane:
    os << "readlane ";
    printConstant(os, move.lane);
    return;
  case MoveKind::DsSwizzle:
    os << "ds_swizzle and:" << (move.control & 31)
       << " or:" << (move.control >> 5 & 31) << " xor:" << (move.control >> 10);
    return;
  }
}

static void printGuard(raw_ostream &os, const Step &step) {
  if (step.guard.kind == GuardKind::Always)
    return;
  if (step.guard.kind == GuardKind::Predicate) {
    os << " if predicate";
  } else {
    os << " if lane in ";
    printConstant(os, step.guard.mask, /*isHex=*/true);
  }
  os << " else v" << step.otherwise;
  if (step.tied)
    os << " (tied)";
}

/// "shfl.bfly 1 (c=0x1f) of v0", with the value of lanes without source.
static void printMoved(raw_ostream &os, const Step &step) {
  if (step.move.kind != MoveKind::None) {
    printMove(os, step.move);
    os << " of ";
  }
  os << 'v' << step.source;
  if (step.old != noValue)
    os << " (old v" << step.old << ')';
}

static void printStep(raw_ostream &os, const Step &step) {
  switch (step.kind) {
  case StepKind::Identity:
    os << "identity";
    return;
  case StepKind::Neutral:
    os << "neutral";
    return;
  case StepKind::Move:
    os << "move ";
    printMoved(os, step);
    return printGuard(os, step);
  case StepKind::Combine:
    os << "combine ";
    if (step.side == Side::OwnLeft)
      os << 'v' << step.own << ", ";
    printMoved(os, step);
    if (step.side == Side::SourceLeft)
      os << ", v" << step.own;
    return printGuard(os, step);
  case StepKind::Redux:
    os << "redux v" << step.source << " over ";
    printConstant(os, step.mask, /*isHex=*/true);
    return;
  case StepKind::Remove:
    os << "remove v" << step.own << " from v" << step.source;
    return;
  }
}

void Plan::print(raw_ostream &os) const {
  if (hasInit)
    os << "v1 = init\n";
  for (const auto &[index, step] : llvm::enumerate(steps)) {
    os << 'v' << getStepValue(index) << " = ";
    printStep(os, step);
    os << "  ; cost " << step.cost << '\n';
  }
  os << "result";
  for (PlanValue value : results)
    os << " v" << value;
  os << "  ; cost " << cost << '\n';
}

std::string Plan::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}
