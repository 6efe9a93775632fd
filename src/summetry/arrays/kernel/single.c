/* One candidate with its references, for all metrics that read them alike: for short texts a call takes
   longer than the counting.

   A plan says how bytes are cut, whether rows are lines, and how many units follow, each as three
   numbers: its kind, its n or gap, and which tokens count by themselves beside skip-bigrams. For each unit
   and each reference three numbers are found: how many the reference has, how many the candidate has,
   and how many of these both have. */
#include "kernel.h"

enum { HOW, LINES, UNITS, PLAN_HEAD };
enum { KIND, SIZE, SINGLES, PLAN_UNIT };
enum { NGRAMS, LCS, UNION, SKIPS };

/* The rows of text i are first[i] to first[i + 1], and whole[i] is where its tokens begin. */
typedef struct {
    Int count, words, longest, widest;
    const Int *first, *rows, *ids;
    Int *whole;
} Texts;

static Int most(const Int *offsets, Int count) {
    Int found = 0;
    for (Int i = 0; i < count; i++)
        if (offsets[i + 1] - offsets[i] > found) found = offsets[i + 1] - offsets[i];
    return found;
}

static Int units_of(Int length, const Int *unit) {
    if (unit[KIND] == NGRAMS) return length < unit[SIZE] ? 0 : length - unit[SIZE] + 1;
    if (unit[KIND] != SKIPS || !length) return length;
    Int reach = unit[SIZE] < 0 || unit[SIZE] > length - 2 ? length - 1 : unit[SIZE] + 1;
    return reach * length - reach * (reach + 1) / 2 + (unit[SINGLES] ? length - unit[SINGLES] + 1 : 0);
}

static Int shared(const Texts *t, const Int *unit, Int text, Int *hits) {
    Int candidate = 0, reach = unit[SIZE] < 0 || unit[SIZE] >= t->longest ? t->longest : unit[SIZE] + 1;
    switch (unit[KIND]) {
    case NGRAMS:
        return shared_ngrams(t->ids, t->whole, &candidate, &text, 1, unit[SIZE], t->words, t->longest, hits);
    case LCS:
        return lcs_lengths(t->ids, t->whole, &candidate, &text, 1, t->words, t->longest, hits);
    case UNION:
        return union_hits(t->ids, t->rows, t->first, t->ids, t->whole, &candidate, &text, 1, t->words, t->longest,
                          t->widest, hits);
    default:
        return shared_skips(t->ids, t->whole, &candidate, &text, 1, reach, unit[SINGLES], t->words, t->longest,
                            hits);
    }
}

/* Gives the most tokens of a text that is one line, where rows are lines. */
static Int count_units(Texts t, const Int *plan, Int *found) {
    Int rows = t.first[t.count], longest_row = 0;
    for (Int i = 0; i <= t.count; i++) t.whole[i] = t.rows[t.first[i]];
    t.longest = most(t.whole, t.count), t.widest = most(t.rows, rows);
    for (Int i = 0; i < t.count && plan[LINES]; i++)
        if (t.first[i + 1] - t.first[i] == 1 && t.whole[i + 1] - t.whole[i] > longest_row)
            longest_row = t.whole[i + 1] - t.whole[i];
    for (const Int *unit = plan + PLAN_HEAD; unit < plan + PLAN_HEAD + plan[UNITS] * PLAN_UNIT; unit += PLAN_UNIT)
        for (Int text = 1; text < t.count; text++, found += 3) {
            found[0] = units_of(t.whole[text + 1] - t.whole[text], unit);
            found[1] = units_of(t.whole[1], unit);
            if (shared(&t, unit, text, found + 2) < 0) return NO_MEMORY;
        }
    return longest_row;
}

static Int count_bytes(const Byte *texts, Int size, Byte byte) {
    Int found = 0;
    for (const Byte *end = texts + size; (texts = memchr(texts, byte, (size_t)(end - texts))); texts++) found++;
    return found;
}

enum { BETWEEN = 255, BEHIND = 254, MOST_BYTES = 1 << 30 };

/* Texts with a byte 255 between two of them and a byte 254 behind the last. */
API Int count_words(const Byte *texts, const Int *plan, Int *found) {
    Int size = (const Byte *)memchr(texts, BEHIND, MOST_BYTES) - texts, count = count_bytes(texts, size, BETWEEN) + 1;
    Int rows = count + (plan[LINES] ? count_bytes(texts, size, '\n') : 0), room = size / 2 + count;
    Int *all = reserve(3 * (count + 1) + rows + 1 + room + (2 * size + count + 15) / 8, sizeof *all);
    if (!all) return NO_MEMORY;
    Int *whole = all, *first = whole + count + 1, *ends = first + count + 1, *offsets = ends + count + 1;
    Int *ids = offsets + rows + 1, longest = 0, length = 0;
    Byte *bytes = (Byte *)(ids + room), *list = bytes + size;
    for (Int i = 0, at = 0; i < count; i++) {
        const Byte *end = memchr(texts + at, BETWEEN, (size_t)(size - at));
        Int here = (end ? end - texts : size) - at;
        memcpy(bytes + length, texts + at, (size_t)here);
        ends[i] = length += here, at += here + 1;
        if (here > longest) longest = here;
    }
    Int failed = cut_tokens(bytes, ends, count, longest, plan[HOW], plan[LINES], ids, offsets, first, list);
    /* There are no more words than tokens. */
    Int words = failed < 0 ? 0 : offsets[first[count]];
    if (failed >= 0) failed = count_units((Texts){count, words, 0, 0, first, offsets, ids, whole}, plan, found);
    free(all);
    return failed;
}

/* Numbered tokens: how many texts, how many rows, which row each text begins with and the number of all,
   where each row begins and the last ends, and the tokens. */
API Int count_tokens(const Int *numbers, const Int *plan, Int *found) {
    const Int *first = numbers + 2, *rows = first + numbers[0] + 1, *ids = rows + numbers[1] + 1;
    Int *whole = reserve(numbers[0] + 1, sizeof *whole), words = 0;
    if (!whole) return NO_MEMORY;
    for (Int k = 0; k < rows[numbers[1]]; k++)
        if (ids[k] >= words) words = ids[k] + 1;
    Int failed = count_units((Texts){numbers[0], words, 0, 0, first, rows, ids, whole}, plan, found);
    free(whole);
    return failed;
}
