/* Tokens of texts, numbered as they are first met. */
#include "kernel.h"

/* The distinct tokens are listed one below the other, each with a line feed behind it, which no token
   holds. A token of up to 7 bytes is known by these and a line feed; of a longer one `letters` are a
   hash with the highest bit set, and the list decides. */
typedef struct {
    Bits letters;
    int32_t listed; /* where the token stands in the list */
    int32_t number; /* of the token, counted from 1; 0 in a free slot */
} Slot;
#define IS_LONG ((Bits)1 << 63)

#define NO_ZERO 255 /* stands for the byte 0 of a text: a byte that is in no text */

/* The lowest bit of the first byte that is 0; 0 if none is. */
static inline Bits first_zero(Bits eight) {
    Bits zeros = zero_bytes(eight);
    return (zeros & (0 - zeros)) >> 7;
}

static inline Bits letters_of(const Byte *token, Int *size) {
    Bits eight = eight_at(token), end = first_zero(eight);
    if (end) return *size = __builtin_ctzll(end) >> 3, (eight & (end - 1)) | end * '\n';
    Bits letters = eight;
    for (Int k = 8;; k += 8) {
        eight = eight_at(token + k), end = first_zero(eight);
        letters = (letters ^ letters >> 29) * SPREAD ^ (end ? eight & (end - 1) : eight);
        if (end) return *size = k + (__builtin_ctzll(end) >> 3), letters | IS_LONG;
    }
}

/* Pieces between blanks with a byte above 127 in them are read as they are. */
static void keep_pieces(const Byte *text, Int size, Byte *read) {
    for (Int place = 0; place < size; place++) {
        if (text[place] < 128) continue;
        Int start = place;
        while (start > 0 && !is_blank(text[start - 1])) start--;
        while (place < size && !is_blank(text[place])) place++;
        for (Int k = start; k < place; k++) read[k] = text[k] ? text[k] : NO_ZERO;
    }
}

/* The bytes of a text as they are read, 0 where they are in no token, and eight times 0 behind them. */
static void read_text(const Byte *restrict text, Int size, Int how, Byte *restrict read) {
    Byte any = 0, lower = how == WORDS ? 0 : 32;
    if (how == BETWEEN_BLANKS)
        for (Int k = 0; k < size; k++) read[k] = is_blank(text[k]) ? 0 : text[k] ? text[k] : NO_ZERO;
    else
        for (Int k = 0; k < size; k++) {
            any |= text[k];
            read[k] = is_letter(text[k]) ? text[k] | lower : is_digit(text[k]) ? text[k] : 0;
        }
    memset(read + size, 0, 8);
    if (any > 127 && how >= WORDS) keep_pieces(text, size, read);
}

/* Whether the byte behind a token stays in it: an apostrophe between letters, a point between digits. */
static inline int joins(const Byte *text, Int place, Int size) {
    Byte mark = text[place];
    if (mark == '\'') return place + 1 < size && is_letter(text[place - 1]) && is_letter(text[place + 1]);
    if (mark != '.' && mark != ',') return 0;
    return place + 1 < size && is_digit(text[place - 1]) && is_digit(text[place + 1]);
}

static inline Bits slot_of(Bits letters, Int bits) {
    letters ^= letters >> 32;
    return letters * SPREAD >> (64 - bits);
}

/* Whether the token that is listed there is one with the same `letters`. */
static inline int is_listed(Bits letters, const Byte *listed, const Byte *token, Int length) {
    return !(letters & IS_LONG) || (!memcmp(listed, token, (size_t)length) && listed[length] == '\n');
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

/* Texts end at ends[i], the longest has `longest` bytes. A token is a run of bytes that are not read
   as 0 (see `how` above). A row is a text, or with `lines` a line of it that is not empty;
   rows_before[i] is how many rows stand before text i. Gives how many bytes are in `list`, which has room
   for eight more. */
API Int cut_tokens(const Byte *all, const Int *ends, Int texts, Int longest, Int how, Int lines,
                   Int *ids, Int *offsets, Int *rows_before, Byte *list) {
    Int bits = 6, distinct = 0, listed = 0, tokens = 0, row = 0;
    while (texts && bits < 12 && (Int)4 << bits < ends[texts - 1]) bits++;
    Slot *slots = reserve_zeros((Int)1 << bits, sizeof *slots);
    Byte *read = reserve(longest + 8, 1);
    Int failed = !slots || !read;
    offsets[0] = 0;
    for (Int i = 0; i < texts && !failed; i++) {
        const Byte *text = all + (i ? ends[i - 1] : 0);
        Int size = all + ends[i] - text, line = 0, place = 0;
        rows_before[i] = row;
        read_text(text, size, how, read);
        while (place < size) {
            if (!read[place]) {
                if (lines && text[place] == '\n') {
                    if (place > line) offsets[++row] = tokens;
                    line = place + 1;
                }
                place++;
                continue;
            }
            Byte *token = read + place;
            Int length;
            Bits letters = letters_of(token, &length);
            if (how >= WORDS && place + length < size && joins(text, place + length, size)) {
                Int end = place + length;
                do {
                    read[end] = text[end];
                    while (read[++end]) {}
                } while (end < size && joins(text, end, size));
                letters = letters_of(token, &length);
            }
            place += length;
            if (how == PLAIN_STEMS && length >= SHORTEST_STEMMED) {
                token[stem_like_nltk(token, length)] = 0;
                letters = letters_of(token, &length);
            }
            Slot *slot = slots + slot_of(letters, bits), *behind = slots + ((Bits)1 << bits);
            while (slot->number &&
                   (slot->letters != letters || !is_listed(letters, list + slot->listed, token, length)))
                if (++slot == behind) slot = slots;
            if (slot->number) {
                ids[tokens++] = slot->number - 1;
                continue;
            }
            *slot = (Slot){letters, (int32_t)listed, (int32_t)distinct + 1};
            ids[tokens++] = distinct++;
            if (length <= 7) put_eight(list + listed, letters);
            else memcpy(list + listed, token, (size_t)length), list[listed + length] = '\n';
            listed += length + 1;
            if (2 * distinct > (Int)1 << bits && grow(&slots, &bits)) {
                failed = 1;
                break;
            }
        }
        if (!lines || place > line) offsets[++row] = tokens;
    }
    rows_before[texts] = row;
    free(slots), free(read);
    return failed ? NO_MEMORY : listed;
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
