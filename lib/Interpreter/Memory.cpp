//===- Memory.cpp - Views, loads and stores -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace coll;
using namespace coll::ref;

// A view's slots.
static constexpr Slot allocationSlot = 0, offsetSlot = 1;
static Slot extentSlot(Slot view, unsigned dimension) {
  return view + 2 + 2 * dimension;
}
static Slot strideSlot(Slot view, unsigned dimension) {
  return view + 3 + 2 * dimension;
}

static constexpr uint64_t maxDynamicSize = 64 << 20;

std::string coll::ref::quote(const std::string &name) {
  return name.empty() ? "a view" : "'" + name + "'";
}

Machine::Region Machine::getRegion(Block &block, ir::MemorySpace space,
                                   uint64_t allocation) {
  Region region;
  switch (space) {
  case ir::MemorySpace::Global: {
    const Argument &argument = arguments[allocation];
    region.data = argument.data;
    region.size = argument.size;
    region.written = argument.written;
    break;
  }
  case ir::MemorySpace::Shared:
    region.shared = &block.shareds[allocation];
    region.data = region.shared->getData();
    region.size = region.shared->getSize();
    break;
  case ir::MemorySpace::Private:
    region.data = block.frames.data() + allocation * kernel.frameSize;
    region.written = block.framesWritten.data() + allocation * kernel.frameSize;
    region.size = kernel.frameSize;
    break;
  case ir::MemorySpace::Peer:
    llvm_unreachable("the compiler has refused what makes such views");
  }
  return region;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

void Machine::makeObjectView(Warp &warp, Slot out, const ViewInfo &view,
                             llvm::function_ref<uint64_t(unsigned)> allocation,
                             uint64_t offset, const uint64_t *extent) {
  for (unsigned lane = 0; lane != width; ++lane) {
    row(warp, out + allocationSlot)[lane] = allocation(lane);
    row(warp, out + offsetSlot)[lane] = offset;
    uint64_t stride = view.elementSize;
    for (unsigned d = view.getRank(); d-- != 0;) {
      uint64_t count = view.shape[d] < 0 ? extent[lane] : view.shape[d];
      row(warp, extentSlot(out, d))[lane] = count;
      row(warp, strideSlot(out, d))[lane] = stride;
      stride *= count;
    }
  }
}

void Machine::newPrivate(Warp &warp, const Inst &inst) {
  const PrivateObject &object = kernel.privates[inst.info];
  unsigned base = warp.isScratch ? kernel.getBlockSize() : warp.firstThread;
  forEachLane(warp.active(), [&](unsigned lane) {
    std::memset(warp.block->framesWritten.data() +
                    (base + lane) * kernel.frameSize + object.offset,
                0, object.size);
  });
  makeObjectView(
      warp, inst.out, object.view,
      [&](unsigned lane) -> uint64_t { return base + lane; }, object.offset,
      nullptr);
}

bool Machine::newShared(Warp &warp, const Inst &inst) {
  const SharedObject &object = kernel.shareds[inst.info];
  SharedMemory &memory = warp.block->shareds[inst.info];
  unsigned first = std::countr_zero(warp.active());
  const uint64_t *extent = object.isDynamic ? row(warp, inst.a) : nullptr;
  uint64_t size = object.size;
  if (extent) {
    int64_t count = extent[first];
    size =
        llvm::SaturatingMultiply<uint64_t>(size, std::max<int64_t>(count, 0));
    if (count < 0 || size > maxDynamicSize)
      return fault(FaultKind::BadOperand, inst, warp, first,
                   "shared array '" + object.name +
                       "' cannot have an extent "
                       "of " +
                       llvm::Twine(count));
  }
  if (!memory.isCreated()) {
    memory.create(object, size);
    ++changes;
  }
  if (memory.getSize() < size)
    return fault(FaultKind::BadOperand, inst, warp, first,
                 "shared array '" + object.name + "' of " + llvm::Twine(size) +
                     " bytes was made with " + llvm::Twine(memory.getSize()));
  makeObjectView(
      warp, inst.out, object.view,
      [&](unsigned) -> uint64_t { return inst.info; }, 0, extent);
  return true;
}

bool Machine::slice(Warp &warp, const Inst &inst) {
  const SliceInfo &info = kernel.slices[inst.info];
  for (Slot i = 0; i != 2; ++i)
    std::copy_n(row(warp, inst.a + i), width, row(warp, inst.out + i));
  unsigned kept = 0, bound = 0;
  for (unsigned d = 0; d != info.view.getRank(); ++d) {
    const uint64_t *extent = row(warp, extentSlot(inst.a, d));
    const uint64_t *stride = row(warp, strideSlot(inst.a, d));
    int32_t form = info.forms[d];
    const uint64_t *begin = form ? row(warp, info.bounds[bound]) : nullptr;
    const uint64_t *end =
        form == 2 ? row(warp, info.bounds[bound + 1]) : nullptr;
    bound += form;
    bool isFine = true;
    forEachLane(form ? warp.active() : 0, [&](unsigned lane) {
      uint64_t last = end ? end[lane] : begin[lane];
      bool fits = end ? begin[lane] <= last && last <= extent[lane]
                      : last < extent[lane];
      if (fits || !isFine)
        return;
      std::string what = end ? "slice " + std::to_string(int64_t(begin[lane])) +
                                   ".." + std::to_string(int64_t(last))
                             : "index " + std::to_string(int64_t(last));
      isFine =
          fault(FaultKind::OutOfBounds, inst, warp, lane,
                what + " is out of bounds in dimension " + llvm::Twine(d) +
                    " of a view, whose extent is " + llvm::Twine(extent[lane]));
    });
    if (!isFine)
      return false;
    uint64_t *offset = row(warp, inst.out + offsetSlot);
    if (begin)
      for (unsigned lane = 0; lane != width; ++lane)
        offset[lane] += begin[lane] * stride[lane];
    if (form == 1)
      continue;
    uint64_t *newExtent = row(warp, extentSlot(inst.out, kept));
    for (unsigned lane = 0; lane != width; ++lane)
      newExtent[lane] = end ? end[lane] - begin[lane] : extent[lane];
    std::copy_n(stride, width, row(warp, strideSlot(inst.out, kept)));
    ++kept;
  }
  return true;
}

bool Machine::flatten(Warp &warp, const Inst &inst) {
  const ViewInfo &view = kernel.views[inst.info];
  for (Slot i = 0; i != 2; ++i)
    std::copy_n(row(warp, inst.a + i), width, row(warp, inst.out + i));
  bool isFine = true;
  auto flattenLane = [&](unsigned lane) {
    uint64_t count = 1;
    bool isDense = true;
    for (unsigned d = view.getRank(); d-- != 0;) {
      uint64_t extent = row(warp, extentSlot(inst.a, d))[lane];
      uint64_t stride = row(warp, strideSlot(inst.a, d))[lane];
      isDense &= extent <= 1 || stride == count * view.elementSize;
      count *= extent;
    }
    row(warp, extentSlot(inst.out, 0))[lane] = count;
    row(warp, strideSlot(inst.out, 0))[lane] = view.elementSize;
    if (!isDense && count != 0 && isFine)
      isFine = fault(FaultKind::BadOperand, inst, warp, lane,
                     "a view with gaps between its rows cannot be flat");
  };
  forEachLane(warp.active(), flattenLane);
  return isFine;
}

bool Machine::recast(Warp &warp, const Inst &inst) {
  const ViewInfo &from = kernel.views[inst.info];
  const ViewInfo &to = kernel.views[inst.info + 1];
  for (Slot i = 0; i != from.getSlotCount(); ++i)
    std::copy_n(row(warp, inst.a + i), width, row(warp, inst.out + i));
  if (from.elementSize == to.elementSize || from.getRank() == 0)
    return true;
  unsigned last = from.getRank() - 1;
  uint64_t *extent = row(warp, extentSlot(inst.out, last));
  uint64_t *stride = row(warp, strideSlot(inst.out, last));
  bool isFine = true;
  forEachLane(warp.active(), [&](unsigned lane) {
    if (isFine && extent[lane] > 1 && stride[lane] != from.elementSize)
      isFine = fault(FaultKind::BadOperand, inst, warp, lane,
                     "the elements of a view with gaps between them cannot be "
                     "grouped into vectors");
    extent[lane] /= to.lanes;
    stride[lane] = to.elementSize;
  });
  return isFine;
}

void Machine::field(Warp &warp, const Inst &inst) {
  const ViewInfo &from = kernel.views[inst.info];
  const ViewInfo &to = kernel.views[inst.info + 1];
  for (Slot i = 0; i != from.getSlotCount(); ++i)
    std::copy_n(row(warp, inst.a + i), width, row(warp, inst.out + i));
  uint64_t *offset = row(warp, inst.out + offsetSlot);
  for (unsigned lane = 0; lane != width; ++lane)
    offset[lane] += inst.imm;
  uint64_t stride = to.elementSize;
  for (unsigned d = to.getRank(); d-- != from.getRank();) {
    std::fill_n(row(warp, extentSlot(inst.out, d)), width, to.shape[d]);
    std::fill_n(row(warp, strideSlot(inst.out, d)), width, stride);
    stride *= to.shape[d];
  }
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Machine::locate(Warp &warp, const Inst &inst, const Access &access,
                     uint64_t *offsets) {
  uint64_t active = warp.active();
  std::copy_n(row(warp, access.viewSlot + offsetSlot), width, offsets);
  for (unsigned d = 0; d != access.indices.size(); ++d) {
    const uint64_t *index = row(warp, access.indices[d]);
    const uint64_t *extent = row(warp, extentSlot(access.viewSlot, d));
    const uint64_t *stride = row(warp, strideSlot(access.viewSlot, d));
    uint64_t outside = 0;
    for (unsigned lane = 0; lane != width; ++lane) {
      outside |= uint64_t(index[lane] >= extent[lane]) << lane;
      offsets[lane] += index[lane] * stride[lane];
    }
    if (outside &= active) {
      unsigned lane = std::countr_zero(outside);
      return fault(FaultKind::OutOfBounds, inst, warp, lane,
                   "index " + llvm::Twine(int64_t(index[lane])) +
                       " is out of bounds in dimension " + llvm::Twine(d) +
                       " of " + quote(access.name) + ", whose extent is " +
                       llvm::Twine(extent[lane]));
    }
  }
  return true;
}

bool Machine::checkRegion(Warp &warp, const Inst &inst, unsigned lane,
                          const Region &region, uint64_t offset,
                          const Access &access) {
  uint64_t size = access.view.elementSize;
  if (size > region.size || offset > region.size - size)
    return fault(FaultKind::OutOfBounds, inst, warp, lane,
                 "bytes " + llvm::Twine(offset) + " to " +
                     llvm::Twine(offset + size) + " of " + quote(access.name) +
                     " are outside of its " + llvm::Twine(region.size) +
                     " bytes");
  if (offset % access.view.alignment)
    return fault(FaultKind::Misaligned, inst, warp, lane,
                 "a vector of " + llvm::Twine(size) + " bytes at byte " +
                     llvm::Twine(offset) + " of " + quote(access.name) +
                     " is not aligned to " +
                     llvm::Twine(access.view.alignment) + " bytes");
  return true;
}

static const char *getVerb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::AtomicRead:
    return "atomic read";
  case AccessKind::AtomicWrite:
    return "atomic write";
  }
  llvm_unreachable("unknown access");
}

bool Machine::reportRace(Warp &warp, const Inst &inst, unsigned lane,
                         const Access &access, AccessKind kind,
                         const Touch &past) {
  fault(FaultKind::Race, inst, warp, lane,
        "race on shared memory: this " + llvm::Twine(getVerb(kind)) + " of " +
            quote(access.name) +
            " is not ordered with another thread's access");
  addNote(kernel.places[kernel.code[past.inst].place].place,
          "the other is a " + llvm::Twine(getVerb(past.kind)) + " by " +
              describeThread(*warp.block, past.thread));
  return false;
}

std::string coll::ref::describeElement(const Access &access, uint64_t offset) {
  unsigned rank = access.view.getRank();
  if (rank == 0 || access.view.elementSize == 0)
    return "";
  uint64_t index = offset / access.view.elementSize;
  if (rank > 1 || access.name.empty())
    return (" (element " + llvm::Twine(index) + ")").str();
  return (" (" + access.name + "[" + llvm::Twine(index) + "])").str();
}

bool Machine::touch(Warp &warp, const Inst &inst, unsigned lane,
                    const Access &access, const Region &region, uint64_t offset,
                    unsigned size, AccessKind kind) {
  bool reads = kind == AccessKind::Read || kind == AccessKind::AtomicRead ||
               inst.op == Opcode::AtomicRMW || inst.op == Opcode::AtomicCAS;
  bool writes = kind == AccessKind::Write || kind == AccessKind::AtomicWrite;
  bool isWritten = true;
  if (region.shared)
    isWritten = region.shared->isWritten(offset, size);
  else if (region.written)
    isWritten = !std::memchr(region.written + offset, 0, size);
  if (reads && !isWritten)
    return fault(FaultKind::UninitializedRead, inst, warp, lane,
                 quote(access.name) + " is read at byte " +
                     llvm::Twine(offset) + describeElement(access, offset) +
                     " before it is written" +
                     (region.shared ? "; is a block.sync() missing?" : ""));
  changes += writes && !isWritten;
  if (region.shared) {
    SyncClock &clock = warp.block->clock;
    Touch now = {clock.now(), uint32_t(&inst - kernel.code.data()),
                 uint16_t(threadOf(warp, lane)), kind};
    if (std::optional<Touch> past =
            region.shared->access(clock, offset, size, now))
      return reportRace(warp, inst, lane, access, kind, *past);
  } else if (writes && region.written) {
    std::memset(region.written + offset, 1, size);
  }
  return true;
}

/// Reads a scalar; `i1` is a byte of which the lowest bit counts.
static uint64_t readScalar(const uint8_t *data, Scalar type) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, getByteSize(type));
  return type == Scalar::I1 ? bits & 1 : bits;
}

void Machine::writeScalar(uint8_t *data, uint64_t bits, Scalar type) {
  unsigned size = getByteSize(type);
  changes += std::memcmp(data, &bits, size) != 0;
  std::memcpy(data, &bits, size);
}

bool Machine::load(Warp &warp, const Inst &inst) {
  const Access &access = kernel.accesses[inst.info];
  uint64_t offsets[64];
  if (!locate(warp, inst, access, offsets))
    return false;
  noteLook(warp, inst, access, offsets);
  const uint64_t *allocation = row(warp, access.viewSlot + allocationSlot);
  for (uint64_t left = warp.active(); left; left &= left - 1) {
    unsigned lane = std::countr_zero(left);
    Region region = getRegion(*warp.block, access.view.space, allocation[lane]);
    uint64_t offset = offsets[lane];
    if (!checkRegion(warp, inst, lane, region, offset, access))
      return false;
    warp.laneWaits.noteRead(lane, region.data + offset);
    for (size_t i = 0; i != access.values.size(); ++i) {
      const MemoryScalar &scalar = access.view.scalars[i];
      uint64_t place = offset + scalar.offset;
      if ((region.shared || region.written) &&
          !touch(warp, inst, lane, access, region, place,
                 getByteSize(scalar.type), AccessKind::Read))
        return false;
      row(warp, access.values[i])[lane] =
          readScalar(region.data + place, scalar.type);
    }
  }
  return true;
}

bool Machine::store(Warp &warp, const Inst &inst) {
  const Access &access = kernel.accesses[inst.info];
  uint64_t offsets[64];
  if (!locate(warp, inst, access, offsets))
    return false;
  const uint64_t *allocation = row(warp, access.viewSlot + allocationSlot);
  for (uint64_t left = warp.active(); left; left &= left - 1) {
    unsigned lane = std::countr_zero(left);
    Region region = getRegion(*warp.block, access.view.space, allocation[lane]);
    uint64_t offset = offsets[lane];
    if (!checkRegion(warp, inst, lane, region, offset, access))
      return false;
    for (size_t i = 0; i != access.values.size(); ++i) {
      const MemoryScalar &scalar = access.view.scalars[i];
      uint64_t place = offset + scalar.offset;
      if ((region.shared || region.written) &&
          !touch(warp, inst, lane, access, region, place,
                 getByteSize(scalar.type), AccessKind::Write))
        return false;
      writeScalar(region.data + place, row(warp, access.values[i])[lane],
                  scalar.type);
    }
    if (!warp.laneWaits.isEmpty())
      warp.laneWaits.noteWrite(lane, inst, region.data + offset,
                               access.view.elementSize, warp.active());
  }
  return true;
}

bool Machine::atomicLane(Warp &warp, const Inst &inst, unsigned lane,
                         uint8_t *data) {
  const Access &access = kernel.accesses[inst.info];
  Scalar type = access.view.scalars.front().type;
  uint64_t &value = row(warp, access.values.front())[lane];
  uint64_t old = readScalar(data, type);
  switch (inst.op) {
  case Opcode::AtomicLoad:
    value = old;
    return false;
  case Opcode::AtomicStore:
    writeScalar(data, value, type);
    return false;
  case Opcode::AtomicCAS: {
    bool isEqual = old == row(warp, access.expected)[lane];
    if (isEqual)
      writeScalar(data, value, type);
    row(warp, access.result)[lane] = old;
    return !isEqual;
  }
  default: {
    uint64_t updated = value;
    if (access.combine)
      access.combine(&updated, &old, &value, nullptr, 1);
    writeScalar(data, updated, type);
    row(warp, access.result)[lane] = old;
    return !access.combine && old == updated;
  }
  }
}

bool Machine::atomic(Warp &warp, const Inst &inst) {
  const Access &access = kernel.accesses[inst.info];
  const MemoryScalar scalar = access.view.scalars.front();
  uint64_t offsets[64];
  if (!locate(warp, inst, access, offsets))
    return false;
  noteLook(warp, inst, access, offsets);
  AccessKind kind = inst.op == Opcode::AtomicLoad ? AccessKind::AtomicRead
                                                  : AccessKind::AtomicWrite;
  const uint64_t *allocation = row(warp, access.viewSlot + allocationSlot);
  // Who has taken a place in this instruction, if it may be for a lock.
  llvm::SmallDenseMap<const uint8_t *, unsigned, 4> takers;
  bool isCompare = inst.op == Opcode::AtomicCAS;
  bool mayTake = isCompare || (inst.op == Opcode::AtomicRMW && !access.combine);
  unsigned size = getByteSize(scalar.type);
  for (uint64_t left = warp.active(); left; left &= left - 1) {
    unsigned lane = std::countr_zero(left);
    Region region = getRegion(*warp.block, access.view.space, allocation[lane]);
    uint64_t offset = offsets[lane] + scalar.offset;
    if (!checkRegion(warp, inst, lane, region, offsets[lane], access) ||
        !touch(warp, inst, lane, access, region, offset, size, kind))
      return false;
    warp.block->clock.order(threadOf(warp, lane), access.order);
    uint8_t *data = region.data + offset;
    uint64_t expected = isCompare ? row(warp, access.expected)[lane] : 0;
    if (const LaneWaits::Wait *wait =
            warp.laneWaits.findEnd(lane, inst, data, expected))
      return reportLaneWait(warp, lane, access, offset, *wait);
    uint64_t before = changes;
    bool isTaken = atomicLane(warp, inst, lane, data);
    if (mayTake && changes != before)
      takers[data] = lane;
    else if (mayTake && isTaken && takers.contains(data))
      warp.laneWaits.noteTaken(lane, inst, data, expected, takers[data]);
    if (kind == AccessKind::AtomicWrite && !warp.laneWaits.isEmpty())
      warp.laneWaits.noteWrite(lane, inst, data, size, warp.active());
  }
  return true;
}
