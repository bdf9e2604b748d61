// RUN: coll-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{'coll.kernel' op expects a cluster of 1 to 8 blocks, got 16}}
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] attributes {cluster = 16 : i32} {
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %o = arith.constant 0 : i64
  // expected-error @+1 {{'coll.workspace' op expects a global view of one unknown extent, got '!coll.view<4xi32, global>'}}
  %w = coll.workspace at %o extent %o : !coll.view<4xi32, global>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %i = arith.constant 0 : i32
  %s = coll.shared "s" : !coll.view<2xi32, shared>
  // expected-error @+1 {{'coll.peer' op expects a shared view and the same of a peer, got '!coll.view<2xi32, shared>' and '!coll.view<3xi32, peer>'}}
  %p = coll.peer %s of %i : !coll.view<2xi32, shared> -> !coll.view<3xi32, peer>
  coll.return
}
