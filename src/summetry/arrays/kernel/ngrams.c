/* n-grams that two texts share, each as often as both have it. */
#include "kernel.h"

typedef struct {
    int32_t place; /* where the n-gram stands first in its text, counted from 1; 0 in a free slot */
    int32_t left;  /* how often it may still be met */
} Gram;

static Int shared_words(const Int *mine, Int many, const Int *theirs, Int others, int32_t *left) {
    Int found = 0;
    for (Int j = 0; j < others; j++) left[theirs[j]]++;
    for (Int i = 0; i < many; i++)
        if (left[mine[i]] > 0) left[mine[i]]--, found++;
    for (Int j = 0; j < others; j++) left[theirs[j]] = 0;
    return found;
}

/* A table for so many n-grams has 2 to this power slots: eight for each, which are seldom taken, unless it would
   take long to clear them. */
static inline Int bits_for(Int grams) {
    Int bits = 3;
    while ((Int)1 << bits < 8 * grams && bits < 11) bits++;
    while ((Int)1 << bits < 2 * grams) bits++;
    return bits;
}

static inline Bits hash_of(const Int *gram, Int n) {
    Bits hash = 0;
    for (Int k = 0; k < n; k++) hash = (hash ^ (Bits)gram[k]) * SPREAD, hash ^= hash >> 29;
    return hash * SPREAD;
}

/* The slot of an n-gram, or the free one where it would be; an n-gram is compared id by id. */
static inline Gram *find(Gram *slots, Int bits, const Int *gram, const Int *text, Int n) {
    Bits last = ((Bits)1 << bits) - 1, at = hash_of(gram, n) >> (64 - bits);
    for (;; at = (at + 1) & last) {
        if (!slots[at].place) return slots + at;
        const Int *other = text + slots[at].place - 1;
        Int same = 0;
        while (same < n && other[same] == gram[same]) same++;
        if (same == n) return slots + at;
    }
}

static inline Int shared_grams(const Int *mine, Int many, const Int *theirs, Int others, Int n,
                               Gram *slots) {
    Int bits = bits_for(others), found = 0;
    if (many <= 0 || others <= 0) return 0;
    memset(slots, 0, ((size_t)1 << bits) * sizeof *slots);
    for (Int j = 0; j < others; j++) {
        Gram *slot = find(slots, bits, theirs + j, theirs, n);
        if (!slot->place) slot->place = (int32_t)(j + 1);
        slot->left++;
    }
    for (Int i = 0; i < many; i++) {
        Gram *slot = find(slots, bits, mine + i, theirs, n);
        if (slot->left > 0) slot->left--, found++;
    }
    return found;
}

/* For each pair of texts; ids are below `words`, no text has more than `longest` tokens. */
API Int shared_ngrams(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs,
                      Int n, Int words, Int longest, Int *hits) {
    Int slots = (Int)1 << bits_for(longest);
    int32_t *counts = n == 1 ? reserve_zeros(words, sizeof *counts) : 0;
    Gram *grams = n > 1 ? reserve(slots, sizeof *grams) : 0;
    if (!counts && !grams) return NO_MEMORY;
    for (Int p = 0; p < pairs; p++) {
        const Int *mine = ids + offsets[left[p]], *theirs = ids + offsets[right[p]];
        Int many = offsets[left[p] + 1] - offsets[left[p]] - n + 1;
        Int others = offsets[right[p] + 1] - offsets[right[p]] - n + 1;
        /* With a known n the compiler leaves the loops over an n-gram out. */
        hits[p] = n == 1   ? shared_words(mine, many, theirs, others, counts)
                  : n == 2 ? shared_grams(mine, many, theirs, others, 2, grams)
                           : shared_grams(mine, many, theirs, others, n, grams);
    }
    free(counts), free(grams);
    return 0;
}
