/* Pairs of tokens in order that two texts share, each as often as both have it (ROUGE-S and -SU).

   A pair that both have is made of words that both have, so the other tokens are left out first. Then
   for each word is counted how often each word follows it, in one text and in the other: memory is
   needed for the words and not for their pairs. */
#include "kernel.h"

enum { NONE, ALL, NOT_LAST }; /* which single tokens count beside the pairs */

/* The tokens of a text that the other one has: the number of each word among the shared ones, its place
   in the text, and where the same word stands next; and where each word stands first. */
typedef struct {
    int32_t *word, *place, *next, *first;
    Int many;
} Side;

/* How often a word follows the one that is looked at, `leader`; for others the count is stale. */
typedef struct {
    Int leader, count;
} Follower;

static Int open_side(Side *side, Int longest) {
    *side = (Side){reserve(longest, sizeof(int32_t)), reserve(longest, sizeof(int32_t)),
                   reserve(longest, sizeof(int32_t)), reserve(longest, sizeof(int32_t)), 0};
    return side->word && side->place && side->next && side->first ? 0 : NO_MEMORY;
}

static void close_side(Side *side) { free(side->word), free(side->place), free(side->next), free(side->first); }

/* `number` is 0 for words that are not shared and counts the others from 1; there are `shared`. */
static void take_shared(Side *side, const Int *tokens, Int many, const int32_t *number, Int shared) {
    side->many = 0;
    for (Int k = 0; k < many; k++) {
        if (number[tokens[k]] <= 0) continue;
        side->word[side->many] = number[tokens[k]] - 1;
        side->place[side->many++] = (int32_t)k;
    }
    for (Int word = 0; word < shared; word++) side->first[word] = (int32_t)side->many;
    for (Int k = side->many - 1; k >= 0; k--) {
        side->next[k] = side->first[side->word[k]];
        side->first[side->word[k]] = (int32_t)k;
    }
}

/* Goes through the tokens at most `reach` places behind the word `leader`. With `take` 0 each adds as
   often as the word stands before it to its count; otherwise it takes as often away, as long as
   something is left. Gives how much was taken. */
static inline Int follow(const Side *side, Int leader, Int reach, Follower *followers, int take) {
    Int taken = 0, before = 0;
    Int enters = side->first[leader], leaves = enters; /* the next time of the word, the first in reach */
    for (Int k = enters; k < side->many; k++) {
        while (before && side->place[k] - side->place[leaves] > reach) leaves = side->next[leaves], before--;
        if (!before) {
            if (enters == side->many) break;
            k = enters;
        } else {
            Follower *follower = followers + side->word[k];
            if (!take) {
                if (follower->leader != leader) follower->leader = leader, follower->count = 0;
                follower->count += before;
            } else if (follower->leader == leader) {
                Int both = before < follower->count ? before : follower->count;
                follower->count -= both, taken += both;
            }
        }
        if (k == enters) before++, enters = side->next[k];
    }
    return taken;
}

static Int times(const Side *side, Int word) {
    Int count = 0;
    for (Int k = side->first[word]; k < side->many; k = side->next[k]) count++;
    return count;
}

/* For each pair of texts; the second token of a pair stands at most `reach` places behind the first.
   Ids are below `words`, no text has more than `longest` tokens. */
API Int shared_skips(const Int *ids, const Int *offsets, const Int *left, const Int *right, Int pairs,
                     Int reach, Int singles, Int words, Int longest, Int *hits) {
    Side mine, theirs;
    Int failed = open_side(&mine, longest) | open_side(&theirs, longest);
    int32_t *number = reserve_zeros(words, sizeof *number);
    Follower *followers = reserve(longest, sizeof *followers);
    if (!number || !followers) failed = NO_MEMORY;
    for (Int p = 0; p < pairs && !failed; p++) {
        const Int *here = ids + offsets[left[p]], *there = ids + offsets[right[p]];
        Int many = offsets[left[p] + 1] - offsets[left[p]], others = offsets[right[p] + 1] - offsets[right[p]];
        Int found = 0;
        int32_t shared = 0;
        for (Int k = 0; k < many; k++) number[here[k]] = -1;
        for (Int k = 0; k < others; k++)
            if (number[there[k]] < 0) followers[shared].leader = -1, number[there[k]] = ++shared;
        take_shared(&mine, here, many, number, shared);
        take_shared(&theirs, there, others, number, shared);
        for (Int word = 0; word < shared; word++) {
            follow(&mine, word, reach, followers, 0);
            found += follow(&theirs, word, reach, followers, 1);
            if (singles == NONE) continue;
            Int one = times(&mine, word), other = times(&theirs, word);
            if (singles == NOT_LAST) {
                one -= number[here[many - 1]] == word + 1;
                other -= number[there[others - 1]] == word + 1;
            }
            found += one < other ? one : other;
        }
        for (Int k = 0; k < many; k++) number[here[k]] = 0;
        hits[p] = found;
    }
    close_side(&mine), close_side(&theirs);
    free(number), free(followers);
    return failed;
}
