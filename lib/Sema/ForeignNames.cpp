//===- ForeignNames.cpp - What other languages call it --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignNames.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll;
using namespace coll::sema;
using llvm::StringRef;

static StringRef translateType(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("float", "f32")
      .Case("double", "f64")
      .Cases({"half", "__half", "float16"}, "f16")
      .Cases({"__nv_bfloat16", "bfloat16"}, "bf16")
      .Cases({"int", "int32_t"}, "i32")
      .Cases({"uint", "unsigned", "uint32_t"}, "u32")
      .Cases({"char", "int8_t"}, "i8")
      .Cases({"uchar", "uint8_t"}, "u8")
      .Cases({"short", "int16_t"}, "i16")
      .Cases({"ushort", "uint16_t"}, "u16")
      .Cases({"long", "int64_t", "isize"}, "i64")
      .Cases({"ulong", "uint64_t", "size_t", "usize"}, "u64")
      .Case("float2", "f32x2")
      .Case("float4", "f32x4")
      .Case("int2", "i32x2")
      .Case("int4", "i32x4")
      .Case("uint2", "u32x2")
      .Case("uint4", "u32x4")
      .Case("double2", "f64x2")
      .Default("");
}

static StringRef translateFunction(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("threadIdx", "thread.index3")
      .Case("blockIdx", "block.index3")
      .Case("blockDim", "block.size3")
      .Case("gridDim", "block.count3")
      .Case("warpSize", "warp.size")
      .Case("laneid", "warp.rank")
      .Cases({"__syncthreads", "syncthreads"}, "block.sync()")
      .Cases({"__syncwarp", "syncwarp"}, "warp.sync()")
      .Cases({"__shfl", "__shfl_sync"}, "warp.shuffle")
      .Cases({"__shfl_up", "__shfl_up_sync"}, "warp.shuffle_up")
      .Cases({"__shfl_down", "__shfl_down_sync"}, "warp.shuffle_down")
      .Cases({"__shfl_xor", "__shfl_xor_sync"}, "warp.shuffle_xor")
      .Cases({"__ballot", "__ballot_sync"}, "warp.ballot")
      .Cases({"__any", "__any_sync"}, "warp.any")
      .Cases({"__all", "__all_sync"}, "warp.all")
      .Case("__match_any_sync", "warp.match")
      .Case("__activemask", "warp.active()")
      .Case("__threadfence", "fence")
      .Case("atomicAdd", "atomic.add")
      .Case("atomicMin", "atomic.min")
      .Case("atomicMax", "atomic.max")
      .Case("atomicExch", "atomic.exchange")
      .Case("atomicCAS", "atomic.compare_exchange")
      .Cases({"fmin", "fminf"}, "min")
      .Cases({"fmax", "fmaxf"}, "max")
      .Cases({"fabs", "fabsf"}, "abs")
      .Cases({"expf", "__expf"}, "exp")
      .Cases({"logf", "__logf"}, "log")
      .Case("sqrtf", "sqrt")
      .Case("__popc", "popcount")
      .Case("__clz", "clz")
      .Case("__sinf", "fast.sin")
      .Case("__cosf", "fast.cos")
      .Case("printf", "print")
      .Default("");
}

StringRef coll::sema::translateForeignName(NameUse use, StringRef name) {
  switch (use) {
  case NameUse::Plain: {
    StringRef type = translateType(name);
    return type.empty() ? translateFunction(name) : type;
  }
  case NameUse::GroupMember:
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"lane", "lane_id", "laneid", "thread_rank"}, "rank")
        .Cases({"id", "idx"}, "index")
        .Cases({"num_threads", "length", "len", "dim"}, "size")
        .Case("x", "index3.x")
        .Case("y", "index3.y")
        .Case("z", "index3.z")
        .Default("");
  case NameUse::GroupMethod:
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"inclusive_scan", "prefix_scan", "prefix_sum"}, "scan")
        .Case("exscan", "exclusive_scan")
        .Cases({"sum", "all_reduce", "allreduce"}, "reduce")
        .Cases({"barrier", "synchronize"}, "sync")
        .Cases({"shfl", "permute", "gather"}, "shuffle")
        .Cases({"shfl_up", "shift_up"}, "shuffle_up")
        .Cases({"shfl_down", "shift_down"}, "shuffle_down")
        .Case("shfl_xor", "shuffle_xor")
        .Case("bcast", "broadcast")
        .Cases({"popc", "popcount"}, "count")
        .Case("match_any", "match")
        .Cases({"argmin", "index_min"}, "arg_min")
        .Cases({"argmax", "index_max"}, "arg_max")
        .Cases({"is_first", "leader"}, "elect")
        .Default("");
  case NameUse::ViewMember:
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"size", "length", "len", "count", "shape"}, "extent(0)")
        .Default("");
  case NameUse::Operator:
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"sum", "plus"}, "add")
        .Cases({"prod", "product", "multiplies"}, "mul")
        .Cases({"bit_and", "band", "all"}, "and")
        .Cases({"bit_or", "bor", "any"}, "or")
        .Cases({"bit_xor", "bxor"}, "xor")
        .Default("");
  case NameUse::Atomic:
    return llvm::StringSwitch<StringRef>(name)
        .Cases({"inc", "increment", "fetch_add"}, "add")
        .Cases({"dec", "decrement", "fetch_sub"}, "sub")
        .Cases({"cas", "compare_and_swap"}, "compare_exchange")
        .Cases({"swap", "exch"}, "exchange")
        .Default("");
  }
  return "";
}
