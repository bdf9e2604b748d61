//===- VerifyOperands.cpp - Ranks, places and bins that do not exist ------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed from constants and ranks is known in each thread of the
// block. If every group that may come to a collective has a thread with a wrong
// operand, the program is wrong whenever it comes there: an error. If some do,
// as where the last warp is short, a warning. A shuffle from outside is wrong
// where it is a constant only: else it gives the own value.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "coll/Analysis/Passes.h"
#include "coll/Analysis/RankSets.h"
#include "coll/Analysis/Uniformity.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll {
#define GEN_PASS_DEF_VERIFYOPERANDS
#include "coll/Analysis/Passes.h.inc"
} // namespace coll

using namespace coll;
using namespace mlir;

namespace {
/// The operands of a kernel's collectives.
class OperandVerifier {
public:
  OperandVerifier(ir::KernelOp kernel, unsigned warpSize)
      : kernel(kernel), warpSize(warpSize), ranks(kernel, warpSize) {}
  LogicalResult verify();

private:
  /// The ranks in the block of a group's threads, as far as they may come.
  using Group = SmallVector<unsigned, 0>;
  /// What is wrong with a group's operands; empty: nothing that is known.
  using Check = llvm::function_ref<std::string(const Group &)>;

  /// Reports what `check` says of the groups that may come to `op`.
  LogicalResult verifyGroups(Operation *op, ir::GroupAttr group, Check check);
  std::string checkBroadcast(ir::BroadcastOp op, const Group &group);
  std::string checkShuffle(ir::ShuffleOp op, const Group &group);
  std::string checkExchange(ir::ExchangeOp op, const Group &group);
  std::string checkHistogram(ir::HistogramOp op, const Group &group);

  /// The value in the thread with the block's rank `thread`, if it is known.
  std::optional<uint64_t> getValue(Value value, unsigned thread) {
    APInt constant; // Not worth a table of all threads.
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getZExtValue();
    return ranks.getValue(value, thread);
  }
  uint64_t getRanks(ir::GroupAttr group, unsigned thread) {
    return group.isCluster()
               ? uint64_t(kernel.getCluster()) * kernel.getBlockSize()
               : ranks.getRanks(group, thread);
  }
  /// "rank 64, but a block of kernel 'k' has 64 ranks".
  std::string describe(StringRef what, uint64_t value, ir::GroupAttr group,
                       unsigned thread, uint64_t count);

  ir::KernelOp kernel;
  unsigned warpSize;
  RankSets ranks;
};
} // namespace

/// The value of a 32-bit operand, as the program means it.
static std::string print(uint64_t bits) {
  return std::to_string(llvm::SignExtend64<32>(bits));
}

std::string OperandVerifier::describe(StringRef what, uint64_t value,
                                      ir::GroupAttr group, unsigned thread,
                                      uint64_t count) {
  std::string owner;
  if (group.isBlock() || group.isCluster())
    owner = ("a " + ir::stringifyGroupKind(group.getKind()) + " of kernel '" +
             kernel.getSourceName().value_or(kernel.getSymName()) + "'")
                .str();
  else
    owner =
        ("the " +
         (group.isWarps() ? "group" : ir::stringifyGroupKind(group.getKind())) +
         " of thread " + Twine(thread))
            .str();
  return (what + " " + print(value) + ", but " + owner + " has " +
          Twine(count) + (count == 1 ? " rank" : " ranks"))
      .str();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

std::string OperandVerifier::checkBroadcast(ir::BroadcastOp op,
                                            const Group &group) {
  std::optional<uint64_t> first;
  unsigned firstThread = 0;
  for (unsigned thread : group) {
    std::optional<uint64_t> from = getValue(op.getFrom(), thread);
    if (!from)
      continue;
    if (*from >= getRanks(op.getGroup(), thread))
      return "reaches outside the group: " +
             describe("rank", *from, op.getGroup(), thread,
                      getRanks(op.getGroup(), thread));
    if (first && *first != *from)
      return "needs one rank that all threads name: thread " +
             std::to_string(firstThread) + " names rank " + print(*first) +
             ", thread " + std::to_string(thread) + " rank " + print(*from);
    if (!first)
      firstThread = thread;
    first = from;
  }
  return {};
}

/// A distance is compared with the size that the source says, of a warp or
/// tile, and not with that of short ones, or of small blocks: there, too, the
/// own value is the result, as the steps of a scan by hand expect.
std::string OperandVerifier::checkShuffle(ir::ShuffleOp op,
                                          const Group &group) {
  APInt index;
  if (op.getKind() == ir::ShuffleKind::Rotate ||
      !matchPattern(op.getIndex(), m_ConstantInt(&index)))
    return {};
  ir::GroupAttr kind = op.getGroup();
  bool isRank = op.getKind() == ir::ShuffleKind::Idx;
  unsigned thread = group.front();
  uint64_t count = kind.getKind() == ir::GroupKind::Warp   ? warpSize
                   : kind.getKind() == ir::GroupKind::Tile ? kind.getTileSize()
                                                           : 0;
  if (count == 0 && isRank)
    count = getRanks(kind, thread);
  if (count == 0 || index.ult(count))
    return {};
  return "reaches outside the group: " + describe(isRank ? "rank" : "distance",
                                                  index.getZExtValue(), kind,
                                                  thread, count);
}

std::string OperandVerifier::checkExchange(ir::ExchangeOp op,
                                           const Group &group) {
  llvm::SmallDenseMap<uint64_t, unsigned> senders;
  for (unsigned thread : group) {
    uint64_t places = getRanks(op.getGroup(), thread) * op.getPlaces().size();
    for (Value place : op.getPlaces()) {
      std::optional<uint64_t> to = getValue(place, thread);
      if (!to)
        continue;
      std::string sends = "needs a permutation of the places: thread " +
                          std::to_string(thread) + " sends to place " +
                          print(*to);
      if (*to >= places)
        return sends + " of " + std::to_string(places);
      auto [sender, isNew] = senders.insert({*to, thread});
      if (!isNew)
        return sends +
               (sender->second == thread
                    ? std::string(" twice")
                    : ", and so does thread " + std::to_string(sender->second));
    }
  }
  return {};
}

std::string OperandVerifier::checkHistogram(ir::HistogramOp op,
                                            const Group &group) {
  int64_t extent = cast<ir::ViewType>(op.getCounts().getType()).getShape()[0];
  if (extent < 0)
    return {};
  for (unsigned thread : group)
    for (Value bin : op.getBins()) {
      std::optional<uint64_t> value = getValue(bin, thread);
      if (value && *value >= static_cast<uint64_t>(extent))
        return "has no bin " + std::to_string(static_cast<int64_t>(*value)) +
               ", which thread " + std::to_string(thread) +
               " counts: there are " + std::to_string(extent);
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

LogicalResult OperandVerifier::verifyGroups(Operation *op, ir::GroupAttr group,
                                            Check check) {
  if (group.isMembers() || group.isGrid())
    return success();
  llvm::MapVector<unsigned, Group> groups;
  llvm::BitVector reach = ranks.getReach(op);
  for (unsigned thread : reach.set_bits()) {
    unsigned first = thread - ranks.getRank(group, thread);
    groups[group.isCluster() ? 0 : first].push_back(thread);
  }
  std::string text;
  bool isCertain = !groups.empty();
  for (const auto &[first, threads] : groups) {
    std::string wrong = check(threads);
    isCertain &= !wrong.empty();
    if (text.empty())
      text = std::move(wrong);
  }
  if (text.empty())
    return success();
  std::string name = getCollectiveName(op, group) + " ";
  if (!isCertain) {
    emitWarning(op->getLoc()) << name << text;
    return success();
  }
  return emitError(op->getLoc()) << name << text;
}

LogicalResult OperandVerifier::verify() {
  LogicalResult result = success();
  kernel.walk([&](Operation *op) {
    auto verifyOp = [&](auto op, auto check) {
      if (failed(verifyGroups(op, op.getGroup(), [&](const Group &group) {
            return (this->*check)(op, group);
          })))
        result = failure();
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ir::BroadcastOp op) {
          verifyOp(op, &OperandVerifier::checkBroadcast);
        })
        .Case([&](ir::ShuffleOp op) {
          verifyOp(op, &OperandVerifier::checkShuffle);
        })
        .Case([&](ir::ExchangeOp op) {
          verifyOp(op, &OperandVerifier::checkExchange);
        })
        .Case([&](ir::HistogramOp op) {
          verifyOp(op, &OperandVerifier::checkHistogram);
        });
  });
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult coll::verifyOperands(ModuleOp module, unsigned warpSize) {
  LogicalResult result = success();
  for (auto kernel : module.getOps<ir::KernelOp>())
    if (failed(OperandVerifier(kernel, warpSize).verify()))
      result = failure();
  return result;
}

namespace {
struct VerifyOperands : coll::impl::VerifyOperandsBase<VerifyOperands> {
  using VerifyOperandsBase::VerifyOperandsBase;
  void runOnOperation() override {
    if (failed(verifyOperands(getOperation(), warpSize)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
