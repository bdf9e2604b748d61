// RUN: coll-opt %s --split-input-file --verify-diagnostics

coll.kernel @other_group workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  %g = coll.active
  // expected-error @+1 {{'coll.reduce' op expects no value of type '!coll.group' for the group 'warp'}}
  %0 = "coll.reduce"(%i, %g) <{group = #coll<group warp>, kind = #coll<combine add>, operandSegmentSizes = array<i32: 1, 1>}> ({}) : (i32, !coll.group) -> i32
  coll.return
}

// -----

coll.kernel @no_value workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "bool", leaves = "bool">] {
^bb0(%i: i1):
  // expected-error @+1 {{'coll.ballot' op expects a value of type '!coll.group' for the group 'members'}}
  %0 = "coll.ballot"(%i) <{group = #coll<group members>}> : (i1) -> i64
  coll.return
}

// -----

coll.kernel @block workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  // expected-error @+1 {{'coll.partition' op expects a warp-level group, got block}}
  %0 = coll.partition block %i : i32
  coll.return
}

// -----

coll.kernel @no_label workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  // expected-error @+1 {{'coll.partition' op expects at least one value}}
  %0 = "coll.partition"() <{group = #coll<group warp>, operandSegmentSizes = array<i32: 0, 0>}> : () -> !coll.group
  coll.return
}

// -----

coll.kernel @siblings workgroup [64, 1, 1] grid [] extents []
    params [#coll.param<name = "i", access = read, isView = false, type = "i32", leaves = "i32">] {
^bb0(%i: i32):
  %g = coll.active
  // expected-error @+1 {{'coll.index' op expects a value of type '!coll.group' for the group 'members'}}
  %0 = coll.index members
  coll.return
}
