// A remark says what was taken, what it costs, and why the others were not; a
// forced strategy is taken wherever it applies.
// RUN: coll-opt %s -o /dev/null --pass-pipeline='builtin.module(coll-lower{target=sm_90 remarks=true})' 2>&1 | FileCheck %s
// RUN: coll-opt %s -o /dev/null --pass-pipeline='builtin.module(coll-lower{target=sm_90 remarks=true strategy=shuffle-butterfly})' 2>&1 | FileCheck %s --check-prefix=FORCED

// CHECK: remark: {{.*}}reduce{{.*}}add{{.*}}i32{{.*}}: redux, cost {{[0-9]+}}
// CHECK: note: not shuffle-butterfly: costs {{[0-9]+}}, not {{[0-9]+}}
// CHECK: note: not shuffle-scan: needs a scan
// FORCED: remark: {{.*}}reduce{{.*}}add{{.*}}i32{{.*}}: shuffle-butterfly, cost
coll.kernel @sum workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = coll.rank warp
  %s = coll.reduce warp add(%x) : i32
  %o = coll.shared "o" : !coll.view<i32, shared>
  coll.store (%s) to %o[] : (i32), !coll.view<i32, shared>
  coll.return
}
