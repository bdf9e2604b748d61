//===- Decoder.h - From bytes to decoded instructions -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_DECODER_H
#define COLL_LIB_SIMULATOR_DECODER_H

#include "HandlerTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace coll::sim {

/// LLVM's disassembler for one chip, and the handlers of all instructions.
class Decoder {
public:
  static llvm::Expected<std::unique_ptr<Decoder>> create(const Target &target);
  ~Decoder();

  /// The instruction that `bytes` begin with; null if they are none. Its
  /// handler is null if the simulator does not know it.
  std::unique_ptr<DecodedInst> decode(llvm::ArrayRef<uint8_t> bytes,
                                      uint64_t address) const;
  const Chip &getChip() const;

private:
  struct Impl;
  explicit Decoder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_DECODER_H
