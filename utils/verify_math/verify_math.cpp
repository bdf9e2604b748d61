//===- verify_math.cpp - Checks the bounds that std.math states -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32: all 2^32 inputs, against the C library's f64 function, whose own error
// is below 2^-28 ULP of an f32. f64: many random inputs of several kinds,
// against libquadmath. It prints the largest error of each function and what a
// test of the compiler's output needs: a checksum of results. The exit code is
// 1 when a bound is broken or a special value is wrong.
//
// Build and run it with utils/verify_math/run.
//
//===----------------------------------------------------------------------===//

#include "Mirror.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <quadmath.h>
#include <random>
#include <thread>
#include <vector>

namespace {

/// What one range of inputs showed.
struct Finding {
  double worst = 0;
  double at = 0;
  uint64_t wrong = 0;
  double wrongAt = 0;

  void error(double ulp, double x) {
    if (ulp > worst) {
      worst = ulp;
      at = x;
    }
  }
  void bad(double x) {
    if (wrong++ == 0)
      wrongAt = x;
  }
  void merge(const Finding &other) {
    error(other.worst, other.at);
    if (other.wrong && wrong == 0)
      wrongAt = other.wrongAt;
    wrong += other.wrong;
  }
};

bool isNaN(double x) { return x != x; }

/// One unit in the last place of a float format at the true value `y`: the
/// distance of its neighbours, and the smallest subnormal below them.
double ulp32(double y) {
  int exponent;
  std::frexp(y, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}
__float128 ulp64(__float128 y) {
  int exponent;
  frexpq(y, &exponent);
  return ldexpq(1, std::max(exponent - 53, -1074));
}

/// Compares an f32 result with the true value. A true value that is infinite,
/// NaN or zero, or rounds to infinity or zero, must be met exactly.
void check32(float x, float got, double truth, Finding &finding) {
  float rounded = float(truth);
  if (isNaN(truth)) {
    if (!isNaN(got))
      finding.bad(x);
  } else if (rounded == 0 || std::isinf(rounded) || !std::isfinite(got)) {
    if (std::bit_cast<uint32_t>(got) != std::bit_cast<uint32_t>(rounded))
      finding.bad(x);
  } else {
    finding.error(std::fabs(got - truth) / ulp32(truth), x);
  }
}

void check64(double x, double got, __float128 truth, Finding &finding) {
  double rounded = double(truth);
  if (rounded == 0 || !std::isfinite(rounded) || !std::isfinite(got)) {
    if (std::bit_cast<uint64_t>(got) != std::bit_cast<uint64_t>(rounded))
      finding.bad(x);
  } else {
    finding.error(double(fabsq(got - truth) / ulp64(truth)), x);
  }
}

/// Runs `body(part, finding)` for the parts of the work on all cores.
template <typename Body> Finding inParallel(unsigned parts, Body body) {
  unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Finding> findings(cores);
  std::vector<std::thread> threads;
  for (unsigned core = 0; core < cores; ++core)
    threads.emplace_back([&, core] {
      for (unsigned part = core; part < parts; part += cores)
        body(part, findings[core]);
    });
  for (std::thread &thread : threads)
    thread.join();
  Finding all;
  for (const Finding &finding : findings)
    all.merge(finding);
  return all;
}

template <typename Function, typename Truth>
Finding allInputs32(Function function, Truth truth) {
  return inParallel(256, [=](unsigned part, Finding &finding) {
    for (uint64_t i = 0; i < (uint64_t(1) << 24); ++i) {
      float x = std::bit_cast<float>(uint32_t(uint64_t(part) << 24 | i));
      check32(x, function(x), truth(double(x)), finding);
    }
  });
}

/// Inputs of exp in f64: where r is at the ends of its interval (the worst
/// region), near 0, over all exponents of the result, and in the subnormals.
double expInput(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  double u = unit(random);
  switch (random() % 4) {
  case 0: {
    double k = double(int64_t(random() % 2098) - 1074);
    double side = random() % 2 ? 0.5 : -0.5;
    return (k + side * (1 - 0.02 * std::fabs(u))) * 0x1.62e42fefa39efp-1;
  }
  case 1:
    return u * std::ldexp(1.0, -int(random() % 60));
  case 2:
    return u < 0 ? u * 745.2 : u * 709.79;
  default:
    return -708.3 - 37 * std::fabs(u);
  }
}

/// Inputs of log in f64: around 1 (the worst region: the terms cancel there),
/// around the ends of the reduced interval, all exponents, close to 1.
double logInput(std::mt19937_64 &random) {
  std::uniform_real_distribution<double> unit(0, 1);
  double u = unit(random);
  switch (random() % 4) {
  case 0:
    return 0.25 + 3.75 * u;
  case 1:
    return std::ldexp((random() % 2 ? 0.70710678 : 1.41421356) +
                          0.05 * (u - 0.5),
                      int(random() % 5) - 2);
  case 2:
    return std::bit_cast<double>(random() % 0x7ff0000000000000);
  default:
    return 1 +
           (random() % 2 ? u : -u) * std::ldexp(1.0, -1 - int(random() % 52));
  }
}

template <typename Function, typename Input, typename Truth>
Finding manyInputs64(uint64_t count, Function function, Input input,
                     Truth truth) {
  constexpr unsigned parts = 64;
  return inParallel(parts, [=](unsigned part, Finding &finding) {
    std::mt19937_64 random(part + 1);
    for (uint64_t i = 0; i < count / parts; ++i) {
      double x = input(random);
      check64(x, function(x), truth(__float128(x)), finding);
    }
  });
}

/// The special values of both types of one function: (input, result) pairs.
template <typename Float, typename Function>
bool specials(const char *name, Function function,
              const std::vector<std::pair<Float, Float>> &cases) {
  bool right = true;
  for (auto [x, expected] : cases) {
    Float got = function(x);
    bool same = isNaN(expected) ? isNaN(got)
                                : got == expected && std::signbit(got) ==
                                                         std::signbit(expected);
    if (same)
      continue;
    std::printf("%s(%a) is %a, not %a\n", name, double(x), double(got),
                double(expected));
    right = false;
  }
  return right;
}

template <typename Float, typename Exp, typename Log>
bool allSpecials(const char *type, Exp exp, Log log) {
  constexpr Float inf = __builtin_inf();
  constexpr Float nan = __builtin_nan("");
  std::printf("special values, %s\n", type);
  bool right = specials<Float>("exp", exp,
                               {{inf, inf},
                                {-inf, 0},
                                {nan, nan},
                                {-nan, nan},
                                {0, 1},
                                {-Float(0), 1},
                                {1000, inf},
                                {-1000, 0}});
  return specials<Float>("log", log,
                         {{inf, inf},
                          {-inf, nan},
                          {nan, nan},
                          {-nan, nan},
                          {0, -inf},
                          {-Float(0), -inf},
                          {-1, nan},
                          {1, 0}}) &&
         right;
}

/// The sum of the results' bits over the inputs with bits i * 1640531, i <
/// 2^20, NaNs left out.
template <typename Function> uint32_t checksum32(Function function) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 1u << 20; ++i) {
    float y = function(std::bit_cast<float>(i * 1640531u));
    sum += isNaN(y) ? 0 : std::bit_cast<uint32_t>(y);
  }
  return sum;
}

/// The same in f64: bits i * 1640531 * 2^32 + i * 1640531, the halves of the
/// sum added.
template <typename Function> uint32_t checksum64(Function function) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 1u << 20; ++i) {
    uint64_t bits = i * 1640531u;
    double y = function(std::bit_cast<double>(bits << 32 | bits));
    sum += isNaN(y) ? 0 : std::bit_cast<uint64_t>(y);
  }
  return uint32_t(sum >> 32) + uint32_t(sum);
}

bool report(const char *name, const Finding &finding, double bound) {
  std::printf("%s: at most %.5f ULP, at %a (stated: %.2f); wrong: %llu", name,
              finding.worst, finding.at, bound,
              static_cast<unsigned long long>(finding.wrong));
  if (finding.wrong)
    std::printf(", first %a", finding.wrongAt);
  std::printf("\n");
  std::fflush(stdout);
  return finding.worst <= bound && finding.wrong == 0;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 40000000;
  bool right = allSpecials<float>("f32", mirror::exp_f32, mirror::log_f32);
  right &= allSpecials<double>("f64", mirror::exp_f64, mirror::log_f64);
  std::printf("checksums: exp_f32 %u, log_f32 %u, exp_f64 %u, log_f64 %u\n",
              checksum32(mirror::exp_f32), checksum32(mirror::log_f32),
              checksum64(mirror::exp_f64), checksum64(mirror::log_f64));
  right &= report("exp_f64",
                  manyInputs64(count, mirror::exp_f64, expInput,
                               [](__float128 x) { return expq(x); }),
                  0.97);
  right &= report("log_f64",
                  manyInputs64(count, mirror::log_f64, logInput,
                               [](__float128 x) { return logq(x); }),
                  0.92);
  right &= report(
      "exp_f32",
      allInputs32(mirror::exp_f32, [](double x) { return std::exp(x); }), 0.90);
  right &= report(
      "log_f32",
      allInputs32(mirror::log_f32, [](double x) { return std::log(x); }), 0.89);
  std::printf(right ? "all bounds hold\n" : "a bound is broken\n");
  return right ? 0 : 1;
}
