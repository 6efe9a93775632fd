/* Graphs of symbols that stand near each other: n-grams are numbered, edges counted, graphs compared.

   The plain Python beside it is in metrics/graphs: proximity.py (edges), operators.py (merging) and
   similarity.py (what two graphs share). */
#include "kernel.h"

/* ---- Keys, each with a slot of its own where it is counted and numbered ---- */

/* Keys are hashed, and compared. Where they are small they are their slots instead: nothing is to be
   compared, and nothing branches, which for a processor that cannot guess whether a key is new is several
   times faster. A slot without number and times is free. Whoever uses a table sets both to 0 again, those
   of the last keys first, so that a table is empty in the end. */
typedef struct {
    uint32_t number, times;
} Slot;

typedef struct {
    Slot *slots;
    Bits *keys;    /* of the slots that are taken, where keys are hashed */
    Int is_direct; /* whether a key is its slot */
    Bits last;     /* of the slots where keys are hashed, a power of two less one; half of them are free */
    Bits room;     /* slots that there is memory for */
} Table;

static void close_table(Table *table) {
    free(table->slots), free(table->keys);
}

/* Uses an empty table for keys below `direct`, or if it is 0 for so many keys that are hashed. */
static Int start_table(Table *table, Int direct, Int hashed) {
    Bits slots = 64;
    while (!direct && slots < 2 * (Bits)hashed) slots *= 2;
    table->is_direct = direct > 0, table->last = slots - 1;
    if (direct) slots = (Bits)direct;
    if (slots <= table->room) return 0;
    close_table(table);
    table->slots = reserve_zeros((Int)slots, sizeof *table->slots);
    table->keys = reserve((Int)slots, sizeof *table->keys);
    table->room = slots;
    return table->slots && table->keys ? 0 : NO_MEMORY;
}

static inline Bits slot_of(const Table *table, Bits key) {
    if (table->is_direct) return key;
    Bits slot = ((key ^ key >> 32) * SPREAD >> 32) & table->last;
    while ((table->slots[slot].number || table->slots[slot].times) && table->keys[slot] != key)
        slot = (slot + 1) & table->last;
    table->keys[slot] = key;
    return slot;
}

/* ---- N-grams as symbols ---- */

/* Numbers symbols in the order in which they come. Gives how many numbers there are, 0 among them. */
static Int number_symbols(Int *symbols, Int count) {
    Table table = {0};
    uint32_t next = 1;
    Int failed = start_table(&table, 0, count);
    for (Int i = 0; i < count && !failed; i++) {
        uint32_t *number = &table.slots[slot_of(&table, (Bits)symbols[i])].number;
        if (!*number) *number = next++;
        symbols[i] = *number;
    }
    close_table(&table);
    return failed ? NO_MEMORY : next;
}

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
            Int numbers = number_symbols(symbols, starts[texts]);
            if (numbers < 0) return NO_MEMORY;
            for (width = 1; (Int)1 << width < numbers;) width++;
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

/* Where there would be more slots than these, keys are hashed: they would be too far from the processor.
   Few symbols are used of all that there could be, and far more edges. */
enum { DIRECT_SYMBOL_BITS = 22, DIRECT_EDGES = 1 << 20 };
/* In a call for fewer pairs it does not pay to get so much memory. */
enum { MANY_PAIRS = 32 };
/* The number of a symbol that occurs once; those of ends are above it. */
enum { ONCE = 1 };

/* What a shared edge adds is rounded down to a part of this, and added as a whole number: the order of
   edges does not matter then, and two graphs share the same whichever comes first. */
#define SHARE 0x1p61
__extension__ typedef unsigned __int128 Sum;

/* Marks the slot of an edge that adds one to the size of a graph and not two: it has a direction, or is a
   loop. */
#define ONE_WAY ((uint32_t)1 << 31)

typedef struct {
    /* What texts are made of: n-grams of tokens, `bits` for each. */
    const Int *ids, *offsets;
    Int n, bits;
    Int window, directed, distances;
    Int many; /* whether many pairs are compared */

    Table symbols;     /* those that occur more than once are numbered: they are ends of edges */
    uint32_t next_end; /* the number that the next one gets */
    uint32_t *texts;   /* the texts that are compared, behind one another, each symbol by its slot */

    /* The places of the text that is being read whose symbols are ends. */
    uint32_t *at, *ends;
    uint32_t *rows;   /* what an end adds to the slot of an edge of which it is the first one */
    uint32_t *before; /* how many such places stand before each place of the text */
    Int *last_at;     /* by end, where it was last, counted through all texts */
    Int texts_read;   /* how many places that was */

    Table edges;         /* how often each is met in the text that is being read; those of the references are
                            numbered */
    Int *steps;          /* at the slot of an edge the distances at which it was met, added up */
    Bits stride;         /* of the rows of edges that have directions or are hashed */
    uint32_t *next_to;   /* the slots of edges to be counted, 0 for places that are too far apart */
    uint32_t *met;       /* the slots of the edges of the text that is being read */
    Int met_count, met_room;
    double size;         /* of the graph of that text */
    uint32_t *theirs;    /* by number the slots of the references' edges, */
    double *weights;     /* and their weights */
    Int next_theirs, theirs_room;
} Graphs;

static Int open_graphs(Graphs *graphs, Int most) {
    uint32_t **by_place[] = {&graphs->texts, &graphs->at,     &graphs->ends,
                             &graphs->rows,  &graphs->before, &graphs->next_to};
    Int failed = 0;
    for (Int i = 0; i < (Int)(sizeof by_place / sizeof *by_place); i++)
        failed |= !(*by_place[i] = reserve(most + 1, sizeof(uint32_t)));
    graphs->last_at = reserve_zeros(most + ONCE + 1, sizeof *graphs->last_at);
    graphs->texts_read = 2 * graphs->window + 1, graphs->next_theirs = 1;
    return failed || !graphs->last_at ? NO_MEMORY : 0;
}

static void close_graphs(Graphs *graphs) {
    close_table(&graphs->symbols), close_table(&graphs->edges);
    free(graphs->texts), free(graphs->at), free(graphs->ends), free(graphs->rows);
    free(graphs->before), free(graphs->next_to), free(graphs->last_at), free(graphs->steps);
    free(graphs->met), free(graphs->theirs), free(graphs->weights);
}

static inline Int length_of(const Graphs *graphs, Int row) {
    Int length = graphs->offsets[row + 1] - graphs->offsets[row] - graphs->n + 1;
    return length > 0 ? length : 0;
}

/* ---- Symbols ---- */

/* Finds the symbols of a text, and numbers those that are ends: all whose number was `before`. */
static inline void find_symbols_in(Graphs *graphs, Int row, uint32_t *text, uint32_t before,
                                     Int is_direct) {
    const Int *ids = graphs->ids + graphs->offsets[row];
    Int length = length_of(graphs, row), n = graphs->n, bits = graphs->bits;
    Table symbols = graphs->symbols; /* a copy stays in registers */
    symbols.is_direct = is_direct;
    uint32_t next = graphs->next_end;
    Bits key = 0, inside = ((Bits)1 << n * bits) - 1;
    for (Int i = 0; length && i < n - 1; i++) key = key << bits | (Bits)ids[i];
    for (Int i = 0; i < length; i++) {
        key = (key << bits | (Bits)ids[i + n - 1]) & inside;
        Bits slot = slot_of(&symbols, key);
        uint32_t number = symbols.slots[slot].number, is_new = number == before;
        number ^= (number ^ next) & -is_new;
        symbols.slots[slot].number = number | !number;
        next += is_new;
        text[i] = (uint32_t)slot;
    }
    graphs->next_end = next;
}

static void find_symbols(Graphs *graphs, Int row, uint32_t *text, uint32_t before) {
    if (graphs->symbols.is_direct) find_symbols_in(graphs, row, text, before, 1);
    else find_symbols_in(graphs, row, text, before, 0);
}

/* Forgets the symbols of texts but for the ends below `kept`. */
static void forget_symbols(Graphs *graphs, const uint32_t *text, Int length, uint32_t kept) {
    for (Int i = 0; i < length; i++) {
        uint32_t *number = &graphs->symbols.slots[text[i]].number;
        *number &= -(uint32_t)((*number > ONCE) & (*number < kept));
    }
}

/* Finds the places of a text whose symbols are ends, and gives how many. An edge of a symbol that occurs
   once is shared with no text and is met once, unless its other end stands near it twice. So it is enough
   to count such edges: `alone` is how many there are beside those of the places that are found, less
   what these will meet. */
static Int find_places(Graphs *graphs, const uint32_t *text, Int length, Int *alone) {
    Int found = 0, window = graphs->window, again = 0;
    Int is_triangle = graphs->edges.is_direct && !graphs->directed;
    uint32_t stride = (uint32_t)graphs->stride;
    for (Int i = 0; i < length; i++) {
        uint32_t end = graphs->symbols.slots[text[i]].number;
        graphs->at[found] = (uint32_t)i, graphs->ends[found] = end;
        graphs->rows[found] = is_triangle ? end * (end + 1) / 2 : end * stride;
        graphs->before[i] = (uint32_t)found;
        found += end > ONCE;
    }
    graphs->before[length] = (uint32_t)found;
    for (Int i = 0; i < found && found < length; i++) {
        Int at = graphs->at[i], *last_at = graphs->last_at + graphs->ends[i];
        Int apart = graphs->texts_read + at - *last_at;
        *last_at = graphs->texts_read + at;
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

/* ---- Edges ---- */

static Int reserve_steps(Graphs *graphs) {
    free(graphs->steps);
    graphs->steps = graphs->distances ? reserve((Int)graphs->edges.room, sizeof *graphs->steps) : NULL;
    return graphs->distances && !graphs->steps ? NO_MEMORY : 0;
}

/* Moves the edges to a table that is large enough for some more. */
static Int widen_edges(Graphs *graphs) {
    Table old = graphs->edges;
    Int *steps = graphs->steps, taken = graphs->next_theirs + graphs->met_count;
    graphs->edges = (Table){0}, graphs->steps = NULL;
    Int failed = start_table(&graphs->edges, 0, taken + 1) || reserve_steps(graphs);
    /* In their order, so that the last ones can still be forgotten. */
    for (Int i = 1; i < taken && !failed; i++) {
        uint32_t *edge = i < graphs->next_theirs ? graphs->theirs + i : graphs->met + i - graphs->next_theirs;
        Bits from = *edge & ~ONE_WAY, to = slot_of(&graphs->edges, old.keys[from]);
        graphs->edges.slots[to].number = old.slots[from].number, graphs->edges.slots[to].times = old.slots[from].times;
        if (steps) graphs->steps[to] = steps[from];
        *edge = (uint32_t)to | (*edge & ONE_WAY);
    }
    close_table(&old), free(steps);
    return failed ? NO_MEMORY : 0;
}

static Int widen_met(Graphs *graphs, Int more) {
    Int wanted = graphs->met_count + more + 1;
    if (wanted <= graphs->met_room) return 0;
    uint32_t *met = realloc(graphs->met, 2 * (size_t)wanted * sizeof *met);
    if (!met) return NO_MEMORY;
    graphs->met = met, graphs->met_room = 2 * wanted;
    return 0;
}

/* Finds the slots of the edges between places of a text and those so many places before, and gives how
   many there are. */
static inline Int find_edges(Graphs *graphs, Int places, Int back, Int directed) {
    const uint32_t *at = graphs->at, *ends = graphs->ends, *rows = graphs->rows;
    uint32_t window = (uint32_t)graphs->window, *next_to = graphs->next_to;
    int32_t found = 0;
    for (Int i = 0; i < places - back; i++) {
        int32_t slot = (int32_t)(rows[i + back] + ends[i]), reverse = (int32_t)(rows[i] + ends[i + back]);
        uint32_t one_way = directed || slot == reverse ? ONE_WAY : 0;
        /* Without directions the larger number is the first end. */
        if (!directed) slot = slot > reverse ? slot : reverse;
        int32_t is_near = (int32_t)(at[i + back] - at[i]) <= (int32_t)window;
        next_to[i] = ((uint32_t)slot | one_way) & -(uint32_t)is_near;
        found += is_near;
    }
    return found;
}

/* Meets all edges of a text: of each place that was found and the one before it, of each and the one
   before that, and so on as long as some are near. Made once for each kind of graph, so that nothing is
   asked for each edge. */
static inline Int meet_edges(Graphs *graphs, const uint32_t *text, Int length, Int directed,
                             Int distances, Int is_direct) {
    Int alone, places = find_places(graphs, text, length, &alone), near = 1;
    const uint32_t *at = graphs->at, *ends = graphs->ends;
    graphs->met_count = 0;
    if (is_direct) graphs->edges.slots[0].times = 1; /* so that what is too far is not new */
    for (Int back = 1; back <= graphs->window && back < places && near; back++) {
        if (widen_met(graphs, places)) return NO_MEMORY;
        near = is_direct ? find_edges(graphs, places, back, directed) : 0;
        Table edges = graphs->edges;
        edges.is_direct = is_direct;
        Int met = graphs->met_count;
        for (Int i = 0; i < places - back; i++) {
            uint32_t edge, apart = at[i + back] - at[i];
            if (is_direct) edge = graphs->next_to[i];
            else {
                if (apart > graphs->window) continue;
                if (2 * (Bits)(graphs->next_theirs + met) > edges.last) {
                    graphs->met_count = met;
                    if (widen_edges(graphs)) return NO_MEMORY;
                    edges = graphs->edges;
                }
                Bits later = ends[i + back], earlier = ends[i];
                Bits first = directed || later > earlier ? later : earlier;
                edge = (uint32_t)slot_of(&edges, first << 32 | (later ^ earlier ^ first));
                edge |= directed || later == earlier ? ONE_WAY : 0;
                near++;
            }
            uint32_t slot = edge & ~ONE_WAY, is_first = !edges.slots[slot].times, mark = edge >> 31;
            graphs->met[met] = edge;
            met += is_first;
            /* A loop is met from both of its ends, which are one. */
            edges.slots[slot].times += 1 + (directed || distances ? 0 : mark);
            if (distances) graphs->steps[slot] = apart + (is_first ? 0 : graphs->steps[slot]);
        }
        graphs->met_count = met;
        alone -= near;
    }
    Int one_way = 0;
    for (Int i = 0; i < graphs->met_count; i++) one_way += graphs->met[i] >> 31;
    graphs->size = (double)(2 * (graphs->met_count + alone) - one_way);
    return 0;
}

static Int read_text(Graphs *graphs, const uint32_t *text, Int length) {
    Int directed = graphs->directed, distances = graphs->distances;
    if (directed || distances || !graphs->edges.is_direct)
        return meet_edges(graphs, text, length, directed, distances, graphs->edges.is_direct);
    return meet_edges(graphs, text, length, 0, 0, 1);
}

static void forget_text(Graphs *graphs) {
    for (Int i = 0; i < graphs->met_count; i++) graphs->edges.slots[graphs->met[i] & ~ONE_WAY].times = 0;
}

static void forget_theirs(Graphs *graphs) {
    for (Int i = 1; i < graphs->next_theirs; i++)
        graphs->edges.slots[graphs->theirs[i] & ~ONE_WAY].number = 0;
    graphs->edges.slots[0].times = 0;
    graphs->next_theirs = 1;
}

/* What an edge adds to the size of a graph. */
static inline double directions(uint32_t edge) {
    return edge & ONE_WAY ? 1 : 2;
}

/* The weight of an edge in the text that was read. */
static inline double weigh(const Graphs *graphs, Bits slot) {
    double times = (double)graphs->edges.slots[slot].times;
    return graphs->distances ? (double)graphs->steps[slot] / times : times;
}

/* Makes room for so many more edges of the references. */
static Int widen_theirs(Graphs *graphs, Int more) {
    Int wanted = graphs->next_theirs + more;
    if (wanted <= graphs->theirs_room) return 0;
    uint32_t *theirs = realloc(graphs->theirs, 2 * (size_t)wanted * sizeof *theirs);
    if (theirs) graphs->theirs = theirs;
    double *weights = realloc(graphs->weights, 2 * (size_t)wanted * sizeof *weights);
    if (weights) graphs->weights = weights;
    graphs->theirs_room = 2 * wanted;
    return theirs && weights ? 0 : NO_MEMORY;
}

/* Merges the graphs of some texts into one. Gives its size. */
static double merge_texts(Graphs *graphs, const Int *rows, Int count, Int merging) {
    const uint32_t *text = graphs->texts;
    double size = 0;
    for (Int place = 0; place < count; place++) {
        Int length = length_of(graphs, rows[place]);
        if (read_text(graphs, text, length) || widen_theirs(graphs, graphs->met_count)) return NO_MEMORY;
        double factor = 1 / (double)(place + 1);
        size += graphs->size;
        for (Int i = 0; i < graphs->met_count; i++) {
            uint32_t edge = graphs->met[i], *number = &graphs->edges.slots[edge & ~ONE_WAY].number;
            double weight = weigh(graphs, edge & ~ONE_WAY);
            if (*number) {
                double *known = graphs->weights + *number;
                *known += merging == MEAN ? weight : (weight - *known) * factor;
                size -= directions(edge);
            } else {
                *number = (uint32_t)graphs->next_theirs++;
                graphs->theirs[*number] = edge;
                graphs->weights[*number] = merging == ONES && place ? 1 : weight;
            }
        }
        forget_text(graphs);
        text += length;
    }
    if (merging == MEAN)
        for (Int i = 1; i < graphs->next_theirs; i++) graphs->weights[i] /= (double)count;
    return size;
}

/* Where the edge is that runs the other way. */
static Bits reverse_of(const Graphs *graphs, Bits slot) {
    Bits key = graphs->edges.is_direct ? slot : graphs->edges.keys[slot], stride = graphs->stride;
    return slot_of(&graphs->edges, key % stride * stride + key / stride);
}

/* Brings the edges that the references have to the front of those that were met. Gives how many. */
static Int find_common(Graphs *graphs) {
    Int common = 0;
    uint32_t *met = graphs->met;
    for (Int i = 0; i < graphs->met_count; i++) {
        uint32_t edge = met[i];
        met[i] = met[common], met[common] = edge;
        common += graphs->edges.slots[edge & ~ONE_WAY].number > 0;
    }
    return common;
}

/* What the text that was read shares with the merged references. With directions an edge may match its
   reverse, and the edges of the smaller graph are looked up. */
static void compare_text(Graphs *graphs, double their_size, double *found) {
    Table edges = graphs->edges;
    Int of_theirs = graphs->directed && graphs->size > their_size, common = 0;
    const uint32_t *looked_up = of_theirs ? graphs->theirs + 1 : graphs->met;
    Int count = of_theirs ? graphs->next_theirs - 1 : graphs->met_count;
    if (!graphs->directed) count = find_common(graphs);
    Sum matched = 0;
    for (Int i = 0; i < count; i++) {
        Bits here = looked_up[i] & ~ONE_WAY, there = here;
        if (graphs->directed && !(of_theirs ? edges.slots[here].times : edges.slots[here].number))
            there = reverse_of(graphs, here);
        Bits mine = of_theirs ? there : here, theirs = of_theirs ? here : there;
        if (!edges.slots[mine].times || !edges.slots[theirs].number) continue;
        double one = weigh(graphs, mine), other = graphs->weights[edges.slots[theirs].number];
        double smaller = one < other ? one : other, larger = one < other ? other : one;
        double ways = directions(looked_up[i]);
        common += (Int)ways;
        matched += (Bits)(Int)(ways * (smaller / larger) * SHARE);
    }
    found[0] = graphs->size, found[1] = their_size;
    found[2] = (double)common, found[3] = (double)matched / SHARE;
}

/* ---- Groups of texts ---- */

/* Finds the symbols of a group of texts. Gives how many places they have, or NO_MEMORY. `longest` is how
   long the candidates are that it is compared with, `before` what numbers ends have before. */
static Int start_group(Graphs *graphs, const Int *rows, Int count, Int longest, uint32_t before) {
    Int places = 0, all = longest, bits = graphs->n * graphs->bits;
    for (Int i = 0; i < count; i++) all += length_of(graphs, rows[i]);
    Int direct = graphs->many && bits <= DIRECT_SYMBOL_BITS ? (Int)1 << bits : 0;
    if (start_table(&graphs->symbols, direct, all)) return NO_MEMORY;
    graphs->next_end = ONCE + 1;
    for (Int i = 0; i < count; i++) {
        find_symbols(graphs, rows[i], graphs->texts + places, before);
        places += length_of(graphs, rows[i]);
    }
    return places;
}

/* An empty table for edges between ends whose numbers are below `ends`, of so many places. */
static Int start_edges(Graphs *graphs, Int ends, Int places) {
    Int slots = graphs->directed ? ends * ends : ends * (ends + 1) / 2;
    Int direct = graphs->many && slots <= DIRECT_EDGES ? slots : 0;
    Bits room = graphs->edges.room;
    if (start_table(&graphs->edges, direct, 2 * places)) return NO_MEMORY;
    graphs->stride = direct ? (Bits)ends : (Bits)1 << 32;
    return room == graphs->edges.room ? 0 : reserve_steps(graphs);
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
    Int failed = open_graphs(&graphs, most), places = 0;
    uint32_t *text = graphs.texts, next_end = 0;
    double their_size = 0;
    for (Int i = 0; i < pairs && !failed; i++) {
        const Int *group = rows + first[groups[i]];
        Int count = first[groups[i] + 1] - first[groups[i]], length = length_of(&graphs, candidates[i]);
        Int is_first = !i || groups[i] != groups[i - 1], longest = length;
        Int is_last = i + 1 == pairs || groups[i + 1] != groups[i];
        if (is_first) {
            for (Int k = i + 1; k < pairs && groups[k] == groups[i]; k++) {
                Int other = length_of(&graphs, candidates[k]);
                longest = other > longest ? other : longest;
            }
            /* All symbols that another candidate may have count as occurring more than once. */
            places = start_group(&graphs, group, count, longest, directed || !is_last ? 0 : ONCE);
            if ((failed = places < 0)) break;
            next_end = graphs.next_end, text = graphs.texts + places;
        }
        find_symbols(&graphs, candidates[i], text, directed ? 0 : ONCE);
        if (is_first) {
            Int ends = is_last ? graphs.next_end : next_end + longest;
            if ((failed = start_edges(&graphs, ends, places + longest))) break;
            their_size = merge_texts(&graphs, group, count, merging);
            if ((failed = their_size < 0)) break;
        }
        if ((failed = read_text(&graphs, text, length))) break;
        compare_text(&graphs, their_size, found + 4 * i);
        forget_text(&graphs);
        if (is_last) {
            forget_theirs(&graphs);
            for (Int k = 0; k < places + length; k++) graphs.symbols.slots[graphs.texts[k]].number = 0;
        } else forget_symbols(&graphs, text, length, next_end);
        graphs.next_end = next_end;
    }
    close_graphs(&graphs);
    return failed ? NO_MEMORY : 0;
}
