/* One candidate with its references, all in one array, which is quicker to hand over than many.

   The array begins with the five numbers below. Behind them stand, for each text, the candidate
   first: what it shares with the candidate (and before texts are cut, where its bytes end); where
   its tokens begin, and the end of the last; where its rows begin, and the end of the last. Then
   where each row begins among the tokens, with the end of the last, and the tokens. Rows are the
   sentences of a text, or the text itself. */
#include "kernel.h"

enum { TEXTS, ROOM_FOR_ROWS, DISTINCT, LONGEST, WIDEST, HEAD };

typedef struct {
    Int *hits, *whole, *first, *rows, *ids;
} Parts;

static Parts parts_of(Int *all) {
    Int *whole = all + HEAD + all[TEXTS], *first = whole + all[TEXTS] + 1, *rows = first + all[TEXTS] + 1;
    return (Parts){all + HEAD, whole, first, rows, rows + all[ROOM_FOR_ROWS] + 1};
}

/* Cuts texts of ASCII into plain words, and into lines if rows are lines; see cut_tokens. */
API Int single_cut(const Byte *texts, Int lines, Int *all) {
    Parts at = parts_of(all);
    Int *ends = at.hits, count = all[TEXTS], longest = 0;
    for (Int i = 0; i < count; i++) {
        Int size = ends[i] - (i ? ends[i - 1] : 0);
        if (size > longest) longest = size;
    }
    Byte *list = reserve(ends[count - 1] + count, 1);
    if (!list) return NO_MEMORY;
    Int failed = cut_tokens(texts, ends, count, longest, PLAIN_WORDS, lines, at.ids, at.rows, at.first, list) < 0;
    free(list);
    if (failed) return NO_MEMORY;
    for (Int i = 0; i <= count; i++) at.whole[i] = at.rows[at.first[i]];
    all[DISTINCT] = all[LONGEST] = all[WIDEST] = 0;
    for (Int k = 0; k < at.whole[count]; k++)
        if (at.ids[k] >= all[DISTINCT]) all[DISTINCT] = at.ids[k] + 1;
    for (Int i = 0; i < count; i++)
        if (at.whole[i + 1] - at.whole[i] > all[LONGEST]) all[LONGEST] = at.whole[i + 1] - at.whole[i];
    for (Int row = 0; row < at.first[count]; row++)
        if (at.rows[row + 1] - at.rows[row] > all[WIDEST]) all[WIDEST] = at.rows[row + 1] - at.rows[row];
    return 0;
}

/* A function for pairs, called for the candidate with each reference. */
#define FOR_EACH_REFERENCE(call)                                                                       \
    Parts at = parts_of(all);                                                                          \
    Int failed = 0, candidate = 0;                                                                     \
    for (Int text = 1; text < all[TEXTS] && !failed; text++) failed = call;                            \
    return failed;

API Int single_ngrams(Int *all, Int n) {
    FOR_EACH_REFERENCE(shared_ngrams(at.ids, at.whole, &candidate, &text, 1, n, all[DISTINCT], all[LONGEST],
                                     at.hits + text))
}

API Int single_lcs(Int *all) {
    FOR_EACH_REFERENCE(lcs_lengths(at.ids, at.whole, &candidate, &text, 1, all[DISTINCT], all[LONGEST],
                                   at.hits + text))
}

API Int single_union(Int *all) {
    FOR_EACH_REFERENCE(union_hits(at.ids, at.rows, at.first, at.ids, at.whole, &candidate, &text, 1,
                                  all[DISTINCT], all[LONGEST], all[WIDEST], at.hits + text))
}

API Int single_skips(Int *all, Int reach, Int singles) {
    FOR_EACH_REFERENCE(shared_skips(at.ids, at.whole, &candidate, &text, 1, reach, singles, all[DISTINCT],
                                    all[LONGEST], at.hits + text))
}
