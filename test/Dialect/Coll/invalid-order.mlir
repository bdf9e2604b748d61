// RUN: coll-opt %s --split-input-file --verify-diagnostics
// What the verifiers say about collectives that order and rearrange.

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.sort' op expects keys of one type, got 'f32' and 'i32'}}
  %0:2 = coll.sort warp (%f, %i) : f32, i32 -> f32, i32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.sort' op expects 2 elements of as many values each, got 1 values}}
  %0:3 = coll.sort warp (%f, %f) values(%i : i32) : f32, f32 -> f32, f32, i32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.sort' op expects elements of the same types, got 'i32' and 'f32'}}
  %0:4 = coll.sort warp (%f, %f) values(%i, %f : i32, f32) : f32, f32 -> f32, f32, i32, f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.sort' op expects results 'f32', 'i32', got 'f32'}}
  %0 = coll.sort warp (%f) values(%i : i32) : f32 -> f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.top_k' op expects as many results of type 'f32' as of i32, got 'f32', 'f32'}}
  %0:2 = coll.top_k warp (%f) : f32 -> f32, f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.exchange' op expects 2 elements of as many values each, got 3 values}}
  %0:3 = coll.exchange warp (%f, %f, %f) to %i, %i : f32, f32, f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  // expected-error @+1 {{'coll.exchange' op expects elements of the same types, got 'f32' and 'i32'}}
  %0:2 = coll.exchange warp (%f, %i) to %i, %i : f32, i32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  %b = arith.constant 1 : i64
  %s = coll.shared "s" : !coll.view<4x4xi32, shared>
  // expected-error @+1 {{'coll.histogram' op expects a shared view of one dimension with integers of 32 or 64 bits, got '!coll.view<4x4xi32, shared>'}}
  coll.histogram warp %s[%b] : !coll.view<4x4xi32, shared>
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
#i = #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f, #i] {
^bb0(%f: f32, %i: i32):
  %s = coll.shared "s" : !coll.view<4xi32, shared>
  // expected-error @+1 {{'coll.histogram' op expects at least one bin}}
  coll.histogram warp %s[] : !coll.view<4xi32, shared>
  coll.return
}
