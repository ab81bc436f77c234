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

template <int D> struct Boid { float x[D], v[D]; };

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
    std::vector<Boid<D>> now(n), sorted(n), next(n);
    for (auto &b : now)
        for (int d = 0; d < D; ++d) { b.x[d] = std::min(place(rng), std::nextafter(side, 0.0f)); b.v[d] = fling(rng); }
    std::vector<int> cell(n), start(total + 1), fill(total);

    const float near2 = radius * radius, close2 = 0.25f * radius * radius;
    for (int step = 0; step < steps; ++step) {
        const auto begin = std::chrono::steady_clock::now();
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < n; ++i) {
            int c = 0;
            for (int d = D - 1; d >= 0; --d)
                c = c * cells + std::min(static_cast<int>(now[i].x[d] * per_cell), cells - 1);
            cell[i] = c;
        }
        std::fill(start.begin(), start.end(), 0);
        for (int i = 0; i < n; ++i) ++start[cell[i] + 1];
        for (int c = 0; c < total; ++c) start[c + 1] += start[c];
        std::copy(start.begin(), start.end() - 1, fill.begin());
        for (int i = 0; i < n; ++i) sorted[fill[cell[i]]++] = now[i];

        #pragma omp parallel for schedule(dynamic, 64)
        for (int home = 0; home < total; ++home) {
            int at[D], rest = home;
            for (int d = 0; d < D; ++d) { at[d] = rest % cells; rest /= cells; }
            for (int i = start[home]; i < start[home + 1]; ++i) {
                const Boid<D> me = sorted[i];
                float count = 0, centre[D] = {}, mean[D] = {}, push[D] = {};
                constexpr int around = D == 3 ? 27 : 9;
                for (int k = 0; k < around; ++k) {
                    int c = 0, stride = 1, r = k;
                    float shift[D];
                    for (int d = 0; d < D; ++d) {
                        int a = at[d] + r % 3 - 1; r /= 3;
                        shift[d] = 0.0f;
                        if (a < 0) { a += cells; shift[d] = -side; }
                        else if (a >= cells) { a -= cells; shift[d] = side; }
                        c += a * stride; stride *= cells;
                    }
                    for (int j = start[c]; j < start[c + 1]; ++j) {
                        const Boid<D> &other = sorted[j];
                        float delta[D], r2 = 0;
                        for (int d = 0; d < D; ++d) { delta[d] = other.x[d] + shift[d] - me.x[d]; r2 += delta[d] * delta[d]; }
                        if (r2 <= near2 && j != i) {
                            count += 1;
                            for (int d = 0; d < D; ++d) { centre[d] += delta[d]; mean[d] += other.v[d]; }
                            if (r2 <= close2) {
                                const float q = 1.0f / std::max(r2, 1e-18f);
                                for (int d = 0; d < D; ++d) push[d] -= delta[d] * q;
                            }
                        }
                    }
                }
                Boid<D> out = me;
                float speed2 = 0;
                for (int d = 0; d < D; ++d) {
                    float a = 0.05f * 0.05f * push[d];
                    if (count > 0) a += 0.005f * centre[d] / count + 0.05f * (mean[d] / count - me.v[d]);
                    out.v[d] += a; speed2 += out.v[d] * out.v[d];
                }
                const float speed = std::sqrt(speed2), slow = speed > 0.1f ? 0.1f / speed : 1.0f;
                for (int d = 0; d < D; ++d) {
                    out.v[d] *= slow;
                    float x = out.x[d] + out.v[d];
                    if (x < 0) x += side; else if (x >= side) x -= side;
                    out.x[d] = x;
                }
                next[i] = out;
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
