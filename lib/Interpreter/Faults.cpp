//===- Faults.cpp - What faults say ---------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Machine.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using namespace coll::ref;

llvm::StringRef coll::ref::getFaultKindName(FaultKind kind) {
  switch (kind) {
  case FaultKind::OutOfBounds:
    return "out-of-bounds";
  case FaultKind::Misaligned:
    return "misaligned";
  case FaultKind::UninitializedRead:
    return "uninitialized-read";
  case FaultKind::Race:
    return "race";
  case FaultKind::Divergence:
    return "divergence";
  case FaultKind::DivisionByZero:
    return "division-by-zero";
  case FaultKind::Assertion:
    return "assertion";
  case FaultKind::Trap:
    return "trap";
  case FaultKind::BadOperand:
    return "bad-operand";
  case FaultKind::NoEnd:
    return "no-end";
  case FaultKind::NoProgress:
    return "no-progress";
  }
  llvm_unreachable("unknown fault");
}

static void print(llvm::raw_ostream &os, const SourcePlace &place) {
  if (place.line)
    os << place.file << ':' << place.line << ':' << place.column << ": ";
}

std::string RuntimeFault::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, place);
  os << "error: " << message << '\n';
  for (const FaultNote &note : notes) {
    print(os, note.place);
    os << "note: " << note.message << '\n';
  }
  return text;
}

llvm::Error coll::ref::makeError(const SourcePlace &place,
                                 const llvm::Twine &text) {
  std::string message;
  llvm::raw_string_ostream os(message);
  print(os, place);
  os << text;
  return llvm::createStringError(message);
}

/// The first place inside `location`; inner calls first.
static void collectPlaces(mlir::Location location,
                          llvm::SmallVectorImpl<SourcePlace> &places) {
  if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    collectPlaces(call.getCallee(), places);
    collectPlaces(call.getCaller(), places);
  } else if (auto name = mlir::dyn_cast<mlir::NameLoc>(location)) {
    collectPlaces(name.getChildLoc(), places);
  } else if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    if (!fused.getLocations().empty())
      collectPlaces(fused.getLocations().front(), places);
  } else if (auto file = mlir::dyn_cast<mlir::FileLineColLoc>(location)) {
    places.push_back(
        {file.getFilename().str(), file.getLine(), file.getColumn()});
  }
}

PlaceInfo coll::ref::makePlace(mlir::Location location) {
  llvm::SmallVector<SourcePlace> places;
  collectPlaces(location, places);
  PlaceInfo info;
  if (places.empty())
    return info;
  info.place = places.front();
  info.callers.assign(places.begin() + 1, places.end());
  return info;
}

std::string Machine::describeThread(const Block &block, unsigned thread) const {
  auto [x, y, z] = kernel.workgroup;
  return llvm::formatv("block ({0}, {1}, {2}), thread ({3}, {4}, {5})",
                       block.id[0], block.id[1], block.id[2], thread % x,
                       thread / x % y, thread / (x * y))
      .str();
}

bool Machine::fault(FaultKind kind, const Inst &inst, const Warp &warp,
                    unsigned lane, const llvm::Twine &message) {
  RuntimeFault fault;
  fault.kind = kind;
  fault.place = kernel.places[inst.place].place;
  fault.message =
      ("kernel '" + kernel.name + "', " +
       describeThread(*warp.block, threadOf(warp, lane)) + ": " + message)
          .str();
  result.fault = std::move(fault);
  addCallers(inst);
  return false;
}

void Machine::addNote(const SourcePlace &place, const llvm::Twine &message) {
  result.fault->notes.push_back({place, message.str()});
}

void Machine::addCallers(const Inst &inst) {
  for (const SourcePlace &caller : kernel.places[inst.place].callers)
    addNote(caller, "called here");
}
