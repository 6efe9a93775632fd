/* Pairs and ranks of points by two orders, under many weights at once; see arrays/orders.py.

   Weights have a row for each point and a column for each resample, and are whole numbers. Columns are
   looked at in lanes, some at a time, so that the search for the place of a point is paid once for all
   of them. Counts of pairs are whole numbers below 2^53, so no order of addition matters. */
#include "kernel.h"

/* Columns that are looked at together: 32 bits for each are one line of the processor's cache. */
enum { LANES = 16 };
/* Loops over arrays of this length are not always compiled to vectors; these types are. */
typedef int32_t Lanes __attribute__((vector_size(4 * LANES)));
typedef double Wide __attribute__((vector_size(8 * LANES)));
#define WIDE(lanes) __builtin_convertvector(lanes, Wide)

/* Where a point is the first one of equal ones by the first order, and by both. */
enum { NEW_IN_FIRST = 1, NEW_IN_BOTH = 2 };

static inline void load(const double *row, Int width, Lanes *weights) {
    Wide read = {0};
    if (width >= LANES) memcpy(&read, row, sizeof read);
    else memcpy(&read, row, (size_t)width * sizeof *row);
    *weights = __builtin_convertvector(read, Lanes);
}

static inline void add_square(Wide *sum, const Lanes *weights) {
    Wide wide = WIDE(*weights);
    *sum += wide * wide;
}

/* A block of lanes, aligned as vectors are; `*block` is what is to be freed. */
static Lanes *reserve_lanes(Int count, void **block) {
    char *start = *block = reserve(count + 1, sizeof(Lanes));
    return start ? (Lanes *)(start + (sizeof(Lanes) - (uintptr_t)start % sizeof(Lanes))) : NULL;
}

/* For each column three counts: the pairs in the same order less those in opposite ones, the pairs
   untied in the first order, and in the second. Points come in the first order, equal ones in the
   second: rows[i] is the row of their weights, second[i] their place below `places`.

   The tree (Fenwick's) adds up weights by places in the second order: node i holds those of the places
   above i - (i & -i) up to i. */
API Int count_pairs(const Int *at, const Int *second, const Byte *starts, Int points, Int places,
                    Int has_ties, const double *weights, Int columns, Int *counts) {
    void *block;
    Lanes *tree = reserve_lanes(places + 1 + points, &block), *drawn = tree + places + 1;
    if (!tree) return NO_MEMORY;
    for (Int from = 0; from < columns; from += LANES) {
        Lanes w, seen = {0}, in_first = {0}, in_both = {0};
        Wide opposite = {0}, first = {0}, second_ties = {0}, both = {0}, own = {0};
        memset(tree, 0, (size_t)(places + 1) * sizeof *tree);
        /* Rows that are read one after the other come several times as fast. */
        for (Int i = 0; i < points; i++) load(weights + i * columns + from, columns - from, drawn + at[i]);
        for (Int i = 0; i < points; i++) {
            w = drawn[i];
            Lanes above = seen;
            for (Int node = second[i] + 1; node > 0; node &= node - 1) above -= tree[node];
            for (Int node = second[i] + 1; node <= places; node += node & -node) tree[node] += w;
            opposite += WIDE(w) * WIDE(above);
            seen += w;
            if (!has_ties) {
                add_square(&own, &w);
                continue;
            }
            if (starts[i] & NEW_IN_FIRST) add_square(&first, &in_first), in_first -= in_first;
            if (starts[i] & NEW_IN_BOTH) add_square(&both, &in_both), in_both -= in_both;
            in_first += w, in_both += w;
        }
        add_square(&first, &in_first), add_square(&both, &in_both);
        /* From sums to the weights of single places. */
        for (Int node = places; node > 0; node--)
            if (node + (node & -node) <= places) tree[node + (node & -node)] -= tree[node];
        for (Int node = 1; node <= places; node++) add_square(&second_ties, tree + node);
        for (Int k = 0; k < LANES && from + k < columns; k++) {
            /* Squares, each of which has its points paired with themselves, and every pair twice. */
            Int all = (Int)seen[k] * (Int)seen[k], b = (Int)second_ties[k];
            Int a = (Int)(has_ties ? first : own)[k], ab = (Int)(has_ties ? both : own)[k];
            Int *found = counts + 3 * (from + k);
            found[0] = (all - a - b + ab) / 2 - 2 * (Int)opposite[k];
            found[1] = (all - a) / 2, found[2] = (all - b) / 2;
        }
    }
    free(block);
    return 0;
}

/* Makes the weights of places twice their mid-ranks less the number of points. */
static void rank_places(Lanes *at, Int places, const Lanes *total) {
    Lanes upto = {0};
    for (Int place = 0; place < places; place++) {
        Lanes own = at[place];
        at[place] = 2 * upto + own - *total, upto += own;
    }
}

/* Of the ranks of points by two orders, the weighted sums of products, of squares of the first, and of
   the second: 3 x columns. first[i] is the place of point i in the first order, below `firsts`. */
API Int sum_ranks(const Int *first, const Int *second, Int points, Int firsts, Int seconds,
                  const double *weights, Int columns, double *sums) {
    void *block;
    Lanes *a = reserve_lanes(firsts + seconds, &block), *b = a + firsts;
    if (!a) return NO_MEMORY;
    for (Int from = 0; from < columns; from += LANES) {
        Lanes w, total = {0};
        Wide ab = {0}, aa = {0}, bb = {0};
        memset(a, 0, (size_t)(firsts + seconds) * sizeof *a);
        for (Int i = 0; i < points; i++) {
            load(weights + i * columns + from, columns - from, &w);
            a[first[i]] += w, b[second[i]] += w, total += w;
        }
        rank_places(a, firsts, &total), rank_places(b, seconds, &total);
        for (Int i = 0; i < points; i++) {
            load(weights + i * columns + from, columns - from, &w);
            Wide x = WIDE(a[first[i]]), z = WIDE(b[second[i]]);
            Wide weighted = WIDE(w) * x;
            ab += weighted * z, aa += weighted * x, bb += WIDE(w) * z * z;
        }
        for (Int k = 0; k < LANES && from + k < columns; k++)
            sums[from + k] = ab[k], sums[columns + from + k] = aa[k], sums[2 * columns + from + k] = bb[k];
    }
    free(block);
    return 0;
}

/* For each point of some lists the points before it in the first order that are below it in the second,
   less those that are above it, where point i counts times[i]; 0 for a point without a place (-1) in the
   second. The points of each list come in the first order: `starts` says where one is not equal to the
   point before it, and lists[i] is where point i stands in the second order, below `places`. */
API Int earlier_signs(const Byte *starts, const Int *times, const Int *lists, Int many, Int points,
                      Int places, Int *signs) {
    int32_t *tree = reserve(places + 1, sizeof *tree), *at = reserve(places, sizeof *at);
    Int failed = !tree || !at;
    for (; many > 0 && !failed; many--, lists += points, signs += points) {
        int32_t seen = 0;
        Int group = 0;
        memset(tree, 0, (size_t)(places + 1) * sizeof *tree), memset(at, 0, (size_t)places * sizeof *at);
        for (Int i = 0; i < points; i++) {
            /* Equal points are put into the tree together, once the first behind them comes. */
            if (starts[i])
                for (; group < i; group++) {
                    if (lists[group] < 0) continue;
                    int32_t count = (int32_t)times[group];
                    seen += count, at[lists[group]] += count;
                    for (Int node = lists[group] + 1; node <= places; node += node & -node) tree[node] += count;
                }
            signs[i] = 0;
            if (lists[i] < 0) continue;
            int32_t below = 0;
            for (Int node = lists[i]; node > 0; node &= node - 1) below += tree[node];
            signs[i] = 2 * (Int)below + at[lists[i]] - seen;
        }
    }
    free(tree), free(at);
    return failed ? NO_MEMORY : 0;
}
