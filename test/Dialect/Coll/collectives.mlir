// RUN: coll-opt %s | coll-opt | FileCheck %s
// Every collective is printed and read back.

// CHECK-LABEL: coll.kernel @collectives
coll.kernel @collectives workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "f", access = read, isView = false, type = "f32", leaves = "f32">,
            #coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%f: f32, %i: i32):
  // CHECK: coll.reduce block add(%{{.*}}) : f32
  %0 = coll.reduce block add(%f) : f32
  // CHECK: coll.reduce warp{{ ?}}(%{{.*}}, %{{.*}}) commutative : f32, i32 combiner {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32):
  // CHECK:   coll.yield
  %1:2 = coll.reduce warp (%f, %i) commutative : f32, i32 combiner {
  ^bb0(%lf: f32, %li: i32, %rf: f32, %ri: i32):
    coll.yield %lf, %ri : f32, i32
  }
  // CHECK: coll.scan tile<8> umin(%{{.*}}) reverse : i32
  %2 = coll.scan tile<8> umin(%i) reverse : i32
  // CHECK: coll.exclusive_scan block maxnum(%{{.*}}) first(%{{.*}} : f32) : f32
  %3 = coll.exclusive_scan block maxnum(%f) first(%0 : f32) : f32
  // CHECK: coll.exclusive_scan block xor(%{{.*}}) : i32
  %4 = coll.exclusive_scan block xor(%i) : i32
  // CHECK: coll.scan_total warp mul(%{{.*}}) first(%{{.*}} : f32) reverse : f32 -> f32, f32
  %5:2 = coll.scan_total warp mul(%f) first(%f : f32) reverse : f32 -> f32, f32
  // CHECK: coll.broadcast block %{{.*}}, %{{.*}} from %{{.*}} : f32, i32
  %6:2 = coll.broadcast block %f, %i from %i : f32, i32
  // CHECK: coll.shuffle xor warp %{{.*}} by %{{.*}} : f32
  %7 = coll.shuffle xor warp %f by %i : f32
  // CHECK: coll.shuffle up block %{{.*}} by %{{.*}} fill(%{{.*}} : f32) : f32
  %8 = coll.shuffle up block %f by %i fill(%0 : f32) : f32
  // CHECK: %[[P:.*]] = coll.uniform block %{{.*}}, %{{.*}} : f32, i32
  %p = coll.uniform block %f, %i : f32, i32
  // CHECK: coll.vote any block %[[P]]
  %9 = coll.vote any block %p
  // CHECK: coll.population warp %[[P]]
  %10 = coll.population warp %p
  // CHECK: coll.rank_among block %[[P]]
  %11 = coll.rank_among block %p
  // CHECK: coll.ballot tile<4> %[[P]]
  %12 = coll.ballot tile<4> %p
  // CHECK: coll.match warp %{{.*}} : i32
  %13 = coll.match warp %i : i32
  // CHECK: coll.elect thread
  %14 = coll.elect thread
  // CHECK: coll.arg_reduce smin block %{{.*}} : i32
  %15:2 = coll.arg_reduce smin block %i : i32
  // CHECK: coll.sync warp
  coll.sync warp
  coll.return
}
