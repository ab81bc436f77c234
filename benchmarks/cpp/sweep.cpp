// The yardstick: a plain cell sweep in C++. Reynolds' three rules on a torus, boids sorted into cells
// afresh each step, as good as a careful programmer writes it in an afternoon, three ways:
//   structs  one struct a boid, branches where a neighbour is too far
//   rows     one array a coordinate, no branches, cells that lie in a row swept as one, vectorised
//   staged   the same, a cell's whole surroundings copied into one buffer first
// Build: c++ -O3 -march=native -ffast-math -fopenmp -std=c++17 sweep.cpp -o sweep
// Run:   ./sweep BOIDS NEIGHBOURS DIMS THREADS STEPS LAYOUT [clumped]
// Prints seconds a step, one line a step, then the mean speed, so that flights can be compared.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num() { return 0; }
static int omp_get_num_threads() { return 1; }
#endif

enum Layout { STRUCTS, ROWS, STAGED };

constexpr float RADIUS = 1.0f, CLOSE = 0.5f, FASTEST = 0.1f;
constexpr float COHESION = 0.005f, ALIGNMENT = 0.05f, SEPARATION = 0.0025f;

template <int D> struct Boid { float x[D], v[D]; };

template <int D> struct Flock {
    std::vector<float> x[D], v[D];
    explicit Flock(size_t n) { for (int d = 0; d < D; ++d) { x[d].resize(n); v[d].resize(n); } }
};

// Boids start to end stand side by side; seen from the home cell they are shifted by so much.
template <int D> struct Range { int start, end; float shift[D]; };

template <int D> struct Sums { float count = 0, centre[D] = {}, mean[D] = {}, push[D] = {}; };

// What the vectorised loop adds up over candidates `start` to `end` of arrays x and v.
template <int D>
static inline void sweep(const float *const *x, const float *const *v, int start, int end,
                         const float *from, Sums<D> &sums) {
    const float *x0 = x[0], *x1 = x[1], *x2 = x[D - 1], *v0 = v[0], *v1 = v[1], *v2 = v[D - 1];
    const float a = from[0], b = from[1], c = from[D - 1];
    float count = 0, c0 = 0, c1 = 0, c2 = 0, m0 = 0, m1 = 0, m2 = 0, p0 = 0, p1 = 0, p2 = 0;
    #pragma omp simd reduction(+ : count, c0, c1, c2, m0, m1, m2, p0, p1, p2)
    for (int j = start; j < end; ++j) {
        const float dx = x0[j] - a, dy = x1[j] - b, dz = D == 3 ? x2[j] - c : 0.0f;
        const float r2 = dx * dx + dy * dy + dz * dz;
        const float near = r2 <= RADIUS * RADIUS && r2 > 0 ? 1.0f : 0.0f;
        const float q = r2 <= CLOSE * CLOSE && r2 > 0 ? 1.0f / r2 : 0.0f;
        count += near;
        c0 += near * dx; m0 += near * v0[j]; p0 -= q * dx;
        c1 += near * dy; m1 += near * v1[j]; p1 -= q * dy;
        if (D == 3) { c2 += near * dz; m2 += near * v2[j]; p2 -= q * dz; }
    }
    sums.count += count;
    sums.centre[0] += c0; sums.mean[0] += m0; sums.push[0] += p0;
    sums.centre[1] += c1; sums.mean[1] += m1; sums.push[1] += p1;
    if (D == 3) { sums.centre[D - 1] += c2; sums.mean[D - 1] += m2; sums.push[D - 1] += p2; }
}

// The rules' weighted sum, the limit of speed, and the move.
template <int D>
static inline void move(const Sums<D> &sums, float side, float *x, float *v) {
    const float q = sums.count > 0 ? 1.0f / sums.count : 0.0f, any = sums.count > 0 ? 1.0f : 0.0f;
    float speed2 = 0;
    for (int d = 0; d < D; ++d) {
        v[d] += SEPARATION * sums.push[d] + COHESION * sums.centre[d] * q +
                ALIGNMENT * (sums.mean[d] * q - any * v[d]);
        speed2 += v[d] * v[d];
    }
    const float slow = speed2 > FASTEST * FASTEST ? FASTEST / std::sqrt(speed2) : 1.0f;
    for (int d = 0; d < D; ++d) {
        v[d] *= slow;
        x[d] += v[d];
        if (x[d] < 0) x[d] += side;
        if (x[d] >= side) x[d] -= side;
    }
}

template <int D, int LAYOUT> class Flight {
    int n, cells, total = 1;
    float side, per_cell;
    Flock<D> now, sorted, next;            // rows, staged
    std::vector<Boid<D>> birds, in_order;  // structs
    std::vector<int> cell, start;
    std::vector<std::vector<int>> counts;

    float place(int i, int d) const { return LAYOUT == STRUCTS ? birds[i].x[d] : now.x[d][i]; }

    // Counting sort by cell, shared by threads.
    void sort() {
        #pragma omp parallel
        {
            const int t = omp_get_thread_num(), threads = omp_get_num_threads();
            const int first = static_cast<long long>(n) * t / threads;
            const int last = static_cast<long long>(n) * (t + 1) / threads;
            #pragma omp single
            counts.resize(threads);
            auto &mine = counts[t];
            mine.assign(total, 0);
            for (int i = first; i < last; ++i) {
                int c = 0;
                for (int d = D - 1; d >= 0; --d)
                    c = c * cells + std::min(static_cast<int>(place(i, d) * per_cell), cells - 1);
                cell[i] = c;
                ++mine[c];
            }
            #pragma omp barrier
            #pragma omp single
            {
                int sum = 0;
                for (int c = 0; c < total; ++c) {
                    start[c] = sum;
                    for (auto &count : counts) { const int k = count[c]; count[c] = sum; sum += k; }
                }
                start[total] = sum;
            }
            for (int i = first; i < last; ++i) {
                const int to = mine[cell[i]]++;
                if (LAYOUT == STRUCTS) in_order[to] = birds[i];
                else
                    for (int d = 0; d < D; ++d) {
                        sorted.x[d][to] = now.x[d][i];
                        sorted.v[d][to] = now.v[d][i];
                    }
            }
        }
    }

    // The cells around a cell, as ranges of sorted boids.
    int around(int home, Range<D> *ranges) const {
        int at[D], rest = home, count = 0;
        for (int d = 0; d < D; ++d) { at[d] = rest % cells; rest /= cells; }
        for (int k = 0; k < (D == 3 ? 27 : 9); ++k) {
            Range<D> range;
            int c = 0, stride = 1, r = k;
            for (int d = 0; d < D; ++d, r /= 3, stride *= cells) {
                int a = at[d] + r % 3 - 1;
                range.shift[d] = 0;
                if (a < 0) { a += cells; range.shift[d] = -side; }
                else if (a >= cells) { a -= cells; range.shift[d] = side; }
                c += a * stride;
            }
            range.start = start[c];
            range.end = start[c + 1];
            if (LAYOUT >= ROWS && k % 3 && ranges[count - 1].end == range.start &&
                ranges[count - 1].shift[0] == range.shift[0])
                ranges[count - 1].end = range.end;
            else
                ranges[count++] = range;
        }
        return count;
    }

    void fly_structs(const Range<D> *ranges, int count, int i) {
        Boid<D> me = in_order[i];
        Sums<D> sums;
        for (int k = 0; k < count; ++k)
            for (int j = ranges[k].start; j < ranges[k].end; ++j) {
                const Boid<D> &other = in_order[j];
                float delta[D], r2 = 0;
                for (int d = 0; d < D; ++d) {
                    delta[d] = other.x[d] + ranges[k].shift[d] - me.x[d];
                    r2 += delta[d] * delta[d];
                }
                if (r2 > RADIUS * RADIUS || j == i) continue;
                sums.count += 1;
                for (int d = 0; d < D; ++d) { sums.centre[d] += delta[d]; sums.mean[d] += other.v[d]; }
                if (r2 > CLOSE * CLOSE) continue;
                const float q = 1.0f / std::max(r2, 1e-18f);
                for (int d = 0; d < D; ++d) sums.push[d] -= delta[d] * q;
            }
        move<D>(sums, side, me.x, me.v);
        birds[i] = me;
    }

    void fly_arrays(const Range<D> *ranges, int count, int i, const Flock<D> &buffer, int staged) {
        float x[D], v[D];
        const float *xs[D], *vs[D];
        for (int d = 0; d < D; ++d) { x[d] = sorted.x[d][i]; v[d] = sorted.v[d][i]; }
        Sums<D> sums;
        const Flock<D> &from = LAYOUT == STAGED ? buffer : sorted;
        for (int d = 0; d < D; ++d) { xs[d] = from.x[d].data(); vs[d] = from.v[d].data(); }
        if (LAYOUT == STAGED) sweep<D>(xs, vs, 0, staged, x, sums);
        else
            for (int k = 0; k < count; ++k) {
                float seen[D];
                for (int d = 0; d < D; ++d) seen[d] = x[d] - ranges[k].shift[d];
                sweep<D>(xs, vs, ranges[k].start, ranges[k].end, seen, sums);
            }
        move<D>(sums, side, x, v);
        for (int d = 0; d < D; ++d) { next.x[d][i] = x[d]; next.v[d][i] = v[d]; }
    }

  public:
    Flight(int n, double neighbours, bool clumped)
        : n(n), now(LAYOUT == STRUCTS ? 0 : n), sorted(LAYOUT == STRUCTS ? 0 : n),
          next(LAYOUT == STRUCTS ? 0 : n), birds(LAYOUT == STRUCTS ? n : 0),
          in_order(LAYOUT == STRUCTS ? n : 0), cell(n) {
        const double volume = D == 3 ? 4.0 / 3.0 * M_PI : M_PI;
        side = std::pow(n * volume / neighbours, 1.0 / D);
        cells = static_cast<int>(side / RADIUS);
        per_cell = cells / side;
        for (int d = 0; d < D; ++d) total *= cells;
        start.resize(total + 1);
        std::mt19937 rng(1);
        std::uniform_real_distribution<float> place(0.0f, 1.0f);
        std::normal_distribution<float> fling(0.0f, FASTEST / 2);
        const float clump = std::pow(0.01, 1.0 / D);
        for (int i = 0; i < n; ++i)
            for (int d = 0; d < D; ++d) {
                float at = place(rng);
                if (clumped && i < 9 * (n / 10)) at = 0.5f + (at - 0.5f) * clump;
                const float x = std::min(at * side, std::nextafter(side, 0.0f)), v = fling(rng);
                if (LAYOUT == STRUCTS) { birds[i].x[d] = x; birds[i].v[d] = v; }
                else { now.x[d][i] = x; now.v[d][i] = v; }
            }
    }

    void step() {
        sort();
        #pragma omp parallel
        {
            Flock<D> buffer(0);
            Range<D> ranges[27];
            #pragma omp for schedule(dynamic, 64)
            for (int home = 0; home < total; ++home) {
                if (start[home] == start[home + 1]) continue;
                const int count = around(home, ranges);
                int staged = 0;
                if (LAYOUT == STAGED) {
                    size_t room = 0;
                    for (int k = 0; k < count; ++k) room += ranges[k].end - ranges[k].start;
                    if (buffer.x[0].size() < room)
                        for (int d = 0; d < D; ++d) { buffer.x[d].resize(2 * room); buffer.v[d].resize(2 * room); }
                    for (int k = 0; k < count; ++k) {
                        const int length = ranges[k].end - ranges[k].start;
                        for (int d = 0; d < D; ++d)
                            for (int j = 0; j < length; ++j) {
                                buffer.x[d][staged + j] = sorted.x[d][ranges[k].start + j] + ranges[k].shift[d];
                                buffer.v[d][staged + j] = sorted.v[d][ranges[k].start + j];
                            }
                        staged += length;
                    }
                }
                for (int i = start[home]; i < start[home + 1]; ++i)
                    if (LAYOUT == STRUCTS) fly_structs(ranges, count, i);
                    else fly_arrays(ranges, count, i, buffer, staged);
            }
        }
        if (LAYOUT != STRUCTS) std::swap(now, next);
    }

    double speed() const {
        double sum = 0;
        for (int i = 0; i < n; ++i) {
            double s2 = 0;
            for (int d = 0; d < D; ++d) {
                const double v = LAYOUT == STRUCTS ? birds[i].v[d] : now.v[d][i];
                s2 += v * v;
            }
            sum += std::sqrt(s2);
        }
        return sum / n;
    }
};

template <int D, int LAYOUT> static void fly(int n, double neighbours, bool clumped, int steps) {
    Flight<D, LAYOUT> flight(n, neighbours, clumped);
    for (int step = 0; step < steps; ++step) {
        const auto begin = std::chrono::steady_clock::now();
        flight.step();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        std::printf("%.6f\n", took.count());
    }
    std::printf("%.6f\n", flight.speed());
}

template <int D> static int start(const char *layout, int n, double neighbours, bool clumped, int steps) {
    if (!std::strcmp(layout, "structs")) fly<D, STRUCTS>(n, neighbours, clumped, steps);
    else if (!std::strcmp(layout, "rows")) fly<D, ROWS>(n, neighbours, clumped, steps);
    else if (!std::strcmp(layout, "staged")) fly<D, STAGED>(n, neighbours, clumped, steps);
    else return 2;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 7) {
        std::fprintf(stderr, "usage: sweep BOIDS NEIGHBOURS DIMS THREADS STEPS LAYOUT [clumped]\n");
        return 2;
    }
    const int n = std::atoi(argv[1]), dims = std::atoi(argv[3]), steps = std::atoi(argv[5]);
    const bool clumped = argc > 7 && !std::strcmp(argv[7], "clumped");
#ifdef _OPENMP
    omp_set_num_threads(std::atoi(argv[4]));
#endif
    return dims == 3 ? start<3>(argv[6], n, std::atof(argv[2]), clumped, steps)
                     : start<2>(argv[6], n, std::atof(argv[2]), clumped, steps);
}
