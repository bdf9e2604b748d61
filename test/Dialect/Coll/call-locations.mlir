// What no compiler of Coll writes into a location is none of its calls.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-drop-unused{target=sm_90 remarks=true}))' -o /dev/null 2>&1 | FileCheck %s

coll.kernel @k workgroup [32, 1, 1] grid ["1"] extents [] params [] {
  %x = coll.rank block
  // CHECK-DAG: x.coll:1:1: remark: exclusive_scan over warp, sm_90: unused result (part of warp.exclusive_scan, init){{$}}
  %a = coll.exclusive_scan warp add(%x) : i32 loc(fused<["warp.exclusive_scan", "init"]>["x.coll":1:1])
  // CHECK-DAG: x.coll:2:1: remark: reduce over warp, sm_90: unused result{{$}}
  %b = coll.reduce warp add(%x) : i32 loc(fused<[]>["x.coll":2:1])
  // CHECK-DAG: x.coll:3:1: remark: reduce over warp, sm_90: unused result{{$}}
  %c = coll.reduce warp add(%x) : i32 loc(fused<[1 : i32]>["x.coll":3:1])
  coll.return
}
