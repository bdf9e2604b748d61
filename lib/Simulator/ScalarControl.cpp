//===- ScalarControl.cpp - Branches, barriers, the end of a wave ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/ADT/bit.h"

using namespace coll::sim;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Distances are in dwords from the next instruction.
static void jump(Wave &wave, const DecodedInst &inst) {
  wave.pc += 4 * static_cast<int64_t>(getSImm16(inst));
}

static bool checkVCC(Wave &wave) {
  bool isInitialized = wave.scalarInit.test(VCCLo) &&
                       (wave.size() == 32 || wave.scalarInit.test(VCCLo + 1));
  if (!isInitialized)
    wave.fault(FaultKind::Uninitialized,
               "a branch on VCC, which is not initialized");
  return isInitialized;
}

template <bool Value>
static void branchOnSCC(Wave &wave, const DecodedInst &inst) {
  if (wave.scc == Value)
    jump(wave, inst);
}

template <bool IsZero>
static void branchOnVCC(Wave &wave, const DecodedInst &inst) {
  if (checkVCC(wave) && (wave.getVCC() == 0) == IsZero)
    jump(wave, inst);
}

template <bool IsZero>
static void branchOnExec(Wave &wave, const DecodedInst &inst) {
  if ((wave.getExec() == 0) == IsZero)
    jump(wave, inst);
}

static bool checkTarget(Wave &wave, const Operand &target) {
  if (wave.isInitialized(target))
    return true;
  wave.fault(FaultKind::Uninitialized,
             "a jump to an address that is not initialized");
  return false;
}

static void getPC(Wave &wave, const DecodedInst &inst) {
  wave.writeScalar64(inst.getDef(), wave.pc);
}

static void setPC(Wave &wave, const DecodedInst &inst) {
  const Operand &target = inst.operands.front();
  if (checkTarget(wave, target))
    wave.pc = wave.readScalar64(target);
}

static void swapPC(Wave &wave, const DecodedInst &inst) {
  if (!checkTarget(wave, inst.getSource(0)))
    return;
  uint64_t target = wave.readScalar64(inst.getSource(0));
  wave.writeScalar64(inst.getDef(), wave.pc);
  wave.pc = target;
}

static void call(Wave &wave, const DecodedInst &inst) {
  wave.writeScalar64(inst.getDef(), wave.pc);
  jump(wave, inst);
}

static void registerBranches(HandlerTable &table) {
  table.add("s_branch", jump);
  table.add("s_cbranch_scc0", branchOnSCC<false>);
  table.add("s_cbranch_scc1", branchOnSCC<true>);
  table.add("s_cbranch_vccz", branchOnVCC<true>);
  table.add("s_cbranch_vccnz", branchOnVCC<false>);
  table.add("s_cbranch_execz", branchOnExec<true>);
  table.add("s_cbranch_execnz", branchOnExec<false>);
  table.add("s_getpc_b64", getPC);
  table.add("s_setpc_b64", setPC);
  table.add("s_swappc_b64", swapPC);
  table.add("s_call_b64", call);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// True if the wave has signalled the barrier's present phase.
static bool hasSignalled(const Wave &wave) {
  return wave.signalledPhase == wave.group.barrierPhase + 1;
}

/// Counts the wave at the barrier; the last one of the group completes it. All
/// waves must come: a wave that has ended never does.
static bool signalBarrier(Wave &wave) {
  Workgroup &group = wave.group;
  if (group.numEnded != 0) {
    wave.fault(FaultKind::Barrier, "the wave is at a barrier that " +
                                       Twine(group.numEnded) +
                                       " waves of its block ended without");
    return false;
  }
  if (hasSignalled(wave)) {
    wave.fault(FaultKind::Barrier,
               "the wave signals a barrier twice without a wait");
    return false;
  }
  group.barrierStores.noteBarrier(wave.index, group.barrierPhase,
                                  wave.waits.numLDSIssued,
                                  wave.waits.getNumLDSFinished());
  wave.signalledPhase = group.barrierPhase + 1;
  if (++group.numArrived == group.numWaves) {
    group.numArrived = 0;
    ++group.barrierPhase;
  }
  return true;
}

static void waitBarrier(Wave &wave) {
  if (hasSignalled(wave))
    wave.status = WaveStatus::AtBarrier;
}

static void barrier(Wave &wave, const DecodedInst &) {
  if (signalBarrier(wave))
    waitBarrier(wave);
}

/// -1 is the barrier of the workgroup; others are named ones and traps'.
static bool isWorkgroupBarrier(Wave &wave, const DecodedInst &inst) {
  int64_t number = -1;
  if (!inst.operands.empty())
    number = static_cast<int32_t>(wave.readScalar32(inst.operands.back()));
  else if (!inst.imms.empty())
    number = getSImm16(inst);
  else
    number = static_cast<int32_t>(wave.getM0());
  if (number == -1)
    return true;
  wave.fault(FaultKind::Unsupported,
             "barrier " + Twine(number) +
                 " is not supported yet, only -1, the workgroup's");
  return false;
}

static void barrierSignal(Wave &wave, const DecodedInst &inst) {
  if (isWorkgroupBarrier(wave, inst))
    signalBarrier(wave);
}

static void barrierSignalIsFirst(Wave &wave, const DecodedInst &inst) {
  if (!isWorkgroupBarrier(wave, inst))
    return;
  wave.scc = wave.group.numArrived == 0;
  signalBarrier(wave);
}

static void barrierWait(Wave &wave, const DecodedInst &inst) {
  if (!isWorkgroupBarrier(wave, inst))
    return;
  if (wave.signalledPhase == 0)
    return wave.fault(FaultKind::Barrier,
                      "the wave waits for a barrier that it has not signalled");
  waitBarrier(wave);
}

//===----------------------------------------------------------------------===//
// The end, and what needs nothing done
//===----------------------------------------------------------------------===//

static void endProgram(Wave &wave, const DecodedInst &) {
  Workgroup &group = wave.group;
  if (group.numArrived != 0 && !hasSignalled(wave))
    return wave.fault(FaultKind::Barrier,
                      "the wave ends while " + Twine(group.numArrived) +
                          " waves of its block are at a barrier");
  wave.status = WaveStatus::Ended;
  ++group.numEnded;
}

static void trap(Wave &wave, const DecodedInst &inst) {
  int32_t number = getSImm16(inst);
  if (number == 3) // A breakpoint: nothing without a debugger.
    return;
  // The lanes that stop the kernel are active.
  std::optional<unsigned> lane;
  if (uint64_t exec = wave.getExec())
    lane = static_cast<unsigned>(llvm::countr_zero(exec));
  wave.fault(FaultKind::Trap,
             number == 2
                 ? Twine("an assertion failed, or the kernel called trap()")
                 : "trap " + Twine(number),
             lane);
}

static void yield(Wave &wave, const DecodedInst &) { wave.yields = true; }

static void doNothing(Wave &, const DecodedInst &) {}

/// Messages that are answered with a number; none of them is a kernel's.
static void returnZero(Wave &wave, const DecodedInst &inst) {
  if (inst.getDef().dwords == 2)
    wave.writeScalar64(inst.getDef(), 0);
  else
    wave.writeScalar32(inst.getDef(), 0);
}

void coll::sim::registerScalarControl(HandlerTable &table) {
  registerBranches(table);
  table.add("s_barrier", barrier);
  table.add("s_barrier_signal", barrierSignal);
  table.add("s_barrier_signal_isfirst", barrierSignalIsFirst);
  table.add("s_barrier_wait", barrierWait);
  table.add("s_endpgm", endProgram);
  table.add("s_trap", trap);
  table.add("s_sleep", yield);
  table.add("s_sleep_var", yield);
  table.add("s_sendmsg_rtn_b32", returnZero);
  table.add("s_sendmsg_rtn_b64", returnZero);
  for (const char *name : {"s_nop",
                           "s_clause",
                           "s_version",
                           "s_atc_probe",
                           "s_atc_probe_buffer",
                           "s_delay_alu",
                           "s_setprio",
                           "s_sendmsg",
                           "s_icache_inv",
                           "s_inst_prefetch",
                           "s_set_inst_prefetch_distance",
                           "s_wait_idle",
                           "s_waitcnt_depctr",
                           "s_wait_alu",
                           "s_wakeup",
                           "s_ttracedata",
                           "s_ttracedata_imm",
                           "s_wait_event",
                           "s_singleuse_vdst",
                           "s_incperflevel",
                           "s_decperflevel",
                           "s_prefetch_inst",
                           "s_prefetch_inst_pc_rel",
                           "s_prefetch_data",
                           "s_prefetch_data_pc_rel"})
    table.add(name, doNothing);
}
