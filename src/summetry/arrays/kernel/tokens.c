/* Tokens of texts, numbered as they are first met. */
#include "kernel.h"

/* The distinct tokens are listed one below the other, each with a line feed behind it, which no token
   holds. A token of up to 8 bytes is known by these, with a line feed where there is room for one; of a
   longer one `letters` are a hash, and the list decides. */
typedef struct {
    Bits letters;
    int32_t listed; /* where a token of more than 8 bytes stands in the list, counted from 1, else 0 */
    int32_t number; /* of the token, counted from 1; 0 in a free slot */
} Slot;

/* Eight bytes can be read as one number, the first of them its lowest. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define READS_EIGHT 1
#else
#define READS_EIGHT 0
#endif

static inline Bits up_to_eight(const Byte *token, Int size, Int behind) {
    Bits letters = 0;
    if (size >= 8) memcpy(&letters, token, 8);
    else if (READS_EIGHT && behind >= 8) {
        memcpy(&letters, token, 8);
        letters &= ((Bits)1 << 8 * size) - 1;
    } else
        for (Int k = 0; k < size; k++) letters |= (Bits)token[k] << 8 * k;
    return letters;
}

/* Where the token that stands at `place` ends. Of eight bytes the first below 33 is found at once. */
static inline Int end_of_token(const Byte *text, Int place, Int end, const Byte *cuts) {
    while (READS_EIGHT && place + 8 <= end) {
        Bits eight;
        memcpy(&eight, text + place, 8);
        Bits low = (eight - 0x2121212121212121ull) & ~eight & 0x8080808080808080ull;
        if (!low) {
            place += 8;
            continue;
        }
        place += __builtin_ctzll(low) >> 3;
        if (cuts[text[place]]) return place;
        place++;
    }
    while (place < end && !cuts[text[place]]) place++;
    return place;
}

static inline Bits letters_of(const Byte *token, Int size, Int behind) {
    Bits letters = up_to_eight(token, size, behind);
    if (size < 8) return letters | (Bits)'\n' << 8 * size;
    for (Int k = 8; k < size; k += 8)
        letters = (letters ^ letters >> 29) * SPREAD ^ up_to_eight(token + k, size - k, behind - k);
    return letters;
}

static inline Bits slot_of(Bits letters, Int bits) {
    letters ^= letters >> 32;
    return letters * SPREAD >> (64 - bits);
}

static Int grow(Slot **slots, Int *bits) {
    Slot *larger = reserve_zeros((Int)2 << *bits, sizeof *larger);
    if (!larger) return NO_MEMORY;
    Bits last = ((Bits)2 << *bits) - 1;
    for (Int i = 0; i < (Int)1 << *bits; i++) {
        Slot old = (*slots)[i];
        if (!old.number) continue;
        Bits at = slot_of(old.letters, *bits + 1);
        while (larger[at].number) at = (at + 1) & last;
        larger[at] = old;
    }
    free(*slots);
    *slots = larger, *bits += 1;
    return 0;
}

/* Texts end at ends[i]; a token is a run of bytes with cuts[byte] == 0; line feeds cut, and no byte of
   the text above 32 does. A row is a text, or with `lines` a line of it that is not empty;
   rows_before[i] is how many rows stand before text i. Gives how many bytes are in `list`. */
API Int cut_tokens(const Byte *text, const Int *ends, Int texts, const Byte *cuts, Int lines,
                   Int *ids, Int *offsets, Int *rows_before, Byte *list) {
    Int bits = 12, distinct = 0, bytes = 0, tokens = 0, row = 0, place = 0;
    Int all = texts ? ends[texts - 1] : 0;
    Slot *slots = reserve_zeros((Int)1 << bits, sizeof *slots);
    if (!slots) return NO_MEMORY;
    offsets[0] = 0;
    for (Int i = 0; i < texts; i++) {
        Int line = place, end = ends[i];
        rows_before[i] = row;
        while (place < end) {
            if (cuts[text[place]]) {
                if (lines && text[place] == '\n') {
                    if (place > line) offsets[++row] = tokens;
                    line = place + 1;
                }
                place++;
                continue;
            }
            const Byte *token = text + place;
            Int start = place, size;
            place = end_of_token(text, place, end, cuts), size = place - start;
            Bits letters = letters_of(token, size, all - start);
            Bits last = ((Bits)1 << bits) - 1, at = slot_of(letters, bits);
            for (; slots[at].number; at = (at + 1) & last) {
                const Byte *known = list + slots[at].listed - 1;
                if (slots[at].letters != letters || (slots[at].listed > 0) != (size > 8)) continue;
                if (size <= 8 || (!memcmp(known, token, (size_t)size) && known[size] == '\n')) break;
            }
            if (slots[at].number) {
                ids[tokens++] = slots[at].number - 1;
                continue;
            }
            slots[at] = (Slot){letters, size > 8 ? (int32_t)bytes + 1 : 0, (int32_t)distinct + 1};
            ids[tokens++] = distinct++;
            memcpy(list + bytes, token, (size_t)size);
            bytes += size;
            list[bytes++] = '\n';
            if (2 * distinct > (Int)1 << bits && grow(&slots, &bits)) {
                free(slots);
                return NO_MEMORY;
            }
        }
        if (!lines || place > line) offsets[++row] = tokens;
    }
    rows_before[texts] = row;
    free(slots);
    return bytes;
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
