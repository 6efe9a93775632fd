/* Graphs of symbols that stand near each other: n-grams are numbered, edges counted, graphs compared.

   The plain Python beside it is in metrics/graphs: proximity.py (edges), operators.py (merging) and
   similarity.py (what two graphs share). */
#include "kernel.h"

/* ---- Keys of 64 bits, numbered from 1 on as they are first met; the last ones can be forgotten ---- */

typedef struct {
    Bits key;
    uint32_t slot;
    uint32_t times; /* how often the key was met; 0 in entries to come */
} Entry;

typedef struct {
    uint32_t *slots; /* the number of an entry, 0 where a slot is free; at most a quarter are taken */
    Entry *entries;  /* by number; the one at 0 is not used */
    Bits last;       /* of the slots in use, a power of two less one */
    Bits most_slots; /* that are there */
    Int next;        /* the number that the next new key gets */
    Int room;
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

static inline Bits first_slot(const Index *index, Bits key) {
    return ((key ^ key >> 32) * SPREAD >> 32) & index->last;
}

/* Forgets the entries from `first` on. Each took one slot when it came, after all those before it. */
static void forget_from(Index *index, Int first) {
    for (Int i = first; i < index->next; i++) {
        index->slots[index->entries[i].slot] = 0;
        index->entries[i].times = 0;
    }
    index->next = first;
}

/* The number of a key, a new one if it was not there; there must be room for it. A processor cannot
   guess whether a key was there, so nothing branches on it. */
static inline Int number_key(Index *index, Bits key) {
    for (Bits at = first_slot(index, key);; at = (at + 1) & index->last) {
        Int slot = index->slots[at], is_free = !slot, number = slot | (-is_free & index->next);
        if ((index->entries[slot].key != key) & !is_free) continue;
        index->entries[number].key = key, index->entries[number].slot = (uint32_t)at;
        index->slots[at] = (uint32_t)number;
        index->next += is_free;
        return number;
    }
}

/* The number of a key, or 0 if it is not there. */
static inline Int find_key(const Index *index, Bits key) {
    for (Bits at = first_slot(index, key);; at = (at + 1) & index->last) {
        Int number = index->slots[at];
        if (!number || index->entries[number].key == key) return number;
    }
}

static inline Int has_room(const Index *index, Int more) {
    return index->next + more < index->room && 4 * (index->next + more) <= (Int)index->last;
}

/* Makes room for so many more entries. All take their slots again in their order, so that the last ones
   can still be forgotten. */
static Int widen(Index *index, Int more) {
    Int wanted = index->next + more + 1, next = index->next;
    if (wanted > index->room) {
        Int room = wanted > 2 * index->room ? wanted : 2 * index->room;
        Entry *entries = realloc(index->entries, (size_t)room * sizeof *entries);
        if (!entries) return NO_MEMORY;
        memset(entries + index->room, 0, (size_t)(room - index->room) * sizeof *entries);
        index->entries = entries, index->room = room;
    }
    Bits slots = index->last + 1;
    while (slots < 4 * (Bits)wanted) slots *= 2;
    if (slots == index->last + 1) return 0;
    for (Int i = 1; i < next; i++) index->slots[index->entries[i].slot] = 0;
    if (slots > index->most_slots) {
        free(index->slots);
        index->slots = reserve_zeros((Int)slots, sizeof *index->slots);
        if (!index->slots) return NO_MEMORY;
        index->most_slots = slots;
    }
    index->last = slots - 1;
    for (Int i = 1; i < next; i++) {
        Bits at = first_slot(index, index->entries[i].key);
        while (index->slots[at]) at = (at + 1) & index->last;
        index->slots[at] = (uint32_t)i, index->entries[i].slot = (uint32_t)at;
    }
    return 0;
}

/* An empty index with as few slots as so many entries need: they stay near the processor. */
static Int start_index(Index *index, Int entries) {
    forget_from(index, 1);
    index->last = 63;
    return widen(index, entries);
}

/* ---- N-grams as symbols ---- */

static Int number_symbols(Index *index, const Int *symbols, Int count, Int *numbers) {
    for (Int i = 0; i < count; i++) {
        if (!has_room(index, 1) && widen(index, index->next)) return NO_MEMORY;
        numbers[i] = number_key(index, (Bits)symbols[i]);
    }
    return 0;
}

/* The symbols of text i are symbols[starts[i]] to symbols[starts[i + 1]], one for each n-gram: the ids
   of its tokens side by side, `bits` for each, as long as they fit into 63 bits. What does not fit
   is numbered first, so that equal symbols always are equal n-grams. */
API Int number_ngrams(const Int *ids, const Int *offsets, Int texts, Int n, Int bits,
                      const Int *starts, Int *symbols) {
    Int taken = 0, width = 0;
    while (taken < n) {
        Int more = (63 - width) / bits;
        if (more > n - taken) more = n - taken;
        if (!more) {
            Index index;
            Int failed = open_index(&index) || number_symbols(&index, symbols, starts[texts], symbols);
            for (width = 1; (Int)1 << width < index.next;) width++;
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

typedef struct {
    Int window, directed, distances;
    Index symbols; /* with how often each occurs in the texts that are compared */
    Index edges;   /* with how often each is met in the text that is being read */
    Int room;        /* of the next three, which have a place for each entry of `edges` */
    Int *steps;      /* the distances at which an edge was met, added up */
    double *weights; /* of the edges of the merged references */
    uint32_t *met;   /* the edges of the text that is being read, in the order in which it meets them */
    Int met_count;
    double size; /* of the graph of that text */
    /* Of each place in the texts that are compared, or one text of them: */
    uint32_t *texts;  /* the symbol by number */
    uint32_t *kept;   /* places whose symbols occur elsewhere */
    uint32_t *before; /* how many places are kept before each */
    uint32_t *last_at; /* by symbol, the last place where it stood in the text */
} Graphs;

static Int open_graphs(Graphs *graphs, Int longest) {
    Int failed = open_index(&graphs->symbols);
    failed |= open_index(&graphs->edges);
    graphs->texts = reserve(longest, sizeof *graphs->texts);
    graphs->kept = reserve(longest, sizeof *graphs->kept);
    graphs->before = reserve(longest + 1, sizeof *graphs->before);
    graphs->last_at = reserve(longest + 1, sizeof *graphs->last_at);
    failed |= !graphs->texts || !graphs->kept || !graphs->before || !graphs->last_at;
    return failed ? NO_MEMORY : 0;
}

static void close_graphs(Graphs *graphs) {
    close_index(&graphs->symbols), close_index(&graphs->edges);
    free(graphs->steps), free(graphs->weights), free(graphs->met);
    free(graphs->texts), free(graphs->kept), free(graphs->before), free(graphs->last_at);
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

static Int number_text(Graphs *graphs, const Int *symbols, Int length, uint32_t *text) {
    if (!has_room(&graphs->symbols, length) && widen(&graphs->symbols, length)) return NO_MEMORY;
    Index index = graphs->symbols; /* a copy stays in registers */
    for (Int i = 0; i < length; i++) {
        Int symbol = number_key(&index, (Bits)symbols[i]);
        index.entries[symbol].times++;
        text[i] = (uint32_t)symbol;
    }
    graphs->symbols = index;
    return 0;
}

/* Keeps the places of a text whose symbols occur elsewhere too, and gives how many. An edge of a symbol
   that occurs once is shared with no text and is met once, unless its other end stands near it twice.
   So such edges need not be looked up; `once` is how many there are. With directions all are kept. */
static Int keep_places(Graphs *graphs, const uint32_t *text, Int length, Int *once) {
    const Entry *symbols = graphs->symbols.entries;
    Int kept = 0, window = graphs->window, again = 0;
    for (Int i = 0; i < length; i++) {
        graphs->kept[kept] = (uint32_t)i, graphs->before[i] = (uint32_t)kept;
        kept += graphs->directed | (symbols[text[i]].times > 1);
        graphs->last_at[text[i]] = 0;
    }
    graphs->before[length] = (uint32_t)kept;
    if (kept < length)
        for (Int i = 0; i < kept; i++) {
            Int at = graphs->kept[i], earlier = (Int)graphs->last_at[text[at]] - 1;
            graphs->last_at[text[at]] = (uint32_t)at + 1;
            if (earlier < 0 || at - earlier > 2 * window) continue;
            Int low = at > window ? at - window : 0;
            Int high = earlier + window + 1 < length ? earlier + window + 1 : length;
            again += high - low - (Int)(graphs->before[high] - graphs->before[low]);
        }
    Int reach = window < length ? window : length - 1;
    *once = length ? reach * length - reach * (reach + 1) / 2 - again : 0;
    return kept;
}

static inline Bits edge_key(Bits later, Bits earlier, Int directed) {
    Bits smaller = directed || later < earlier ? later : earlier;
    return smaller << 32 | (later ^ earlier ^ smaller);
}

/* Meets all edges of a text: from each symbol to those before it, the nearest first. Made once for each
   kind of graph, so that nothing is asked for each edge. */
static inline Int meet_edges(Graphs *graphs, const uint32_t *text, Int length, Int directed, Int distances) {
    Int once, kept = keep_places(graphs, text, length, &once), met = 0, loops = 0;
    Index edges = graphs->edges;
    for (Int k = 0; k < kept; k++) {
        Int at = graphs->kept[k], reach = k < graphs->window ? k : graphs->window;
        Bits symbol = text[at];
        if (!has_room(&edges, reach) || edges.room != graphs->room) {
            graphs->edges = edges;
            if (widen_graphs(graphs, reach)) return NO_MEMORY;
            edges = graphs->edges;
        }
        for (Int other = k - 1; other >= 0; other--) {
            Int distance = at - graphs->kept[other];
            if (distance > graphs->window) break;
            Bits earlier = text[graphs->kept[other]];
            Int edge = number_key(&edges, edge_key(symbol, earlier, directed));
            Int is_first = !edges.entries[edge].times++;
            graphs->met[met] = (uint32_t)edge;
            met += is_first, once--;
            if (symbol == earlier) loops += is_first;
            if (distances) graphs->steps[edge] = distance + (is_first ? 0 : graphs->steps[edge]);
        }
    }
    graphs->edges = edges, graphs->met_count = met;
    graphs->size = (double)(directed ? met : 2 * (once + met) - loops);
    return 0;
}

static Int read_text(Graphs *graphs, const uint32_t *text, Int length) {
    if (graphs->directed) return meet_edges(graphs, text, length, 1, graphs->distances);
    return graphs->distances ? meet_edges(graphs, text, length, 0, 1) : meet_edges(graphs, text, length, 0, 0);
}

/* What an edge adds to the size of a graph: it runs both ways, unless it has a direction or is a loop. */
static inline double directions(const Graphs *graphs, Int edge) {
    Bits key = graphs->edges.entries[edge].key;
    return graphs->directed || key >> 32 == (uint32_t)key ? 1 : 2;
}

/* The weight of an edge in the text that was read. A loop is met from both of its ends, which are one. */
static inline double weigh(const Graphs *graphs, Int edge) {
    double times = (double)graphs->edges.entries[edge].times;
    if (graphs->distances) return (double)graphs->steps[edge] / times;
    return !graphs->directed && directions(graphs, edge) == 1 ? 2 * times : times;
}

/* Merges the graphs of some texts into one, whose edges are all that there are. Gives its size. */
static double merge_texts(Graphs *graphs, const Int *offsets, const Int *rows, Int count, Int merging) {
    const uint32_t *text = graphs->texts;
    double size = 0;
    for (Int place = 0; place < count; place++) {
        Int length = offsets[rows[place] + 1] - offsets[rows[place]], new = graphs->edges.next;
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
            other = find_key(&graphs->edges, entries[edge].key << 32 | entries[edge].key >> 32);
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

/* Numbers the symbols of a group of texts, with room for those of a candidate. Gives how many places they
   have, or NO_MEMORY. */
static Int start_group(Graphs *graphs, const Int *symbols, const Int *offsets, const Int *rows,
                       Int count, Int candidate) {
    Int places = 0, all = candidate;
    for (Int i = 0; i < count; i++) all += offsets[rows[i] + 1] - offsets[rows[i]];
    /* Long texts have the same edges again and again: room for more comes when it is needed. */
    Int most = 1 << 14, likely = graphs->window < most / (all + 1) ? graphs->window * all : most;
    if (start_index(&graphs->symbols, all < most ? all : most)) return NO_MEMORY;
    if (start_index(&graphs->edges, likely / 2)) return NO_MEMORY;
    for (Int i = 0; i < count; i++) {
        Int begin = offsets[rows[i]], length = offsets[rows[i] + 1] - begin;
        if (number_text(graphs, symbols + begin, length, graphs->texts + places)) return NO_MEMORY;
        places += length;
    }
    return places;
}

/* Compares candidates[i] with the merged references of groups[i], which are rows[first[group]] to
   rows[first[group + 1]]; they are merged once where the same group comes several times in a row.
   `most` is above the symbols of any group and candidate together.
   found[4 * i] on: |candidate|, |references|, common edges, their smaller / larger weights added up. */
API Int compare_graphs(const Int *symbols, const Int *offsets, Int most, Int window, Int directed,
                       Int distances, Int merging, const Int *candidates, const Int *groups, Int pairs,
                       const Int *first, const Int *rows, double *found) {
    Graphs graphs = {.window = window, .directed = directed, .distances = distances};
    Int failed = open_graphs(&graphs, most), places = 0, symbols_end = 1, end = 1;
    double their_size = 0;
    for (Int i = 0; i < pairs && !failed; i++) {
        Int begin = offsets[candidates[i]], length = offsets[candidates[i] + 1] - begin;
        Int is_new = !i || groups[i] != groups[i - 1];
        const Int *group = rows + first[groups[i]];
        Int count = first[groups[i] + 1] - first[groups[i]];
        if (is_new) {
            places = start_group(&graphs, symbols, offsets, group, count, length);
            if ((failed = places < 0)) break;
            symbols_end = graphs.symbols.next;
            /* All symbols that another candidate may have count as occurring elsewhere. */
            if (i + 1 < pairs && groups[i] == groups[i + 1])
                for (Int symbol = 1; symbol < symbols_end; symbol++) graphs.symbols.entries[symbol].times++;
        }
        if ((failed = number_text(&graphs, symbols + begin, length, graphs.texts + places))) break;
        if (is_new) {
            their_size = merge_texts(&graphs, offsets, group, count, merging);
            if ((failed = their_size < 0)) break;
            end = graphs.edges.next;
        }
        if ((failed = read_text(&graphs, graphs.texts + places, length))) break;
        compare_text(&graphs, end, their_size, found + 4 * i);
        for (Int k = 0; k < graphs.met_count; k++) graphs.edges.entries[graphs.met[k]].times = 0;
        forget_from(&graphs.symbols, symbols_end), forget_from(&graphs.edges, end);
    }
    close_graphs(&graphs);
    return failed ? NO_MEMORY : 0;
}
