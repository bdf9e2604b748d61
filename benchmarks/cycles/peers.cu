// Cycles a round of chains of collectives: the kernels of chains.coll, and the
// same chains with CUB and with plain shuffles, in one process.
//
//   collc compile chains.coll -D N=256 --target=sm_90 --emit=asm -o
//   chains-256.ptx collc compile chains.coll -D N=1024 --target=sm_90
//   --emit=asm -o chains-1024.ptx nvcc -O3 -arch=sm_90 -std=c++17 peers.cu -o
//   peers && ./peers chains-256.ptx chains-1024.ptx
//
// One block runs at a time. A chain of 1152 rounds less one of 128, divided by
// the difference, is a round without the launch; medians of 31 in turn.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>
#include <functional>
#include <string>
#include <vector>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

struct Max {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <typename T, int N>
__global__ void cubBlockSum(const T *x, T *y, int rounds) {
  using Reduce = cub::BlockReduce<T, N>;
  __shared__ typename Reduce::TempStorage scratch;
  __shared__ T result;
  T own = x[threadIdx.x], v = own;
  for (int i = 0; i < rounds; ++i) {
    T sum = Reduce(scratch).Sum(v);
    if (threadIdx.x == 0)
      result = sum;
    __syncthreads();
    v = result + own;
  }
  y[threadIdx.x] = v;
}

template <typename T, int N>
__global__ void cubBlockScan(const T *x, T *y, int rounds) {
  using Scan = cub::BlockScan<T, N>;
  __shared__ typename Scan::TempStorage scratch;
  T own = x[threadIdx.x], v = own;
  for (int i = 0; i < rounds; ++i) {
    T sum;
    Scan(scratch).InclusiveSum(v, sum);
    __syncthreads();
    v = sum + own;
  }
  y[threadIdx.x] = v;
}

template <typename T>
__global__ void cubWarpScan(const T *x, T *y, int rounds) {
  using Scan = cub::WarpScan<T>;
  __shared__ typename Scan::TempStorage scratch[32];
  T own = x[threadIdx.x], v = own;
  for (int i = 0; i < rounds; ++i) {
    T sum;
    Scan(scratch[threadIdx.x / 32]).InclusiveSum(v, sum);
    v = sum + own;
  }
  y[threadIdx.x] = v;
}

/// Five shuffles, the plain form.
template <typename T, typename Combine>
__global__ void shuffleReduce(const T *x, T *y, int rounds, Combine combine) {
  T own = x[threadIdx.x], v = own;
  for (int i = 0; i < rounds; ++i) {
    for (int d = 1; d < 32; d *= 2)
      v = combine(v, __shfl_xor_sync(0xffffffffu, v, d));
    v += own;
  }
  y[threadIdx.x] = v;
}

struct Add {
  template <typename T> __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

__global__ void readClock(long long *out) {
  long long t, c = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  out[0] = c;
  out[1] = t;
  while (clock64() - c < 20000000) {
  }
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  out[2] = clock64();
  out[3] = t;
}

using Launch = std::function<void(void *, void *, int)>;

static float elapsed(const Launch &launch, void *x, void *y, int rounds) {
  static cudaEvent_t begin, end;
  if (!begin) {
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
  }
  check(cudaEventRecord(begin), "record");
  launch(x, y, rounds);
  check(cudaEventRecord(end), "record");
  check(cudaEventSynchronize(end), "launch");
  float ms;
  check(cudaEventElapsedTime(&ms, begin, end), "time");
  return ms;
}

static Launch fromPTX(cudaLibrary_t library, const char *kernel, int threads) {
  cudaKernel_t function;
  check(cudaLibraryGetKernel(&function, library, kernel), kernel);
  return [=](void *x, void *y, int rounds) {
    // The extent follows the parameters.
    int64_t n = threads;
    void *args[] = {&x, &y, &rounds, &n};
    check(cudaLaunchKernel(reinterpret_cast<void *>(function), 1, threads, args,
                           0, nullptr),
          "launch");
  };
}

template <typename Kernel, typename... Args>
static Launch fromCUDA(Kernel kernel, int threads, Args... args) {
  return [=](void *x, void *y, int rounds) {
    using Pointer = void *;
    void *all[] = {&x, &y, &rounds,
                   const_cast<Pointer>(static_cast<const void *>(&args))...};
    check(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), 1, threads,
                           all, 0, nullptr),
          "launch");
  };
}

struct Row {
  const char *name;
  int threads;
  Launch ours, peer;
  const char *peerName;
};

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: peers chains-256.ptx chains-1024.ptx\n");
    return 2;
  }
  cudaLibrary_t of256, of1024;
  check(cudaLibraryLoadFromFile(&of256, argv[1], nullptr, nullptr, 0, nullptr,
                                nullptr, 0),
        argv[1]);
  check(cudaLibraryLoadFromFile(&of1024, argv[2], nullptr, nullptr, 0, nullptr,
                                nullptr, 0),
        argv[2]);
  void *x, *y;
  check(cudaMalloc(&x, 1024 * 8), "memory");
  check(cudaMalloc(&y, 1024 * 8), "memory");
  check(cudaMemset(x, 0, 1024 * 8), "memory");

  std::vector<Row> rows = {
      {"f32 sum of a block", 256, fromPTX(of256, "block_sum_f32", 256),
       fromCUDA(cubBlockSum<float, 256>, 256), "cub::BlockReduce + broadcast"},
      {"f32 sum of a block", 1024, fromPTX(of1024, "block_sum_f32", 1024),
       fromCUDA(cubBlockSum<float, 1024>, 1024),
       "cub::BlockReduce + broadcast"},
      {"i32 sum of a block", 256, fromPTX(of256, "block_sum_i32", 256),
       fromCUDA(cubBlockSum<int, 256>, 256), "cub::BlockReduce + broadcast"},
      {"i32 sum of a block", 1024, fromPTX(of1024, "block_sum_i32", 1024),
       fromCUDA(cubBlockSum<int, 1024>, 1024), "cub::BlockReduce + broadcast"},
      {"f32 scan of a block", 256, fromPTX(of256, "block_scan_f32", 256),
       fromCUDA(cubBlockScan<float, 256>, 256), "cub::BlockScan"},
      {"f32 scan of a block", 1024, fromPTX(of1024, "block_scan_f32", 1024),
       fromCUDA(cubBlockScan<float, 1024>, 1024), "cub::BlockScan"},
      {"f32 sum of a warp", 256, fromPTX(of256, "warp_sum_f32", 256),
       fromCUDA(shuffleReduce<float, Add>, 256, Add()), "five shuffles"},
      {"f32 max of a warp", 256, fromPTX(of256, "warp_max_f32", 256),
       fromCUDA(shuffleReduce<float, Max>, 256, Max()), "five shuffles"},
      {"i32 sum of a warp", 256, fromPTX(of256, "warp_sum_i32", 256),
       fromCUDA(shuffleReduce<int, Add>, 256, Add()), "five shuffles"},
      {"i64 max of a warp", 256, fromPTX(of256, "warp_max_i64", 256),
       fromCUDA(shuffleReduce<long long, Max>, 256, Max()),
       "five shuffles of two words"},
      {"f32 scan of a warp", 256, fromPTX(of256, "warp_scan_f32", 256),
       fromCUDA(cubWarpScan<float>, 256), "cub::WarpScan"},
      {"i32 scan of a warp", 256, fromPTX(of256, "warp_scan_i32", 256),
       fromCUDA(cubWarpScan<int>, 256), "cub::WarpScan"},
  };

  long long *clocks, host[4];
  check(cudaMalloc(&clocks, sizeof host), "memory");
  readClock<<<1, 1>>>(clocks);
  check(cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost), "clock");
  double gigahertz = double(host[2] - host[0]) / double(host[3] - host[1]);
  printf("clock: %.3f GHz\n", gigahertz);
  printf("| chain | threads | Coll, cycles | peer, cycles | ratio | peer |\n| "
         "--- | --- | --- | --- | --- | --- |\n");
  constexpr int few = 128, many = 1152;
  for (const Row &row : rows) {
    std::vector<double> ours, peer;
    for (int run = -3; run < 31; ++run) {
      for (auto [launch, into] :
           {std::pair(&row.ours, &ours), std::pair(&row.peer, &peer)}) {
        double shortTime = elapsed(*launch, x, y, few);
        double longTime = elapsed(*launch, x, y, many);
        if (run >= 0)
          into->push_back((longTime - shortTime) * 1e6 / (many - few) *
                          gigahertz);
      }
    }
    double a = median(ours), b = median(peer);
    printf("| %s | %d | %.0f | %.0f | %.2f | %s |\n", row.name, row.threads, a,
           b, a / b, row.peerName);
  }
}
