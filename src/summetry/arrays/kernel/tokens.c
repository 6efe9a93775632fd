/* Tokens of texts, numbered as they are first met. */
#include "kernel.h"

typedef struct {
    Bits hash;
    Int number; /* of the token, counted from 1; 0 in a free slot */
} Slot;

static Int grow(Slot **slots, Int *bits) {
    Slot *larger = reserve_zeros((Int)1 << (*bits + 1), sizeof *larger);
    if (!larger) return NO_MEMORY;
    Bits last = ((Bits)2 << *bits) - 1;
    for (Int i = 0; i < (Int)1 << *bits; i++) {
        Slot old = (*slots)[i];
        if (!old.number) continue;
        Bits at = old.hash * SPREAD >> (63 - *bits);
        while (larger[at].number) at = (at + 1) & last;
        larger[at] = old;
    }
    free(*slots);
    *slots = larger, *bits += 1;
    return 0;
}

/* Texts end at ends[i]; a token is a run of bytes with cuts[byte] == 0. A row is a text, or with
   `lines` a line of it that is not empty; rows_before[i] is how many rows stand before text i. The
   distinct tokens stand in the text from starts[k] on and are sizes[k] bytes long. Gives how many
   there are. */
API Int cut_tokens(const Byte *text, const Int *ends, Int texts, const Byte *cuts, Int lines,
                   Int *ids, Int *offsets, Int *rows_before, Int *starts, Int *sizes) {
    Int bits = 12, distinct = 0, tokens = 0, row = 0, place = 0;
    Slot *slots = reserve_zeros((Int)1 << bits, sizeof *slots);
    if (!slots) return NO_MEMORY;
    offsets[0] = 0;
    for (Int i = 0; i < texts; i++) {
        Int line = place;
        rows_before[i] = row;
        while (place < ends[i]) {
            if (cuts[text[place]]) {
                if (lines && text[place] == '\n') {
                    if (place > line) offsets[++row] = tokens;
                    line = place + 1;
                }
                place++;
                continue;
            }
            Int start = place;
            Bits hash = 14695981039346656037ull;
            while (place < ends[i] && !cuts[text[place]]) hash = (hash ^ text[place++]) * 1099511628211ull;
            Int size = place - start;
            Bits last = ((Bits)1 << bits) - 1, at = hash * SPREAD >> (64 - bits);
            for (;; at = (at + 1) & last) {
                Int known = slots[at].number - 1;
                if (known < 0) break;
                if (slots[at].hash == hash && sizes[known] == size &&
                    !memcmp(text + starts[known], text + start, (size_t)size))
                    break;
            }
            if (!slots[at].number) {
                starts[distinct] = start, sizes[distinct] = size;
                slots[at].hash = hash, slots[at].number = ++distinct;
                ids[tokens++] = distinct - 1;
                if (2 * distinct > (Int)1 << bits && grow(&slots, &bits)) {
                    free(slots);
                    return NO_MEMORY;
                }
            } else ids[tokens++] = slots[at].number - 1;
        }
        if (!lines || place > line) offsets[++row] = tokens;
    }
    rows_before[texts] = row;
    free(slots);
    return distinct;
}

/* Each id becomes the run of ids flat[first[id]] to flat[first[id + 1]]: none, one or several. */
API Int spell_tokens(const Int *ids, const Int *offsets, Int rows, const Int *first, const Int *flat,
                     Int *spelt, Int *spelt_offsets) {
    Int tokens = 0;
    spelt_offsets[0] = 0;
    for (Int row = 0; row < rows; row++) {
        for (Int k = offsets[row]; k < offsets[row + 1]; k++)
            for (Int f = first[ids[k]]; f < first[ids[k] + 1]; f++) spelt[tokens++] = flat[f];
        spelt_offsets[row + 1] = tokens;
    }
    return tokens;
}
