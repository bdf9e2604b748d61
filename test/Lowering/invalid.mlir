// What a chip cannot do is an error that names it.
// RUN: coll-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(coll-lower{target=sm_90})'

coll.kernel @tile workgroup [96, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1 : i32
  // expected-error @below {{a tile of 64 is wider than the warp of 32 of sm_90}}
  %s = coll.reduce tile<64> add(%x) : i32
  coll.return
}

// -----

coll.kernel @big workgroup [64, 1, 1] grid [] extents [] params [] {
  // expected-error @below {{kernel 'big' needs 240000 bytes of shared memory, more than the 232448 of sm_90}}
  %x = coll.shared "x" : !coll.view<60000xf32, shared>
  coll.return
}

// -----

coll.kernel @fast workgroup [64, 1, 1] grid [] extents [] params [] {
  %x = arith.constant 1.0 : f64
  // expected-error @below {{fast.exp of f64 is not supported yet on sm_90}}
  %s = coll.fast exp %x : f64
  coll.return
}
