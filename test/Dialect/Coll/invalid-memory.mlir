// RUN: coll-opt %s --split-input-file --verify-diagnostics
// What the verifiers say about memory.

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.var' op expects a private view, got '!coll.view<f32, global>'}}
  %0 = coll.var "v" : !coll.view<f32, global>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.var' op expects a static shape, got '!coll.view<?xf32, private>'}}
  %0 = coll.var "v" : !coll.view<?xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.shared' op expects a shared view, got '!coll.view<4xf32, private>'}}
  %0 = coll.shared "s" : !coll.view<4xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %n = arith.constant 4 : i64
  // expected-error @+1 {{'coll.shared' op expects an extent and its bytes, or neither}}
  %0 = coll.shared "s"(%n) : !coll.view<?xf32, shared>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.shared' op expects a static shape, or with an extent only the first dimension dynamic, got '!coll.view<?xf32, shared>'}}
  %0 = coll.shared "s" : !coll.view<?xf32, shared>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  // expected-error @+1 {{'coll.extent' op asks for dimension 1 of a view of rank 1}}
  %0 = coll.extent %v, 1 : !coll.view<4xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4x2xf32, private>
  %n = arith.constant 1 : i64
  // expected-error @+1 {{'coll.slice' op expects one form a dimension: 2, got 1}}
  %0 = coll.slice %v forms [1] (%n) : !coll.view<4x2xf32, private> -> !coll.view<2xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  %n = arith.constant 1 : i64
  // expected-error @+1 {{'coll.slice' op expects forms of 0, 1 or 2, got 3}}
  %0 = coll.slice %v forms [3] (%n) : !coll.view<4xf32, private> -> !coll.view<f32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  %n = arith.constant 1 : i64
  // expected-error @+1 {{'coll.slice' op expects 2 bounds for its forms, got 1}}
  %0 = coll.slice %v forms [2] (%n) : !coll.view<4xf32, private> -> !coll.view<?xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  // expected-error @+1 {{'coll.slice' op expects a result of rank 1 with the element and space of '!coll.view<4xf32, private>', got '!coll.view<4xi32, private>'}}
  %0 = coll.slice %v forms [0] () : !coll.view<4xf32, private> -> !coll.view<4xi32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, f32 at 4)>, private>
  // expected-error @+1 {{'coll.field' op takes bytes 8 to 12 of an element of 8 bytes}}
  %0 = coll.field %v at 8 : !coll.view<4x!coll.struct<"S", size = 8, align = 4, (i32 at 0, f32 at 4)>, private> -> !coll.view<4xf32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4x2xf32, private>
  // expected-error @+1 {{'coll.flat' op expects a result of rank 1 with the element and space of '!coll.view<4x2xf32, private>', got '!coll.view<8xf32, shared>'}}
  %0 = coll.flat %v : !coll.view<4x2xf32, private> -> !coll.view<8xf32, shared>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  // expected-error @+1 {{'coll.recast' op expects elements of the same size, or vectors of 'f32', got 'f64'}}
  %0 = coll.recast %v : !coll.view<4xf32, private> -> !coll.view<4xf64, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<4xf32, private>
  // expected-error @+1 {{'coll.load' op expects 1 indices for '!coll.view<4xf32, private>', got 0}}
  %0 = coll.load %v[] : !coll.view<4xf32, private> -> f32
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<f32, private>
  %n = arith.constant 1 : i32
  // expected-error @+1 {{'coll.store' op expects leaves 'f32' of '!coll.view<f32, private>', got 'i32'}}
  coll.store (%n) to %v[] : (i32), !coll.view<f32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.var "v" : !coll.view<i32, private>
  %n = arith.constant 1 : i32
  // expected-error @+1 {{'coll.atomic_rmw' op expects global or shared memory, got '!coll.view<i32, private>'}}
  %0 = coll.atomic_rmw add relaxed device %n, %v[] : i32, !coll.view<i32, private>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.shared "v" : !coll.view<i8, shared>
  %n = arith.constant 1 : i8
  // expected-error @+1 {{'coll.atomic_rmw' op expects a value of 32 or 64 bits, got 'i8'}}
  %0 = coll.atomic_rmw add relaxed device %n, %v[] : i8, !coll.view<i8, shared>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.shared "v" : !coll.view<f32, shared>
  %n = arith.constant 1.0 : f32
  // expected-error @+1 {{'coll.atomic_rmw' op 'and' does not work on 'f32'}}
  %0 = coll.atomic_rmw and relaxed device %n, %v[] : f32, !coll.view<f32, shared>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.shared "v" : !coll.view<i32, shared>
  // expected-error @+1 {{'coll.atomic_load' op cannot be release}}
  %0 = coll.atomic_load release device %v[] : !coll.view<i32, shared> -> i32
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %v = coll.shared "v" : !coll.view<i32, shared>
  %n = arith.constant 1 : i32
  // expected-error @+1 {{'coll.atomic_store' op cannot be acquire}}
  coll.atomic_store acquire device %n, %v[] : i32, !coll.view<i32, shared>
  coll.return
}
