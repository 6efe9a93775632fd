/* Stars that are alike share a symbol: the fuzzy index of hierarchical proximity graphs.

   The plain Python beside it is in metrics/graphs/hierarchy.py, which says what a star is. Here a
   prototype is known by its edges only: each edge has a list of the prototypes that have it. */
#include "kernel.h"

#define NONE (-1)
/* Similarities are whole numbers of these parts, since they are sums of fractions; of a number below 2^51,
   adding this and taking it away rounds to a whole one, halves to the even one. */
#define PART 1e-9
#define ROUNDER 0x1.8p52

/* An edge of a prototype, and the next prototype with that edge. */
typedef struct {
    int32_t prototype, times, next;
} Entry;

/* A prototype's directed edges, what it shares with the star that is looked at, and at which position
   that star is. */
typedef struct {
    double size, shared;
    Int seen_at;
} Prototype;

typedef struct {
    Bits *keys;      /* of the edges, low * words + high; a slot whose head is NONE is free */
    int32_t *heads;  /* the newest entry of each edge */
    Int last, taken; /* slots, a power of two less one, and how many have an edge */
    Entry *entries;
    Int count, room;
    Prototype *prototypes;
    int32_t *sharing; /* those that share something with the star that is looked at */
} Index;

static Int start_slots(Index *index, Int slots) {
    index->keys = reserve(slots, sizeof *index->keys), index->heads = reserve(slots, sizeof *index->heads);
    index->last = slots - 1, index->taken = 0;
    if (!index->keys || !index->heads) return NO_MEMORY;
    memset(index->heads, 0xFF, (size_t)slots * sizeof *index->heads);
    return 0;
}

static inline Int slot_of_edge(const Index *index, Bits key) {
    Int slot = (Int)((key ^ key >> 32) * SPREAD >> 32) & index->last;
    while (index->heads[slot] != NONE && index->keys[slot] != key) slot = (slot + 1) & index->last;
    return slot;
}

static Int widen_slots(Index *index) {
    Index old = *index;
    Int failed = start_slots(index, 4 * (old.last + 1));
    for (Int i = 0; i <= old.last && !failed; i++) {
        if (old.heads[i] == NONE) continue;
        Int slot = slot_of_edge(index, old.keys[i]);
        index->keys[slot] = old.keys[i], index->heads[slot] = old.heads[i], index->taken++;
    }
    free(old.keys), free(old.heads);
    return failed;
}

/* Room for the edges of one prototype more. */
static Int widen_entries(Index *index, Int more) {
    if (index->count + more <= index->room) return 0;
    Int room = 2 * (index->count + more);
    Entry *entries = room < INT32_MAX ? realloc(index->entries, (size_t)room * sizeof *entries) : NULL;
    if (!entries) return NO_MEMORY;
    index->entries = entries, index->room = room;
    return 0;
}

static int compare_ids(const void *one, const void *other) {
    Int a = *(const Int *)one, b = *(const Int *)other;
    return (a > b) - (a < b);
}

/* The neighbours of a position in ascending order, and how many there are. */
static Int find_neighbours(const Int *text, Int length, Int at, Int window, Int *near) {
    Int from = at > window ? at - window : 0, to = length - at > window ? at + window + 1 : length, count = 0;
    for (Int i = from; i < to; i++)
        if (i != at) near[count++] = text[i];
    if (count > 64) qsort(near, (size_t)count, sizeof *near, compare_ids);
    else
        for (Int i = 1; i < count; i++) {
            Int id = near[i], k = i;
            for (; k > 0 && near[k - 1] > id; k--) near[k] = near[k - 1];
            near[k] = id;
        }
    return count;
}

/* The edges of a star, ascending: with one end in common they are ordered as the other end is. Each comes
   once, with its times. Gives how many there are; `size` counts each direction. */
static Int find_star(Int centre, Int words, const Int *near, Int neighbours, Bits *keys, int32_t *times,
                     Int *size) {
    Int edges = 0;
    *size = 0;
    for (Int i = 0, next; i < neighbours; i = next) {
        for (next = i + 1; next < neighbours && near[next] == near[i];) next++;
        Int low = near[i] < centre ? near[i] : centre, high = near[i] < centre ? centre : near[i];
        keys[edges] = (Bits)low * (Bits)words + (Bits)high, times[edges++] = (int32_t)(next - i);
        *size += 1 + (low != high);
    }
    return edges;
}

/* The symbol of each position of pairs of texts: the number of the prototype that stands for its star,
   from `symbol` on. A star that no prototype of its pair resembles, with `least` parts or more, becomes
   one. Gives the number behind the last one. */
API Int fuzzy_symbols(const Int *ids, const Int *offsets, Int pairs, Int window, Int words, Int least,
                      Int symbol, Int *symbols) {
    Int longest = 0, failed = 0;
    for (Int i = 0; i < pairs; i++) {
        Int both = offsets[2 * i + 2] - offsets[2 * i];
        longest = both > longest ? both : longest;
    }
    Int reach = window < longest ? window : longest;
    Index index = {.prototypes = reserve(longest, sizeof(Prototype)),
                   .sharing = reserve(longest, sizeof(int32_t))};
    Int *near = reserve(2 * reach, sizeof *near);
    Bits *keys = reserve(2 * reach, sizeof *keys);
    int32_t *times = reserve(2 * reach, sizeof *times);
    failed = !index.prototypes || !index.sharing || !near || !keys || !times || start_slots(&index, 1 << 12);
    for (Int pair = 0; pair < pairs && !failed; pair++) {
        Int prototypes = 0;
        if (index.taken) memset(index.heads, 0xFF, (size_t)(index.last + 1) * sizeof *index.heads);
        index.count = index.taken = 0;
        for (Int place = offsets[2 * pair]; place < offsets[2 * pair + 2] && !failed; place++) {
            Int text = 2 * pair + (place >= offsets[2 * pair + 1]), start = offsets[text], size;
            Int count = find_neighbours(ids + start, offsets[text + 1] - start, place - start, window, near);
            Int edges = find_star(ids[place], words, near, count, keys, times, &size), sharing = 0;
            for (Int i = 0; i < edges; i++) {
                Int at = index.heads[slot_of_edge(&index, keys[i])];
                double ways = keys[i] % (Bits)(words + 1) ? 2 : 1;
                for (; at != NONE; at = index.entries[at].next) {
                    const Entry *entry = index.entries + at;
                    Prototype *other = index.prototypes + entry->prototype;
                    double mine = times[i], theirs = entry->times;
                    double smaller = mine < theirs ? mine : theirs, larger = mine < theirs ? theirs : mine;
                    double share = smaller == larger ? ways : ways * smaller / larger;
                    if (other->seen_at == place) other->shared += share;
                    else {
                        other->shared = share, other->seen_at = place;
                        index.sharing[sharing++] = entry->prototype;
                    }
                }
            }
            Int best = NONE, most = least - 1;
            for (Int i = 0; i < sharing; i++) {
                Int other = index.sharing[i];
                double theirs = index.prototypes[other].size, smaller = (double)size < theirs ? (double)size : theirs;
                double parts = index.prototypes[other].shared / smaller / PART;
                Int likeness = (Int)((parts + ROUNDER) - ROUNDER);
                /* The most similar one, the oldest among equals. */
                if (likeness > most || (likeness == most && best != NONE && other < best))
                    best = other, most = likeness;
            }
            if (best == NONE) {
                best = prototypes++;
                index.prototypes[best] = (Prototype){(double)size, 0, NONE};
                failed = widen_entries(&index, edges);
                while (!failed && 2 * (index.taken + edges) > index.last) failed = widen_slots(&index);
                for (Int i = 0; i < edges && !failed; i++) {
                    Int slot = slot_of_edge(&index, keys[i]);
                    int32_t head = index.heads[slot];
                    index.taken += head == NONE, index.keys[slot] = keys[i];
                    index.entries[index.count] = (Entry){(int32_t)best, times[i], head};
                    index.heads[slot] = (int32_t)index.count++;
                }
            }
            symbols[place] = symbol + best;
        }
        symbol += prototypes;
    }
    free(index.keys), free(index.heads), free(index.entries), free(index.prototypes);
    free(index.sharing), free(near), free(keys), free(times);
    return failed ? NO_MEMORY : symbol;
}
