/* Characters of texts, numbered in the order of their codes. */
#include "kernel.h"

static inline uint32_t code_at(const Byte *text, Int width, Int place) {
    uint32_t wide;
    uint16_t narrow;
    if (width == 1) return text[place];
    if (width == 4) return memcpy(&wide, text + 4 * place, 4), wide;
    return memcpy(&narrow, text + 2 * place, 2), narrow;
}

/* Made once for each width, so that nothing is asked for each character. */
static inline Int number_codes(const Byte *text, Int width, Int count, Int *ids, Int *distinct) {
    uint32_t most = 0;
    for (Int i = 0; i < count; i++) {
        uint32_t code = code_at(text, width, i);
        most = code > most ? code : most;
    }
    uint32_t *numbers = reserve_zeros((Int)most + 1, sizeof *numbers);
    if (!numbers) return NO_MEMORY;
    for (Int i = 0; i < count; i++) numbers[code_at(text, width, i)] = 1;
    Int known = 0;
    for (Int code = 0; code <= (Int)most; code++)
        if (numbers[code]) numbers[code] = (uint32_t)known, distinct[known++] = code;
    for (Int i = 0; i < count; i++) ids[i] = numbers[code_at(text, width, i)];
    free(numbers);
    return known;
}

/* Codes of `width` bytes, 1, 2 or 4, in the byte order of the machine. Each becomes its place among the
   distinct ones, which are ascending. Gives how many there are. */
API Int number_characters(const Byte *text, Int width, Int count, Int *ids, Int *distinct) {
    if (width == 1) return number_codes(text, 1, count, ids, distinct);
    if (width == 2) return number_codes(text, 2, count, ids, distinct);
    return number_codes(text, 4, count, ids, distinct);
}
