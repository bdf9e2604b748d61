//===- CollCollectives.td - What threads do with others of their group ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by CollOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_COLLCOLLECTIVES_TD
#define COLL_DIALECT_COLL_IR_COLLCOLLECTIVES_TD

class Coll_Combining<string mnemonic, list<Trait> traits = []> : Coll_Collective<mnemonic, [SingleBlock] # traits> {
  let regions = (region MaxSizedRegion<1>:$combiner);
  let hasVerifier = 1;
}

def Coll_ReduceOp : Coll_Combining<"reduce", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "the combination of all ranks' values, in every thread";
  let description = [{
    Either `kind` names a built-in operator of one value, or `combiner` is a region over left and right values (all left
    ones, then all right ones) that yields their combination; it is pure and may use values from outside.
    Order: level k combines the aligned block of 2^k ranks below (left) with the one above it; absent ranks are left out.
    Over several blocks it is the same tree of the blocks' results.
    `commutative` promises that the combiner gives the same bits with its sides exchanged.
    With `for first`, `for last` or `for first_warp` only rank 0, the last rank, or the ranks of the group's first warp need the result;
    what the others get is undefined.

    Example:
    ```mlir
    %s = coll.reduce block add(%x) : f32
    %r:2 = coll.reduce warp (%a, %b) : i32, i32 combiner {
    ^bb0(%la: i32, %lb: i32, %ra: i32, %rb: i32):
      coll.yield %ra, %lb : i32, i32
    }
    ```
  }];
  let arguments = (ins Coll_GroupAttr:$group, OptionalAttr<Coll_CombineKindAttr>:$kind, Coll_Leaves:$values, UnitAttr:$commutative, Coll_Members:$members,
                       DefaultValuedAttr<Coll_ReadersAttr, "::coll::ir::Readers::All">:$readers);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = [{
    custom<Group>($group, $members) custom<OptionalKind>($kind) `(` $values `)` (`commutative` $commutative^)? (`for` $readers^)? attr-dict `:` type($values) (`combiner` $combiner^)?
  }];
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, groupRef:$group, "::coll::ir::CombineKindAttr":$kind, "::mlir::ValueRange":$values,
                    "bool":$commutative), "results, group.attr, kind, values, commutative, group.members">,
    Coll_Build<(ins groupRef:$group, "::coll::ir::CombineKindAttr":$kind, "::mlir::ValueRange":$values),
               "values.getTypes(), group.attr, kind, values, /*commutative=*/false, group.members">];
}

def Coll_ScanOp : Coll_Combining<"scan", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "inclusive prefix combination";
  let description = [{
    Operator as in `coll.reduce`. Order: ranks form segments of 32 of two rows of 16; inside a row steps of distance 1, 2, 4, 8; then the
    row below, then the segments below (whose last values are scanned by the same rules). Over several blocks the totals of the
    blocks before, combined left to right, come on the left. `reverse` scans the ranks in reverse.

    Example: `%p = coll.scan warp add(%x) : i32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, OptionalAttr<Coll_CombineKindAttr>:$kind, Coll_Leaves:$values, UnitAttr:$commutative, UnitAttr:$reverse, Coll_Members:$members);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = [{
    custom<Group>($group, $members) custom<OptionalKind>($kind) `(` $values `)` (`commutative` $commutative^)? (`reverse` $reverse^)? attr-dict `:` type($values) (`combiner` $combiner^)?
  }];
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, groupRef:$group, "::coll::ir::CombineKindAttr":$kind, "::mlir::ValueRange":$values,
                    "bool":$commutative, "bool":$reverse), "results, group.attr, kind, values, commutative, reverse, group.members">];
}

def Coll_ExclusiveScanOp : Coll_Combining<"exclusive_scan", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "exclusive prefix combination";
  let description = [{
    As `coll.scan`, of the ranks below this one. Rank 0 gets `first` (one value for each of `values`), or, without it, its own values back.

    Example: `%p = coll.exclusive_scan block add(%x) first(%zero : i32) : i32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, OptionalAttr<Coll_CombineKindAttr>:$kind, Coll_Leaves:$values, Coll_Leaves:$first,
                       UnitAttr:$commutative, UnitAttr:$reverse, Coll_Members:$members);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = [{
    custom<Group>($group, $members) custom<OptionalKind>($kind) `(` $values `)` (`first` `(` $first^ `:` type($first) `)`)? (`commutative` $commutative^)? (`reverse` $reverse^)? attr-dict `:` type($values) (`combiner` $combiner^)?
  }];
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, groupRef:$group, "::coll::ir::CombineKindAttr":$kind, "::mlir::ValueRange":$values,
                    "::mlir::ValueRange":$first, "bool":$commutative, "bool":$reverse),
               "results, group.attr, kind, values, first, commutative, reverse, group.members">];
}

def Coll_ScanTotalOp : Coll_Combining<"scan_total", [AttrSizedOperandSegments]> {
  let summary = "exclusive prefix and total";
  let description = [{
    As `coll.exclusive_scan`; the second half of the results is the total, in every thread: the scan's value at the last rank.
    `for` says which ranks need the total, as in `coll.reduce`.

    Example: `%p, %t = coll.scan_total block add(%x) first(%zero : i32) : i32 -> i32, i32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, OptionalAttr<Coll_CombineKindAttr>:$kind, Coll_Leaves:$values, Coll_Leaves:$first,
                       UnitAttr:$commutative, UnitAttr:$reverse, Coll_Members:$members,
                       DefaultValuedAttr<Coll_ReadersAttr, "::coll::ir::Readers::All">:$readers);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = [{
    custom<Group>($group, $members) custom<OptionalKind>($kind) `(` $values `)` (`first` `(` $first^ `:` type($first) `)`)? (`commutative` $commutative^)? (`reverse` $reverse^)? (`for` $readers^)? attr-dict `:` type($values) `->` type($results) (`combiner` $combiner^)?
  }];
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, groupRef:$group, "::coll::ir::CombineKindAttr":$kind, "::mlir::ValueRange":$values,
                    "::mlir::ValueRange":$first, "bool":$commutative, "bool":$reverse),
               "results, group.attr, kind, values, first, commutative, reverse, group.members">];
}

def Coll_BroadcastOp : Coll_Collective<"broadcast", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "the values of one rank, in every thread";
  let description = [{
    `from` is the same in all threads of the group; outside the group it is undefined (the reference device reports it).
    Example: `%y = coll.broadcast block %x from %zero : f32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, Coll_Leaves:$values, I32:$from, Coll_Members:$members);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = "custom<Group>($group, $members) $values `from` $from attr-dict `:` type($values)";
  let hasVerifier = 1;
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, groupRef:$group, "::mlir::ValueRange":$values, "::mlir::Value":$from),
               "results, group.attr, values, from, group.members">];
}

def Coll_ShuffleOp : Coll_Collective<"shuffle", [AttrSizedOperandSegments, AllTypesMatch<["values", "results"]>]> {
  let summary = "the values of another rank";
  let description = [{
    A source outside the group gives the own values, or `fill`. Bits move; nothing is converted.
    Example: `%y = coll.shuffle up warp %x by %one fill(%zero : f32) : f32`
  }];
  let arguments = (ins Coll_ShuffleKindAttr:$kind, Coll_GroupAttr:$group, Coll_Leaves:$values, I32:$index, Coll_Leaves:$fill, Coll_Members:$members);
  let results = (outs Coll_Leaves:$results);
  let assemblyFormat = "$kind custom<Group>($group, $members) $values `by` $index (`fill` `(` $fill^ `:` type($fill) `)`)? attr-dict `:` type($values)";
  let hasVerifier = 1;
  let builders = [
    Coll_Build<(ins "::mlir::TypeRange":$results, "::coll::ir::ShuffleKind":$kind, groupRef:$group, "::mlir::ValueRange":$values,
                    "::mlir::Value":$index, "::mlir::ValueRange":$fill),
               "results, kind, group.attr, values, index, fill, group.members">];
}

def Coll_VoteOp : Coll_Collective<"vote"> {
  let summary = "does the condition hold for any, or all, ranks";
  let description = "Example: `%a = coll.vote any block %p`";
  let arguments = (ins Coll_VoteKindAttr:$kind, Coll_GroupAttr:$group, I1:$predicate, Coll_Members:$members);
  let results = (outs I1:$result);
  let assemblyFormat = "$kind custom<Group>($group, $members) $predicate attr-dict";
  let builders = [
    Coll_Build<(ins "::coll::ir::VoteKind":$kind, groupRef:$group, "::mlir::Value":$predicate),
               "kind, group.attr, predicate, group.members">,
    Coll_Build<(ins "::mlir::Type":$type, "::coll::ir::VoteKind":$kind, groupRef:$group, "::mlir::Value":$predicate),
               "type, kind, group.attr, predicate, group.members">];
}

def Coll_PopulationOp : Coll_Collective<"population"> {
  let summary = "for how many ranks does the condition hold";
  let description = "Example: `%n = coll.population block %p`";
  let arguments = (ins Coll_GroupAttr:$group, I1:$predicate, Coll_Members:$members);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Group>($group, $members) $predicate attr-dict";
  let builders = [
    Coll_Build<(ins groupRef:$group, "::mlir::Value":$predicate), "group.attr, predicate, group.members">,
    Coll_Build<(ins "::mlir::Type":$type, groupRef:$group, "::mlir::Value":$predicate),
               "type, group.attr, predicate, group.members">];
}

def Coll_RankAmongOp : Coll_Collective<"rank_among"> {
  let summary = "for how many lower ranks does the condition hold";
  let description = "Example: `%slot = coll.rank_among block %p`";
  let arguments = (ins Coll_GroupAttr:$group, I1:$predicate, Coll_Members:$members);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Group>($group, $members) $predicate attr-dict";
  let builders = [
    Coll_Build<(ins groupRef:$group, "::mlir::Value":$predicate), "group.attr, predicate, group.members">,
    Coll_Build<(ins "::mlir::Type":$type, groupRef:$group, "::mlir::Value":$predicate),
               "type, group.attr, predicate, group.members">];
}

def Coll_BallotOp : Coll_Collective<"ballot"> {
  let summary = "a mask of the ranks for which the condition holds";
  let description = "Bit i is rank i's; bits of absent ranks are 0. Warp-level groups only. Example: `%m = coll.ballot warp %p`";
  let arguments = (ins Coll_GroupAttr:$group, I1:$predicate, Coll_Members:$members);
  let results = (outs I64:$result);
  let assemblyFormat = "custom<Group>($group, $members) $predicate attr-dict";
  let hasVerifier = 1;
  let builders = [Coll_Build<(ins groupRef:$group, "::mlir::Value":$predicate), "group.attr, predicate, group.members">];
}

def Coll_MatchOp : Coll_Collective<"match", [AttrSizedOperandSegments]> {
  let summary = "a mask of the ranks whose values have the same bits";
  let description = "Warp-level groups only. Example: `%m = coll.match warp %k : i32`";
  let arguments = (ins Coll_GroupAttr:$group, Coll_Leaves:$values, Coll_Members:$members);
  let results = (outs I64:$result);
  let assemblyFormat = "custom<Group>($group, $members) $values attr-dict `:` type($values)";
  let hasVerifier = 1;
  let builders = [Coll_Build<(ins groupRef:$group, "::mlir::ValueRange":$values), "group.attr, values, group.members">];
}

def Coll_UniformOp : Coll_Collective<"uniform", [AttrSizedOperandSegments]> {
  let summary = "do all ranks' values have the same bits";
  let description = "Example: `%u = coll.uniform block %k : i32`";
  let arguments = (ins Coll_GroupAttr:$group, Coll_Leaves:$values, Coll_Members:$members);
  let results = (outs I1:$result);
  let assemblyFormat = "custom<Group>($group, $members) $values attr-dict `:` type($values)";
  let builders = [Coll_Build<(ins groupRef:$group, "::mlir::ValueRange":$values), "group.attr, values, group.members">];
}

def Coll_ElectOp : Coll_Collective<"elect"> {
  let summary = "true in the lowest rank only";
  let description = "Example: `%e = coll.elect block`";
  let arguments = (ins Coll_GroupAttr:$group, Coll_Members:$members);
  let results = (outs I1:$result);
  let assemblyFormat = "custom<Group>($group, $members) attr-dict";
  let builders = [Coll_Build<(ins groupRef:$group), "group.attr, group.members">];
}

def Coll_ArgReduceOp : Coll_Collective<"arg_reduce", [AllTypesMatch<["operand", "value"]>]> {
  let summary = "the least or greatest value and the lowest rank that has it";
  let description = [{
    `kind` is smin, smax, umin, umax, minnum or maxnum. -0 equals +0 and the lowest rank among equals gives the value; a NaN loses to any number;
    over NaNs alone rank 0. Example: `%v, %r = coll.arg_reduce maxnum block %x : f32`
  }];
  let arguments = (ins Coll_CombineKindAttr:$kind, Coll_GroupAttr:$group, Coll_Leaf:$operand, Coll_Members:$members);
  let results = (outs Coll_Leaf:$value, I32:$rank);
  let assemblyFormat = "$kind custom<Group>($group, $members) $operand attr-dict `:` type($operand)";
  let hasVerifier = 1;
  let builders = [
    Coll_Build<(ins "::coll::ir::CombineKind":$kind, groupRef:$group, "::mlir::Value":$operand),
               "kind, group.attr, operand, group.members">];
}

def Coll_SyncOp : Coll_Collective<"sync"> {
  let summary = "a barrier";
  let description = [{
    Orders all shared and global accesses of the group's threads before it against those after it, at the group's scope.
    Expansions of other collectives need less and know more: with `shared_only` accesses of global memory need no order;
    `barrier` is the first of the chip's barriers that a tile of several warps uses, the tile of index i the i-th from it on;
    `divergent` threads of a block come to it at different places, as to the barrier of a cluster before they end.
    Example: `coll.sync block`, `coll.sync tile<64> barrier 1`
  }];
  let arguments = (ins Coll_GroupAttr:$group, Coll_Members:$members, UnitAttr:$sharedOnly, OptionalAttr<I32Attr>:$barrier,
                       UnitAttr:$divergent);
  let assemblyFormat = "custom<Group>($group, $members) (`shared_only` $sharedOnly^)? (`barrier` $barrier^)? (`divergent` $divergent^)? attr-dict";
  let builders = [Coll_Build<(ins groupRef:$group),
                             "group.attr, group.members, /*sharedOnly=*/false, /*barrier=*/nullptr, /*divergent=*/false">];
}

//===----------------------------------------------------------------------===//
// Groups that are made at run time
//===----------------------------------------------------------------------===//

def Coll_ActiveOp : Coll_Op<"active", [MemoryEffects<[MemRead<Coll_GroupResource>, MemWrite<Coll_GroupResource>]>]> {
  let summary = "the threads of the warp that are here";
  let description = [{
    Decided by the structure of the kernel, never by the schedule: docs/semantics.md, "Groups and convergence".
    Example: `%g = coll.active`
  }];
  let results = (outs Coll_GroupType:$result);
  let assemblyFormat = "attr-dict";
}

def Coll_PartitionOp : Coll_Collective<"partition", [AttrSizedOperandSegments]> {
  let summary = "the threads of a warp-level group that have the same values";
  let description = [{
    Values are the same if their bits are, as for `coll.match`. Ranks of the new group are in the order of lanes.
    Example: `%p = coll.partition members(%g) %key : i32`
  }];
  let arguments = (ins Coll_GroupAttr:$group, Coll_Leaves:$values, Coll_Members:$members);
  let results = (outs Coll_GroupType:$result);
  let assemblyFormat = "custom<Group>($group, $members) $values attr-dict `:` type($values)";
  let builders = [Coll_Build<(ins groupRef:$group, "::mlir::ValueRange":$values), "group.attr, values, group.members">];
  let hasVerifier = 1;
}

#endif // COLL_DIALECT_COLL_IR_COLLCOLLECTIVES_TD
