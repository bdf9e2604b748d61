//===- LoopsTogether.h - Loops that a warp leaves together ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lanes of a warp that leave a loop at different trips may stay until the last
// one leaves, if what a trip does is done under a condition then: all of the
// warp are together in every trip.
//
// Before:
//   coll.loop { C; coll.condition %c } do { B } step { S }
// After, where `any` is that of the warp:
//   stays = true
//   coll.loop {
//     stays = stays && { C; %c }
//     coll.condition any(stays)
//   } do {
//     coll.if stays { B }
//   } step {
//     coll.if stays { S }
//   }
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_LOOPSTOGETHER_H
#define COLL_LIB_TRANSFORMS_LOOPSTOGETHER_H

#include "coll/Dialect/Coll/IR/Coll.h"

namespace coll::ir {

/// Whether lanes leave the loop by its condition alone, and none ends a trip
/// before the others.
bool isLeftByCondition(LoopOp loop);
/// Makes the lanes of a warp, all of which come to the loop, stay in it
/// together. It is left by its condition.
void stayTogether(LoopOp loop);

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_LOOPSTOGETHER_H
