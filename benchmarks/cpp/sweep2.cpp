// The yardstick: a plain, honest cell sweep in C++, three Reynolds rules on a torus, sorted afresh
// each step. Build: c++ -O3 -march=native -ffast-math -fopenmp sweep.cpp -o sweep
// Run:   ./sweep BOIDS NEIGHBOURS DIMS THREADS STEPS  -> seconds a step, one line a step
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

// One array a coordinate, so that the inner loop vectorises.
template <int D> struct Flock {
    std::vector<float> x[D], v[D];
    explicit Flock(int n) { for (int d = 0; d < D; ++d) { x[d].resize(n); v[d].resize(n); } }
};

template <int D> static void fly(int n, double neighbours, int steps) {
    const float radius = 1.0f;
    const double volume = D == 3 ? 4.0 / 3.0 * M_PI : M_PI;
    const float side = std::pow(n * volume / neighbours, 1.0 / D);
    const int cells = static_cast<int>(side / radius);
    const float per_cell = cells / side;
    int total = 1;
    for (int d = 0; d < D; ++d) total *= cells;

    std::mt19937 rng(1);
    std::uniform_real_distribution<float> place(0.0f, side);
    std::normal_distribution<float> fling(0.0f, 0.05f);
    Flock<D> now(n), sorted(n), next(n);
    for (int i = 0; i < n; ++i)
        for (int d = 0; d < D; ++d) {
            now.x[d][i] = std::min(place(rng), std::nextafter(side, 0.0f));
            now.v[d][i] = fling(rng);
        }
    std::vector<int> cell(n), start(total + 1), fill(total);

    const float near2 = radius * radius, close2 = 0.25f * radius * radius;
    for (int step = 0; step < steps; ++step) {
        const auto begin = std::chrono::steady_clock::now();
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) {
            int c = 0;
            for (int d = D - 1; d >= 0; --d)
                c = c * cells + std::min(static_cast<int>(now.x[d][i] * per_cell), cells - 1);
            cell[i] = c;
        }
        std::fill(start.begin(), start.end(), 0);
        for (int i = 0; i < n; ++i) ++start[cell[i] + 1];
        for (int c = 0; c < total; ++c) start[c + 1] += start[c];
        std::copy(start.begin(), start.end() - 1, fill.begin());
        for (int i = 0; i < n; ++i) cell[i] = fill[cell[i]]++;
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i)
            for (int d = 0; d < D; ++d) {
                sorted.x[d][cell[i]] = now.x[d][i];
                sorted.v[d][cell[i]] = now.v[d][i];
            }

        #pragma omp parallel for schedule(dynamic, 64)
        for (int home = 0; home < total; ++home) {
            int at[D], rest = home;
            for (int d = 0; d < D; ++d) { at[d] = rest % cells; rest /= cells; }
            for (int i = start[home]; i < start[home + 1]; ++i) {
                float here[D], mine[D];
                for (int d = 0; d < D; ++d) { here[d] = sorted.x[d][i]; mine[d] = sorted.v[d][i]; }
                float count = 0, centre[D] = {}, mean[D] = {}, push[D] = {};
                constexpr int around = D == 3 ? 27 : 9;
                for (int k = 0; k < around; ++k) {
                    int c = 0, stride = 1, r = k;
                    float from[D];
                    for (int d = 0; d < D; ++d) {
                        int a = at[d] + r % 3 - 1; r /= 3;
                        from[d] = here[d];
                        if (a < 0) { a += cells; from[d] += side; }
                        else if (a >= cells) { a -= cells; from[d] -= side; }
                        c += a * stride; stride *= cells;
                    }
                    const float *x0 = sorted.x[0].data(), *x1 = sorted.x[1].data(), *x2 = sorted.x[D - 1].data();
                    const float *v0 = sorted.v[0].data(), *v1 = sorted.v[1].data(), *v2 = sorted.v[D - 1].data();
                    const int end = start[c + 1];
                    #pragma omp simd reduction(+ : count, centre, mean, push)
                    for (int j = start[c]; j < end; ++j) {
                        const float dx = x0[j] - from[0], dy = x1[j] - from[1], dz = D == 3 ? x2[j] - from[D - 1] : 0.0f;
                        const float r2 = dx * dx + dy * dy + dz * dz;
                        const float near = r2 <= near2 && r2 > 0 ? 1.0f : 0.0f;
                        const float q = r2 <= close2 && r2 > 0 ? 1.0f / r2 : 0.0f;
                        count += near;
                        centre[0] += near * dx; mean[0] += near * v0[j]; push[0] -= q * dx;
                        centre[1] += near * dy; mean[1] += near * v1[j]; push[1] -= q * dy;
                        if (D == 3) { centre[D - 1] += near * dz; mean[D - 1] += near * v2[j]; push[D - 1] -= q * dz; }
                    }
                }
                float out[D], speed2 = 0;
                for (int d = 0; d < D; ++d) {
                    float a = 0.05f * 0.05f * push[d];
                    if (count > 0) a += 0.005f * centre[d] / count + 0.05f * (mean[d] / count - mine[d]);
                    out[d] = mine[d] + a;
                    speed2 += out[d] * out[d];
                }
                const float speed = std::sqrt(speed2), slow = speed > 0.1f ? 0.1f / speed : 1.0f;
                for (int d = 0; d < D; ++d) {
                    float x = here[d] + out[d] * slow;
                    if (x < 0) x += side; else if (x >= side) x -= side;
                    next.v[d][i] = out[d] * slow;
                    next.x[d][i] = x;
                }
            }
        }
        std::swap(now, next);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        std::printf("%.6f\n", took.count());
    }
}

int main(int argc, char **argv) {
    if (argc != 6) { std::fprintf(stderr, "usage: sweep BOIDS NEIGHBOURS DIMS THREADS STEPS\n"); return 2; }
    const int n = std::atoi(argv[1]), dims = std::atoi(argv[3]), steps = std::atoi(argv[5]);
#ifdef _OPENMP
    omp_set_num_threads(std::atoi(argv[4]));
#endif
    if (dims == 3) fly<3>(n, std::atof(argv[2]), steps); else fly<2>(n, std::atof(argv[2]), steps);
}
