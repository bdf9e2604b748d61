//===- ScalarOps.h - Shapes of scalar instructions --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of scalar instructions made from a function of their operands. The
// function gets the wave, to set SCC. An uninitialised source makes the result
// uninitialised.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_SCALAROPS_H
#define COLL_LIB_SIMULATOR_SCALAROPS_H

#include "HandlerTable.h"
#include "Wave.h"
#include <type_traits>

namespace coll::sim {

template <typename T> T readScalar(const Wave &wave, const Operand &operand) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(wave.readScalar64(operand));
  else
    return static_cast<T>(wave.readScalar32(operand));
}

template <typename T>
void writeScalar(Wave &wave, const DecodedInst &inst, T value) {
  const Operand &def = inst.getDef();
  if constexpr (sizeof(T) == 8)
    wave.writeScalar64(def, static_cast<uint64_t>(value));
  else
    wave.writeScalar32(def, static_cast<uint32_t>(value));
  if (!def.isSGPR())
    return;
  for (const Operand &source : inst.getSources())
    if (!wave.isInitialized(source))
      for (unsigned i = 0; i != def.dwords; ++i)
        wave.scalarInit.reset(def.index + i);
}

/// D = Op(wave, S0); a result of type R from a source of type A.
template <typename R, typename A, auto Op>
void unary(Wave &wave, const DecodedInst &inst) {
  R result = Op(wave, readScalar<A>(wave, inst.getSource(0)));
  writeScalar<R>(wave, inst, result);
}

/// D = Op(wave, S0, S1).
template <typename R, typename A, typename B, auto Op>
void binary(Wave &wave, const DecodedInst &inst) {
  A a = readScalar<A>(wave, inst.getSource(0));
  B b = readScalar<B>(wave, inst.getSource(1));
  writeScalar<R>(wave, inst, Op(wave, a, b));
}

/// D = Op(wave, S0, S1), SCC = (D != 0), for logic: LLVM builds masks of lanes
/// from parts in registers that begin uninitialised, so that the result counts
/// as initialised.
template <typename T, auto Op>
void logicTest(Wave &wave, const DecodedInst &inst) {
  T a = readScalar<T>(wave, inst.getSource(0));
  T result = Op(wave, a, readScalar<T>(wave, inst.getSource(1)));
  wave.scc = result != 0;
  if constexpr (sizeof(T) == 8)
    wave.writeScalar64(inst.getDef(), result);
  else
    wave.writeScalar32(inst.getDef(), result);
}

/// D = Op(wave, S0, S1), SCC = (D != 0).
template <typename R, typename A, typename B, auto Op>
void binaryTest(Wave &wave, const DecodedInst &inst) {
  A a = readScalar<A>(wave, inst.getSource(0));
  B b = readScalar<B>(wave, inst.getSource(1));
  R result = Op(wave, a, b);
  wave.scc = result != 0;
  writeScalar<R>(wave, inst, result);
}

/// D = Op(wave, S0), SCC = (D != 0).
template <typename R, typename A, auto Op>
void unaryTest(Wave &wave, const DecodedInst &inst) {
  R result = Op(wave, readScalar<A>(wave, inst.getSource(0)));
  wave.scc = result != 0;
  writeScalar<R>(wave, inst, result);
}

/// SCC = Op(S0, S1).
template <typename A, auto Op>
void compare(Wave &wave, const DecodedInst &inst) {
  wave.scc = Op(readScalar<A>(wave, inst.getSource(0)),
                readScalar<A>(wave, inst.getSource(1)));
}

/// The 16-bit constant of a SOPK or SOPP instruction.
inline int32_t getSImm16(const DecodedInst &inst) {
  return inst.imms.empty() ? 0 : static_cast<int16_t>(inst.imms.front());
}

void registerScalarBits(HandlerTable &table);
void registerScalarMasks(HandlerTable &table);
void registerScalarFloat(HandlerTable &table);
void registerScalarControl(HandlerTable &table);
void registerScalarModes(HandlerTable &table);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_SCALAROPS_H
