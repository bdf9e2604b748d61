//===- EndClusters.cpp - Blocks that others still read --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared memory of a block is there until its last thread has ended. So a
// thread ends behind a barrier that it passes after all reads of the cluster:
// each thread of the cluster comes to one such barrier, wherever it ends.
//
// Position: after coll-flag-exits, which leaves exits as they are executed. A
// barrier before an exit that becomes a flag would be inside a branch, and the
// lanes of the branch would wait at it for lanes that wait for theirs.
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace coll::ir {
#define GEN_PASS_DEF_ENDCLUSTERS
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

namespace {
struct EndClusters : public coll::ir::impl::EndClustersBase<EndClusters> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    auto findPeer = [](PeerOp) { return WalkResult::interrupt(); };
    if (!kernel.walk(findPeer).wasInterrupted())
      return;
    auto cluster = GroupAttr::get(&getContext(), GroupKind::Cluster, 0);
    kernel.walk([&](ReturnOp end) {
      if (end->getParentOfType<InlineOp>())
        return;
      ImplicitLocOpBuilder b(end.getLoc(), end);
      SyncOp::create(b, cluster).setDivergent(true);
    });
  }
};
} // namespace
