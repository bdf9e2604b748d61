//===- FormatFloat.cpp - Floats as text -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Support/FormatFloat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <charconv>
#include <cstdio>

using namespace coll;
using llvm::APFloat;
using llvm::StringRef;

template <typename Float> static std::string printShortest(Float value) {
  char text[32];
  std::to_chars_result end =
      std::to_chars(text, std::end(text), value, std::chars_format::scientific);
  return std::string(text, end.ptr);
}

/// std::to_chars has no types of 16 bits.
static std::string printShortest16(const APFloat &value) {
  // Just above a power of two is more room than below, so that the shortest
  // text may stand for more than the value.
  APFloat next = value;
  next.next(/*nextDown=*/value.isNegative());
  double exact = value.convertToDouble();
  double edge =
      next.isInfinity() ? exact : (exact + next.convertToDouble()) / 2;
  char text[32];
  for (int digits = 0; digits != 8; ++digits)
    for (double candidate : {exact, edge}) {
      std::snprintf(text, sizeof(text), "%.*e", digits, candidate);
      APFloat read(value.getSemantics());
      llvm::cantFail(
          read.convertFromString(text, APFloat::rmNearestTiesToEven));
      if (read.bitwiseIsEqual(value))
        return text;
    }
  llvm_unreachable("eight digits tell all values of 16 bits apart");
}

/// As "d.ddde+xx".
static std::string printScientific(const APFloat &value) {
  if (&value.getSemantics() == &APFloat::IEEEsingle())
    return printShortest(value.convertToFloat());
  if (&value.getSemantics() == &APFloat::IEEEdouble())
    return printShortest(value.convertToDouble());
  return printShortest16(value);
}

std::string coll::formatFloat(const APFloat &value) {
  if (value.isNaN())
    return "nan";
  std::string sign = value.isNegative() ? "-" : "";
  if (value.isInfinity())
    return sign + "inf";
  if (value.isZero())
    return sign + "0";
  std::string text = printScientific(abs(value));
  auto [mantissa, exponentText] = StringRef(text).split('e');
  int exponent = 0;
  exponentText.consume_front("+");
  exponentText.getAsInteger(10, exponent);
  if (exponent < -4 || exponent >= 16)
    return sign + mantissa.str() + "e" + std::to_string(exponent);
  std::string digits =
      mantissa.take_front(1).str() + mantissa.drop_front(2).str();
  if (exponent < 0)
    return sign + "0." + std::string(-exponent - 1, '0') + digits;
  size_t whole = exponent + 1;
  if (digits.size() <= whole)
    return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}
