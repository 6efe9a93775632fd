/* What all files of the kernel share.

   Plain C without Python, without the mathematical library and without threads. Every function that
   Python calls has the mark API, takes nothing but whole numbers of 64 bits and addresses, and gives
   a whole number: 0 or above, or -1 where there was no memory. Python checks shapes, ids and sizes
   before a call (see __init__.py), C does not.

   Texts stand behind one another: the tokens of text i are ids[offsets[i]] to ids[offsets[i + 1]],
   as in a TokenTable. Sums of fractions are made in the order of the plain Python beside them, so
   that both have the same bits. */
#ifndef SUMMETRY_KERNEL_H
#define SUMMETRY_KERNEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef int64_t Int;
typedef uint64_t Bits;
typedef uint8_t Byte;

/* An odd number that spreads keys over the slots of a table (the golden ratio of 2^64). */
#define SPREAD 0x9E3779B97F4A7C15ull
#define COUNT_ONES(bits) ((Int)__builtin_popcountll(bits))

#define NO_MEMORY ((Int)-1)

/* How texts are cut: at blanks alone; into runs of letters and digits, in lower case, or the stems of
   these as rouge-score has them; into words with the marks inside them, as they are or in lower case.
   Letters, digits and blanks are those of ASCII. A piece between blanks with another letter in it is left
   as it is where marks are looked at, for Python to cut; a letter outside ASCII separates where they are
   not. */
enum { BETWEEN_BLANKS, PLAIN_WORDS, PLAIN_STEMS, WORDS, LOWER_WORDS };
/* rouge-score leaves shorter words as they are. */
enum { SHORTEST_STEMMED = 4 };

/* What files of the kernel take from one another. */
API Int cut_tokens(const Byte *all, const Int *ends, Int texts, Int longest, Int how, Int lines, Int *ids,
                   Int *offsets, Int *rows_before, Byte *list);
Int stem_like_nltk(Byte *word, Int size);
API Int shared_ngrams(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs, Int n,
                      Int words, Int longest, Int *hits);
API Int lcs_lengths(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs, Int words,
                    Int longest, Int *lengths);
API Int union_hits(const Int *ids, const Int *offsets, const Int *first, const Int *all, const Int *all_offsets,
                   const Int *left, const Int *right, Int pairs, Int words, Int longest, Int widest, Int *hits);
API Int shared_skips(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs, Int reach,
                     Int singles, Int words, Int longest, Int *hits);

/* At least one byte, so that NULL always means that there is no memory. */
static inline void *reserve(Int count, size_t size) {
    return malloc(count > 0 ? (size_t)count * size : size);
}
static inline void *reserve_zeros(Int count, size_t size) {
    return calloc(count > 0 ? (size_t)count : 1, size);
}

/* Letters and blanks of ASCII. */
static inline int is_upper(Byte byte) { return (Byte)(byte - 'A') < 26; }
static inline int is_lower(Byte byte) { return (Byte)(byte - 'a') < 26; }
static inline int is_letter(Byte byte) { return is_lower(byte | 32); }
static inline int is_digit(Byte byte) { return (Byte)(byte - '0') < 10; }
static inline int is_blank(Byte byte) {
    return (byte == ' ') | ((Byte)(byte - 9) < 5) | ((Byte)(byte - 28) < 4);
}

/* Eight bytes as one number, the first of them its lowest. */
static inline Bits eight_at(const Byte *place) {
    Bits eight;
    memcpy(&eight, place, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight;
}
static inline void put_eight(Byte *place, Bits eight) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    memcpy(place, &eight, 8);
}

/* The highest bit of the first byte that is 0, and of none before it; those behind it may be wrong. */
#define EACH_BYTE 0x0101010101010101ull
static inline Bits zero_bytes(Bits eight) { return (eight - EACH_BYTE) & ~eight & 0x80 * EACH_BYTE; }

#endif
