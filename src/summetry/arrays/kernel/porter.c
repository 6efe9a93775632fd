/* Porter's stems in the variant of NLTK, as porter.py describes and checks them. */
#include "kernel.h"

typedef struct {
    const char *text, *other;
    Int size, others;
} Ending;

#define TO(text, other) {text, other, sizeof text - 1, sizeof other - 1}
#define END {0, 0, 0, 0}

/* The longest first where one ends in another. */
static const Ending STEP_2[] = {
    TO("ational", "ate"), TO("tional", "tion"), TO("enci", "ence"),   TO("anci", "ance"),   TO("izer", "ize"),
    TO("bli", "ble"),     TO("alli", "al"),     TO("entli", "ent"),   TO("eli", "e"),       TO("ousli", "ous"),
    TO("ization", "ize"), TO("ation", "ate"),   TO("ator", "ate"),    TO("alism", "al"),    TO("iveness", "ive"),
    TO("fulness", "ful"), TO("ousness", "ous"), TO("aliti", "al"),    TO("iviti", "ive"),   TO("biliti", "ble"),
    TO("fulli", "ful"),   END,
};
static const Ending STEP_3[] = {
    TO("icate", "ic"), TO("ative", ""), TO("alize", "al"), TO("iciti", "ic"),
    TO("ical", "ic"),  TO("ful", ""),   TO("ness", ""),    END,
};
static const Ending STEP_4[] = {
    TO("al", ""),  TO("ance", ""), TO("ence", ""), TO("er", ""),  TO("ic", ""),    TO("able", ""), TO("ible", ""),
    TO("ant", ""), TO("ement", ""), TO("ment", ""), TO("ent", ""), TO("ion", ""), TO("ou", ""),   TO("ism", ""),
    TO("ate", ""), TO("iti", ""),  TO("ous", ""),  TO("ive", ""), TO("ize", ""),   END,
};
static const Ending FIXED[] = {
    TO("skies", "sky"),       TO("dying", "die"),         TO("lying", "lie"),       TO("tying", "tie"),
    TO("news", "news"),       TO("innings", "inning"),    TO("inning", "inning"),   TO("outings", "outing"),
    TO("outing", "outing"),   TO("cannings", "canning"),  TO("canning", "canning"), TO("howe", "howe"),
    TO("proceed", "proceed"), TO("exceed", "exceed"),     TO("succeed", "succeed"), END,
};

static inline int is_aeiou(Byte byte) {
    return is_lower(byte) && (1 << 0 | 1 << 4 | 1 << 8 | 1 << 14 | 1 << 20) >> (byte - 'a') & 1;
}

/* y is a vowel behind a consonant; what is no letter is a consonant. */
static inline int is_vowel(Byte byte, int behind_consonant) {
    return is_aeiou(byte) | ((byte == 'y') & behind_consonant);
}

/* How often a run of vowels is followed by a consonant. */
static Int measure(const Byte *word, Int size) {
    Int found = 0;
    int vowel = 0;
    for (Int k = 0; k < size; k++) {
        int next = is_vowel(word[k], k && !vowel);
        found += vowel & !next;
        vowel = next;
    }
    return found;
}

static int has_vowel(const Byte *word, Int size) {
    for (Int k = 0; k < size; k++)
        if (is_vowel(word[k], k > 0)) return 1;
    return 0;
}

static int ends_in_consonant(const Byte *word, Int size) {
    int vowel = 0;
    for (Int k = 0; k < size; k++) vowel = is_vowel(word[k], k && !vowel);
    return !vowel;
}

/* Whether a word is consonants, one vowel and a last consonant that is not w, x or y; or a vowel and a
   consonant. */
static int is_short(const Byte *word, Int size) {
    Int start = 0;
    if (size == 2 && is_aeiou(word[0])) return !is_aeiou(word[1]);
    while (start < size && !is_vowel(word[start], start > 0)) start++;
    if (!start || start + 2 != size) return 0;
    Byte last = word[start + 1];
    return !is_aeiou(last) && last != 'w' && last != 'x' && last != 'y';
}

#define ENDS_IN(word, size, text) \
    ((size) >= (Int)sizeof text - 1 && !memcmp((word) + (size) - (sizeof text - 1), text, sizeof text - 1))

/* The first of some endings that the word has, or the entry behind the last. */
static const Ending *ending_of(const Byte *word, Int size, const Ending *some) {
    for (; some->text; some++)
        if (word[size - 1] == (Byte)some->text[some->size - 1] && size >= some->size &&
            !memcmp(word + size - some->size, some->text, (size_t)some->size))
            break;
    return some;
}

/* What the only ending that is tried leaves must have a measure above 0. */
static Int replace(Byte *word, Int size, const Ending *some) {
    const Ending *ending = ending_of(word, size, some);
    Int left = size - ending->size;
    if (!ending->text || !measure(word, left)) return size;
    memcpy(word + left, ending->other, (size_t)ending->others);
    return left + ending->others;
}

static Int step_1b(Byte *word, Int size) {
    if (ENDS_IN(word, size, "eed")) return measure(word, size - 3) ? size - 1 : size;
    Int left = ENDS_IN(word, size, "ed") ? size - 2 : ENDS_IN(word, size, "ing") ? size - 3 : size;
    if (left == size || !has_vowel(word, left)) return size;
    Byte last = word[left - 1];
    int takes_e = ENDS_IN(word, left, "at") || ENDS_IN(word, left, "bl") || ENDS_IN(word, left, "iz");
    if (!takes_e && left > 1 && last == word[left - 2] && !is_aeiou(last) && last != 'l' && last != 's' &&
        last != 'z' && ends_in_consonant(word, left))
        return left - 1;
    if (takes_e || is_short(word, left)) word[left++] = 'e';
    return left;
}

static Int step_1(Byte *word, Int size) {
    if (size == 4 && ENDS_IN(word, size, "ies")) size--;
    else if (word[size - 1] == 's' && word[size - 2] != 's')
        size -= ENDS_IN(word, size, "sses") || ENDS_IN(word, size, "ies") ? 2 : 1;
    if (ENDS_IN(word, size, "ied")) size -= size == 4 ? 1 : 2;
    else size = step_1b(word, size);
    if (word[size - 1] == 'y' && size > 2 && ends_in_consonant(word, size - 1)) word[size - 1] = 'i';
    return size;
}

static Int step_2(Byte *word, Int size) {
    while (ENDS_IN(word, size, "alli") && measure(word, size - 4)) size -= 2;
    /* The l belongs to the stem that is measured. */
    if (ENDS_IN(word, size, "logi")) return measure(word, size - 3) ? size - 1 : size;
    return replace(word, size, STEP_2);
}

static Int step_4(const Byte *word, Int size) {
    const Ending *ending = ending_of(word, size, STEP_4);
    if (!ending->text) return size;
    if (ENDS_IN(word, size, "ion") && !ENDS_IN(word, size, "sion") && !ENDS_IN(word, size, "tion")) return size;
    return measure(word, size - ending->size) > 1 ? size - ending->size : size;
}

static Int step_5(const Byte *word, Int size) {
    if (word[size - 1] == 'e') {
        Int vowels = measure(word, size - 1);
        if (vowels > 1 || (vowels == 1 && !is_short(word, size - 1))) size--;
    }
    return ENDS_IN(word, size, "ll") && measure(word, size) > 1 ? size - 1 : size;
}

/* A word of a-z and 0-9, of four letters or more, becomes its stem, which is no longer; gives its size. */
Int stem_like_nltk(Byte *word, Int size) {
    Byte last = word[size - 1];
    if (last == 's' || last == 'd' || last == 'g' || last == 'e') {
        const Ending *fixed = ending_of(word, size, FIXED);
        if (fixed->size == size) return memcpy(word, fixed->other, (size_t)fixed->others), fixed->others;
    }
    if (last == 's' || last == 'd' || last == 'g' || last == 'y') size = step_1(word, size);
    size = step_4(word, replace(word, step_2(word, size), STEP_3));
    last = word[size - 1];
    return last == 'e' || last == 'l' ? step_5(word, size) : size;
}
