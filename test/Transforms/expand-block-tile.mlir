// Tiles of several warps: their parts of the scratch, and a barrier each where the chip has enough.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=sm_90}))' | FileCheck %s --check-prefixes=CHECK,NVIDIA
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-expand-block{target=gfx1100}))' | FileCheck %s --check-prefixes=CHECK,AMD

// Four tiles of two warps: eight partials. Tile i begins at 2 * i.
// CHECK-LABEL: coll.kernel @reduce
// CHECK: coll.shared "partials" {alignment = 16 : i64} : <8xf32, shared>
// CHECK: %[[W:.*]] = coll.reduce warp add(%{{.*}}) for {{first|last}} : f32
// CHECK: coll.store
// NVIDIA: coll.sync tile<64> barrier 1
// AMD: coll.sync block
// CHECK: coll.load
// CHECK: coll.load
// CHECK: arith.addf
// A second size of tiles has barriers after those of the first.
// NVIDIA: coll.sync tile<128> barrier 5
// AMD: coll.sync block
coll.kernel @reduce workgroup [256, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f32
  %s = coll.reduce tile<64> add(%x) : f32
  coll.sync tile<128>
  coll.return
}

// Sixteen tiles are more than NVIDIA has barriers: they use the block's, all being there.
// CHECK-LABEL: coll.kernel @many
// CHECK: coll.sync block
// CHECK-NOT: coll.sync tile
coll.kernel @many workgroup [1024, 1, 1] grid [] extents [] params [] {
  coll.sync tile<64>
  coll.return
}
