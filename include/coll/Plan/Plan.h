//===- Plan.h - How one warp collective is carried out ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan is a short straight-line program over the lanes of one warp. Every
// step defines one value per lane; later steps name earlier values. Value 0 is
// the lane's own element, value 1 is `init` (only if the key has one), step i
// defines value `Plan::getStepValue(i)`. `Plan::results` names the results.
// An element of several leaves or words is one value here: the emitter does
// each move once per 32-bit word.
//
// All present lanes execute all steps together. The lanes that are absent from
// a short warp execute nothing and their values are undefined; no plan lets one
// of them reach a present lane's operator or result (`checkPlan` proves it). An
// operator that is not total (OperatorInfo::isTotal) is called for nothing that
// no result is made of; other lanes are left out by a guard (GuardCalls.cpp).
//
// The two steps that matter:
//
//   Move      r = guard ? moved(source) : otherwise
//   Combine   r = guard ? op(moved(source), own) : otherwise     (SourceLeft)
//             r = guard ? op(own, moved(source)) : otherwise     (OwnLeft)
//
// `moved` is what the move (below) delivers in this lane, from whichever lane
// the instruction names. `guard` says in which lanes the result is wanted:
//
//   Always      in all lanes; there is no select and `otherwise` is not used.
//   Predicate   where the shuffle's predicate output is true (NVIDIA).
//   LaneMask    in the lanes of a constant mask. It is the general form:
//               select(lane in mask, r, otherwise). A `tied` step is one DPP
//               instruction (or a few, see countDPPInstructions) that
//               overwrites `own`: the mask is exactly the set of lanes that it
//               writes, and the others keep what they have.
//
// Example 1. f32 add reduce, tile 8, sm_90, full warps. Ascending butterfly:
// each step adds the partner at distance 1, 2, 4, which is the tree of
// docs/semantics.md up to the order of the two operands of +.
//
//   v1 = combine shfl.bfly 1 (c=0x1f) of v0, v0
//   v2 = combine shfl.bfly 2 (c=0x1f) of v1, v1
//   v3 = combine shfl.bfly 4 (c=0x1f) of v2, v2
//   result v3
//
// Example 2. The same in a block of 45 threads (warps of 32 and of 13 lanes).
// The clamp c is the last present lane: 31 or 12. A partner above it makes the
// predicate false, the lane keeps its value. Rank 0 of every tile is then right
// for any number of ranks, and hands its value to the others.
//
//   v1 = combine shfl.bfly 1 (c=0x1f|0xc) of v0, v0 if predicate else v0
//   v2 = combine shfl.bfly 2 (c=0x1f|0xc) of v1, v1 if predicate else v1
//   v3 = combine shfl.bfly 4 (c=0x1f|0xc) of v2, v2 if predicate else v2
//   v4 = move shfl.idx 0 (c=0x181f) of v3
//   result v4
//
// Example 3. Inclusive scan of f32 by addition, gfx942, whole wave. row_shr
// moves up inside rows of 16; the mask leaves the first lanes of each row
// alone; row_bcast15 and 31 bring the rows together.
//
//   v1 = combine dpp row_shr:1 of v0 (old v0), v0
//          if lane in 0xfffefffefffefffe else v0 (tied)
//   ... 2, 4, 8
//   v5 = combine dpp row_bcast:15 row_mask:0xa of v4 (old v4), v4
//          if lane in 0xffff0000ffff0000 else v4 (tied)
//   v6 = combine dpp row_bcast:31 row_mask:0xc of v5 (old v5), v5
//          if lane in 0xffffffff00000000 else v5 (tied)
//   result v6
//
// Example 4. The same of f64, which no DPP instruction adds. The neutral value
// -0.0 fills the gaps: a lane without source gets `old`, and op(neutral, x) is
// x bit for bit, so no select is needed.
//
//   v1 = neutral
//   v2 = combine dpp row_shr:1 of v0 (old v1), v0
//   ...
//
// Example 5. Reduce of f32 by minimumNumber, sm_90. redux.sync has integers
// only, so the elements become integers of the same order: a value in another
// encoding is combined in it, and turned back before it is a result.
//
//   v1 = encode keys v0
//   v2 = redux words v1 over 0xffffffff
//   v3 = decode keys v2
//   result v3
//
// Costs are in units of about one cycle of latency, see lib/Plan/Cost.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_PLAN_H
#define COLL_PLAN_PLAN_H

#include "coll/Plan/Key.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace coll {

/// Names a value of the plan.
using PlanValue = unsigned;
constexpr PlanValue noValue = ~0u;

/// How a value gets from lane to lane. `b` is Move::lane, `c` is Move::clamp.
enum class MoveKind {
  None, ///< The own lane's value.

  // NVIDIA: shfl.sync with membermask -1. With s = c[12:8] and l the lane:
  // limit = (l & s) | (c[4:0] & ~s). The source j is below, the predicate is
  // j <= limit (ShflUp: j >= limit); where it is false the lane gets its own
  // value. All operands may differ between full and short warps.
  ShflBfly, ///< j = l ^ b
  ShflUp,   ///< j = l - b
  ShflDown, ///< j = l + b
  ShflIdx,  ///< j = (l & s) | (b & ~s)

  // AMD.
  DPP,  ///< update.dpp(old, source, control, rowMask, bankMask, boundCtrl).
        ///< Lanes outside the masks get `old`; lanes whose source is out
        ///< of range or absent get `old`, with boundCtrl 0.
  DPP8, ///< mov.dpp8: lane i of each eight gets lane (3 bits i of
        ///< `selects`) of them; 0 if that lane is absent.
  Permlane16,  ///< permlane16(old, source, selects, selects >> 32, fi=0, bc=0):
               ///< lane i of a row gets lane (nibble i of `selects`) of it;
               ///< `old` if that lane is absent.
  PermlaneX16, ///< permlanex16: as before, of the other row of its 32 lanes.
  Permlane64,  ///< permlane64: lane l gets lane l ^ 32 (wave64).
  Permlane16Swap, ///< Result `control` of permlane16.swap(x, x): the even row
                  ///< (0) or the odd row (1) of its 32 lanes, in both.
  Permlane32Swap, ///< As before of permlane32.swap: lanes 0..31 or 32..63.
  ReadLane, ///< readlane(source, b): lane b's value in all lanes; b is present.
  CopyLane, ///< writelane(readlane(source, b), `control`, old): lane b's value
            ///< in lane `control`, `old` elsewhere; b is present.
  DsSwizzle, ///< ds_swizzle inside 32 lanes; `control` is the offset field: in
             ///< bit mode and | or << 5 | xor << 10, in rotation (gfx9)
             ///< 0xc000 | distance << 5 | kept bits.
  Shared,    ///< Each lane stores a word to shared memory and loads another
             ///< lane's, that of the warp which `control` (SharedForm) and
             ///< `distance` name; for keys that may use it.
};

/// Which lane's word lane l of a warp of W lanes loads; d is Move::distance.
enum class SharedForm : unsigned {
  Xor,    ///< l ^ d
  Shift,  ///< l + d, undefined outside the warp.
  Rotate, ///< (l + d) mod W
};

/// Operand b: a constant of the warp, or computed from the lane.
enum class LaneOperand {
  Constant,         ///< Move::lane.
  InvertedLaneOr15, ///< ~l | 15: 31 in lanes below 16, 15 in the others.
};

/// dpp_ctrl values.
namespace dpp {
constexpr unsigned quadPerm(unsigned a, unsigned b, unsigned c, unsigned d) {
  return a | b << 2 | c << 4 | d << 6;
}
/// From lane l + n, in a row of 16.
constexpr unsigned rowShl(unsigned n) { return 0x100 + n; }
/// From lane l - n.
constexpr unsigned rowShr(unsigned n) { return 0x110 + n; }
/// From lane l - n, round the row.
constexpr unsigned rowRor(unsigned n) { return 0x120 + n; }
constexpr unsigned waveShl1 = 0x130;  ///< From lane l + 1, across rows (gfx9).
constexpr unsigned waveRol1 = 0x134;  ///< From lane l + 1, round (gfx9).
constexpr unsigned waveShr1 = 0x138;  ///< From lane l - 1, across rows (gfx9).
constexpr unsigned waveRor1 = 0x13c;  ///< From lane l - 1, round (gfx9).
constexpr unsigned rowMirror = 0x140; ///< From lane 15 - l of the row.
constexpr unsigned rowHalfMirror = 0x141; ///< From lane 7 - l of the half row.
constexpr unsigned rowBcast15 = 0x142; ///< Last lane of the row before (gfx9).
constexpr unsigned rowBcast31 = 0x143; ///< Lane 31, to rows 2 and 3 (gfx9).
/// Lane n of the row.
constexpr unsigned rowShare(unsigned n) { return 0x150 + n; }
/// Lane l ^ n.
constexpr unsigned rowXMask(unsigned n) { return 0x160 + n; }
/// What assembly calls it, "row_shr:1".
void printControl(llvm::raw_ostream &os, unsigned control);
} // namespace dpp

/// Which lane each lane gets a value from.
struct Move {
  MoveKind kind = MoveKind::None;
  LaneOperand operand = LaneOperand::Constant;
  WarpConstant lane;       ///< b of shfl, the lane of ReadLane.
  WarpConstant clamp;      ///< c of shfl.
  unsigned control = 0;    ///< dpp_ctrl, ds_swizzle offset, and see above.
  uint64_t selects = 0;    ///< DPP8, Permlane16, PermlaneX16.
  int distance = 0;        ///< Shared.
  unsigned rowMask = 0xf;  ///< DPP.
  unsigned bankMask = 0xf; ///< DPP.
  bool boundCtrl = false;  ///< DPP: a lane without source gets zero bits.

  static Move none() { return {}; }
  static Move bfly(unsigned distance, WarpConstant clamp);
  static Move up(unsigned distance, unsigned clamp);
  static Move down(unsigned distance, WarpConstant clamp);
  static Move idx(WarpConstant lane, WarpConstant clamp);
  static Move dpp(unsigned control, unsigned rowMask = 0xf,
                  unsigned bankMask = 0xf, bool boundCtrl = false);
  static Move dpp8(uint64_t selects);
  static Move permlane16(uint64_t selects);
  static Move permlaneX16(uint64_t selects);
  /// permlanex16 of one lane of the other row.
  static Move otherRow(unsigned lane) {
    return permlaneX16(lane * 0x1111111111111111u);
  }
  static Move permlane64();
  /// Of each pair of rows, or of halves of the wave: the odd or the even one.
  static Move swap16(bool isOdd);
  static Move swap32(bool isOdd);
  static Move readLane(WarpConstant lane);
  static Move copyLane(WarpConstant from, unsigned to);
  static Move swizzle(unsigned andMask, unsigned orMask, unsigned xorMask);
  /// From lane l + distance, round groups of `size` lanes (gfx9).
  static Move swizzleRotate(unsigned distance, unsigned size);

  static Move shared(SharedForm form, int distance);

  /// True for NVIDIA's shuffles, which have a predicate output.
  bool isShuffle() const {
    return kind >= MoveKind::ShflBfly && kind <= MoveKind::ShflIdx;
  }
  /// True if the instruction has an `old` operand.
  bool hasOld() const {
    return kind == MoveKind::DPP || kind == MoveKind::Permlane16 ||
           kind == MoveKind::PermlaneX16 || kind == MoveKind::CopyLane;
  }
  /// As in the examples at the top: "shfl.bfly 1 (c=0x1f)", "dpp row_shr:1".
  std::string str() const;
  bool operator==(const Move &) const = default;
};

enum class GuardKind { Always, Predicate, LaneMask };

/// Which lanes a step is for.
struct Guard {
  GuardKind kind = GuardKind::Always;
  WarpConstant mask; ///< LaneMask: bit l is lane l.

  static Guard always() { return {}; }
  static Guard predicate() { return {GuardKind::Predicate, {}}; }
  static Guard lanes(WarpConstant mask) { return {GuardKind::LaneMask, mask}; }
  static Guard lanes(uint64_t mask) { return lanes(WarpConstant::same(mask)); }
};

/// What a step does.
enum class StepKind {
  Identity, ///< The operator's identity as semantics.md defines it.
  Neutral,  ///< The operator's gap filler: see OperatorInfo::hasNeutral.
  Move,     ///< guard ? moved(source) : otherwise
  Combine,  ///< guard ? op(moved(source), own) : otherwise; see `side`.
  Redux,    ///< The reduction of `source`, in a `form`, over the group's
            ///< present lanes: by redux.sync, on AMD by the plans of
            ///< `getReduxParts`.
  Vote,     ///< `source`, one bit or a flag, of the `ranks` of the group: by
            ///< vote.sync, or from the bits of a ballot.
  Remove,   ///< `source` with `own` taken away again: sub (Add) or xor (Xor).
  Encode,   ///< `source`, an element, in an `encoding`.
  Decode,   ///< The element whose `encoding` is `source`.
  Numbers,  ///< The whole collective, of the vector `source`: of each of its
            ///< numbers by the plan of `getNumberKey`.
};

/// What stands for an element between Encode and Decode.
enum class Encoding {
  Element, ///< The element itself.
  Wide,    ///< A word: an integer of 8 or 16 bits extended to 32 (by sign for
        ///< SMin and SMax, else by zeros); on NVIDIA a 16-bit float twice, on
        ///< AMD bf16 as the f32 of the same value.
  Unsigned, ///< A 64-bit integer of SMin or SMax with its sign flipped: in that
            ///< order UMin and UMax are right.
  Keys,     ///< A float as a signed integer of 32 or 64 bits in the order that
            ///< min or max asks for, NaN at its end (f16 and bf16 as f32). For
            ///< MinNum and MaxNum the least key wins, for Minimum and Maximum
            ///< the greatest.
};

/// How an element is reduced in words of 32 bits.
enum class ReduxForm {
  Words,       ///< Each word by itself: 32-bit integers, and any bits for And,
               ///< Or and Xor.
  HighThenLow, ///< Min and max of 64 bits: of the high words, then of the low
               ///< words of the lanes that have the best high word.
  Fields,      ///< Sums of 64 bits: of the bits 0..15, 16..31 and 32..63, put
               ///< together by one multiply and add.
  Float,       ///< Min and max of f32, and of f16 and bf16 as f32.
  Arg, ///< OperatorInfo::arg: of the values or their keys; a ballot finds
       ///< the lowest lane that has the best.
};

/// Whose votes count.
enum class VoteRanks { All, UpToOwn, BelowOwn };

/// Whether redux.sync has the operator, on integers.
bool hasRedux(OperatorKind kind);

/// On which side of the operator the value that was moved stands.
enum class Side {
  SourceLeft, ///< op(moved(source), own): the moved value is of lower ranks.
  OwnLeft,    ///< op(own, moved(source)).
};

/// One step of a plan, of all lanes at once.
struct Step {
  StepKind kind = StepKind::Move;
  Move move;
  PlanValue source = noValue;
  PlanValue own = noValue; ///< Combine, Remove.
  PlanValue old = noValue; ///< Moves with `old`; none: undefined (poison).
  PlanValue otherwise = noValue;         ///< Where the guard is false.
  Side side = Side::SourceLeft;          ///< Combine.
  Guard guard;                           ///< Move, Combine.
  ReduxForm form = ReduxForm::Words;     ///< Redux.
  VoteRanks ranks = VoteRanks::All;      ///< Vote.
  Encoding encoding = Encoding::Element; ///< Encode, Decode.
  bool tied = false;                     ///< See the top of the file.
  unsigned cost = 0;                     ///< Filled in by Plan::computeCost.
};

/// A plan. Strategies build it with PlanBuilder (PlanBuilder.h).
class Plan {
public:
  explicit Plan(bool hasInit) : hasInit(hasInit) {}

  /// The lane's own element.
  static constexpr PlanValue getInput() { return 0; }
  PlanValue getInit() const { return hasInit ? 1 : noValue; }
  PlanValue getStepValue(size_t step) const {
    return static_cast<PlanValue>(step) + (hasInit ? 2 : 1);
  }
  size_t getNumValues() const { return getStepValue(steps.size()); }

  /// Steps and results that use a value.
  size_t countUses(PlanValue value) const;

  PlanValue addStep(Step step) {
    steps.push_back(step);
    return getStepValue(steps.size() - 1);
  }

  llvm::ArrayRef<Step> getSteps() const { return steps; }
  llvm::ArrayRef<PlanValue> getResults() const { return results; }
  void setResults(llvm::ArrayRef<PlanValue> values) {
    results.assign(values.begin(), values.end());
  }

  /// Fills in the steps' costs and returns the sum.
  unsigned computeCost(const PlanKey &key);
  unsigned getCost() const { return cost; }

  /// One line per step, as in the examples at the top, with costs.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  bool hasInit;
  std::vector<Step> steps;
  llvm::SmallVector<PlanValue, 2> results;
  unsigned cost = 0;
};

/// Runs `plan` on symbolic lanes of a warp of which the first `presentLanes`
/// exist, and compares what every present lane gets with docs/semantics.md.
/// The error names lane, expected and actual expression.
llvm::Error checkPlan(const PlanKey &key, const Plan &plan,
                      unsigned presentLanes);

/// The same for every kind of warp of the key's block.
llvm::Error checkPlan(const PlanKey &key, const Plan &plan);

} // namespace coll

#endif // COLL_PLAN_PLAN_H
