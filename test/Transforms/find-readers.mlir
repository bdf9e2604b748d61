// Reductions say which ranks need their results, where conditions on ranks tell.
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-find-readers{target=sm_90}))' | FileCheck %s
// RUN: coll-opt %s --pass-pipeline='builtin.module(coll.kernel(coll-find-readers{target=gfx942}))' | FileCheck %s --check-prefix=WAVE64

// CHECK-LABEL: coll.kernel @conditions
// A comparison with another one, a plain operation on the way.
// CHECK: coll.reduce warp add(%{{.*}}) for first : f32
// Every 32nd thread: on a wave of 64 that is rank 32 too.
// CHECK: coll.reduce warp add(%{{.*}}) for first : f32
// The last rank of each tile, and of the short one.
// CHECK: coll.reduce tile<8> add(%{{.*}}) for last : f32
// Two of 32.
// CHECK: coll.reduce warp add(%{{.*}}) : f32
// WAVE64-LABEL: coll.kernel @conditions
// WAVE64: coll.reduce warp add(%{{.*}}) for first : f32
// WAVE64: coll.reduce warp add(%{{.*}}) : f32
// WAVE64: coll.reduce tile<8> add(%{{.*}}) for last : f32
// WAVE64: coll.reduce warp add(%{{.*}}) : f32
coll.kernel @conditions workgroup [77, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "p", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%f: f32, %p: i1):
  %o = coll.shared "o" : !coll.view<f32, shared>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %lane = coll.rank warp
  %is_first = arith.cmpi eq, %lane, %zero : i32
  %rank = coll.rank block
  %rest = coll.rem signed %rank, %c32 : i32
  %is_each = arith.cmpi eq, %rest, %zero : i32
  %own = coll.rank tile<8>
  %size = coll.size tile<8>
  %next = arith.addi %own, %one : i32
  %is_last = arith.cmpi eq, %next, %size : i32
  %is_low = arith.cmpi ule, %lane, %one : i32

  %a = coll.reduce warp add(%f) : f32
  %half = arith.mulf %a, %a : f32
  %both = coll.if %is_first -> i1 {
    coll.yield %p : i1
  } else {
    %no = arith.constant false
    coll.yield %no : i1
  }
  coll.if %both {
    coll.store (%half) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  %b = coll.reduce warp add(%f) : f32
  coll.if %is_each {
    coll.store (%b) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  %c = coll.reduce tile<8> add(%f) : f32
  coll.if %is_last {
    coll.store (%c) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  %d = coll.reduce warp add(%f) : f32
  coll.if %is_low {
    coll.store (%d) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  coll.return
}

// Through a function, a variable and a branch; behind a return of the others. Who
// decides a branch needs the value, and so does the else arm.
// CHECK-LABEL: coll.kernel @ways
// CHECK: coll.reduce block add(%{{.*}}) for first : f32
// CHECK: coll.reduce block smax(%{{.*}}) : i32
// CHECK: coll.reduce block smin(%{{.*}}) : i32
// CHECK: coll.scan_total block add(%{{.*}}) first(%{{.*}}) for first_warp : f32
coll.kernel @ways workgroup [256, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %o = coll.shared "o" : !coll.view<f32, shared>
  %n = coll.shared "n" : !coll.view<i32, shared>
  %kept = coll.var "kept" : !coll.view<f32, private>
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %rank = coll.rank block
  %sum = coll.inline "sum" -> f32 {
    %s = coll.reduce block add(%f) : f32
    coll.return %s : f32
  }
  coll.store (%sum) to %kept[] : (f32), !coll.view<f32, private>
  %max = coll.reduce block smax(%rank) : i32
  %decides = arith.cmpi eq, %max, %rank : i32
  coll.if %decides {
    coll.yield
  }
  %min = coll.reduce block smin(%rank) : i32
  %before, %total = coll.scan_total block add(%f) first(%zero : f32) : f32 -> f32, f32
  %warp = coll.index warp
  %in_first = arith.cmpi eq, %warp, %none : i32
  coll.if %in_first {
    coll.store (%total) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  } else {
    coll.store (%min) to %n[] : (i32), !coll.view<i32, shared>
    coll.yield
  }
  %others = arith.cmpi ne, %rank, %none : i32
  coll.if %others {
    coll.return
  }
  %back = coll.load %kept[] : !coll.view<f32, private> -> f32
  coll.store (%back) to %o[] : (f32), !coll.view<f32, shared>
  coll.return
}

// Of a group that is made at run time, by the form of the condition.
// CHECK-LABEL: coll.kernel @members
// CHECK: coll.reduce members(%{{.*}}) add(%{{.*}}) for first : f32
// CHECK: coll.reduce members(%{{.*}}) mul(%{{.*}}) : f32
coll.kernel @members workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">] {
^bb0(%f: f32):
  %o = coll.shared "o" : !coll.view<f32, shared>
  %g = coll.active
  %a = coll.reduce members(%g) add(%f) : f32
  %b = coll.reduce members(%g) mul(%f) : f32
  %e = coll.elect members(%g)
  coll.if %e {
    coll.store (%a) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  %w = coll.elect warp
  coll.if %w {
    coll.store (%b) to %o[] : (f32), !coll.view<f32, shared>
    coll.yield
  }
  coll.return
}
