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

static Move makeSelects(MoveKind kind, uint64_t selects) {
  Move move = makeMove(kind);
  move.selects = selects;
  return move;
}

Move Move::dpp8(uint64_t selects) {
  return makeSelects(MoveKind::DPP8, selects);
}

Move Move::permlane16(uint64_t selects) {
  return makeSelects(MoveKind::Permlane16, selects);
}

Move Move::permlaneX16(uint64_t selects) {
  return makeSelects(MoveKind::PermlaneX16, selects);
}

Move Move::permlane64() { return makeMove(MoveKind::Permlane64); }

Move Move::swap16(bool isOdd) {
  return makeMove(MoveKind::Permlane16Swap, isOdd);
}

Move Move::swap32(bool isOdd) {
  return makeMove(MoveKind::Permlane32Swap, isOdd);
}

Move Move::readLane(WarpConstant lane) {
  return makeMove(MoveKind::ReadLane, lane, {});
}

Move Move::copyLane(WarpConstant from, unsigned to) {
  Move move = makeMove(MoveKind::CopyLane, from, {});
  move.control = to;
  return move;
}

Move Move::swizzle(unsigned andMask, unsigned orMask, unsigned xorMask) {
  return makeMove(MoveKind::DsSwizzle, andMask | orMask << 5 | xorMask << 10);
}

Move Move::swizzleRotate(unsigned distance, unsigned size) {
  unsigned kept = 31 & ~(size - 1);
  return makeMove(MoveKind::DsSwizzle, 0xc000 | (distance & 31) << 5 | kept);
}

Move Move::shared(SharedForm form, int distance) {
  Move move = makeMove(MoveKind::Shared, static_cast<unsigned>(form));
  move.distance = distance;
  return move;
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

void dpp::printControl(raw_ostream &os, unsigned control) {
  if (control < 0x100)
    os << "quad_perm:[" << (control & 3) << ',' << (control >> 2 & 3) << ','
       << (control >> 4 & 3) << ',' << (control >> 6) << ']';
  else if (control == dpp::waveShl1)
    os << "wave_shl:1";
  else if (control == dpp::waveRol1)
    os << "wave_rol:1";
  else if (control == dpp::waveShr1)
    os << "wave_shr:1";
  else if (control == dpp::waveRor1)
    os << "wave_ror:1";
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
  else if (control < dpp::rowRor(16))
    os << "row_ror:" << (control & 15);
  else if (control < dpp::rowXMask(0))
    os << "row_share:" << (control & 15);
  else
    os << "row_xmask:" << (control & 15);
}

static void printDPP(raw_ostream &os, const Move &move) {
  os << "dpp ";
  dpp::printControl(os, move.control);
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

static void printSwizzle(raw_ostream &os, unsigned control) {
  os << "ds_swizzle ";
  if (control >= 0xc000)
    os << "rotate:" << (control >> 5 & 31) << " keep:" << (control & 31);
  else
    os << "and:" << (control & 31) << " or:" << (control >> 5 & 31)
       << " xor:" << (control >> 10);
}

static void printShared(raw_ostream &os, const Move &move) {
  os << "shared ";
  switch (static_cast<SharedForm>(move.control)) {
  case SharedForm::Xor:
    os << "xor:";
    break;
  case SharedForm::Shift:
    os << "shift:";
    break;
  case SharedForm::Rotate:
    os << "rotate:";
    break;
  }
  os << move.distance;
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
  case MoveKind::DPP8:
    os << "dpp8 " << llvm::format_hex(move.selects, 1);
    return;
  case MoveKind::Permlane16:
    os << "permlane16 " << llvm::format_hex(move.selects, 1);
    return;
  case MoveKind::PermlaneX16:
    os << "permlanex16 " << llvm::format_hex(move.selects, 1);
    return;
  case MoveKind::Permlane64:
    os << "permlane64";
    return;
  case MoveKind::Permlane16Swap:
    os << "permlane16_swap " << move.control;
    return;
  case MoveKind::Permlane32Swap:
    os << "permlane32_swap " << move.control;
    return;
  case MoveKind::ReadLane:
    os << "readlane ";
    printConstant(os, move.lane);
    return;
  case MoveKind::CopyLane:
    os << "copylane " << move.control << " from ";
    printConstant(os, move.lane);
    return;
  case MoveKind::DsSwizzle:
    return printSwizzle(os, move.control);
  case MoveKind::Shared:
    return printShared(os, move);
  }
}

std::string Move::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printMove(os, *this);
  return text;
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

static llvm::StringRef getName(Encoding encoding) {
  switch (encoding) {
  case Encoding::Element:
    return "element";
  case Encoding::Wide:
    return "wide";
  case Encoding::Unsigned:
    return "unsigned";
  case Encoding::Keys:
    return "keys";
  }
  return "";
}

static llvm::StringRef getName(ReduxForm form) {
  switch (form) {
  case ReduxForm::Words:
    return "words";
  case ReduxForm::HighThenLow:
    return "high-then-low";
  case ReduxForm::Fields:
    return "fields";
  case ReduxForm::Float:
    return "float";
  case ReduxForm::Arg:
    return "arg";
  }
  return "";
}

static llvm::StringRef getName(VoteRanks ranks) {
  switch (ranks) {
  case VoteRanks::All:
    return "all";
  case VoteRanks::UpToOwn:
    return "up-to-own";
  case VoteRanks::BelowOwn:
    return "below-own";
  }
  return "";
}

bool coll::hasRedux(OperatorKind kind) {
  switch (kind) {
  case OperatorKind::Add:
  case OperatorKind::SMin:
  case OperatorKind::SMax:
  case OperatorKind::UMin:
  case OperatorKind::UMax:
  case OperatorKind::And:
  case OperatorKind::Or:
  case OperatorKind::Xor:
    return true;
  default:
    return false;
  }
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
    os << "redux " << getName(step.form) << " v" << step.source;
    return;
  case StepKind::Vote:
    os << "vote " << getName(step.ranks) << " v" << step.source;
    return;
  case StepKind::Encode:
    os << "encode " << getName(step.encoding) << " v" << step.source;
    return;
  case StepKind::Decode:
    os << "decode " << getName(step.encoding) << " v" << step.source;
    return;
  case StepKind::Remove:
    os << "remove v" << step.own << " from v" << step.source;
    return;
  case StepKind::Numbers:
    os << "numbers of v" << step.source;
    return;
  }
}

size_t Plan::countUses(PlanValue value) const {
  return llvm::count(results, value) +
         llvm::count_if(steps, [&](const Step &step) {
           return step.source == value || step.own == value ||
                  step.old == value || step.otherwise == value;
         });
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
