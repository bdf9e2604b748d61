//===- AMDPassManager.cpp - Passes among LLVM's own -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "llvm/Pass.h"

void coll::AMDPassManager::add(llvm::Pass *pass) {
  llvm::StringRef name = pass->getPassName();
  if (name.contains("Instruction Selection"))
    PassManager::add(createSinkOffsets());
  if (name == "Structurize control flow")
    PassManager::add(createKeepArms());
  if (name == "GCN Create VOPD Instructions")
    PassManager::add(createFreePairs());
  bool namesLanes = name == "SI optimize exec mask operations";
  PassManager::add(pass);
  if (namesLanes)
    PassManager::add(createFoldLaneMasks());
}
