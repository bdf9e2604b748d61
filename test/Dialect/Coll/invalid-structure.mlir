// RUN: coll-opt %s --split-input-file --verify-diagnostics
// What the verifiers say about kernels and control flow.

// expected-error @+1 {{'coll.kernel' op expects a workgroup of 3 numbers, got 2}}
coll.kernel @k workgroup [32, 1] grid [] extents [] params [] { coll.return }

// -----

// expected-error @+1 {{'coll.kernel' op expects workgroup dimensions from 1 to 1024, got 0}}
coll.kernel @k workgroup [32, 0, 1] grid [] extents [] params [] { coll.return }

// -----

// expected-error @+1 {{'coll.kernel' op expects at most 1024 threads a block, got 2048}}
coll.kernel @k workgroup [512, 4, 1] grid [] extents [] params [] { coll.return }

// -----

// expected-error @+1 {{'coll.kernel' op expects at most 3 grid expressions, got 4}}
coll.kernel @k workgroup [32, 1, 1] grid ["1", "1", "1", "1"] extents [] params [] { coll.return }

// -----

// expected-error @+1 {{'coll.kernel' op expects 1 block arguments (parameters, then extents), got 0}}
coll.kernel @k workgroup [32, 1, 1] grid [] extents ["n"] params [] { coll.return }

// -----

// expected-error @+1 {{'coll.kernel' op parameter 's' and its block argument of type '!coll.view<f32, global>' disagree on being a view}}
coll.kernel @k workgroup [32, 1, 1] grid [] extents []
    params [#coll.param<name = "s", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%s: !coll.view<f32, global>):
  coll.return
}

// -----

// expected-error @+1 {{'coll.kernel' op parameter 'x' expects a global view of rank 1, got '!coll.view<f32, global>'}}
coll.kernel @k workgroup [32, 1, 1] grid [] extents []
    params [#coll.param<name = "x", access = read, isView = true, type = "f32", leaves = "f32", dims = 4>] {
^bb0(%x: !coll.view<f32, global>):
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %c = arith.constant 1 : i32
  // expected-error @+1 {{'coll.return' op returns 'i32' from an operation with results }}
  coll.return %c : i32
}

// -----

// expected-error @+1 {{'coll.return' op expects to be inside a coll.inline or coll.kernel}}
coll.return

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %true = arith.constant true
  %c = arith.constant 1 : i32
  // expected-error @+1 {{'coll.if' op has results and so expects an else region}}
  %0 = coll.if %true -> i32 { coll.yield %c : i32 }
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %true = arith.constant true
  %c = arith.constant 1 : i32
  // expected-error @+1 {{'coll.yield' op yields 'i32' to an if with results }}
  coll.if %true { coll.yield %c : i32 }
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.loop' op expects its condition to end in coll.condition}}
  coll.loop { coll.yield } do { coll.yield } step { coll.yield }
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %true = arith.constant true
  // expected-error @+1 {{'coll.loop' op expects its step to end in coll.yield}}
  coll.loop { coll.condition %true } do { coll.yield } step { coll.return }
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  %true = arith.constant true
  coll.if %true {
    // expected-error @+1 {{'coll.break' op expects to be in the body of a coll.loop}}
    coll.break
  }
  coll.return
}

// -----

coll.kernel @k workgroup [32, 1, 1] grid [] extents [] params [] {
  // expected-error @+1 {{'coll.continue' op expects to be in the body of a coll.loop}}
  coll.continue
}
