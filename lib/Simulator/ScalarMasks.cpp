//===- ScalarMasks.cpp - Scalar operations on EXEC ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"

using namespace coll::sim;

using u32 = uint32_t;
using u64 = uint64_t;

/// D = EXEC; EXEC = Op(S0, EXEC); SCC = (EXEC != 0).
template <typename T, auto Op>
static void saveExec(Wave &wave, const DecodedInst &inst) {
  const Operand &source = inst.getSource(0);
  if (!wave.isInitialized(source))
    return wave.fault(FaultKind::Uninitialized,
                      "EXEC is made of a register that is not initialized");
  T old = static_cast<T>(wave.getExec());
  T lanes = Op(readScalar<T>(wave, source), old);
  writeScalar<T>(wave, inst, old);
  wave.setExec(lanes);
  wave.scc = lanes != 0;
}

/// EXEC = Op(S0, EXEC); D = EXEC; SCC = (EXEC != 0).
template <typename T, auto Op>
static void writeExec(Wave &wave, const DecodedInst &inst) {
  T lanes = Op(readScalar<T>(wave, inst.getSource(0)),
               static_cast<T>(wave.getExec()));
  wave.setExec(lanes);
  writeScalar<T>(wave, inst, lanes);
  wave.scc = lanes != 0;
}

template <typename T>
static void registerMasks(HandlerTable &table, llvm::StringRef suffix) {
  auto add = [&](llvm::StringRef name, Handler handler) {
    table.add((name + suffix).str(), handler);
  };
  add("s_and_saveexec", saveExec<T, [](T s, T e) { return T(s & e); }>);
  add("s_or_saveexec", saveExec<T, [](T s, T e) { return T(s | e); }>);
  add("s_xor_saveexec", saveExec<T, [](T s, T e) { return T(s ^ e); }>);
  add("s_nand_saveexec", saveExec<T, [](T s, T e) { return T(~(s & e)); }>);
  add("s_nor_saveexec", saveExec<T, [](T s, T e) { return T(~(s | e)); }>);
  add("s_xnor_saveexec", saveExec<T, [](T s, T e) { return T(~(s ^ e)); }>);
  constexpr auto notSource = [](T s, T e) { return T(~s & e); };
  constexpr auto notExec = [](T s, T e) { return T(s & ~e); };
  constexpr auto orNotSource = [](T s, T e) { return T(~s | e); };
  constexpr auto orNotExec = [](T s, T e) { return T(s | ~e); };
  for (const char *name : {"s_andn1_saveexec", "s_and_not0_saveexec"})
    add(name, saveExec<T, notSource>);
  for (const char *name : {"s_andn2_saveexec", "s_and_not1_saveexec"})
    add(name, saveExec<T, notExec>);
  for (const char *name : {"s_orn1_saveexec", "s_or_not0_saveexec"})
    add(name, saveExec<T, orNotSource>);
  for (const char *name : {"s_orn2_saveexec", "s_or_not1_saveexec"})
    add(name, saveExec<T, orNotExec>);
  for (const char *name : {"s_andn1_wrexec", "s_and_not0_wrexec"})
    add(name, writeExec<T, notSource>);
  for (const char *name : {"s_andn2_wrexec", "s_and_not1_wrexec"})
    add(name, writeExec<T, notExec>);
}

void coll::sim::registerScalarMasks(HandlerTable &table) {
  registerMasks<u32>(table, "_b32");
  registerMasks<u64>(table, "_b64");
}
