// The softmax of examples/softmax.coll in plain CUDA C++, to compare compile
// times with.

__device__ float warp_max(float v) {
  for (int d = 1; d < 32; d *= 2)
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}

__device__ float warp_sum(float v) {
  for (int d = 1; d < 32; d *= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}

extern "C" __global__ void softmax(const float *__restrict__ x, float *__restrict__ y, long long cols) {
  __shared__ float scratch[2][8];
  const float *row = x + blockIdx.x * cols;
  float *out = y + blockIdx.x * cols;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  float m = -INFINITY;
  for (long long c = threadIdx.x; c < cols; c += 256)
    m = fmaxf(m, row[c]);
  m = warp_max(m);
  if (lane == 0)
    scratch[0][warp] = m;
  __syncthreads();
  m = scratch[0][0];
  for (int i = 1; i < 8; ++i)
    m = fmaxf(m, scratch[0][i]);

  float s = 0.0f;
  for (long long c = threadIdx.x; c < cols; c += 256)
    s += expf(row[c] - m);
  s = warp_sum(s);
  if (lane == 0)
    scratch[1][warp] = s;
  __syncthreads();
  s = 0.0f;
  for (int i = 0; i < 8; ++i)
    s += scratch[1][i];

  for (long long c = threadIdx.x; c < cols; c += 256)
    out[c] = expf(row[c] - m) / s;
}
