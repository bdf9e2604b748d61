//===- CollOrder.td - Collectives that order and rearrange ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by CollOps.td. The elements of a group are one list: of K elements a
// thread, rank r holds those from r * K on (blocked arrangement).
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_COLLORDER_TD
#define COLL_DIALECT_COLL_IR_COLLORDER_TD

def Coll_Key : AnyTypeOf<[AnySignlessInteger, AnyFloat], "integer or float">;
def Coll_Keys : Variadic<Coll_Key>;

def Coll_SortOp : Coll_Collective<"sort", [AttrSizedOperandSegments]> {
  let summary = "the group's elements in order";
  let description = [{
    Sorts the list of all ranks' `keys`, K of one type a thread, upwards, or downwards if `descending`. `values`, if there
    are any, are K elements of as many leaves each, and follow their keys; the results are the keys, then the values.
    Stable. -0 is below +0, and NaNs, which are equal to each other, come last in either direction. `isSigned` is about
    integers. A NaN among the keys may come out as any other NaN.

    Example:
    ```mlir
    %s:2 = coll.sort block signed (%a, %b) : i32, i32 -> i32, i32
    %k, %v = coll.sort warp descending (%x) values(%i : i32) : f32 -> f32, i32
    ```
  }];
  let arguments = (ins Coll_GroupAttr:$group, UnitAttr:$isSigned, UnitAttr:$descending, Coll_Keys:$keys, Coll_Leaves:$values);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = [{
    $group (`signed` $isSigned^)? (`descending` $descending^)? `(` $keys `)` (`values` `(` $values^ `:` type($values) `)`)? attr-dict `:` type($keys) `->` type($results)
  }];
  let hasVerifier = 1;
}

def Coll_TopKOp : Coll_Collective<"top_k"> {
  let summary = "the group's greatest elements and their places, in every thread";
  let description = [{
    The results are the first k elements of the list of all ranks' `keys`, sorted downwards as by `coll.sort`, and then their k
    places in that list, as `i32`. Of equal elements the one of the lower place comes first. Where the list is shorter than k, an element
    that is missing is the identity of a maximum (-inf, the smallest integer) and its place is -1.

    Example: `%v:2, %at:2 = coll.top_k block signed (%x) : i32 -> i32, i32, i32, i32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, UnitAttr:$isSigned, Coll_Keys:$keys);
  let results = (outs Coll_Keys:$results);
  let assemblyFormat = "$group (`signed` $isSigned^)? `(` $keys `)` attr-dict `:` type($keys) `->` type($results)";
  let hasVerifier = 1;
}

def Coll_ExchangeOp : Coll_Collective<"exchange", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "every element goes to a place that its thread names";
  let description = [{
    `values` are K elements of as many leaves each, for K `places`. An element becomes the one at that place of the list. All
    ranks' places together are a permutation of the list's; if not, the results are undefined (the reference device reports it).

    Example: `%y = coll.exchange block (%x) to %p : f32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, Coll_Leaves:$values, Variadic<I32>:$places);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = "$group `(` $values `)` `to` $places attr-dict `:` type($values)";
  let hasVerifier = 1;
}

def Coll_HistogramOp : Coll_Collective<"histogram"> {
  let summary = "counts the ranks' bins in shared memory";
  let description = [{
    Adds 1 to the count of each of `bins`, atomically (relaxed, at the scope of the block). It is no barrier.
    Example: `coll.histogram block %counts[%b0, %b1] : !coll.view<256xi32, shared>`
  }];
  let arguments = (ins Coll_GroupAttr:$group, Coll_View:$counts, Coll_Indices:$bins);
  let assemblyFormat = "$group $counts `[` $bins `]` attr-dict `:` type($counts)";
  let hasVerifier = 1;
}

def Coll_ArriveOp : Coll_Collective<"arrive"> {
  let summary = "the first half of a barrier";
  let description = [{
    Says that this thread's accesses so far may be relied on; `coll.wait` of the same group is the other half. A thread executes the two in
    turn. Example: `coll.arrive block`
  }];
  let arguments = (ins Coll_GroupAttr:$group);
  let assemblyFormat = "$group attr-dict";
}

def Coll_WaitOp : Coll_Collective<"wait"> {
  let summary = "the second half of a barrier";
  let description = [{
    Goes on when all threads of the group have executed their last `coll.arrive`. All shared and global accesses of the group's threads before
    that come before those after this. Example: `coll.wait block`
  }];
  let arguments = (ins Coll_GroupAttr:$group);
  let assemblyFormat = "$group attr-dict";
}

#endif // COLL_DIALECT_COLL_IR_COLLORDER_TD
