//===- coll.hpp - Compile and run kernels from C++ --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole API of libcoll. It needs C++17 and the standard library.
//
//   coll::Expected<coll::Device> device = coll::Device::open("auto");
//   auto program = coll::Program::fromFile("softmax.coll");
//   auto module = program->load(*device);
//   auto softmax = module->kernel("softmax");
//   auto x = device->upload(input);                 // std::vector<float>
//   auto y = device->allocate<float>(input.size());
//   auto ran = softmax->launch(x->view(rows, cols), y->view(rows, cols));
//   auto output = y->read<float>();                 // waits for the launch
//
// Nothing throws because of a wrong program, a wrong call or a device: what can
// fail returns an `Expected`, which holds a value or an `Error`. To look at a
// value that is not there prints the error and ends the process.
//
// Devices, programs, modules and kernels are handles: copies mean the same
// thing, and what they refer to lives as long as any handle needs it. All of
// them may be used from any thread. Calls on one device take turns, in the
// order of their arrival.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_COLL_HPP
#define COLL_COLL_HPP

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

// The API is in namespace coll for its users, with the version of its binary
// interface in the names of its symbols. The compiler inside the library has
// classes of the same names in namespace coll: for it, v0 is not inline.
namespace coll {
#ifndef COLL_BUILDING_LIBRARY
inline
#endif
    namespace v0 {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

enum class ErrorKind : uint8_t {
  Program, ///< The program is wrong: the message has all its diagnostics.
  Usage,   ///< The call is wrong: no such kernel or file, a wrong shape or
           ///< type.
  Device,  ///< A device or its driver is missing or refused.
  Fault,   ///< A kernel did what the language forbids: the reference device
           ///< says where.
};

/// What went wrong. The message names the call, says what was expected and
/// what came, in the driver's own words where it was the driver, and what to
/// do.
class Error {
public:
  Error(ErrorKind kind, std::string message, std::string code = {})
      : errorKind(kind), text(std::move(message)), codeName(std::move(code)) {}

  ErrorKind kind() const { return errorKind; }
  const std::string &message() const { return text; }
  /// The driver's name and number, "CUDA_ERROR_OUT_OF_MEMORY 2", or the kind
  /// of a fault, "race"; empty otherwise.
  const std::string &code() const { return codeName; }

private:
  ErrorKind errorKind;
  std::string text;
  std::string codeName;
};

/// Prints the error and ends the process: the caller took a value that is not
/// there, or (null) an error that is not there.
[[noreturn]] COLL_API void failAccess(const Error *error);

/// A value, or the error that stands in its way.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Error error) : state(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state.index() == 0; }

  T &operator*() & { return get(); }
  const T &operator*() const & { return const_cast<Expected *>(this)->get(); }
  T &&operator*() && { return std::move(get()); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &const_cast<Expected *>(this)->get(); }

  const Error &error() const {
    if (const Error *error = std::get_if<1>(&state))
      return *error;
    failAccess(nullptr);
  }

private:
  T &get() {
    if (T *value = std::get_if<0>(&state))
      return *value;
    failAccess(std::get_if<1>(&state));
  }
  std::variant<T, Error> state;
};

/// Success, or an error.
template <> class [[nodiscard]] Expected<void> {
public:
  Expected() = default;
  Expected(Error error) : failure(std::move(error)) {}

  explicit operator bool() const { return !failure; }
  const Error &error() const {
    if (failure)
      return *failure;
    failAccess(nullptr);
  }

private:
  std::optional<Error> failure;
};

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// What a launch knows of the C++ type behind a buffer or a scalar.
enum class ElementKind : uint8_t {
  Untyped,
  Bool,
  Signed,
  Unsigned,
  Float,
  Other
};

struct ElementType {
  ElementKind kind = ElementKind::Untyped;
  size_t size = 1;
};

/// Integers and floats are what they are; `unsigned short` also stands for
/// f16 and bf16. `char` and `std::byte` are untyped. A class must have the
/// size of the kernel's struct or vector.
template <typename T> constexpr ElementType elementTypeOf() {
  static_assert(std::is_trivially_copyable_v<T>,
                "the elements of a buffer are plain bytes");
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, std::byte>)
    return {ElementKind::Untyped, 1};
  else if constexpr (std::is_same_v<T, bool>)
    return {ElementKind::Bool, sizeof(T)};
  else if constexpr (std::is_floating_point_v<T>)
    return {ElementKind::Float, sizeof(T)};
  else if constexpr (std::is_integral_v<T>)
    return {std::is_signed_v<T> ? ElementKind::Signed : ElementKind::Unsigned,
            sizeof(T)};
  else
    return {ElementKind::Other, sizeof(T)};
}

//===----------------------------------------------------------------------===//
// Devices and buffers
//===----------------------------------------------------------------------===//

class Buffer;
struct DeviceState;
struct BufferState;
struct ModuleState;
struct KernelState;
struct ProgramState;
class LaunchBinder;

/// What a device is.
struct DeviceInfo {
  std::string id;     ///< What `open` takes: "cuda:0", "reference:64".
  std::string name;   ///< "NVIDIA H200"
  std::string chip;   ///< "sm_90", "gfx942", "reference"
  std::string driver; ///< "CUDA 13.0"
  unsigned warpSize = 32;
  unsigned multiprocessors = 1;
  uint64_t sharedBytes = 0; ///< The most that a block can have.
  uint64_t memoryBytes = 0;
};

class COLL_API Device {
public:
  /// `id` is "cuda", "hip" or "reference", perhaps with a number: "cuda:1",
  /// "reference:64" (warps of 64), or a simulated AMD chip: "sim:gfx942",
  /// "sim:gfx1100:64". "auto" is the first GPU, or the reference device where
  /// there is none.
  static Expected<Device> open(const std::string &id = "auto");
  /// All devices that can be opened; the reference devices come last.
  static std::vector<DeviceInfo> list();

  const DeviceInfo &info() const;
  const std::string &name() const { return info().name; }
  /// True for the interpreter, which needs no GPU and checks what GPUs do
  /// not.
  bool isReference() const;

  /// Memory with undefined content.
  Expected<Buffer> allocate(size_t bytes) const;
  template <typename T> Expected<Buffer> allocate(size_t count) const;
  /// Memory with a copy of `count` elements.
  template <typename T>
  Expected<Buffer> upload(const T *data, size_t count) const;
  template <typename T>
  Expected<Buffer> upload(const std::vector<T> &data) const;

  /// Waits for all launches before, and reports what went wrong in them.
  Expected<void> synchronize() const;

private:
  friend class Program;
  explicit Device(std::shared_ptr<DeviceState> state)
      : state(std::move(state)) {}
  Expected<Buffer> allocateElements(size_t count, ElementType type) const;

  std::shared_ptr<DeviceState> state;
};

/// A buffer seen as an array with a shape, row by row.
class View {
public:
  View(const Buffer &buffer, std::vector<int64_t> shape);

  /// The elements from the start of one row (of the last dimension) to the
  /// next, for parameters with a named pitch. Rows are dense without it.
  View &pitch(int64_t elements) {
    rowPitch = elements;
    return *this;
  }

private:
  friend class Arg;
  friend class LaunchBinder;
  View() = default;

  std::shared_ptr<BufferState> buffer;
  /// None: one dimension, as long as the buffer.
  std::optional<std::vector<int64_t>> shape;
  std::optional<int64_t> rowPitch;
  ElementType type;
};

/// Memory of a device, freed with its last use.
class COLL_API Buffer {
public:
  size_t bytes() const;

  /// Copies all of the buffer, of `bytes` bytes. Both copies come after the
  /// launches before them and have ended on return; `read` waits for that.
  Expected<void> write(const void *data, size_t bytes);
  Expected<void> read(void *data, size_t bytes) const;

  template <typename T> Expected<void> write(const std::vector<T> &data) {
    static_assert(!std::is_same_v<T, bool>, "vector<bool> has no array");
    return write(data.data(), data.size() * sizeof(T));
  }
  template <typename T> Expected<std::vector<T>> read() const;

  /// `x.view(rows, cols)`; no extents at all are a single element.
  template <typename... Extents,
            std::enable_if_t<(std::is_integral_v<Extents> && ...), int> = 0>
  View view(Extents... extents) const {
    return View(*this, {static_cast<int64_t>(extents)...});
  }
  View view(std::vector<int64_t> shape) const {
    return View(*this, std::move(shape));
  }

private:
  friend class Device;
  friend class View;
  friend class Arg;
  Buffer(std::shared_ptr<BufferState> state, ElementType type)
      : state(std::move(state)), type(type) {}
  /// The number of elements of `size` bytes; an error if there is a rest.
  Expected<size_t> countElements(size_t size) const;

  std::shared_ptr<BufferState> state;
  ElementType type;
};

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The number of blocks of a launch.
struct Grid {
  explicit Grid(uint64_t x, uint64_t y = 1, uint64_t z = 1)
      : x(x), y(y), z(z) {}
  uint64_t x, y, z;
};

/// An argument: a view, a buffer of one dimension, or a scalar. An integer
/// may be given for any number type that holds its value exactly, a
/// floating-point number for any floating-point type (it is rounded to
/// nearest even).
class Arg {
public:
  Arg(View view) : view(std::move(view)) {}
  Arg(const Buffer &buffer);
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T> &&
                                             sizeof(T) <= sizeof(uint64_t),
                                         int> = 0>
  Arg(T value) : scalarKind(elementTypeOf<T>().kind) {
    if constexpr (std::is_same_v<T, char>)
      scalarKind = ElementKind::Signed;
    if constexpr (std::is_floating_point_v<T>)
      floating = value;
    else
      integer = static_cast<uint64_t>(value);
  }

private:
  friend class LaunchBinder;
  std::optional<View> view;
  ElementKind scalarKind = ElementKind::Untyped;
  uint64_t integer = 0; ///< Sign-extended.
  double floating = 0;
};

/// A kernel on a device.
class COLL_API Kernel {
public:
  const std::string &name() const;
  /// "softmax(x: [rows, cols]f32, y: mut [rows, cols]f32)".
  std::string signature() const;

  /// Starts the kernel with its arguments in the order of its parameters. The
  /// shapes of the views give the extents, which must agree; the grid is the
  /// kernel's own unless a `Grid` comes first. Returns when the arguments are
  /// taken: on a GPU, the next `read` or `synchronize` reports what went
  /// wrong in the kernel itself.
  template <typename... Args> Expected<void> launch(const Args &...args) const {
    return launchWith({Arg(args)...});
  }
  template <typename... Args>
  Expected<void> launch(const Grid &grid, const Args &...args) const {
    return launchWith({Arg(args)...}, grid);
  }
  /// The same with a list.
  Expected<void> launchWith(const std::vector<Arg> &args,
                            std::optional<Grid> grid = std::nullopt) const;

private:
  friend class Module;
  explicit Kernel(std::shared_ptr<KernelState> state)
      : state(std::move(state)) {}

  std::shared_ptr<KernelState> state;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// How a program is compiled.
struct ProgramOptions {
  /// Values of `const` items, as text: {"N", "4"}.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Instances of generic kernels, "pass<8>", besides the kernels that are
  /// not generic.
  std::vector<std::string> instances;
  /// Contract multiply-adds within an expression to fma.
  bool contract = true;

  ProgramOptions &define(std::string name, std::string value) {
    defines.emplace_back(std::move(name), std::move(value));
    return *this;
  }
  ProgramOptions &instance(std::string kernel) {
    instances.push_back(std::move(kernel));
    return *this;
  }
};

/// A program that is loaded on a device.
class COLL_API Module {
public:
  Expected<Kernel> kernel(const std::string &name) const;
  /// The names of all kernels, in the order of the program.
  std::vector<std::string> kernels() const;
  /// Warnings of the compiler, with place and quoted line; empty if there are
  /// none.
  const std::string &warnings() const;

private:
  friend class Program;
  explicit Module(std::shared_ptr<ModuleState> state)
      : state(std::move(state)) {}

  std::shared_ptr<ModuleState> state;
};

/// A source text, or a bundle that was compiled before.
class COLL_API Program {
public:
  /// Reads a source file, or a bundle that `collc compile --emit=bundle` or
  /// `compile` made. Options are for sources.
  static Expected<Program> fromFile(const std::string &path,
                                    ProgramOptions options = {});
  /// `name` stands for a file name in messages. Syntax errors come at once,
  /// what is checked for a target when it is compiled for one.
  static Expected<Program> fromSource(const std::string &text,
                                      ProgramOptions options = {},
                                      const std::string &name = "<source>");
  static Expected<Program> fromBundle(const std::string &bytes);

  /// Compiles for the device, once for all devices of a kind, and loads the
  /// code, once for each device while a module or kernel of it is alive.
  Expected<Module> load(const Device &device) const;

  /// The bytes of a bundle with code for these targets: "sm_90",
  /// "gfx1100:64", "reference".
  Expected<std::string> compile(const std::vector<std::string> &targets) const;

private:
  explicit Program(std::shared_ptr<ProgramState> state)
      : state(std::move(state)) {}

  std::shared_ptr<ProgramState> state;
};

/// The version of the library, "0.1.0".
COLL_API const char *version();

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

inline View::View(const Buffer &buffer, std::vector<int64_t> shape)
    : buffer(buffer.state), shape(std::move(shape)), type(buffer.type) {}

inline Arg::Arg(const Buffer &buffer) : view(View()) {
  view->buffer = buffer.state;
  view->type = buffer.type;
}

template <typename T> Expected<Buffer> Device::allocate(size_t count) const {
  return allocateElements(count, elementTypeOf<T>());
}

template <typename T>
Expected<Buffer> Device::upload(const T *data, size_t count) const {
  Expected<Buffer> buffer = allocate<T>(count);
  if (!buffer)
    return buffer;
  Expected<void> written = buffer->write(data, count * sizeof(T));
  if (!written)
    return written.error();
  return buffer;
}

template <typename T>
Expected<Buffer> Device::upload(const std::vector<T> &data) const {
  static_assert(!std::is_same_v<T, bool>, "vector<bool> has no array");
  return upload(data.data(), data.size());
}

template <typename T> Expected<std::vector<T>> Buffer::read() const {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>,
                "the elements of a buffer are plain bytes");
  Expected<size_t> count = countElements(sizeof(T));
  if (!count)
    return count.error();
  std::vector<T> data(*count);
  Expected<void> done = read(data.data(), *count * sizeof(T));
  if (!done)
    return done.error();
  return data;
}

} // namespace v0
} // namespace coll

#endif // COLL_COLL_HPP
