//===- coll.hpp - Run kernels of a bundle from C++ --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's interface to compiled kernels. It needs nothing of LLVM:
//
//   auto device = coll::host::Device::open("auto");
//   auto program = device->load(bundleBytes);
//   auto kernel = program->getKernel("softmax");
//   auto x = device->allocate(4 * rows * cols), y = ...;
//   x->copyIn(host.data(), 4 * rows * cols);
//   kernel->launch({x->view({rows, cols}), y->view({rows, cols})});
//   y->copyOut(host.data(), 4 * rows * cols);
//
// Everything that can fail returns a Result or a Status with a message that
// names what failed. Objects are handles: copies share what they refer to, and
// what they need stays alive with them.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_COLL_HPP
#define COLL_COLL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#define COLL_API __attribute__((visibility("default")))

namespace coll::host {

/// Success, or why not.
class [[nodiscard]] Status {
public:
  Status() = default;
  explicit Status(std::string message) : message(std::move(message)) {}
  bool isOk() const { return !message; }
  explicit operator bool() const { return isOk(); }
  /// Empty on success.
  std::string getMessage() const { return message.value_or(""); }

private:
  std::optional<std::string> message;
};

/// A value, or why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Status failure) : state(std::in_place_index<1>, std::move(failure)) {}
  bool isOk() const { return state.index() == 0; }
  explicit operator bool() const { return isOk(); }
  /// Only on success.
  T &operator*() { return *std::get_if<0>(&state); }
  T *operator->() { return std::get_if<0>(&state); }
  /// Empty on success.
  std::string getMessage() const {
    return isOk() ? "" : std::get_if<1>(&state)->getMessage();
  }

private:
  std::variant<T, Status> state;
};

class Buffer;

/// A buffer as a view of some shape; rows are dense.
struct View {
  std::shared_ptr<void> buffer;
  std::vector<int64_t> shape;
};

/// A raw value, for f16 and bf16: the bits in the low bytes.
struct Bits {
  uint64_t value;
};

/// One argument of a launch. Numbers are converted to the parameter's type;
/// integers must be in its range.
using Argument = std::variant<View, bool, int64_t, uint64_t, double, Bits>;

/// An argument from any number, for lists such as `{view, arg(3), arg(0.5f)}`.
template <typename T> Argument arg(T value) {
  static_assert(std::is_arithmetic_v<T>);
  if constexpr (std::is_same_v<T, bool>)
    return Argument(value);
  else if constexpr (std::is_floating_point_v<T>)
    return Argument(static_cast<double>(value));
  else if constexpr (std::is_signed_v<T>)
    return Argument(static_cast<int64_t>(value));
  else
    return Argument(static_cast<uint64_t>(value));
}

/// Memory of a device.
class COLL_API Buffer {
public:
  uint64_t getSize() const;
  /// `size` must be the buffer's own. Copies wait for the launches before them.
  Status copyIn(const void *data, uint64_t size);
  Status copyOut(void *data, uint64_t size);
  View view(std::vector<int64_t> shape) const {
    return {state, std::move(shape)};
  }

private:
  friend class Device;
  explicit Buffer(std::shared_ptr<void> state) : state(std::move(state)) {}
  std::shared_ptr<void> state;
};

class COLL_API Kernel {
public:
  /// Starts the kernel. The extents come from the views' shapes, which must
  /// agree; `grid` replaces the kernel's own.
  Status
  launch(const std::vector<Argument> &arguments,
         std::optional<std::array<uint64_t, 3>> grid = std::nullopt) const;

private:
  friend class Program;
  struct State;
  explicit Kernel(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

/// A bundle on a device.
class COLL_API Program {
public:
  std::vector<std::string> getKernelNames() const;
  Result<Kernel> getKernel(const std::string &name) const;

private:
  friend class Device;
  friend class Kernel;
  struct State;
  explicit Program(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

class COLL_API Device {
public:
  /// `auto` (a GPU if there is one, else the reference device), `cuda[:N]`,
  /// `hip[:N]`, `reference[:32|:64]`.
  static Result<Device> open(const std::string &name = "auto");

  std::string getName() const;   ///< "NVIDIA H200"
  std::string getTarget() const; ///< What to compile for: "sm_90".

  Result<Buffer> allocate(uint64_t bytes);
  /// `bytes` are those of a bundle (`collc compile --emit=bundle`), of which
  /// the image that fits the device best is loaded.
  Result<Program> load(const std::string &bytes);
  /// Waits for all launches and reports what went wrong in them.
  Status synchronize();

private:
  struct State;
  explicit Device(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

} // namespace coll::host

#endif // COLL_COLL_HPP
