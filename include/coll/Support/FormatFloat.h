//===- FormatFloat.h - Floats as text ---------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SUPPORT_FORMATFLOAT_H
#define COLL_SUPPORT_FORMATFLOAT_H

#include <string>

namespace llvm {
class APFloat;
} // namespace llvm

namespace coll {

/// The text with the fewest digits that reads back as the same bits, for the
/// four float types of the language: "0.1", "-1230", "1e-7", "inf", "nan" (of
/// all NaNs). From 1e-4 to 1e16 there is no exponent: the float nearest to 1e15
/// is "1000000000000000".
std::string formatFloat(const llvm::APFloat &value);

} // namespace coll

#endif // COLL_SUPPORT_FORMATFLOAT_H
