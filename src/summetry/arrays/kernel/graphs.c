/* Graphs of symbols that stand near each other: n-grams are numbered, edges counted, graphs compared.

   The plain Python beside it is in metrics/graphs: proximity.py (edges), operators.py (merging) and
   similarity.py (what two graphs share). */
#include "kernel.h"

/* ---- Keys, numbered from 1 on as they are first met; the last ones can be forgotten again ---- */

typedef struct {
    Bits key;
    uint32_t slot;  /* where keys are hashed */
    uint32_t times; /* how often the key was met; 0 in entries to come */
} Entry;

/* Keys are hashed, and compared, so that each has a number of its own. Where keys are small they have
   slots of their own instead: nothing is to be compared, and nothing branches, which for a processor
   that cannot guess whether a key is new is several times faster. */
typedef struct {
    uint32_t *slots; /* the number of an entry, 0 where a slot is free */
    Entry *entries;  /* by number; the one at 0 is not used */
    Int is_direct;   /* whether a key is its slot */
    Bits last;       /* of the slots in use, a power of two less one; a quarter is taken at most */
    Bits most_slots; /* that are there */
    Int next;        /* the number that the next new key gets */
    Int room;        /* of entries */
} Index;

static Int open_index(Index *index) {
    *index = (Index){.last = 63, .most_slots = 64, .next = 1, .room = 32};
    index->slots = reserve_zeros((Int)index->most_slots, sizeof *index->slots);
    index->entries = reserve_zeros(index->room, sizeof *index->entries);
    return index->slots && index->entries ? 0 : NO_MEMORY;
}

static void close_index(Index *index) {
    free(index->slots), free(index->entries);
}

/* Forgets the entries from `first` on. Each took one slot when it came, after all those before it. */
static void forget_from(Index *index, Int first) {
    for (Int i = first; i < index->next; i++) {
        index->slots[index->is_direct ? index->entries[i].key : index->entries[i].slot] = 0;
        index->entries[i].times = 0;
    }
    index->next = first;
}

static inline Bits first_slot(const Index *index, Bits key) {
    return index->is_direct ? key : ((key ^ key >> 32) * SPREAD >> 32) & index->last;
}

/* The number of a key, a new one if it was not there; there must be room for it. */
static inline Int number_key(Index *index, Bits key) {
    Bits at = first_slot(index, key);
    Int number = index->slots[at], is_new = !number;
    if (!index->is_direct)
        while (number && index->entries[number].key != key) {
            at = (at + 1) & index->last;
            number = index->slots[at], is_new = !number;
        }
    number |= -is_new & index->next;
    index->slots[at] = (uint32_t)number;
    index->entries[number].key = key;
    if (!index->is_direct) index->entries[number].slot = (uint32_t)at;
    index->next += is_new;
    return number;
}

/* The number of a key, or 0 if it is not there. */
static Int find_key(const Index *index, Bits key) {
    for (Bits at = first_slot(index, key);; at = (at + 1) & index->last) {
        Int number = index->slots[at];
        if (!number || index->entries[number].key == key) return number;
    }
}

static inline Int has_room(const Index *index, Int more) {
    Int wanted = index->next + more;
    return wanted < index->room && (index->is_direct || 4 * wanted <= (Int)index->last);
}

/* Uses so many slots, all of which are free. */
static Int use_slots(Index *index, Bits slots) {
    index->last = slots - 1;
    if (slots <= index->most_slots) return 0;
    free(index->slots);
    index->most_slots = slots;
    index->slots = reserve_zeros((Int)slots, sizeof *index->slots);
    return index->slots ? 0 : NO_MEMORY;
}

/* Makes room for so many more entries. All take their slots again in their order, so that the last ones
   can still be forgotten. */
static Int widen(Index *index, Int more) {
    Int wanted = index->next + more + 1;
    if (wanted > index->room) {
        Int room = wanted > 2 * index->room ? wanted : 2 * index->room;
        Entry *entries = realloc(index->entries, (size_t)room * sizeof *entries);
        if (!entries) return NO_MEMORY;
        memset(entries + index->room, 0, (size_t)(room - index->room) * sizeof *entries);
        index->entries = entries, index->room = room;
    }
    if (index->is_direct || 4 * (Bits)wanted <= index->last + 1) return 0;
    Bits slots = index->last + 1;
    while (slots < 4 * (Bits)wanted) slots *= 2;
    for (Int i = 1; i < index->next; i++) index->slots[index->entries[i].slot] = 0;
    if (use_slots(index, slots)) return NO_MEMORY;
    for (Int i = 1; i < index->next; i++) {
        Bits at = first_slot(index, index->entries[i].key);
        while (index->slots[at]) at = (at + 1) & index->last;
        index->slots[at] = (uint32_t)i, index->entries[i].slot = (uint32_t)at;
    }
    return 0;
}

/* Starts again, with room for so many entries; keys have slots of their own if they have `direct` bits at
   most, and are hashed if it is 0. */
static Int start_index(Index *index, Int entries, Int direct) {
    forget_from(index, 1);
    index->is_direct = direct > 0;
    /* Few slots stay near the processor. */
    if (use_slots(index, direct ? (Bits)1 << direct : 64)) return NO_MEMORY;
    return widen(index, entries);
}

/* ---- N-grams as symbols ---- */

/* Numbers n-grams whose tokens do not fit into 63 bits, `bits` for each: those of text i become
   symbols[starts[i]] to symbols[starts[i + 1]]. Tokens stand side by side as long as they fit, and
   what does not fit is numbered first. So equal symbols are equal n-grams, and nothing else. */
API Int number_ngrams(const Int *ids, const Int *offsets, Int texts, Int n, Int bits,
                      const Int *starts, Int *symbols) {
    Int taken = 0, width = 0;
    while (taken < n) {
        Int more = (63 - width) / bits;
        if (more > n - taken) more = n - taken;
        if (!more) {
            Index index;
            Int failed = open_index(&index);
            for (Int i = 0; i < starts[texts] && !failed; i++) {
                failed = !has_room(&index, 1) && widen(&index, index.next);
                if (!failed) symbols[i] = number_key(&index, (Bits)symbols[i]);
            }
            for (width = 1; (Int)1 << width <= index.next;) width++;
            close_index(&index);
            if (failed) return NO_MEMORY;
            continue;
        }
        for (Int text = 0; text < texts; text++) {
            const Int *next = ids + offsets[text] + taken;
            for (Int i = starts[text]; i < starts[text + 1]; i++, next++) {
                Bits symbol = taken ? (Bits)symbols[i] : 0;
                for (Int k = 0; k < more; k++) symbol = symbol << bits | (Bits)next[k];
                symbols[i] = (Int)symbol;
            }
        }
        taken += more, width += more * bits;
    }
    return 0;
}

/* ---- Graphs ---- */

enum { UPDATE, ONES, MEAN }; /* how the graphs of several texts become one */

/* Keys of more bits than these are hashed: their slots would be too far from the processor. Few symbols
   are used of all that there could be, and far more edges. */
enum { DIRECT_SYMBOL_BITS = 22, DIRECT_EDGE_BITS = 20 };
/* In a call for fewer pairs it does not pay to get so much memory. */
enum { MANY_PAIRS = 32 };

typedef struct {
    /* What texts are made of: n-grams of tokens, `bits` for each. */
    const Int *ids, *offsets;
    Int n, bits;
    Int window, directed, distances;
    Int many; /* whether many pairs are compared */

    Index symbols; /* with how often each occurs in the texts that are compared */
    Index edges;   /* with how often each is met in the text that is being read */
    Int shift;     /* of the first end of an edge in its key */

    Int room;        /* of the next three, which have a place for each entry of `edges` */
    Int *steps;      /* the distances at which an edge was met, added up */
    double *weights; /* of the edges of the merged references */
    uint32_t *met;   /* the edges of the text that is being read, in the order in which it meets them */
    Int met_count;
    double size; /* of the graph of that text */

    uint32_t *texts;   /* the texts that are compared, behind one another, symbols by number */
    uint32_t *at;      /* the places of the text that is being read whose symbols occur elsewhere too, */
    uint32_t *ends;    /* those symbols, by numbers that only such symbols have, */
    uint32_t *before;  /* and how many such places stand before each place */
    uint32_t *numbers; /* of such symbols, by symbol; 0 for others */
    Int next_number;
    Int *last_at;   /* by symbol, where it was last, counted through all texts */
    Int texts_read; /* how many places that was */
} Graphs;

static Int open_graphs(Graphs *graphs, Int most) {
    Int failed = open_index(&graphs->symbols);
    failed |= open_index(&graphs->edges);
    graphs->texts = reserve(most, sizeof *graphs->texts);
    graphs->at = reserve(most, sizeof *graphs->at);
    graphs->ends = reserve(most, sizeof *graphs->ends);
    graphs->before = reserve(most + 1, sizeof *graphs->before);
    graphs->numbers = reserve_zeros(most + 1, sizeof *graphs->numbers);
    graphs->last_at = reserve_zeros(most + 1, sizeof *graphs->last_at);
    graphs->texts_read = 2 * graphs->window + 1, graphs->next_number = 1;
    failed |= !graphs->texts || !graphs->at || !graphs->ends || !graphs->before;
    return failed || !graphs->numbers || !graphs->last_at ? NO_MEMORY : 0;
}

static void close_graphs(Graphs *graphs) {
    close_index(&graphs->symbols), close_index(&graphs->edges);
    free(graphs->steps), free(graphs->weights), free(graphs->met);
    free(graphs->texts), free(graphs->at), free(graphs->ends), free(graphs->before);
    free(graphs->numbers), free(graphs->last_at);
}

static Int widen_graphs(Graphs *graphs, Int more) {
    if (widen(&graphs->edges, more)) return NO_MEMORY;
    Int room = graphs->edges.room;
    if (room == graphs->room) return 0;
    Int *steps = realloc(graphs->steps, (size_t)room * sizeof *steps);
    if (steps) graphs->steps = steps;
    double *weights = realloc(graphs->weights, (size_t)room * sizeof *weights);
    if (weights) graphs->weights = weights;
    uint32_t *met = realloc(graphs->met, (size_t)room * sizeof *met);
    if (met) graphs->met = met;
    if (!steps || !weights || !met) return NO_MEMORY;
    graphs->room = room;
    return 0;
}

static inline Int length_of(const Graphs *graphs, Int row) {
    Int length = graphs->offsets[row + 1] - graphs->offsets[row] - graphs->n + 1;
    return length > 0 ? length : 0;
}

/* The symbols of a text by number. */
static Int number_text(Graphs *graphs, Int row, uint32_t *text) {
    const Int *ids = graphs->ids + graphs->offsets[row];
    Int length = length_of(graphs, row), n = graphs->n, bits = graphs->bits;
    if (!has_room(&graphs->symbols, length) && widen(&graphs->symbols, length)) return NO_MEMORY;
    Index index = graphs->symbols; /* a copy stays in registers */
    Bits key = 0, inside = ((Bits)1 << n * bits) - 1;
    for (Int i = 0; length && i < n - 1; i++) key = key << bits | (Bits)ids[i];
    for (Int i = 0; i < length; i++) {
        key = (key << bits | (Bits)ids[i + n - 1]) & inside;
        Int symbol = number_key(&index, key);
        index.entries[symbol].times++;
        text[i] = (uint32_t)symbol;
    }
    graphs->symbols = index;
    return 0;
}

/* Numbers those symbols from `first` on that occur more than once. With directions all of them. */
static void number_ends(Graphs *graphs, Int first) {
    for (Int i = first; i < graphs->symbols.next; i++) {
        Int is_end = graphs->directed | (graphs->symbols.entries[i].times > 1);
        graphs->numbers[i] = (uint32_t)(-is_end & graphs->next_number);
        graphs->next_number += is_end;
    }
}

/* Finds the places of a text whose symbols occur elsewhere too, and gives how many. An edge of a symbol
   that occurs once is shared with no text and is met once, unless its other end stands near it twice.
   So it is enough to count such edges: `alone` is how many there are beside those of the places that
   are found, less what these will meet. */
static Int find_places(Graphs *graphs, const uint32_t *text, Int length, Int *alone) {
    Int found = 0, window = graphs->window, again = 0;
    for (Int i = 0; i < length; i++) {
        uint32_t number = graphs->numbers[text[i]];
        graphs->at[found] = (uint32_t)i, graphs->ends[found] = number;
        graphs->before[i] = (uint32_t)found;
        found += number > 0;
    }
    graphs->before[length] = (uint32_t)found;
    for (Int i = 0; i < found && found < length; i++) {
        Int at = graphs->at[i], apart = graphs->texts_read + at - graphs->last_at[text[at]];
        graphs->last_at[text[at]] = graphs->texts_read + at;
        if (apart > 2 * window) continue;
        /* Symbols between both that occur once meet this one a second time. */
        Int low = at > window ? at - window : 0, high = at - apart + window + 1;
        if (high > length) high = length;
        again += high - low - (Int)(graphs->before[high] - graphs->before[low]);
    }
    graphs->texts_read += length + 2 * window + 1;
    Int reach = window < length ? window : length - 1;
    *alone = length ? reach * length - reach * (reach + 1) / 2 - again : 0;
    return found;
}

/* Meets all edges of a text: from each symbol to those before it, the nearest first. Made once for each
   kind of graph, so that nothing is asked for each edge. */
static inline Int meet_edges(Graphs *graphs, const uint32_t *text, Int length, Int directed,
                             Int distances, Int is_direct) {
    Int alone, found = find_places(graphs, text, length, &alone), met = 0, loops = 0;
    Int window = graphs->window, shift = graphs->shift;
    const uint32_t *at = graphs->at, *ends = graphs->ends;
    Index edges = graphs->edges;
    edges.is_direct = is_direct;
    for (Int i = 0; i < found; i++) {
        Int reach = i < window ? i : window;
        if (!has_room(&edges, reach) || edges.room != graphs->room) {
            graphs->edges = edges;
            if (widen_graphs(graphs, reach)) return NO_MEMORY;
            edges = graphs->edges;
            edges.is_direct = is_direct;
        }
        Bits later = ends[i];
        Int k = i - 1, farthest = (Int)at[i] - window;
        for (; k >= 0 && at[k] >= farthest; k--) {
            Bits earlier = ends[k], first = directed || later < earlier ? later : earlier;
            Int edge = number_key(&edges, first << shift | (later ^ earlier ^ first));
            Int is_first = !edges.entries[edge].times++;
            graphs->met[met] = (uint32_t)edge;
            met += is_first;
            if (later == earlier) loops += is_first;
            if (distances)
                graphs->steps[edge] = (Int)(at[i] - at[k]) + (is_first ? 0 : graphs->steps[edge]);
        }
        alone -= i - 1 - k;
    }
    graphs->edges = edges, graphs->met_count = met;
    graphs->size = (double)(directed ? met : 2 * (alone + met) - loops);
    return 0;
}

static Int read_text(Graphs *graphs, const uint32_t *text, Int length) {
    Int directed = graphs->directed, distances = graphs->distances;
    if (directed || distances || !graphs->edges.is_direct)
        return meet_edges(graphs, text, length, directed, distances, graphs->edges.is_direct);
    return meet_edges(graphs, text, length, 0, 0, 1);
}

static inline Bits second_end(const Graphs *graphs, Bits key) {
    return key & (((Bits)1 << graphs->shift) - 1);
}

/* What an edge adds to the size of a graph: it runs both ways, unless it has a direction or is a loop. */
static inline double directions(const Graphs *graphs, Int edge) {
    Bits key = graphs->edges.entries[edge].key;
    return graphs->directed || key >> graphs->shift == second_end(graphs, key) ? 1 : 2;
}

/* The weight of an edge in the text that was read. A loop is met from both of its ends, which are one. */
static inline double weigh(const Graphs *graphs, Int edge) {
    double times = (double)graphs->edges.entries[edge].times;
    if (graphs->distances) return (double)graphs->steps[edge] / times;
    return !graphs->directed && directions(graphs, edge) == 1 ? 2 * times : times;
}

/* Merges the graphs of some texts into one, whose edges are all that there are. Gives its size. */
static double merge_texts(Graphs *graphs, const Int *rows, Int count, Int merging) {
    const uint32_t *text = graphs->texts;
    double size = 0;
    for (Int place = 0; place < count; place++) {
        Int length = length_of(graphs, rows[place]), new = graphs->edges.next;
        if (read_text(graphs, text, length)) return NO_MEMORY;
        double factor = 1 / (double)(place + 1);
        size += graphs->size;
        for (Int i = 0; i < graphs->met_count; i++) {
            Int edge = graphs->met[i];
            double *known = graphs->weights + edge, weight = weigh(graphs, edge);
            if (edge < new) {
                *known += merging == MEAN ? weight : (weight - *known) * factor;
                size -= directions(graphs, edge);
            } else *known = merging == ONES && place ? 1 : weight;
            graphs->edges.entries[edge].times = 0;
        }
        text += length;
    }
    if (merging == MEAN)
        for (Int edge = 1; edge < graphs->edges.next; edge++) graphs->weights[edge] /= (double)count;
    return size;
}

static inline double divide_smaller(double one, double other) {
    return one < other ? one / other : other / one;
}

/* The edge that runs the other way, 0 if there is none. */
static Int reverse_of(const Graphs *graphs, Int edge) {
    Bits key = graphs->edges.entries[edge].key;
    return find_key(&graphs->edges, second_end(graphs, key) << graphs->shift | key >> graphs->shift);
}

/* What the text that was read shares with the merged references, whose edges are those before `end`.
   The edges of the text are looked up in the order in which it meets them. With directions an edge may
   match its reverse, and the edges of the smaller graph are looked up. */
static void compare_text(const Graphs *graphs, Int end, double their_size, double *found) {
    const Entry *entries = graphs->edges.entries;
    double common = 0, matched = 0;
    Int of_theirs = graphs->directed && graphs->size > their_size;
    Int count = of_theirs ? end - 1 : graphs->met_count;
    for (Int i = 0; i < count; i++) {
        Int edge = of_theirs ? i + 1 : graphs->met[i], other = edge;
        Int is_common = of_theirs ? entries[edge].times > 0 : edge < end;
        if (!is_common && graphs->directed) {
            other = reverse_of(graphs, edge);
            is_common = other && (of_theirs ? entries[other].times > 0 : other < end);
        }
        if (!is_common) continue;
        double ways = directions(graphs, edge);
        common += ways;
        matched += ways * divide_smaller(weigh(graphs, of_theirs ? other : edge),
                                         graphs->weights[of_theirs ? edge : other]);
    }
    found[0] = graphs->size, found[1] = their_size, found[2] = common, found[3] = matched;
}

/* Numbers the symbols of a group of texts. Gives how many places they have, or NO_MEMORY. */
static Int start_group(Graphs *graphs, const Int *rows, Int count) {
    Int places = 0, all = 0, bits = graphs->n * graphs->bits;
    for (Int i = 0; i < count; i++) all += length_of(graphs, rows[i]);
    Int direct = graphs->many && bits <= DIRECT_SYMBOL_BITS ? bits : 0;
    if (start_index(&graphs->symbols, all, direct)) return NO_MEMORY;
    for (Int i = 0; i < count; i++) {
        if (number_text(graphs, rows[i], graphs->texts + places)) return NO_MEMORY;
        places += length_of(graphs, rows[i]);
    }
    return places;
}

/* An empty index for the edges between symbols that occur more than once, of which there are so many. */
static Int start_edges(Graphs *graphs, Int symbols) {
    Int bits = 1;
    while ((Int)1 << bits <= symbols) bits++;
    Int direct = graphs->many && 2 * bits <= DIRECT_EDGE_BITS ? 2 * bits : 0;
    graphs->shift = direct ? bits : 32;
    return start_index(&graphs->edges, 0, direct);
}

/* Compares candidates[i] with the merged references of groups[i], which are rows[first[group]] to
   rows[first[group + 1]]; they are merged once where the same group comes several times in a row.
   Symbols are n-grams of ids, `bits` for each, which fit into 63 bits. `most` is how many symbols a group
   and a candidate have together at most.
   found[4 * i] on: |candidate|, |references|, common edges, their smaller / larger weights added up. */
API Int compare_graphs(const Int *ids, const Int *offsets, Int n, Int bits, Int most, Int window,
                       Int directed, Int distances, Int merging, const Int *candidates,
                       const Int *groups, Int pairs, const Int *first, const Int *rows, double *found) {
    Graphs graphs = {.ids = ids, .offsets = offsets, .n = n, .bits = bits, .window = window,
                     .directed = directed, .distances = distances, .many = pairs >= MANY_PAIRS};
    Int failed = open_graphs(&graphs, most), places = 0, symbols_end = 1, numbers_end = 1, end = 1;
    double their_size = 0;
    for (Int i = 0; i < pairs && !failed; i++) {
        const Int *group = rows + first[groups[i]];
        Int count = first[groups[i] + 1] - first[groups[i]], length = length_of(&graphs, candidates[i]);
        Int is_first = !i || groups[i] != groups[i - 1], others = 0;
        if (is_first) {
            /* A symbol that only another candidate has is an end of edges if it is there twice. */
            for (Int k = i + 1; k < pairs && groups[k] == groups[i]; k++) {
                Int most_ends = length_of(&graphs, candidates[k]) / (directed ? 1 : 2) + 1;
                others = most_ends > others ? most_ends : others;
            }
            places = start_group(&graphs, group, count);
            if ((failed = places < 0)) break;
            symbols_end = numbers_end = graphs.symbols.next;
            /* And all symbols that another candidate may have count as occurring more than once. */
            for (Int symbol = 1; others && symbol < symbols_end; symbol++)
                graphs.symbols.entries[symbol].times++;
            graphs.next_number = 1;
        }
        if ((failed = number_text(&graphs, candidates[i], graphs.texts + places))) break;
        number_ends(&graphs, is_first ? 1 : symbols_end);
        if (is_first) {
            if ((failed = start_edges(&graphs, graphs.next_number + others))) break;
            their_size = merge_texts(&graphs, group, count, merging);
            if ((failed = their_size < 0)) break;
            end = graphs.edges.next;
        }
        if ((failed = read_text(&graphs, graphs.texts + places, length))) break;
        compare_text(&graphs, end, their_size, found + 4 * i);
        /* Another group starts with nothing; the same one without this candidate. */
        if (i + 1 == pairs || groups[i + 1] != groups[i]) continue;
        for (Int k = 0; k < graphs.met_count; k++) graphs.edges.entries[graphs.met[k]].times = 0;
        forget_from(&graphs.symbols, symbols_end), forget_from(&graphs.edges, end);
        graphs.next_number = numbers_end;
    }
    close_graphs(&graphs);
    return failed ? NO_MEMORY : 0;
}
