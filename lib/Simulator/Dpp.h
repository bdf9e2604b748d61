//===- Dpp.h - Which lane a DPP operand reads -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data parallel primitives: source 0 of a VALU instruction comes from another
// lane. A row is 16 lanes, a bank 4 lanes of a row.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_DPP_H
#define COLL_LIB_SIMULATOR_DPP_H

#include "Instruction.h"
#include <array>
#include <optional>

namespace coll::sim {

/// The lane that `lane` reads under dpp_ctrl `ctrl`; none if the pattern has no
/// source for it.
std::optional<unsigned> getDPPSource(unsigned ctrl, unsigned lane,
                                     unsigned waveSize);

/// False for a dpp_ctrl that no family has.
bool isValidDPPControl(unsigned ctrl);

/// What DPP makes of source 0 of a whole wave.
struct DPPLanes {
  /// Lanes that the instruction works on.
  uint64_t enabled = 0;
  /// Of those: lanes that read 0 instead of another lane.
  uint64_t zero = 0;
  /// Of the others: the lane that each reads.
  std::array<uint8_t, 64> source = {};
};

/// A lane is enabled if EXEC, row mask and bank mask have it, and its source is
/// valid or reads as 0. A source is invalid where the pattern has none and,
/// unless inactive lanes are fetched, where EXEC has it not.
DPPLanes selectDPP16(const DPPControl &control, uint64_t exec,
                     unsigned waveSize);

/// Groups of 8 lanes; an invalid source reads as 0.
DPPLanes selectDPP8(const DPPControl &control, uint64_t exec,
                    unsigned waveSize);

/// v_permlane16 (or, `exchange`, v_permlanex16, which reads the other row of a
/// pair): lane i of a row reads the lane that nibble i of `selects` names.
/// Lanes whose source is invalid keep their value unless `boundCtrl`.
DPPLanes selectPermlane16(uint64_t selects, bool exchange, bool fetchInactive,
                          bool boundCtrl, uint64_t exec, unsigned waveSize);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_DPP_H
