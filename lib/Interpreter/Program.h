//===- Program.h - A kernel as a list of instructions -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp executes one instruction at a time for all its lanes. Its state is a
// program counter, a table of *slots* (one row of lanes for each scalar of each
// SSA value) and a table of *masks* (one bit a lane). Mask 0 is the set of
// active lanes. Structured control flow is made of instructions that move lanes
// between masks, so that a warp can stop after any instruction.
//
// A vector has a slot for each element. A view has 2 + 2 * rank slots:
// the allocation, the byte offset in it, then extent and byte stride of each
// dimension. What an allocation number means depends on the memory space: an
// argument of the launch, a shared object, or the frame of a thread.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_PROGRAM_H
#define COLL_LIB_INTERPRETER_PROGRAM_H

#include "LaneOps.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Interpreter/Interpreter.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace coll::ref {

/// A row in the table of slots, or the first of several.
using Slot = uint32_t;
/// A mask in the table of masks.
using MaskSlot = uint32_t;
constexpr MaskSlot activeMask = 0;

/// What an instruction does. In the comments `out`, `a`, `b`, `c`, `m` and `to`
/// are its fields; the active lanes are called A; a jump goes to `to`.
enum class Opcode : uint8_t {
  Lanes,  ///< out = fn(a, b, c) on all lanes.
  Divide, ///< The same; a divisor b of 0 is a fault.
  Copy,   ///< out = a on A.
  Repack, ///< The bits of repack info's inputs as its outputs.

  // Control. An If uses masks m (others) and m + 1 (those who are through);
  // a Loop m (those who left) and m + 1 (those who continue); an Inline m
  // (those who returned).
  If,        ///< m = A without a, A = A with a; jumps if A is empty.
  Else,      ///< m + 1 = A, A = m; jumps if A is empty.
  EndIf,     ///< A = A and m + 1; jumps if A is empty.
  Loop,      ///< m = m + 1 = nothing.
  Test,      ///< Those without a go to m; jumps if A is empty.
  Step,      ///< A = A and m + 1, m + 1 = nothing; jumps if A is empty.
  Back,      ///< Jumps if A is not empty.
  EndLoop,   ///< A = m.
  Inline,    ///< m = nothing.
  Leave,     ///< Adds A to m, A = nothing.
  EndInline, ///< A = m.
  Return,    ///< A leaves the kernel.
  End,       ///< The end of the kernel or of a combiner.

  ThreadId, ///< out = index in dimension imm.
  BlockId,
  BlockCount,
  ClusterId,
  Active, ///< out = A, in every lane.
  Rank,   ///< Of group info; also the next three.
  Size,
  Index,
  Count,

  NewVar,     ///< Variable with mask m (set where assigned) is new.
  CheckVar,   ///< A fault if A is not in m; text info is its name.
  AssignVar,  ///< Adds A to m.
  NewPrivate, ///< out = view of private object info, new.
  NewShared,  ///< out = view of shared object info; a is its extent.
  Slice,      ///< out = slice info of the view a.
  Flat,       ///< out = the view a in one dimension, view info.
  Recast,     ///< out = the view a with its last dimension in vectors.
  Field,      ///< out = the view a, imm bytes on, view info.
  Load,       ///< Access info; also the next five.
  Store,
  AtomicRMW,
  AtomicCAS,
  AtomicLoad,
  AtomicStore,
  Fence,

  Collective, ///< Collective info; goes on at `to`.
  Assert,     ///< Assertion info: a must be true.
  Trap,
  Pause,
};

struct Inst {
  Opcode op = Opcode::End;
  Slot out = 0, a = 0, b = 0, c = 0;
  MaskSlot m = 0;
  uint32_t to = 0;
  uint32_t info = 0;
  uint32_t place = 0; ///< Index into CompiledKernel::places.
  uint64_t imm = 0;
  LaneFn fn = nullptr;
};

/// Where an instruction is in the source: the place, and the calls around it.
struct PlaceInfo {
  SourcePlace place;
  std::vector<SourcePlace> callers; ///< Innermost first.
};

struct GroupInfo {
  ir::GroupKind kind = ir::GroupKind::Thread;
  unsigned tileSize = 0; ///< 1 for a thread; the warp's width for a warp is 0.
  unsigned first = 0;    ///< Of some warps of the block: the first thread.
  Slot members = 0;      ///< Of a group that is made at run time: its lanes.

  bool isBlock() const { return kind == ir::GroupKind::Block; }
  bool isWarps() const { return kind == ir::GroupKind::Warps; }
  bool isGrid() const { return kind == ir::GroupKind::Grid; }
  bool isOfBlocks() const { return isGrid() || kind == ir::GroupKind::Cluster; }
  /// Whether the group is more than a warp of that width.
  bool isWide(unsigned width) const {
    return isBlock() || isOfBlocks() || isWarps() || tileSize > width;
  }
  bool isMembers() const { return kind == ir::GroupKind::Members; }
  /// "warp", "tile(8)", "group", …
  std::string str() const;
};

/// A scalar inside an element in memory.
struct MemoryScalar {
  uint64_t offset = 0;
  Scalar type = Scalar::I32;
};

struct ViewInfo {
  ir::MemorySpace space = ir::MemorySpace::Global;
  std::vector<int64_t> shape; ///< Negative where it is known at run time only.
  uint64_t elementSize = 0;
  /// Of accesses by the hardware: a power of two.
  uint64_t alignment = 1;
  unsigned lanes = 1; ///< Of a vector element.
  std::vector<MemoryScalar> scalars;

  unsigned getRank() const { return shape.size(); }
  unsigned getSlotCount() const { return 2 + 2 * getRank(); }
};

struct Access {
  ViewInfo view;
  Slot viewSlot = 0;
  std::vector<Slot> indices;
  std::vector<Slot> values; ///< Of the element's scalars: read or written.
  std::string name;         ///< Of the parameter or variable, if it is known.
  // Atomics.
  ir::AtomicKind kind = ir::AtomicKind::Add;
  ir::MemoryOrder order = ir::MemoryOrder::Relaxed;
  LaneFn combine = nullptr; ///< New value from old and operand.
  Slot result = 0, expected = 0;
  bool isAtomic = false;
};

struct SliceInfo {
  ViewInfo view;
  std::vector<int32_t> forms;
  std::vector<Slot> bounds;
};

struct PrivateObject {
  ViewInfo view;
  uint64_t offset = 0; ///< In the thread's frame.
  uint64_t size = 0;
};

struct SharedObject {
  std::string name;
  ViewInfo view;
  uint64_t size = 0; ///< For each index of the first dimension, if dynamic.
  bool isDynamic = false;
  unsigned granule = 1; ///< Bytes that are always accessed together.
};

enum class CollectiveKind : uint8_t {
  Reduce,
  Scan,
  ExclusiveScan,
  ScanTotal,
  Broadcast,
  Shuffle,
  Any,
  All,
  Population,
  RankAmong,
  Ballot,
  Match,
  Uniform,
  Elect,
  ArgReduce,
  Partition,
  Sync,
  Sort,
  TopK,
  Exchange,
  Meet, ///< Only checks that all threads of the group are there.
  Arrive,
  Wait,
};

/// A value from outside that a combiner uses.
struct Capture {
  Slot slot = 0;
  unsigned count = 0;
  std::optional<MaskSlot> assigned; ///< Of a variable.
};

struct CollectiveInfo {
  CollectiveKind kind = CollectiveKind::Sync;
  GroupInfo group;
  std::string name; ///< "warp.reduce": for messages.
  std::vector<Slot> values, results;
  /// Rank 0's values of a scan, or fill values of a shuffle; may be empty.
  std::vector<Slot> extras;
  std::optional<Slot> index; ///< Of a broadcast or shuffle.
  ir::ShuffleKind shuffle = ir::ShuffleKind::Idx;
  bool isReverse = false;
  /// The operator: a lane function for each of `values`, or a region.
  std::vector<LaneFn> combine;
  uint32_t combiner = 0; ///< First instruction of the region.
  std::vector<Slot> left, right, combined;
  std::vector<Capture> captures;
  // arg_reduce, sort, top_k, exchange.
  Scalar argType = Scalar::I32;
  ir::CombineKind argKind = ir::CombineKind::SMin;
  bool isSigned = false;
  bool isDescending = false;
  unsigned elements = 1; ///< A thread's share of the list.

  /// Half a barrier of a block or tile whose warps need not execute it
  /// together.
  bool isSplitWide(unsigned width) const {
    return group.isWide(width) &&
           (kind == CollectiveKind::Arrive || kind == CollectiveKind::Wait);
  }
};

/// Scalars of one width that are the bits of scalars of another, first element
/// in the low bits.
struct RepackInfo {
  Slot in = 0, out = 0;
  unsigned inBits = 0, outBits = 0, outCount = 0;
};

struct AssertionInfo {
  std::string message;
  struct Value {
    std::vector<Slot> slots; ///< More than one for a vector.
    Scalar type = Scalar::I32;
    bool isSigned = false;
  };
  std::vector<Value> values;
};

struct ParamInfo {
  std::string name;
  bool isView = false;
  ViewInfo view;
  std::vector<int64_t> dims; ///< As in #coll.param.
  int64_t pitch = -1;
  Slot slot = 0;
  Scalar type = Scalar::I32; ///< Of a scalar.
};

struct CompiledKernel {
  std::string symbol;
  std::string name; ///< As the source says it.
  std::array<uint32_t, 3> workgroup = {1, 1, 1};
  unsigned cluster = 1;       ///< Blocks of a cluster, in x.
  bool isCooperative = false; ///< All blocks wait for each other.
  std::vector<ParamInfo> params;
  std::vector<std::string> extents;
  std::vector<Slot> extentSlots;

  std::vector<Inst> code;
  std::vector<PlaceInfo> places;
  std::vector<std::pair<Slot, uint64_t>> constants;
  Slot slotCount = 0;
  MaskSlot maskCount = 1;
  uint64_t frameSize = 0; ///< Bytes of private memory of a thread.
  unsigned widestTile = 1;
  bool hasCombiner = false;

  std::vector<GroupInfo> groups;
  std::vector<Access> accesses;
  std::vector<SliceInfo> slices;
  std::vector<ViewInfo> views;
  std::vector<PrivateObject> privates;
  std::vector<SharedObject> shareds;
  std::vector<CollectiveInfo> collectives;
  std::vector<AssertionInfo> assertions;
  std::vector<RepackInfo> repacks;
  std::vector<std::string> texts;

  uint32_t getBlockSize() const {
    return workgroup[0] * workgroup[1] * workgroup[2];
  }
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_PROGRAM_H
