/* Longest common subsequences: their lengths, and the tokens that ROUGE-L marks.

   The table of lengths is kept as bits: bit j of a row is 0 where the length grows at token j of the
   other text. With M the places of a token there, the next row is (V + (V & M)) | (V & ~M) (Hyyrö
   2004, "Bit-parallel LCS-length computation revisited"). */
#include "kernel.h"

static Int next_row(Bits row, Bits match, Bits carry, Bits *next) {
    Bits sum = row + (row & match), more = sum + carry;
    *next = more | (row & ~match);
    return (sum < row) | (more < sum);
}

/* One block of 64 columns after the other; what each row carries into the next block is kept. */
static Int length_of(const Int *rows, Int height, const Int *columns, Int width, Bits *match, Byte *carry) {
    Int length = 0;
    memset(carry, 0, (size_t)height);
    for (Int from = 0; from < width; from += 64) {
        Int here = width - from < 64 ? width - from : 64;
        Bits row = ~(Bits)0;
        for (Int j = 0; j < here; j++) match[columns[from + j]] |= (Bits)1 << j;
        for (Int i = 0; i < height; i++) carry[i] = (Byte)next_row(row, match[rows[i]], carry[i], &row);
        for (Int j = 0; j < here; j++) match[columns[from + j]] = 0;
        length += 64 - COUNT_ONES(row); /* bits beyond the last column stay 1 */
    }
    return length;
}

/* For each pair of texts; ids are below `words`, no text has more than `longest` tokens. */
API Int lcs_lengths(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs,
                    Int words, Int longest, Int *lengths) {
    Bits *match = reserve_zeros(words, sizeof *match);
    Byte *carry = reserve(longest, 1);
    if (!match || !carry) {
        free(match), free(carry);
        return NO_MEMORY;
    }
    for (Int p = 0; p < pairs; p++) {
        const Int *one = ids + offsets[left[p]], *other = ids + offsets[right[p]];
        Int size = offsets[left[p] + 1] - offsets[left[p]];
        Int others = offsets[right[p] + 1] - offsets[right[p]];
        lengths[p] = size > others ? length_of(one, size, other, others, match, carry)
                                   : length_of(other, others, one, size, match, carry);
    }
    free(match), free(carry);
    return 0;
}

/* A sentence by which another one is marked: where each word stands in it last, counted from 1, and
   for each place the one before it with the same word; 0 where there is none. */
typedef struct {
    Int *last, *before;
    Int width;
} Columns;

/* What marking needs: the places of tokens that have an equal, their matches, the rows of the table. */
typedef struct {
    Int *place;
    Bits *match, *row;
} Scratch;

/* Marks the tokens of a sentence in the subsequence that the way back of ROUGE-1.5.5 finds: from both
   ends, equal tokens together, else up if nothing is lost, else left. Of a token without an equal
   nothing depends, so only the others have rows. For sentences of up to 64 tokens to mark by. */
static void mark_narrow(const Int *tokens, Int many, Columns by, Scratch scratch, Byte *marks) {
    Int height = 0;
    Bits still = by.width < 64 ? ((Bits)1 << by.width) - 1 : ~(Bits)0;
    scratch.row[0] = ~(Bits)0;
    for (Int i = 0; i < many; i++) {
        Int column = by.last[tokens[i]];
        if (!column) continue;
        Bits match = 0;
        for (; column; column = by.before[column]) match |= (Bits)1 << (column - 1);
        scratch.place[height] = i, scratch.match[height] = match;
        next_row(scratch.row[height], match, 0, scratch.row + height + 1);
        height++;
    }
    for (Int r = height - 1; r >= 0 && still; r--) {
        Bits match = scratch.match[r] & still;
        if (!match) continue;
        Bits below = ((Bits)1 << (63 - __builtin_clzll(match))) - 1; /* the columns left of the last match */
        if ((below << 1 | 1) == still ||
            COUNT_ONES(scratch.row[r + 1] & still) != COUNT_ONES(scratch.row[r] & still)) {
            marks[scratch.place[r]] = 1;
            still = below;
        }
    }
}

static void fill_row(const Bits *row, Bits *next, Int column, Columns by, Bits *match, Int words) {
    Bits carry = 0;
    for (Int at = column; at; at = by.before[at]) match[(at - 1) >> 6] |= (Bits)1 << ((at - 1) & 63);
    for (Int k = 0; k < words; k++) carry = (Bits)next_row(row[k], match[k], carry, next + k);
    for (Int at = column; at; at = by.before[at]) match[(at - 1) >> 6] = 0;
}

static Int ones_before(const Bits *row, Int column) {
    Int ones = 0;
    for (Int k = 0; k < column >> 6; k++) ones += COUNT_ONES(row[k]);
    if (column & 63) ones += COUNT_ONES(row[column >> 6] & (((Bits)1 << (column & 63)) - 1));
    return ones;
}

/* The same for longer sentences. Of a table of more than a few megabytes only some rows are kept, and
   those between are made again on the way back. */
static Int mark_wide(const Int *tokens, Int many, Columns by, Int *place, Byte *marks) {
    Int height = 0, words = (by.width + 63) / 64;
    for (Int i = 0; i < many; i++)
        if (by.last[tokens[i]]) place[height++] = i;
    if (!height) return 0;
    Int stride = height;
    if (height * words > (Int)1 << 20)
        for (stride = 1; stride * stride < height; stride++) {}
    Int blocks = (height + stride - 1) / stride;
    Bits *kept = reserve((blocks + stride + 1) * words, sizeof *kept), *rows = kept + blocks * words;
    Bits *match = reserve_zeros(words, sizeof *match);
    if (!kept || !match) {
        free(kept), free(match);
        return NO_MEMORY;
    }
    memset(kept, 255, (size_t)words * sizeof *kept);
    for (Int r = 0; r < (blocks - 1) * stride; r++) {
        Bits *next = kept + (r / stride + 1) * words;
        fill_row(r % stride ? next : next - words, next, by.last[tokens[place[r]]], by, match, words);
    }
    Int open = by.width; /* how many columns are still there */
    for (Int block = blocks - 1; block >= 0; block--) {
        Int from = block * stride, here = from + stride < height ? stride : height - from;
        memcpy(rows, kept + block * words, (size_t)words * sizeof *rows);
        for (Int r = 0; r < here; r++)
            fill_row(rows + r * words, rows + (r + 1) * words, by.last[tokens[place[from + r]]], by, match, words);
        for (Int r = here - 1; r >= 0; r--) {
            Int column = by.last[tokens[place[from + r]]];
            while (column > open) column = by.before[column];
            if (!column) continue;
            if (column == open ||
                ones_before(rows + (r + 1) * words, open) != ones_before(rows + r * words, open)) {
                marks[place[from + r]] = 1;
                open = column - 1;
            }
        }
    }
    free(kept), free(match);
    return 0;
}

/* For each pair how many tokens of the text right[p] are marked by sentences of left[p], of each word
   no more than both texts have of it. The sentences of text i are rows first[i] to first[i + 1] of
   (ids, offsets); what a text has of a word is counted in row i of (all, all_offsets). No text has
   more than `longest` tokens, no sentence more than `widest`. */
API Int union_hits(const Int *ids, const Int *offsets, const Int *first, const Int *all,
                   const Int *all_offsets, const Int *left, const Int *right, Int pairs, Int words,
                   Int longest, Int widest, Int *hits) {
    Columns by = {reserve_zeros(words, sizeof(Int)), reserve(widest + 1, sizeof(Int)), 0};
    Scratch scratch = {reserve(widest, sizeof(Int)), reserve(widest, sizeof(Bits)),
                       reserve(widest + 1, sizeof(Bits))};
    int32_t *here = reserve_zeros(words, sizeof *here), *there = reserve_zeros(words, sizeof *there);
    Byte *marks = reserve(longest, 1);
    Int failed = !by.last || !by.before || !scratch.place || !scratch.match || !scratch.row || !here ||
                 !there || !marks;
    for (Int p = 0; p < pairs && !failed; p++) {
        Int begin = offsets[first[right[p]]], end = offsets[first[right[p] + 1]], found = 0;
        memset(marks, 0, (size_t)(end - begin));
        for (Int other = first[left[p]]; other < first[left[p] + 1] && !failed; other++) {
            const Int *columns = ids + offsets[other];
            by.width = offsets[other + 1] - offsets[other];
            for (Int j = 0; j < by.width; j++) by.before[j + 1] = by.last[columns[j]], by.last[columns[j]] = j + 1;
            for (Int row = first[right[p]]; row < first[right[p] + 1] && !failed; row++) {
                const Int *tokens = ids + offsets[row];
                Int many = offsets[row + 1] - offsets[row];
                if (by.width <= 64) mark_narrow(tokens, many, by, scratch, marks + offsets[row] - begin);
                else failed = mark_wide(tokens, many, by, scratch.place, marks + offsets[row] - begin);
            }
            for (Int j = 0; j < by.width; j++) by.last[columns[j]] = 0;
        }
        for (Int k = all_offsets[left[p]]; k < all_offsets[left[p] + 1]; k++) here[all[k]]++;
        for (Int k = all_offsets[right[p]]; k < all_offsets[right[p] + 1]; k++) there[all[k]]++;
        for (Int k = begin; k < end; k++)
            if (marks[k - begin] && here[ids[k]] > 0 && there[ids[k]] > 0) here[ids[k]]--, there[ids[k]]--, found++;
        for (Int k = all_offsets[left[p]]; k < all_offsets[left[p] + 1]; k++) here[all[k]] = 0;
        for (Int k = all_offsets[right[p]]; k < all_offsets[right[p] + 1]; k++) there[all[k]] = 0;
        hits[p] = found;
    }
    free(by.last), free(by.before), free(scratch.place), free(scratch.match), free(scratch.row);
    free(here), free(there), free(marks);
    return failed ? NO_MEMORY : 0;
}
