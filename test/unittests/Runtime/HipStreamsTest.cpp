//===- HipStreamsTest.cpp - Streams and events of simulated HIP -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipSimFixture.h"
#include "hip-sim/Entries.h"
#include "llvm/Support/DynamicLibrary.h"
#include <numeric>

using namespace coll;
using namespace coll::hip;
using namespace llvm;

namespace {

constexpr const char *source = R"(
kernel add_one(x: mut [n]i32) workgroup(64) grid(ceil_div(n, 64)) {
  let i = block.index * 64 + block.rank;
  if i < n { x[i] = x[i] + 1; }
}
)";

/// The entry points that Coll's runtime does not bind.
struct Entries {
#define COLL_ENTRY(symbol, parameters) hipError_t(*symbol) parameters = nullptr;
#include "hip-sim/Entries.inc"

  Entries() {
    sys::DynamicLibrary library =
        sys::DynamicLibrary::getPermanentLibrary(COLL_HIP_SIM);
#define COLL_ENTRY(symbol, parameters)                                         \
  symbol = reinterpret_cast<hipError_t(*) parameters>(                         \
      library.getAddressOfSymbol(#symbol));                                    \
  EXPECT_TRUE(symbol) << #symbol;
#include "hip-sim/Entries.inc"
  }
};

class HipStreams : public HipSimFixture {
protected:
  void SetUp() override {
    api = cantFail(Api::load());
    entries = std::make_unique<Entries>();
    ASSERT_EQ(api->setDevice(0), Success);
  }

  /// "add_one" for the current device's chip.
  hipFunction_t load(StringRef target) {
    Bundle bundle = compile(source, target);
    hipModule_t module = nullptr;
    EXPECT_EQ(api->moduleLoadData(&module, bundle.images.front().bytes.data()),
              Success);
    hipFunction_t function = nullptr;
    EXPECT_EQ(api->moduleGetFunction(&function, module, "add_one"), Success);
    return function;
  }

  hipError_t launch(hipFunction_t function, void *array, uint64_t size,
                    hipStream_t stream) {
    void *parameters[] = {&array, &size};
    return api->moduleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream,
                                   parameters, nullptr);
  }

  void *allocate(size_t bytes) {
    void *address = nullptr;
    EXPECT_EQ(api->memAlloc(&address, bytes), Success);
    return address;
  }
  int32_t *allocateHost(size_t count) {
    void *address = nullptr;
    EXPECT_EQ(entries->hipHostMalloc(&address, 4 * count, 0), Success);
    return static_cast<int32_t *>(address);
  }
  hipStream_t createStream() {
    hipStream_t stream = nullptr;
    EXPECT_EQ(entries->hipStreamCreate(&stream), Success);
    return stream;
  }
  hipEvent_t createEvent() {
    hipEvent_t event = nullptr;
    EXPECT_EQ(entries->hipEventCreate(&event), Success);
    return event;
  }

  std::shared_ptr<const Api> api;
  std::unique_ptr<Entries> entries;
};

/// Work on a stream is in the order of issue, and done when someone waits.
TEST_F(HipStreams, WorkIsDoneInOrderWhenWaitedFor) {
  hipFunction_t function = load("gfx942");
  hipStream_t stream = createStream();
  int32_t *in = allocateHost(100), *out = allocateHost(100);
  void *array = allocate(400);
  std::iota(in, in + 100, 0);
  std::fill(out, out + 100, -1);
  EXPECT_EQ(entries->hipMemcpyAsync(array, in, 400, HostToDevice, stream),
            Success);
  EXPECT_EQ(launch(function, array, 100, stream), Success);
  EXPECT_EQ(launch(function, array, 100, stream), Success);
  EXPECT_EQ(entries->hipMemcpyAsync(out, array, 400, DeviceToHost, stream),
            Success);
  // Page-locked memory is read when the copy is done, not when it is issued.
  in[7] = 1000;
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(entries->hipStreamSynchronize(stream), Success);
  for (int32_t i = 0; i != 100; ++i)
    EXPECT_EQ(out[i], i == 7 ? 1002 : i + 2);
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(api->memFree(array), Success);
  EXPECT_EQ(entries->hipHostFree(in), Success);
  EXPECT_EQ(entries->hipHostFree(out), Success);
}

/// Other memory of the host is not looked at after the call.
TEST_F(HipStreams, CopiesFromPageableMemoryAreStaged) {
  hipStream_t stream = createStream();
  std::vector<int32_t> in(10, 3), out(10);
  void *array = allocate(40);
  EXPECT_EQ(entries->hipMemcpyAsync(array, in.data(), 40, HostToDevice, stream),
            Success);
  std::fill(in.begin(), in.end(), 0);
  EXPECT_EQ(
      entries->hipMemcpyAsync(out.data(), array, 40, DeviceToHost, stream),
      Success);
  EXPECT_EQ(out, std::vector<int32_t>(10, 3));
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(api->memFree(array), Success);
}

TEST_F(HipStreams, SetsAndCopiesOnTheDevice) {
  hipStream_t stream = createStream();
  void *first = allocate(16), *second = allocate(16);
  EXPECT_EQ(entries->hipMemset(first, 0x17, 16), Success);
  EXPECT_EQ(entries->hipMemsetAsync(second, 0, 16, stream), Success);
  EXPECT_EQ(entries->hipMemcpyAsync(static_cast<char *>(second) + 4, first, 8,
                                    DeviceToDevice, stream),
            Success);
  std::vector<uint32_t> out(4);
  EXPECT_EQ(api->memCopy(out.data(), second, 16, DefaultDirection), Success);
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 0x17171717, 0x17171717, 0}));
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(api->memFree(first), Success);
  EXPECT_EQ(api->memFree(second), Success);
}

TEST_F(HipStreams, QueriesEnd) {
  hipFunction_t function = load("gfx942");
  hipStream_t stream = createStream();
  void *array = allocate(400);
  EXPECT_EQ(entries->hipStreamQuery(stream), Success);
  EXPECT_EQ(entries->hipMemset(array, 0, 400), Success);
  for (unsigned i = 0; i != 3; ++i)
    EXPECT_EQ(launch(function, array, 100, stream), Success);
  EXPECT_EQ(entries->hipStreamQuery(stream), ErrorNotReady);
  unsigned asked = 0;
  while (entries->hipStreamQuery(stream) == ErrorNotReady)
    ASSERT_LT(++asked, 10u);
  int32_t last = 0;
  EXPECT_EQ(
      api->memCopy(&last, static_cast<int32_t *>(array) + 99, 4, DeviceToHost),
      Success);
  EXPECT_EQ(last, 3);
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(api->memFree(array), Success);
}

TEST_F(HipStreams, EventsTellTheTimeBetweenThem) {
  hipFunction_t function = load("gfx942");
  hipStream_t stream = createStream();
  hipEvent_t start = createEvent(), stop = createEvent();
  void *array = allocate(400);
  float milliseconds = -1;
  EXPECT_EQ(entries->hipEventQuery(start), Success);
  EXPECT_EQ(entries->hipEventElapsedTime(&milliseconds, start, stop),
            ErrorInvalidHandle); // Never recorded.
  EXPECT_EQ(entries->hipMemset(array, 0, 400), Success);
  EXPECT_EQ(entries->hipEventRecord(start, stream), Success);
  EXPECT_EQ(launch(function, array, 100, stream), Success);
  EXPECT_EQ(entries->hipEventRecord(stop, stream), Success);
  EXPECT_EQ(entries->hipEventElapsedTime(&milliseconds, start, stop),
            ErrorNotReady);
  EXPECT_EQ(entries->hipEventQuery(stop), ErrorNotReady);
  EXPECT_EQ(entries->hipEventSynchronize(stop), Success);
  EXPECT_EQ(entries->hipEventQuery(stop), Success);
  EXPECT_EQ(entries->hipEventElapsedTime(&milliseconds, start, stop), Success);
  EXPECT_GT(milliseconds, 0);
  EXPECT_EQ(entries->hipEventElapsedTime(&milliseconds, stop, start), Success);
  EXPECT_LT(milliseconds, 0);
  EXPECT_EQ(entries->hipEventElapsedTime(nullptr, start, stop),
            ErrorInvalidValue);

  hipEvent_t untimed = nullptr;
  EXPECT_EQ(entries->hipEventCreateWithFlags(&untimed, 2), Success);
  EXPECT_EQ(entries->hipEventRecord(untimed, stream), Success);
  EXPECT_EQ(entries->hipEventSynchronize(untimed), Success);
  EXPECT_EQ(entries->hipEventElapsedTime(&milliseconds, start, untimed),
            ErrorInvalidHandle);
  for (hipEvent_t event : {start, stop, untimed}) {
    EXPECT_EQ(entries->hipEventDestroy(event), Success);
    EXPECT_EQ(entries->hipEventDestroy(event), ErrorInvalidHandle);
  }
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(api->memFree(array), Success);
}

/// Events order streams, of one device and of two.
TEST_F(HipStreams, StreamsWaitForEvents) {
  hipFunction_t function = load("gfx942");
  hipStream_t first = createStream();
  hipEvent_t event = createEvent();
  void *array = allocate(400);
  int32_t *out = allocateHost(1);
  EXPECT_EQ(entries->hipMemsetAsync(array, 0, 400, first), Success);
  EXPECT_EQ(launch(function, array, 100, first), Success);
  EXPECT_EQ(entries->hipMemcpyAsync(out, array, 4, DeviceToHost, first),
            Success);
  EXPECT_EQ(entries->hipEventRecord(event, first), Success);
  ASSERT_EQ(api->setDevice(1), Success);
  hipStream_t second = createStream();
  void *other = allocate(4);
  EXPECT_EQ(entries->hipStreamWaitEvent(second, event, 0), Success);
  EXPECT_EQ(entries->hipMemcpyAsync(other, out, 4, HostToDevice, second),
            Success);
  EXPECT_EQ(entries->hipStreamSynchronize(second), Success);
  int32_t result = 0;
  EXPECT_EQ(api->memCopy(&result, other, 4, DeviceToHost), Success);
  EXPECT_EQ(result, 1);
  EXPECT_EQ(entries->hipStreamWaitEvent(second, event, 1), ErrorInvalidValue);
  EXPECT_EQ(entries->hipStreamDestroy(second), Success);
  EXPECT_EQ(api->memFree(other), Success);
  ASSERT_EQ(api->setDevice(0), Success);
  EXPECT_EQ(entries->hipStreamDestroy(first), Success);
  EXPECT_EQ(api->memFree(array), Success);
}

TEST_F(HipStreams, RefuseBadHandlesAndArguments) {
  auto wrong = reinterpret_cast<hipStream_t>(uintptr_t(4096));
  auto noEvent = reinterpret_cast<hipEvent_t>(uintptr_t(4096));
  hipStream_t stream = createStream();
  hipEvent_t event = createEvent();
  void *array = allocate(400);
  char byte = 0;
  EXPECT_EQ(entries->hipStreamCreate(nullptr), ErrorInvalidValue);
  EXPECT_EQ(entries->hipStreamCreateWithFlags(&wrong, 8), ErrorInvalidValue);
  EXPECT_EQ(entries->hipEventCreateWithFlags(nullptr, 0), ErrorInvalidValue);
  EXPECT_EQ(entries->hipEventCreateWithFlags(&noEvent, 64), ErrorInvalidValue);
  EXPECT_EQ(entries->hipStreamSynchronize(wrong), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipStreamQuery(wrong), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipStreamDestroy(wrong), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipStreamDestroy(nullptr), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipStreamWaitEvent(wrong, event, 0), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipStreamWaitEvent(stream, noEvent, 0),
            ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventRecord(noEvent, stream), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventRecord(event, wrong), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventSynchronize(noEvent), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventQuery(noEvent), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipMemcpyAsync(array, &byte, 1, HostToDevice, wrong),
            ErrorInvalidHandle);
  EXPECT_EQ(entries->hipMemcpyAsync(array, &byte, 1, hipMemcpyKind(9), stream),
            ErrorInvalidMemcpyDirection);
  EXPECT_EQ(entries->hipMemcpyAsync(array, array, 401, DeviceToDevice, stream),
            ErrorInvalidValue);
  EXPECT_EQ(entries->hipMemcpyAsync(array, nullptr, 1, HostToDevice, stream),
            ErrorInvalidValue);
  EXPECT_EQ(entries->hipMemsetAsync(array, 0, 401, stream), ErrorInvalidValue);
  EXPECT_EQ(entries->hipMemset(&byte, 0, 1), ErrorInvalidValue);
  hipFunction_t function = load("gfx942");
  EXPECT_EQ(launch(function, array, 100, wrong), ErrorInvalidHandle);
  // A stream and an event of another device.
  ASSERT_EQ(api->setDevice(1), Success);
  hipStream_t other = createStream();
  EXPECT_EQ(launch(function, array, 100, other), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventRecord(event, other), ErrorInvalidHandle);
  ASSERT_EQ(api->setDevice(0), Success);
  EXPECT_EQ(entries->hipStreamDestroy(other), Success);
  EXPECT_EQ(entries->hipStreamDestroy(stream), Success);
  EXPECT_EQ(entries->hipStreamDestroy(stream), ErrorInvalidHandle);
  EXPECT_EQ(entries->hipEventDestroy(event), Success);
  EXPECT_EQ(api->memFree(array), Success);
}

TEST_F(HipStreams, MemoryIsLimitedAndFreedOnce) {
  size_t available = 0, total = 0;
  ASSERT_EQ(entries->hipMemGetInfo(&available, &total), Success);
  EXPECT_EQ(total, 1048576u);
  size_t before = available;
  void *first = allocate(600000);
  EXPECT_EQ(entries->hipMemGetInfo(&available, &total), Success);
  EXPECT_EQ(available, before - 600000);
  void *second = &available;
  EXPECT_EQ(api->memAlloc(&second, 600000), ErrorOutOfMemory);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(api->memFree(static_cast<char *>(first) + 256), ErrorInvalidValue);
  EXPECT_EQ(api->memFree(first), Success);
  EXPECT_EQ(api->memFree(first), ErrorInvalidValue);
  EXPECT_EQ(entries->hipMemset(first, 0, 4), ErrorInvalidValue);
  EXPECT_EQ(api->memAlloc(&second, 600000), Success);
  EXPECT_EQ(api->memFree(second), Success);
  EXPECT_EQ(entries->hipMemGetInfo(nullptr, &total), ErrorInvalidValue);

  void *host = allocateHost(10);
  EXPECT_EQ(entries->hipHostFree(host), Success);
  EXPECT_EQ(entries->hipHostFree(host), ErrorInvalidValue);
  EXPECT_EQ(entries->hipHostFree(nullptr), Success);
}

/// What a kernel did stays until the process ends. Events are reached.
TEST_F(HipStreams, WorkBehindAFaultIsNotDone) {
  ASSERT_EQ(api->setDevice(3), Success);
  hipFunction_t function = load("gfx1030");
  hipStream_t stream = createStream();
  hipEvent_t event = createEvent();
  void *array = allocate(400);
  int32_t *out = allocateHost(1);
  out[0] = -1;
  // The extent is more than there is.
  EXPECT_EQ(launch(function, array, 128, stream), Success);
  EXPECT_EQ(entries->hipMemcpyAsync(out, array, 4, DeviceToHost, stream),
            Success);
  EXPECT_EQ(entries->hipEventRecord(event, stream), Success);
  EXPECT_EQ(entries->hipEventSynchronize(event), ErrorIllegalAddress);
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(entries->hipStreamSynchronize(stream), ErrorIllegalAddress);
  EXPECT_EQ(entries->hipMemset(array, 0, 4), ErrorIllegalAddress);
  EXPECT_EQ(launch(function, array, 100, stream), ErrorIllegalAddress);
  // The other device is as it was.
  ASSERT_EQ(api->setDevice(0), Success);
  EXPECT_EQ(api->deviceSynchronize(), Success);
}

} // namespace
