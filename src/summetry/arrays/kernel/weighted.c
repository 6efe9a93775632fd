/* Common subsequences in which a run of k tokens is worth powers[k] (ROUGE-W).

   Equal tokens add powers[k + 1] - powers[k] to the value before both, k being the length of the run
   that ends there; others take the greater of the values above and to the left, and end the run.
   Values are compared, so they are added up in the order of the plain code. */
#include "kernel.h"

/* What stands for tokens without an equal: not the same in rows and in columns. */
enum { ROW_GAP = -1, COLUMN_GAP = -2 };

/* The table of two sentences: the tokens of its rows and columns, where those of the rows stand, and
   of the last row that was filled the values and the lengths of runs, column by column. A bit of
   `upwards` says that the value above is no less than that to the left; each row begins a new word. */
typedef struct {
    Int *in_row, *in_column; /* by token: the last sentence of rows, of columns that has it */
    Int *rows, *columns, *places, *runs;
    double *values;
    Bits *upwards;
    Int height, width, room;
} Table;

static Int open_table(Table *table, Int words, Int widest) {
    *table = (Table){reserve(words, sizeof(Int)), reserve(words, sizeof(Int)), reserve(widest, sizeof(Int)),
                     reserve(widest, sizeof(Int)), reserve(widest, sizeof(Int)), reserve(widest, sizeof(Int)),
                     reserve(widest, sizeof(double)), 0, 0, 0, 0};
    if (!table->in_row || !table->in_column || !table->rows || !table->columns || !table->places ||
        !table->runs || !table->values)
        return NO_MEMORY;
    for (Int word = 0; word < words; word++) table->in_row[word] = table->in_column[word] = -1;
    return 0;
}

static void close_table(Table *table) {
    free(table->in_row), free(table->in_column), free(table->rows), free(table->columns);
    free(table->places), free(table->runs), free(table->values), free(table->upwards);
}

/* The tokens of a sentence that the other one has, and a gap for all others between two of them or at
   the end. A row without an equal is the greatest value so far, from left to right, and ends all runs:
   the next one like it is the same row again, from which the way back goes up. So it is with columns,
   and before the first equal all values are 0. */
static Int shorten(const Int *tokens, Int many, const Int *holder, Int other, Int gap, Int *kept, Int *places) {
    Int count = 0;
    for (Int k = 0; k < many; k++) {
        Int token = holder[tokens[k]] == other ? tokens[k] : gap;
        if (token == gap && (!count || kept[count - 1] == gap)) continue;
        kept[count] = token, places[count++] = k;
    }
    return count;
}

/* Rows and columns for sentence `row` of the table (ids, offsets), whose tokens know it already, and
   sentence `column`. Gives whether they share a token. */
static Int meet(Table *table, const Int *ids, const Int *offsets, Int row, Int column) {
    const Int *one = ids + offsets[row], *other = ids + offsets[column];
    Int many = offsets[row + 1] - offsets[row], others = offsets[column + 1] - offsets[column];
    for (Int j = 0; j < others; j++) table->in_column[other[j]] = column;
    table->height = shorten(one, many, table->in_column, column, ROW_GAP, table->rows, table->places);
    if (!table->height) return 0;
    /* Nobody asks where columns stand: `runs` has not been filled yet. */
    table->width = shorten(other, others, table->in_row, row, COLUMN_GAP, table->columns, table->runs);
    return 1;
}

/* Fills the table row by row and gives its last value; with `keep` the way back is kept. */
static inline double fill(Table *table, const double *powers, int keep) {
    Int width = table->width, *runs = table->runs;
    double *values = table->values;
    Bits *upwards = table->upwards;
    for (Int j = 0; j < width; j++) values[j] = 0, runs[j] = 0;
    for (Int i = 0; i < table->height; i++) {
        Int token = table->rows[i], run = 0;
        double left = 0, before = 0; /* to the left, and above that */
        Bits word = 0;
        for (Int j = 0; j < width; j++) {
            Int run_above = runs[j];
            double above = values[j];
            if (keep) word |= (Bits)(above >= left) << (j & 63);
            if (token == table->columns[j]) {
                left = before + powers[run + 1] - powers[run];
                runs[j] = run + 1;
            } else {
                left = above >= left ? above : left;
                runs[j] = 0;
            }
            values[j] = left, before = above, run = run_above;
            if (keep && ((j & 63) == 63 || j + 1 == width)) *upwards++ = word, word = 0;
        }
    }
    return values[width - 1];
}

static Int words_of_row(const Table *table) { return (table->width + 63) / 64; }

static Int make_room(Table *table) {
    Int needed = table->height * words_of_row(table);
    if (needed <= table->room) return 0;
    free(table->upwards);
    table->upwards = reserve(needed, sizeof(Bits));
    table->room = table->upwards ? needed : 0;
    return table->upwards ? 0 : NO_MEMORY;
}

/* The way back: equal tokens together, else up if that is no less, else left. */
static void mark(const Table *table, Byte *marks) {
    Int i = table->height - 1, j = table->width - 1, words = words_of_row(table);
    while (i >= 0 && j >= 0) {
        if (table->rows[i] == table->columns[j]) marks[table->places[i]] = 1, i--, j--;
        else if (table->upwards[i * words + (j >> 6)] >> (j & 63) & 1) i--;
        else j--;
    }
}

/* For each pair the worth that sentences of the text right[p] have in the heaviest of left[p], summed.
   The sentences of text i are rows first[i] to first[i + 1] of (ids, offsets). Ids are below `words`,
   no sentence has more than `widest` tokens, and there are powers up to that. */
API Int heaviest_hits(const Int *ids, const Int *offsets, const Int *first, const Int *left, const Int *right,
                      Int pairs, Int words, Int widest, const double *powers, double *hits) {
    Table table;
    Int failed = open_table(&table, words, widest);
    for (Int p = 0; p < pairs && !failed; p++) {
        double sum = 0;
        for (Int row = first[right[p]]; row < first[right[p] + 1]; row++) {
            double most = 0, whole = powers[offsets[row + 1] - offsets[row]];
            for (Int k = offsets[row]; k < offsets[row + 1]; k++) table.in_row[ids[k]] = row;
            for (Int column = first[left[p]]; column < first[left[p] + 1]; column++) {
                if (!meet(&table, ids, offsets, row, column)) continue;
                double worth = fill(&table, powers, 0);
                if (worth > most) most = worth;
            }
            /* What is added up step by step may pass the worth of a sentence in its last bits. */
            sum += most < whole ? most : whole;
        }
        hits[p] = sum;
    }
    close_table(&table);
    return failed;
}

/* For each pair what ROUGE-1.5.5 pays for the tokens of the text right[p] that sentences of left[p]
   mark: runs of them, of each word no more than both texts have of it in rows of (all, all_offsets). A
   token beyond that neither ends a run nor pays it. The rest as above. */
API Int script_hits(const Int *ids, const Int *offsets, const Int *first, const Int *all,
                    const Int *all_offsets, const Int *left, const Int *right, Int pairs, Int words,
                    Int widest, const double *powers, double *hits) {
    Table table;
    Int *here = reserve_zeros(words, sizeof *here), *there = reserve_zeros(words, sizeof *there);
    Byte *marks = reserve(widest, 1);
    Int failed = open_table(&table, words, widest);
    if (!here || !there || !marks) failed = NO_MEMORY;
    for (Int p = 0; p < pairs && !failed; p++) {
        double sum = 0;
        for (Int k = all_offsets[left[p]]; k < all_offsets[left[p] + 1]; k++) here[all[k]]++;
        for (Int k = all_offsets[right[p]]; k < all_offsets[right[p] + 1]; k++) there[all[k]]++;
        for (Int row = first[right[p]]; row < first[right[p] + 1] && !failed; row++) {
            const Int *tokens = ids + offsets[row];
            Int many = offsets[row + 1] - offsets[row], run = 0;
            memset(marks, 0, (size_t)many);
            for (Int k = 0; k < many; k++) table.in_row[tokens[k]] = row;
            for (Int column = first[left[p]]; column < first[left[p] + 1] && !failed; column++) {
                if (!meet(&table, ids, offsets, row, column)) continue;
                failed = make_room(&table);
                if (failed) continue;
                fill(&table, powers, 1);
                mark(&table, marks);
            }
            for (Int k = 0; k < many; k++) {
                if (!marks[k] || !here[tokens[k]] || !there[tokens[k]]) continue;
                run++, here[tokens[k]]--, there[tokens[k]]--;
                if (k + 1 == many || !marks[k + 1]) sum += powers[run], run = 0;
            }
        }
        for (Int k = all_offsets[left[p]]; k < all_offsets[left[p] + 1]; k++) here[all[k]] = 0;
        for (Int k = all_offsets[right[p]]; k < all_offsets[right[p] + 1]; k++) there[all[k]] = 0;
        hits[p] = sum;
    }
    close_table(&table);
    free(here), free(there), free(marks);
    return failed;
}
