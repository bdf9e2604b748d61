//===- Fault.cpp - What went wrong in a kernel ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Simulator/Simulator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll::sim;
using namespace llvm;

StringRef coll::sim::getFaultKindName(FaultKind kind) {
  switch (kind) {
  case FaultKind::UnknownInstruction:
    return "unknown-instruction";
  case FaultKind::BadAddress:
    return "bad-address";
  case FaultKind::BadLDSAddress:
    return "bad-lds-address";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::Uninitialized:
    return "uninitialized";
  case FaultKind::MissingWait:
    return "missing-wait";
  case FaultKind::Hazard:
    return "hazard";
  case FaultKind::Barrier:
    return "barrier";
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::InstructionLimit:
    return "instruction-limit";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::BadProgramCounter:
    return "bad-program-counter";
  case FaultKind::Unsupported:
    return "unsupported";
  }
  llvm_unreachable("all kinds are handled");
}

std::string Fault::str() const {
  std::string text;
  raw_string_ostream os(text);
  if (!location.empty())
    os << location << ": ";
  os << "error: " << message << "\nnote: in kernel '" << kernel << "', block ("
     << group[0] << ", " << group[1] << ", " << group[2] << "), wave " << wave;
  if (lane)
    os << ", lane " << *lane;
  os << ", at +0x" << utohexstr(offset, /*LowerCase=*/true);
  if (!instruction.empty())
    os << ": " << instruction;
  if (!locationBefore.empty())
    os << "\nnote: the instruction belongs to no single line; the wave came "
          "from "
       << locationBefore;
  return text;
}

void Statistics::add(const Statistics &other) {
  instructions += other.instructions;
  laneInstructions += other.laneInstructions;
  dpp += other.dpp;
  for (unsigned i = 0; i != numInstClasses; ++i)
    byClass[i] += other.byClass[i];
}

StringRef coll::sim::getInstClassName(InstClass instClass) {
  switch (instClass) {
  case InstClass::SALU:
    return "salu";
  case InstClass::Branch:
    return "branch";
  case InstClass::Barrier:
    return "barrier";
  case InstClass::Wait:
    return "wait";
  case InstClass::SMEM:
    return "smem";
  case InstClass::VALU:
    return "valu";
  case InstClass::Trans:
    return "trans";
  case InstClass::LDS:
    return "lds";
  case InstClass::Global:
    return "global";
  case InstClass::Scratch:
    return "scratch";
  case InstClass::Buffer:
    return "buffer";
  case InstClass::Other:
    return "other";
  }
  llvm_unreachable("all classes are handled");
}

void Statistics::print(raw_ostream &os, StringRef kernel) const {
  os << "kernel '" << kernel << "': " << instructions << " instructions, "
     << laneInstructions << " in lanes";
  for (unsigned i = 0; i != numInstClasses; ++i)
    if (byClass[i])
      os << ", " << getInstClassName(static_cast<InstClass>(i)) << " "
         << byClass[i];
  if (dpp)
    os << ", dpp " << dpp;
  os << "\n";
}
