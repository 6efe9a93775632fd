/* The sentences of texts whose every mark leaves no doubt. The rules are those of text/sentences.py,
   which decides where one does: here stands what they come to where a mark has nothing but plain words
   around it. */
#include "kernel.h"

static inline int is_upper(Byte byte) { return (Byte)(byte - 'A') < 26; }
static inline int is_lower(Byte byte) { return (Byte)(byte - 'a') < 26; }
static inline int is_digit(Byte byte) { return (Byte)(byte - '0') < 10; }
static inline int is_stop(Byte byte) { return (byte == '.') | (byte == '!') | (byte == '?'); }
static inline int is_among(Byte byte, const char *some) { return byte && strchr(some, byte) != 0; }

enum { GOES_ON, ENDS, IN_DOUBT };

/* Whether a word before a full stop is in no list of the language and no abbreviation otherwise:
   two letters or more, of which only the first may be a capital. Words of the lists have their bit set
   among 65,536 bits; a few others share one, and are in doubt as well. */
static int is_plain_word(const Byte *text, Int start, Int end, const Byte *lists) {
    Int first = end;
    while (first > start && end - first < 30 && (is_lower(text[first - 1]) || is_upper(text[first - 1])))
        first--;
    if (end - first < 2 || end - first > 29) return 0;
    if (first > start && text[first - 1] != ' ') return 0;
    /* With a full stop behind the word before, both may be one abbreviation. */
    if (first > start + 1 && (text[first - 2] == '.' || text[first - 2] == ' ')) return 0;
    Bits hash = 0;
    for (Int k = first; k < end; k++) {
        if (k > first && !is_lower(text[k])) return 0;
        hash = hash * 31 + (text[k] | 32);
    }
    hash &= 65535;
    return !(lists[hash >> 3] >> (hash & 7) & 1);
}

/* Whether the sentence from `start` on ends with the marks from `at` to `behind`. */
static int judge(const Byte *text, Int size, Int start, Int at, Int behind, const Byte *lists) {
    if (behind == size || (behind + 1 == size && text[behind] == ' ')) return GOES_ON;
    Byte next = text[behind];
    /* Marks that may close the sentence, or a sentence that begins without a blank. */
    if (is_upper(next) || is_among(next, "\"')]}[(")) return IN_DOUBT;
    if (next != ' ') return GOES_ON;
    Byte first = text[behind + 1], second = behind + 2 < size ? text[behind + 2] : 0;
    if (!is_lower(first) && !is_upper(first) && !is_digit(first)) return IN_DOUBT;
    int is_small = is_lower(first) && !is_upper(second);
    if (behind - at > 1 || text[at] != '.') return is_small ? GOES_ON : ENDS;
    if (at == start) return IN_DOUBT;
    if (text[at - 1] == ' ') {
        /* Of a tokenised text: between blanks. */
        Byte before = at - 2 >= start ? text[at - 2] : ' ';
        return before == ' ' || is_stop(before) ? IN_DOUBT : ENDS;
    }
    if (is_small) return GOES_ON;
    return is_plain_word(text, start, at, lists) ? ENDS : IN_DOUBT;
}

/* Texts end at ends[i]. Behind one another stand the lengths of their sentences, the blanks around them
   included; counts[i] is how many text i has, or -1 where the rules must look. Gives the sum of the
   others. */
API Int find_sentences(const Byte *all, const Int *ends, Int texts, const Byte *lists, Int *lengths,
                       Int *counts) {
    Int rows = 0;
    for (Int i = 0; i < texts; i++) {
        const Byte *text = all + (i ? ends[i - 1] : 0);
        Int size = all + ends[i] - text, before = rows, start = 0, row = 0;
        int is_plain = 1;
        for (Int k = 0; k < size; k++) is_plain &= (Byte)(text[k] - 32) < 95;
        while (start < size && text[start] == ' ') start++;
        is_plain &= start < size || !size;
        for (Int at = start; is_plain && at < size;) {
            if (!is_stop(text[at])) {
                at++;
                continue;
            }
            Int behind = at;
            while (behind < size && is_stop(text[behind])) behind++;
            int verdict = judge(text, size, start, at, behind, lists);
            is_plain = verdict != IN_DOUBT;
            if (verdict == ENDS) {
                start = behind + 1;
                lengths[rows++] = start - row;
                row = start;
            }
            at = behind;
        }
        if (is_plain && size) lengths[rows++] = size - row;
        if (!is_plain) rows = before;
        counts[i] = is_plain ? rows - before : -1;
    }
    return rows;
}
