//===- AMDPassManager.h - Passes among LLVM's own ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_AMDPASSMANAGER_H
#define COLL_LIB_CODEGEN_AMDPASSMANAGER_H

#include "llvm/IR/LegacyPassManager.h"

namespace coll {

/// Takes the passes of AMD's back end, and puts some between them.
class AMDPassManager : public llvm::legacy::PassManager {
public:
  void add(llvm::Pass *pass) override;
};

/// Keeps values in the arms of branches. Before control flow is structured.
llvm::Pass *createKeepArms();

/// Brings addresses to where they are used. Before the instruction selection.
llvm::Pass *createSinkOffsets();

/// Makes constant masks of lanes a part of the branches by them. Once registers
/// are known.
llvm::Pass *createFoldLaneMasks();

/// Puts results into registers that allow two instructions to be one. Before
/// LLVM makes such pairs.
llvm::Pass *createFreePairs();

} // namespace coll

#endif // COLL_LIB_CODEGEN_AMDPASSMANAGER_H
