//===- Trace.cpp - One line an instruction --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll::sim;
using namespace llvm;

/// Calls `visit` with each VGPR that an instruction defines.
template <typename Visit>
static void forEachVGPRDef(const DecodedInst &inst, Visit visit) {
  for (const DecodedInst *half = &inst; half; half = half->second.get())
    for (const Operand &def : half->getDefs())
      if (def.isVGPR())
        for (unsigned i = 0; i != def.dwords; ++i)
          visit(def.index + i);
}

TraceRecord::TraceRecord(const Wave &wave, const DecodedInst &inst)
    : inst(inst), scc(wave.scc) {
  std::copy(std::begin(wave.scalars), std::end(wave.scalars), scalars.begin());
  forEachVGPRDef(inst, [&](unsigned reg) {
    lanes.append(wave.getVGPR(reg), wave.getVGPR(reg) + 64);
  });
}

static void printScalarName(raw_ostream &os, unsigned index, const Wave &wave) {
  if (index == VCCLo || index == VCCLo + 1)
    os << (index == VCCLo ? "vcc_lo" : "vcc_hi");
  else if (index == ExecLo || index == ExecLo + 1)
    os << (index == ExecLo ? "exec_lo" : "exec_hi");
  else if (index == M0Index)
    os << "m0";
  else if (index >= Ttmp0 && index < M0Index)
    os << "ttmp" << index - Ttmp0;
  else
    os << "s" << index;
}

void TraceRecord::print(raw_ostream &os, const Wave &wave) const {
  const std::array<uint32_t, 3> &id = wave.group.id;
  os << "(" << id[0] << "," << id[1] << "," << id[2] << ") w" << wave.index
     << format(" +0x%04" PRIx64 " ", inst.address - wave.launch.codeAddress)
     << inst.text << " ;";
  for (unsigned i = 0; i != numScalars; ++i) {
    if (scalars[i] == wave.scalars[i])
      continue;
    os << " ";
    printScalarName(os, i, wave);
    os << format("=0x%x", wave.scalars[i]);
  }
  if (scc != wave.scc)
    os << " scc=" << wave.scc;
  const uint32_t *old = lanes.data();
  forEachVGPRDef(inst, [&](unsigned reg) {
    bool isFirst = true;
    for (unsigned lane = 0; lane != wave.size(); ++lane) {
      uint32_t value = wave.getVGPR(reg)[lane];
      if (value == old[lane])
        continue;
      if (isFirst)
        os << (reg < 256 ? " v" : " a") << reg % 256 << "=[";
      os << (isFirst ? "" : " ") << lane << format(":0x%x", value);
      isFirst = false;
    }
    os << (isFirst ? "" : "]");
    if (~wave.vgprInit[reg] & wave.getExec())
      os << (reg < 256 ? " v" : " a") << reg % 256 << "=undefined";
    old += 64;
  });
  os << "\n";
}
