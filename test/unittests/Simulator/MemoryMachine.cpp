//===- MemoryMachine.cpp - A wave with memory that runs assembly ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

struct MemoryMachine::State {
  explicit State(std::unique_ptr<Decoder> decoder)
      : decoder(std::move(decoder)), memory(1 << 24),
        launch{.chip = this->decoder->getChip(),
               .memory = memory,
               .options = options,
               .kernel = kernel,
               .statistics = {},
               .fault = std::nullopt} {}
  std::unique_ptr<Decoder> decoder;
  DeviceMemory memory;
  LaunchOptions options;
  KernelInfo kernel;
  Launch launch;
  Workgroup group;
  std::vector<std::unique_ptr<Wave>> waves;
  Wave *wave = nullptr; ///< That the machine works on.
};

static constexpr uint32_t ldsBytes = 1024, scratchBytes = 64;

MemoryMachine::MemoryMachine(StringRef target, unsigned numWaves) {
  state = std::make_unique<State>(
      cantFail(Decoder::create(cantFail(coll::Target::parse(target)))));
  state->group.lds.assign(ldsBytes, 0);
  state->group.ldsInitialized.assign(ldsBytes, 0);
  state->group.barrierStores.reset(ldsBytes, numWaves);
  state->group.numWaves = numWaves;
  for (unsigned i = 0; i != numWaves; ++i) {
    state->waves.push_back(
        std::make_unique<Wave>(state->launch, state->group, i));
    initialize(*state->waves.back());
  }
  select(0);
}

void MemoryMachine::select(unsigned wave) {
  state->wave = state->waves[wave].get();
}

void MemoryMachine::initialize(Wave &wave) {
  wave.mode = 0xf << Denorm32Shift | DX10Clamp;
  wave.scratchBytes = scratchBytes;
  wave.scratchBase = allocate(scratchBytes * wave.size());
  wave.scalarInit.set();
  for (unsigned reg = 0; reg < 512; ++reg) {
    std::fill_n(wave.getVGPR(reg), 64, 0);
    wave.vgprInit[reg] = ~0ull;
  }
}

MemoryMachine::~MemoryMachine() = default;

std::string MemoryMachine::run(StringRef assembly) {
  std::vector<uint8_t> code =
      assemble(state->decoder->getChip().getTarget(), assembly);
  if (code.empty())
    return "cannot be assembled";
  Wave &wave = *state->wave;
  for (ArrayRef<uint8_t> rest = code; !rest.empty();) {
    std::unique_ptr<DecodedInst> inst = state->decoder->decode(rest, 0);
    if (!inst || !inst->handler)
      return inst ? "no handler for " + inst->text : "cannot be decoded";
    wave.current = inst.get();
    if (wave.waits.isBusy())
      checkOutstanding(wave, *inst);
    if (!state->launch.fault)
      inst->handler(wave, *inst);
    wave.current = nullptr;
    if (const std::optional<Fault> &fault = state->launch.fault) {
      std::string lane =
          fault->lane ? "[" + std::to_string(*fault->lane) + "]" : "";
      return getFaultKindName(fault->kind).str() + lane + ": " + fault->message;
    }
    rest = rest.drop_front(inst->size);
  }
  return "";
}

Wave &MemoryMachine::getWave() { return *state->wave; }
Workgroup &MemoryMachine::getGroup() { return state->group; }
DeviceMemory &MemoryMachine::getMemory() { return state->memory; }

uint64_t MemoryMachine::allocate(uint64_t bytes, std::vector<uint32_t> dwords) {
  uint64_t address = *state->memory.allocate(bytes);
  if (!dwords.empty())
    std::memcpy(state->memory.find(address, bytes), dwords.data(),
                4 * dwords.size());
  return address;
}

uint32_t MemoryMachine::getDword(uint64_t address) {
  uint32_t value;
  std::memcpy(&value, state->memory.find(address, 4), 4);
  return value;
}

uint32_t &MemoryMachine::v(unsigned reg, unsigned lane) {
  return state->wave->getVGPR(reg)[lane];
}
uint32_t &MemoryMachine::s(unsigned reg) { return state->wave->scalars[reg]; }
uint64_t MemoryMachine::v64(unsigned reg, unsigned lane) {
  return v(reg, lane) | uint64_t(v(reg + 1, lane)) << 32;
}
void MemoryMachine::setScalars(unsigned reg, uint64_t value) {
  state->wave->setPair(reg, value);
}
void MemoryMachine::fill(unsigned reg, function_ref<uint32_t(unsigned)> f) {
  for (unsigned lane = 0; lane < 64; ++lane)
    v(reg, lane) = f(lane);
}
void MemoryMachine::fillWide(unsigned reg, function_ref<uint64_t(unsigned)> f) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    v(reg, lane) = static_cast<uint32_t>(f(lane));
    v(reg + 1, lane) = static_cast<uint32_t>(f(lane) >> 32);
  }
}
uint32_t MemoryMachine::getLds(uint32_t address) {
  uint32_t value;
  std::memcpy(&value, &state->group.lds[address], 4);
  return value;
}
void MemoryMachine::setLds(uint32_t address, uint32_t value) {
  std::memcpy(&state->group.lds[address], &value, 4);
  std::memset(&state->group.ldsInitialized[address], 1, 4);
}
