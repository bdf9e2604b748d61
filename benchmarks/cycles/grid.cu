// Microseconds a round of chains of collectives of the grid: the kernels of
// grid.coll, and grid.sync() of cooperative groups, in one process.
//
//   collc compile grid.coll --target=sm_90 --emit=asm -o grid.ptx
//   nvcc -O3 -arch=sm_90 -std=c++17 grid.cu -o grid -lcuda && ./grid grid.ptx
//
// Grids of 1 to 8 blocks of 256 threads a multiprocessor. A chain of 1100
// rounds less one of 100, divided by the difference, is a round without the
// launch; medians of 31.

#include <algorithm>
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <functional>
#include <vector>

static constexpr int threads = 256;

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS)
    return;
  const char *text = nullptr;
  cuGetErrorString(result, &text);
  fprintf(stderr, "%s: %s\n", what, text);
  exit(1);
}

__global__ void peerSync(float *y, int rounds) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int i = 0; i < rounds; ++i)
    grid.sync();
  y[blockIdx.x * threads + threadIdx.x] = 1;
}

/// The median time of a round; `launch` starts so many.
static double timeRound(const std::function<void(int)> &launch) {
  cudaEvent_t start, end;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  auto time = [&](int rounds) {
    check(cudaEventRecord(start), "cudaEventRecord");
    launch(rounds);
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "a launch");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, end), "a launch");
    return 1000.0 * milliseconds;
  };
  launch(1);
  std::vector<double> times;
  for (int i = 0; i < 31; ++i)
    times.push_back((time(1100) - time(100)) / 1000);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: grid grid.ptx\n");
    return 2;
  }
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  // The driver's calls work in the context that this makes.
  check(cudaFree(nullptr), "cudaFree");
  CUmodule module;
  check(cuModuleLoad(&module, argv[1]), argv[1]);
  for (int perProcessor : {1, 2, 4, 8}) {
    int blocks = device.multiProcessorCount * perProcessor;
    int64_t n = int64_t(blocks) * threads;
    void *y, *workspace;
    check(cudaMalloc(&y, n * sizeof(float)), "cudaMalloc");
    check(cudaMemset(y, 0, n * sizeof(float)), "cudaMemset");
    // 4096 bytes for the barrier and two halves of a float for each block.
    size_t bytes = 4096 + 2 * sizeof(float) * blocks;
    check(cudaMalloc(&workspace, bytes), "cudaMalloc");
    check(cudaMemset(workspace, 0, bytes), "cudaMemset");
    printf("%d blocks of %d threads\n", blocks, threads);
    double peer = timeRound([&](int rounds) {
      void *args[] = {&y, &rounds};
      check(cudaLaunchCooperativeKernel(peerSync, dim3(blocks), dim3(threads),
                                        args),
            "peerSync");
    });
    printf("  %-16s %6.2f us\n", "grid.sync of CG", peer);
    for (const char *name : {"grid_sync", "grid_sum_f32", "grid_sum_i32",
                             "grid_scan_f32", "cluster_sum_f32"}) {
      CUfunction function;
      check(cuModuleGetFunction(&function, module, name), name);
      bool isOfGrid = name[0] == 'g';
      double own = timeRound([&](int rounds) {
        void *args[] = {&y, &rounds, &n, &workspace};
        check(isOfGrid ? cuLaunchCooperativeKernel(function, blocks, 1, 1,
                                                   threads, 1, 1, 0, 0, args)
                       : cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1,
                                        0, 0, args, nullptr),
              name);
      });
      printf("  %-16s %6.2f us\n", name, own);
    }
    check(cudaFree(y), "cudaFree");
    check(cudaFree(workspace), "cudaFree");
  }
}
