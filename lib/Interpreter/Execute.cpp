//===- Execute.cpp - The instructions of a warp ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "coll/Support/FormatFloat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using namespace coll::ref;

/// The lanes of `among` whose value in `row` is not 0.
static uint64_t getTrueLanes(const uint64_t *row, uint64_t among) {
  uint64_t result = 0;
  forEachLane(among, [&](unsigned lane) {
    result |= uint64_t(row[lane] != 0) << lane;
  });
  return result;
}

static void copyLanes(uint64_t *out, const uint64_t *in, uint64_t mask,
                      unsigned width) {
  if (mask == llvm::maskTrailingOnes<uint64_t>(width)) {
    std::copy_n(in, width, out);
    return;
  }
  for (unsigned lane = 0; lane != width; ++lane)
    out[lane] = mask >> lane & 1 ? in[lane] : out[lane];
}

/// Carries out a control flow instruction; false if `inst` is none.
static bool executeControl(Warp &warp, const Inst &inst, const uint64_t *a) {
  uint64_t &active = warp.active();
  uint64_t *masks = warp.masks.data() + inst.m;
  bool jumpsWhenEmpty = true;
  switch (inst.op) {
  case Opcode::If: {
    uint64_t taken = getTrueLanes(a, active);
    masks[0] = active & ~taken;
    active = taken;
    break;
  }
  case Opcode::Else:
    masks[1] = active;
    active = masks[0];
    break;
  case Opcode::EndIf:
    active |= masks[1];
    break;
  case Opcode::Loop:
    masks[0] = masks[1] = 0;
    return true;
  case Opcode::Test: {
    uint64_t stay = getTrueLanes(a, active);
    masks[0] |= active & ~stay;
    active = stay;
    break;
  }
  case Opcode::Step:
    active |= masks[1];
    masks[1] = 0;
    break;
  case Opcode::Back:
    jumpsWhenEmpty = false;
    break;
  case Opcode::EndLoop:
  case Opcode::EndInline:
    active = masks[0];
    break;
  case Opcode::Inline:
    masks[0] = 0;
    return true;
  case Opcode::Leave:
    masks[0] |= active;
    active = 0;
    return true;
  case Opcode::Return:
    warp.returned |= active;
    active = 0;
    return true;
  default:
    return false;
  }
  if ((active == 0) == jumpsWhenEmpty)
    warp.pc = inst.to;
  return true;
}

bool Machine::execute(Warp &warp, unsigned turn) {
  for (unsigned i = 1;; ++i) {
    const Inst &inst = kernel.code[warp.pc++];
    ++warp.executed;
    switch (inst.op) {
    case Opcode::Lanes:
      inst.fn(row(warp, inst.out), row(warp, inst.a), row(warp, inst.b),
              row(warp, inst.c), width);
      break;
    case Opcode::Copy:
      copyLanes(row(warp, inst.out), row(warp, inst.a), warp.active(), width);
      break;
    case Opcode::End:
      warp.state = Warp::State::Done;
      return warp.isScratch || checkWaits(warp);
    case Opcode::Pause:
      return true;
    case Opcode::Back:
      // Turns that end with trips find a loop as they have left it.
      executeControl(warp, inst, nullptr);
      if (warp.active()) {
        warp.turned |= warp.active();
        warp.loops.add(inst.to, &inst - kernel.code.data());
      }
      if (i >= turn)
        return true;
      break;
    case Opcode::Collective: {
      if (kernel.collectives[inst.info].isSplitWide(width)) {
        --warp.pc;
        if (!splitWide(warp, inst))
          return false;
        if (warp.state == Warp::State::Waiting)
          return true;
        warp.pc = inst.to;
        break;
      }
      if (!kernel.collectives[inst.info].group.isWide(width)) {
        if (!warpCollective(warp, inst))
          return false;
        warp.pc = inst.to;
        break;
      }
      --warp.pc;
      warp.state = Warp::State::Waiting;
      return true;
    }
    default:
      if (!executeControl(warp, inst, row(warp, inst.a)) &&
          !executeSlow(warp, inst))
        return false;
    }
  }
}

bool Machine::executeSlow(Warp &warp, const Inst &inst) {
  switch (inst.op) {
  case Opcode::Divide:
    return executeDivide(warp, inst);
  case Opcode::Repack:
    executeRepack(warp, kernel.repacks[inst.info]);
    return true;
  case Opcode::NewVar:
    warp.masks[inst.m] &= ~warp.active();
    return true;
  case Opcode::AssignVar:
    warp.masks[inst.m] |= warp.active();
    return true;
  case Opcode::CheckVar:
    if (uint64_t missing = warp.active() & ~warp.masks[inst.m])
      return fault(FaultKind::UninitializedRead, inst, warp,
                   std::countr_zero(missing),
                   "variable '" + kernel.texts[inst.info] +
                       "' is read before it is assigned");
    return true;
  case Opcode::NewPrivate:
    newPrivate(warp, inst);
    return true;
  case Opcode::NewShared:
    return newShared(warp, inst);
  case Opcode::Slice:
    return slice(warp, inst);
  case Opcode::Flat:
    return flatten(warp, inst);
  case Opcode::Recast:
    return recast(warp, inst);
  case Opcode::Field:
    field(warp, inst);
    return true;
  case Opcode::Load:
    return load(warp, inst);
  case Opcode::Store:
    return store(warp, inst);
  case Opcode::AtomicRMW:
  case Opcode::AtomicCAS:
  case Opcode::AtomicLoad:
  case Opcode::AtomicStore:
    return atomic(warp, inst);
  case Opcode::Fence:
    forEachLane(warp.active(), [&](unsigned lane) {
      warp.block->clock.order(threadOf(warp, lane),
                              kernel.accesses[inst.info].order);
    });
    return true;
  case Opcode::Assert:
    return executeAssert(warp, inst);
  case Opcode::Trap:
    return fault(FaultKind::Trap, inst, warp, std::countr_zero(warp.active()),
                 "trap");
  default:
    executeQuery(warp, inst);
    return true;
  }
}

void Machine::executeQuery(Warp &warp, const Inst &inst) {
  uint64_t *out = row(warp, inst.out);
  auto fill = [&](llvm::function_ref<uint64_t(unsigned)> value) {
    for (unsigned lane = 0; lane != width; ++lane)
      out[lane] = value(lane);
  };
  unsigned x = kernel.workgroup[0], y = kernel.workgroup[1];
  unsigned divisor[] = {1, x, x * y};
  unsigned lanes = std::popcount(warp.existing);
  GroupInfo group;
  if (inst.op >= Opcode::Rank && inst.op <= Opcode::Count)
    group = kernel.groups[inst.info];
  if (group.isMembers()) {
    const uint64_t *members = row(warp, group.members);
    return fill([&](unsigned lane) -> uint64_t {
      uint64_t below = llvm::maskTrailingOnes<uint64_t>(lane);
      return std::popcount(inst.op == Opcode::Rank ? members[lane] & below
                                                   : members[lane]);
    });
  }
  unsigned size = group.tileSize ? group.tileSize : width;
  switch (inst.op) {
  case Opcode::Active:
    return fill([&](unsigned) { return warp.active(); });
  case Opcode::ThreadId:
    return fill([&](unsigned lane) -> uint64_t {
      return threadOf(warp, lane) / divisor[inst.imm] %
             kernel.workgroup[inst.imm];
    });
  case Opcode::BlockId:
    return fill([&](unsigned) { return warp.block->id[inst.imm]; });
  case Opcode::BlockCount:
    return fill([&](unsigned) { return grid[inst.imm]; });
  case Opcode::ClusterId:
    return fill([&](unsigned) {
      return warp.block->id[inst.imm] / (inst.imm ? 1 : kernel.cluster);
    });
  case Opcode::Rank:
    return fill([&](unsigned lane) -> uint64_t {
      unsigned thread = threadOf(warp, lane);
      if (group.isOfBlocks())
        return getIndex(*warp.block, group) * kernel.getBlockSize() + thread;
      return group.isWarps()   ? thread - group.first
             : group.isBlock() ? thread
                               : thread % size;
    });
  case Opcode::Size:
    if (group.isOfBlocks())
      return fill([&](unsigned) {
        return getBlockCount(group) * kernel.getBlockSize();
      });
    if (group.isWarps() || group.tileSize > width)
      return fill([&](unsigned) -> uint64_t { return size; });
    return fill([&](unsigned lane) -> uint64_t {
      unsigned first = lane / size * size;
      return group.isBlock() ? kernel.getBlockSize()
             : first > lanes ? 0
                             : std::min(size, lanes - first);
    });
  case Opcode::Index:
    return fill([&](unsigned lane) -> uint64_t {
      if (group.kind == ir::GroupKind::Warp)
        return warp.index;
      return size > width ? threadOf(warp, lane) / size : lane / size;
    });
  case Opcode::Count:
    return fill([&](unsigned) -> uint64_t {
      return group.kind == ir::GroupKind::Warp ? warp.block->warps.size()
                                               : llvm::divideCeil(lanes, size);
    });
  default:
    llvm_unreachable("unknown instruction");
  }
}

void Machine::executeRepack(Warp &warp, const RepackInfo &repack) {
  unsigned inBits = repack.inBits, outBits = repack.outBits;
  for (unsigned i = 0; i != repack.outCount; ++i) {
    uint64_t *out = row(warp, repack.out + i);
    for (unsigned lane = 0; lane != width; ++lane) {
      uint64_t value = 0;
      unsigned first = i * outBits;
      for (unsigned bit = 0; bit < outBits; bit += std::min(inBits, outBits)) {
        unsigned position = first + bit;
        uint64_t part = row(warp, repack.in + position / inBits)[lane];
        value |= part >> (position % inBits) << bit;
      }
      out[lane] = value & llvm::maskTrailingOnes<uint64_t>(outBits);
    }
  }
}

bool Machine::executeDivide(Warp &warp, const Inst &inst) {
  const uint64_t *divisor = row(warp, inst.b);
  uint64_t zeros = warp.active() & ~getTrueLanes(divisor, warp.active());
  if (zeros)
    return fault(FaultKind::DivisionByZero, inst, warp, std::countr_zero(zeros),
                 "division by zero");
  inst.fn(row(warp, inst.out), row(warp, inst.a), divisor, nullptr, width);
  return true;
}

static const llvm::fltSemantics &getSemantics(Scalar type) {
  switch (type) {
  case Scalar::F16:
    return llvm::APFloat::IEEEhalf();
  case Scalar::BF16:
    return llvm::APFloat::BFloat();
  case Scalar::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

/// A scalar as the language writes it.
static void printScalar(llvm::raw_ostream &os, uint64_t bits, Scalar type,
                        bool isSigned) {
  if (isFloat(type)) {
    llvm::APInt pattern = llvm::APInt(64, bits).trunc(getBitWidth(type));
    os << formatFloat(llvm::APFloat(getSemantics(type), pattern));
  } else if (type == Scalar::I1) {
    os << (bits ? "true" : "false");
  } else if (isSigned) {
    os << llvm::SignExtend64(bits, getBitWidth(type));
  } else {
    os << bits;
  }
}

bool Machine::executeAssert(Warp &warp, const Inst &inst) {
  uint64_t failing =
      warp.active() & ~getTrueLanes(row(warp, inst.a), warp.active());
  if (!failing)
    return true;
  unsigned lane = std::countr_zero(failing);
  const AssertionInfo &info = kernel.assertions[inst.info];
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::StringRef rest = info.message;
  for (const AssertionInfo::Value &value : info.values) {
    auto [before, after] = rest.split("{}");
    os << before;
    rest = after;
    bool isVector = value.slots.size() > 1;
    os << (isVector ? "(" : "");
    for (size_t i = 0; i != value.slots.size(); ++i) {
      os << (i ? ", " : "");
      printScalar(os, row(warp, value.slots[i])[lane], value.type,
                  value.isSigned);
    }
    os << (isVector ? ")" : "");
  }
  os << rest;
  return fault(FaultKind::Assertion, inst, warp, lane,
               "assertion failed: " + text);
}
