/* The sentences of texts whose every mark leaves no doubt. The rules are those of text/sentences.py,
   which decides where one does: here stands what they come to where a mark has nothing but plain words
   around it. */
#include "kernel.h"

static inline int is_stop(Byte byte) { return (byte == '.') | (byte == '!') | (byte == '?'); }
static inline int is_among(Byte byte, const char *some) { return byte && strchr(some, byte) != 0; }

/* The first mark from a place on, or the end of the text. */
static inline Int next_stop(const Byte *text, Int place, Int size) {
    for (; place + 8 <= size; place += 8) {
        Bits eight = eight_at(text + place);
        Bits stops = zero_bytes(eight ^ '.' * EACH_BYTE) | zero_bytes(eight ^ '!' * EACH_BYTE) |
                     zero_bytes(eight ^ '?' * EACH_BYTE);
        if (stops) return place + (__builtin_ctzll(stops) >> 3);
    }
    while (place < size && !is_stop(text[place])) place++;
    return place;
}

/* Whether a text is one line, without other blanks than that of the bar. */
static int is_one_line(const Byte *text, Int size) {
    Byte other = 0;
    for (Int k = 0; k < size; k++) other |= (text[k] < ' ') | (text[k] == 127);
    return !other;
}

enum { GOES_ON, ENDS, IN_DOUBT };

/* Whether a word before a full stop is in no list of the language and no abbreviation otherwise:
   two letters or more, of which only the first may be a capital. Words of the lists have their bit set
   among 65,536 bits; a few others share one, and are in doubt as well. */
static int is_plain_word(const Byte *text, Int start, Int end, const Byte *lists) {
    Int first = end;
    while (first > start && end - first < 30 && is_letter(text[first - 1])) first--;
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
    if (next > 127 || is_upper(next) || is_among(next, "\"')]}[(")) return IN_DOUBT;
    Byte last = at > start ? text[at - 1] : 0;
    if (last > 127) return IN_DOUBT;
    if (next != ' ') return GOES_ON;
    Byte first = text[behind + 1], second = behind + 2 < size ? text[behind + 2] : 0;
    if ((!is_letter(first) && !is_digit(first)) || second > 127) return IN_DOUBT;
    int is_small = is_lower(first) && !is_upper(second);
    if (behind - at > 1 || text[at] != '.') return is_small ? GOES_ON : ENDS;
    if (!last) return IN_DOUBT;
    if (last == ' ') {
        /* Of a tokenised text: between blanks. */
        Byte before = at - 2 >= start ? text[at - 2] : ' ';
        return before == ' ' || before > 127 || is_stop(before) ? IN_DOUBT : ENDS;
    }
    if (is_small) return GOES_ON;
    return is_plain_word(text, start, at, lists) ? ENDS : IN_DOUBT;
}

/* Texts end at ends[i]. Behind one another stand the lengths of their sentences, the blanks around them
   included; counts[i] is how many text i has, or -1 where the rules must look, as where it is -1 before
   the call: C knows no mark and no blank outside ASCII. Gives the sum of the others. */
API Int find_sentences(const Byte *all, const Int *ends, Int texts, const Byte *lists, Int *lengths,
                       Int *counts) {
    Int rows = 0;
    for (Int i = 0; i < texts; i++) {
        const Byte *text = all + (i ? ends[i - 1] : 0);
        Int size = all + ends[i] - text, before = rows, start = 0, row = 0;
        int is_plain = counts[i] >= 0 && is_one_line(text, size);
        while (start < size && text[start] == ' ') start++;
        is_plain &= start < size || !size;
        for (Int at = start; is_plain && (at = next_stop(text, at, size)) < size;) {
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
