// RUN: coll-opt %s --split-input-file --verify-diagnostics
// What the verifiers say about collectives.

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.reduce' op expects a built-in operator or a combiner}}
  %0 = coll.reduce warp (%f) : f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.reduce' op 'smin' does not work on 'f32'}}
  %0 = coll.reduce warp smin(%f) : f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.scan' op with a built-in operator expects one value and no combiner}}
  %0:2 = coll.scan warp add(%f, %f) : f32, f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.reduce' op expects combiner arguments 'f32', 'f32', got 'f32'}}
  %0 = coll.reduce warp (%f) : f32 combiner {
  ^bb0(%a: f32):
    coll.yield %a : f32
  }
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.reduce' op expects its combiner to yield 'f32'}}
  %0 = coll.reduce warp (%f) : f32 combiner {
  ^bb0(%a: f32, %b: f32):
    coll.yield %a, %b : f32, f32
  }
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  %c = arith.constant 1 : i32
  // expected-error @+1 {{'coll.exclusive_scan' op expects rank 0's values to be of types 'f32', got 'i32'}}
  %0 = coll.exclusive_scan warp add(%f) first(%c : i32) : f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.scan_total' op expects results 'f32', 'f32', got 'f32'}}
  %0 = coll.scan_total warp add(%f) : f32 -> f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  %c = arith.constant 1 : i32
  // expected-error @+1 {{'coll.shuffle' op expects fill values of types 'f32', got 'i32'}}
  %0 = coll.shuffle up warp %f by %c fill(%c : i32) : f32
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %true = arith.constant true
  // expected-error @+1 {{'coll.ballot' op expects a warp-level group: a mask has one bit for each rank, got block}}
  %0 = coll.ballot block %true
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.match' op expects a warp-level group: a mask has one bit for each rank, got block}}
  %0 = coll.match block %f : f32
  coll.return
}

// -----

#f = #coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">
coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [#f] {
^bb0(%f: f32):
  // expected-error @+1 {{'coll.arg_reduce' op 'add' does not work on 'f32'}}
  %0:2 = coll.arg_reduce add warp %f : f32
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{tile size 3 is not a power of two from 1 to 1024}}
  coll.sync tile<3>
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{unknown group 'device'}}
  coll.sync device
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'none' cannot be the element of a view}}
  %0 = coll.var "v" : !coll.view<none, private>
  coll.return
}
