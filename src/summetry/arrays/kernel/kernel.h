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

/* At least one byte, so that NULL always means that there is no memory. */
static inline void *reserve(Int count, size_t size) {
    return malloc(count > 0 ? (size_t)count * size : size);
}
static inline void *reserve_zeros(Int count, size_t size) {
    return calloc(count > 0 ? (size_t)count : 1, size);
}

#endif
