//===- Svg.h - What the pictures of plans have in common --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_PLAN_SVG_H
#define COLL_LIB_PLAN_SVG_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

namespace coll::svg {

/// In pixels.
constexpr unsigned rowHeight = 44, leftMargin = 56, topMargin = 66,
                   titleHeight = 30, titleLeft = 8, rightMargin = 8;

constexpr llvm::StringLiteral styleSheet =
    "<style>text { font: 11px sans-serif } .title { font: bold 13px sans-serif "
    "} .lane { text-anchor: middle; font-size: 8px; fill: #666 } "
    ".read { stroke: #1f5fa8; fill: none } .own { stroke: #bbb; fill: none } "
    ".keep { stroke: #bbb; fill: none; stroke-dasharray: 2 3 } "
    ".combine { fill: #1f5fa8 } .take { fill: #fff; stroke: #1f5fa8 } "
    ".same { fill: #fff; stroke: #999 } .absent { fill: #e4e4e4 } "
    ".bar { fill: #1f5fa8; opacity: 0.3 }</style>\n";

void printEscaped(llvm::raw_ostream &os, llvm::StringRef text);

/// How far to the right what is written in a picture reaches, in fonts as wide
/// as DejaVu Sans.
class TextExtent {
public:
  /// `text` begins at `x`, in the size of a label or a title.
  void addLabel(unsigned x, llvm::StringRef text) { add(x, text, 7); }
  void addTitle(unsigned x, llvm::StringRef text) { add(x, text, 9); }
  unsigned getRight() const { return right; }

private:
  void add(unsigned x, llvm::StringRef text, unsigned letterWidth) {
    right = std::max<unsigned>(right, x + text.size() * letterWidth);
  }
  unsigned right = 0;
};
void printTitle(llvm::raw_ostream &os, TextExtent &extent, unsigned y,
                llvm::StringRef title);
/// The start of a picture: its size, style and ground.
void printHeader(llvm::raw_ostream &os, unsigned width, unsigned height);

} // namespace coll::svg

#endif // COLL_LIB_PLAN_SVG_H
