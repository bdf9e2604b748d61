// An unknown chip is an error, from the pipeline and from each pass.
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll-lower{target=sm_91})' 2>&1 | FileCheck %s
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-lower-collectives{target=sm_91}))' 2>&1 | FileCheck %s
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll-lower-kernels{target=sm_91})' 2>&1 | FileCheck %s
// RUN: not coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_91}))' 2>&1 | FileCheck %s

// CHECK: error: {{.*}}sm_91
coll.kernel @k workgroup [64, 1, 1] grid [] extents [] params [] {
  coll.return
}
