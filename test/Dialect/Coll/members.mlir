// Groups that are made at run time, and all that works on them.
// RUN: coll-opt %s | coll-opt | FileCheck %s

// CHECK-LABEL: coll.kernel @members
coll.kernel @members workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  %true = arith.constant true
  // CHECK: %[[G:.*]] = coll.active
  %g = coll.active
  // CHECK: %[[P:.*]] = coll.partition members(%[[G]]) %{{.*}}, %{{.*}} : i32, i1
  %p = coll.partition members(%g) %i, %true : i32, i1
  // CHECK: coll.partition tile<8> %{{.*}} : i1
  %t = coll.partition tile<8> %true : i1
  // CHECK: coll.rank members(%[[P]])
  %0 = coll.rank members(%p)
  // CHECK: coll.size members(%[[P]])
  %1 = coll.size members(%p)
  // CHECK: coll.reduce members(%[[P]]) add(%{{.*}}) : i32
  %2 = coll.reduce members(%p) add(%i) : i32
  // CHECK: coll.reduce members(%[[P]]) (%{{.*}}, %{{.*}}) commutative : i32, i1 combiner
  %3:2 = coll.reduce members(%p) (%i, %true) commutative : i32, i1 combiner {
  ^bb0(%a: i32, %b: i1, %c: i32, %d: i1):
    coll.yield %c, %b : i32, i1
  }
  // CHECK: coll.scan members(%[[P]]) add(%{{.*}}) reverse : i32
  %4 = coll.scan members(%p) add(%i) reverse : i32
  // CHECK: coll.exclusive_scan members(%[[P]]) add(%{{.*}}) first(%{{.*}} : i32) : i32
  %5 = coll.exclusive_scan members(%p) add(%i) first(%i : i32) : i32
  // CHECK: coll.scan_total members(%[[P]]) add(%{{.*}}) : i32 -> i32, i32
  %6:2 = coll.scan_total members(%p) add(%i) : i32 -> i32, i32
  // CHECK: coll.broadcast members(%[[P]]) %{{.*}}, %{{.*}} from %{{.*}} : i32, i1
  %7:2 = coll.broadcast members(%p) %i, %true from %i : i32, i1
  // CHECK: coll.shuffle xor members(%[[P]]) %{{.*}} by %{{.*}} fill(%{{.*}} : i32) : i32
  %8 = coll.shuffle xor members(%p) %i by %i fill(%i : i32) : i32
  // CHECK: coll.vote all members(%[[P]]) %{{.*}}
  %9 = coll.vote all members(%p) %true
  // CHECK: coll.population members(%[[P]]) %{{.*}}
  %10 = coll.population members(%p) %true
  // CHECK: coll.rank_among members(%[[P]]) %{{.*}}
  %11 = coll.rank_among members(%p) %true
  // CHECK: coll.ballot members(%[[P]]) %{{.*}}
  %12 = coll.ballot members(%p) %true
  // CHECK: coll.match members(%[[P]]) %{{.*}} : i32
  %13 = coll.match members(%p) %i : i32
  // CHECK: coll.uniform members(%[[P]]) %{{.*}} : i32
  %14 = coll.uniform members(%p) %i : i32
  // CHECK: coll.elect members(%[[P]])
  %15 = coll.elect members(%p)
  // CHECK: coll.arg_reduce smin members(%[[P]]) %{{.*}} : i32
  %16, %17 = coll.arg_reduce smin members(%p) %i : i32
  // CHECK: coll.sync members(%[[P]])
  coll.sync members(%p)
  coll.return
}
