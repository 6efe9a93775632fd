"""Sentences, lines and paragraphs of a text: hard cases, properties, and long runs of marks."""

import re
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import MissingPackageError, UnknownNameError
from summetry.text import sentences
from summetry.text.languages import known_languages
from summetry.text.sentences import (
    SPLITTERS,
    get_splitter,
    lost_breaks,
    split_lines,
    split_paragraphs,
    split_sentences,
)

# "|" marks where a sentence ends and is no part of the text. All cases are our own.
CASES = {
    "en": [
        "J. R. Smith met Dr. Ek and Prof. Lee.| They spoke.",
        "He came at 5 p.m.| The rest had left at 11 a.m. Friday.",
        "The U.S. Senate met Lt. Gov. Hill.| It voted.",
        "He lives in the U.S.| He likes it there.",
        "“He left.”| She said nothing.| ‘Well?’| No.",
        '"Why?" he asked.| "I know."| She did not.',
        "See Fig. 3, pp. 4-5 and vol. II.| It is clear.",
        "Wait... what?| No…| Yes!",
        "Pi is 3.14.| A million is 1.000.000 in Rome.",
        "See www.example.org/a.html?q=1.| Or write to a.b@c.org.| Done.",
        "He said no.| I left.| It was No. 5 of 6.",
        "(It rained.)| Then [it stopped.]| Good.",
        "Really?!| Yes.",
        "It was 1999.| 20 people came on Jan. 3.| Chelsea won 7.| Peter left.",
        "Sales rose.| iPhone and eBay users paid $5.| €3 is less.",
        "Oranges hold vitamin C.| The rest is water.",
        "It grew.[12]| Then it died.¹| Nobody knew.",
        "Smith et al. 2000 write of e.g. Berlin.| Roe v. Wade stood.",
        "Acme Inc. of Ohio makes saws, nails, etc.| Business is good.",
        "the man was hurt .| he left . ''| she cried .",
        "Is it?| – Yes, he said.| (And left.)",
        "Bob's.| Peter won 1-7.| Chelsea left.",
        "He said no!| 5 men left.| Then J. A. Ek came.",
        "he fell . . . and rose .| he left",
        "It was hers (Dr. Ek's).| She left.\u200f| He stayed.",
    ],
    "sv": [
        "Han köpte bl.a. Volvo och t.ex. Saab.| Sen kom dr. Ek.",
        "T. ex. Volvo kom.| Där fanns bl. a. Saab.",
        "Vi köpte böcker, pennor m.m.| Sedan åkte vi.",
        "Där var Anna m.fl.| Hon log.",
        "Kl. 5 kom fil. dr Ek från S:t Eriks.",
        "Se kap. 3, s. 5.| Det är nr. 7 i serien.",
        "”Kom hit!” sa hon.| ”Nej.”| Han gick.",
        "Caesar dog år 44 f.Kr.| Det är länge sedan.",
        "– Ja, sa hon.| – Nej, sa han.",
        "Det är landet han bor i.| Peter kommer dit.",
        "Prof. A. B. Ek, f.d. rektor, talade t.o.m. Finska.",
        "Det kostar ca. 3,50 kr.| Han betalade o.s.v.| Slut.",
        "Han köpte pennor o. s. v.| Peter gick.",
    ],
    "da": [
        "Han kom d. 3. maj 1990.| Hun gik den 4. 6. 1990.",
        "Den 1. Januar kom hr. Hansen.| Han blev.",
        "Toget kom kl. 19.| Peter stod af.",
        "Det er f.eks. Danmark og bl.a. Norge.| Ja.",
        "Hun købte bøger, blade m.m.| Så gik hun.",
        "Se nr. 5, stk. 2, jf. Grundloven.| Det er alt.",
        "»Nej.«| Han gik.| »Kom!« råbte hun.",
        "Frederik 9. døde i 1972.| Dronningen fulgte.",
        "Det kostede ca. 5 kr.| Hun betalte.",
        "Prof. dr. J. P. Holm, cand. mag. Lis Bo osv.| De kom.",
    ],
    "de": [
        "Am 3. Oktober kam Dr. Müller.| Er blieb.",
        "Im 19. Jahrhundert lebte z. B. Goethe, u. a. auch Schiller.| Das ist bekannt.",
        "Das kostet 3 Mio. Euro.| Die Firma zahlt.",
        "„Komm.“| Er ging.| »Nein!«| Sie blieb.",
        "Er kaufte Äpfel, Birnen usw.| Dann ging er.",
        "Vgl. Abb. 3 auf S. 5.| Es stimmt.",
        "Er ist 19.| Das ist jung.",
        "Friedrich II. kam am 3. 5. 1750.| Er siegte.",
        "Nach § 5 Abs. 2 Nr. 3 gilt das.| Gut.",
        "Prof. Dr. med. Hans Meier, Dipl.-Ing. F.-J. Ott und d.h. Alle kamen am 1.-3. Mai.",
        "Sie las z.B. Der Spiegel.| Nein.",
    ],
    "el": [
        "Ο κ. Παπαδόπουλος ήρθε.| Έφυγε.",
        "Τι κάνεις;| Καλά.",
        "Τι κάνεις\u037e| Καλά.",
        "Είδε πόλεις, π.χ. Αθήνα κ.λπ.| Μετά έφυγε.",
        "Βλ. σελ. 5 και άρθ. 3 παρ. 2.| Είναι σωστό.",
        "Ήταν το 480 π.Χ.| Οι Έλληνες νίκησαν.",
        "«Έλα.»| Έφυγε.| Είπε «Ποιος;» και έφυγε.",
        "Ο Γ. Σ. Αντωνίου μένει στην οδό Αγ. Νικολάου.| Ναι.",
        "Ήρθε στις 5 μ.μ.| Η Μαρία έφυγε.",
        "Ήρθε ο δρ. Νίκου· μετά έφυγε.| Όχι…| Ναι!",
    ],
    "nb": ["Han kom 3. mai kl. 19.| Per gikk.", "Vi så bl.a. Oslo osv.| Så dro vi.",
           "«Nei.»| Hun gikk."],
    "nl": ["Dhr. Jansen kwam o.a. Dinsdag.| Hij bleef.", "Zie blz. 5 enz.| Dat is alles."],
    "fr": [
        "M. Le Brun parle.| « Oui. »| Il part !| Non ?",
        "Voir p. 5 et l'art. 3.| C'est tout, cf. Proust.",
    ],
    "es": ["La Sra. Ruiz vino.| ¿Por qué?| ¡No sé!", "Vea la pág. 3, etc.| Es el núm. 5."],
    "it": ["Il sig. Rossi e l'avv. Bo partono.| Ecco.", "Vedi pag. 3 ecc.| È l'art. 5."],
    "pt": ["O Sr. Silva veio.| Não é?", "Veja a pág. 3, etc.| É o núm. 5."],
    "fi": ["Hän tuli 3. toukokuuta klo 5.| Sitten hän lähti.", "Ks. esim. Turku jne.| Hyvä."],
    "ru": ["Пришёл проф. Иванов и т.д.| Он ушёл.", "А. С. Пушкин родился здесь.| См. рис. 3."],
    "tr": ["Dr. Demir 3. Mayıs günü geldi.| Sonra gitti.", "Bkz. s. 5.| Kitaplar vb.| Tamam."],
    "ja": ["今日は晴れ。|明日は雨！|そうですか？|はい",
           "「はい。」と言った。|「行く。|帰る。」|彼は笑った。", "本当?|そう。"],
    "zh": ["你好。|我很好！|真的吗？！|是", "他说：“好。”|她走了。|“不。”|长３．５米。",
           "我走了。 |他来了。"],
    "th": ["สวัสดีครับ ผมชื่อสมชาย\n|วันนี้ร้อน. อายุ 5 ปี! ใช่", "หนึ่ง สอง\n\n|สาม"],
    "ar": ["ذهب د. محمد إلى السوق.| ثم عاد.", "هل عاد؟| نعم!| شكرا."],
    "hi": ["वह गया।| मैं आया।| डॉ. शर्मा आए।", "क्या?| हाँ।"],
    "ne": ["ऊ गयो।| म आएँ।", "डा. शर्मा आए।| के?"],
    "": ["No language.| J. Doe.| 你好。|Ja.", "یہ اچھا ہے۔| وہ گیا۔"],
}  # fmt: skip
# Sentences whose line break was lost: what is cut, and beside it what must not be.
GLUED = {
    "en": [
        "He left at the end of the season.|The former coach has signed.",
        'It was "never to be seen again".|He asked in Benghazi.|But the FBI said no.',
        "It opened at 5 p.m.|The rest came in 2009.|They paid £2.1m.|It was 50%.|We left.",
        "Is it?|No, it is not!|It was...|And then?",
        "We won.|It rained.|He left.|Sneijder played.|West Ham lost (Wales).|Radu won.",
        "We won.|It rained.|He left at 09:30 BST.|Superbike times rose to 131.063.|Bo fell.",
        "We won.|It rained.|He left.|FBI Director Comey spoke.|London mayor Lee, 50, came.",
        'He said: "We got two.| We will see."|World number six fell.|A man rose.|It was late.',
        'She left.|"The man" stayed.|"It rained," he said.|“We won.”|They sang.',
        "Visit example.Com or Node.Js in ASP.Net now.| J.Smith wrote 3.Then to St.Petersburg.",
        "Use threading.Thread and 'typing.Any' here, as E.On does.| The U.S.And so on.",
        "Will.I.Am met Dr.Dre at Yahoo!Answers.| Write to Peter.Lipp@iaik.at or A.The.B now.",
        "1.First pay.| 2.Then go.| See 3.Then and sec.Two of readme.Txt and Foo.Bar(x).",
        "The team (e.g.The Reds) met Prof.The one.| Open C:\\Docs.The_file or a/b.Html.",
    ],
    "sv": [
        "Han slutade efter säsongen.|Den förre tränaren kom.",
        "Det regnade.|Hon gick.|Han blev.|Sneijder spelade.|Åsa vann.",
        "Köp bl.a.Volvo och t.ex.Saab på exempel.Se nu.| Prof.Ek kom.",
    ],
    "da": [
        "Han rejste efter sæsonen.|Den tidligere træner kom.|Så regnede det.|Peter gik.",
        "Det er f.eks.Danmark, jf.Grundloven, hr.Hansen og 3.Maj.| Ja.",
    ],
    "de": [
        "Er ging nach der Saison.|Der frühere Trainer kam.|Es regnete.|Müller spielte.",
        "Am 3.Oktober kam Dr.Müller mit z.B.Goethe nach St.Gallen.| Die Seite heißt beispiel.De.",
        "„Komm.“|Er ging.|Sie blieb.|Karl sang.",
    ],
    "el": [
        "Έφυγε μετά την πρεμιέρα.|Ο προπονητής ήρθε.|Η Μαρία έμεινε.|Νίκησαν όλοι.",
        "Ο κ.Παπαδόπουλος είδε π.χ.Αθήνα και τον Γ.Αντωνίου.| Ναι.",
    ],
    "fr": [
        "Il part.|L'équipe reste.|C'est tout.|Dupont gagne.",
        "Voir M.Dupont et cf.Proust, p.Cinq.| « Oui. »",
    ],
    "es": [
        "Se fue ayer.|El niño vino.|¿Por qué lloró?|No sé.|Pedro ganó.",
        "La Sra.Ruiz y el Dr.Paz ven ejemplo.Com hoy.| Es todo.",
    ],
    "ru": [
        "Он ушёл вчера.|Она осталась дома.|Это всё.|Иванов выиграл.",
        "А.С.Пушкин и проф.Иванов пришли.| Он рад.",
    ],
    "hi": ["वह गया।|मैं आया।"],
    "ar": ["هل عاد؟|نعم عاد."],
    "": ["He left after the season.|The coach came.|Es war so.|Smith won."],
}
MARKS = "aAbÅß1. .!?…\"'“”«»()[]-–•\n\n\t 。」と！;।؟\u200b\x1c\u2028😀中"
HOSTILE = st.text(st.sampled_from(MARKS))
codes = st.sampled_from(["", "en", "de", "el", "ja", "th"])


def pieces(text, language=""):
    return [text[a:b] for a, b in split_sentences(text, language)]


def check_spans(text, spans):
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize("language", sorted({"", *known_languages()}))
def test_hard_cases_are_cut_where_a_reader_would(language):
    for marked in CASES[language] + GLUED.get(language, []):
        expected = [piece.strip() for piece in marked.split("|")]
        assert pieces(marked.replace("|", ""), language) == expected


def test_one_lost_line_break_does_not_make_other_capitals_beginnings():
    once = "It ended.The lock is threading.Lock here. It works. So does this."
    assert pieces(once, "en")[:2] == ["It ended.", "The lock is threading.Lock here."]
    few = once + " It is one of many." * 20 + " He came.She left."
    assert "The lock is threading.Lock here." in pieces(few, "en")
    # Lost breaks are counted where words have blanks.
    offsets = {'He won.She lost. "I see."They left.': [7, 25], "वह गया।मैं आया।": [7]}
    offsets["今日は晴れ。明日は雨。"] = []
    assert {text: lost_breaks(text, pieces(text, "")) for text in offsets} == offsets


@pytest.mark.parametrize(("language", "text", "expected"), [
    # A blank line always ends a sentence.
    ("en", "A heading\n \t\nand then, e.g.\r\n\r\nthis",
     ["A heading", "and then, e.g.", "this"]),
    ("en", 'Hi. "\n\nBob left.', ['Hi. "', "Bob left."]),
    # A single line break does not.
    ("en", "He met Dr.\nEk in\nRome.\nThey spoke",
     ["He met Dr.\nEk in\nRome.", "They spoke"]),
    ("en", "Buy:\n- milk\n* bread\n  • eggs\n1. Salt\n2) 3 pears\n10. Tea. And cake",
     ["Buy:", "- milk", "* bread", "• eggs", "1. Salt", "2) 3 pears", "10. Tea.", "And cake"]),
    # An ordinal that begins a line is no list item.
    ("de", "Er kam am\n3. Mai und ging am\n4. wieder",
     ["Er kam am\n3. Mai und ging am\n4. wieder"]),
    ("en", "Er kam am\n3. Mai und ging", ["Er kam am", "3. Mai und ging"]),
    ("en-GB", "Dr. Ek came. Ms. Lee left.", ["Dr. Ek came.", "Ms. Lee left."]),
    *[("en", f"{head}\n\nThe text.", [head, "The text."]) for head in
      ("1. Introduction", "3.1. Results", "## 2. Methods", "IV. End", "A. Start")],
])  # fmt: skip
def test_lines_and_lists_are_cut(language, text, expected):
    assert pieces(text, language) == expected


def test_an_unbalanced_quote_swallows_nothing():
    for quote in "\"'“”„«»‘’「":
        assert len(pieces(f"{quote}One is here. Two is there. Three is gone.", "en")) == 3


@given(HOSTILE, codes)
def test_spans_are_ordered_disjoint_trimmed_and_lose_nothing(text, language):
    check_spans(text, split_sentences(text, language))
    for sentence in pieces(text, language):
        # Cut again it stays whole.
        assert pieces(sentence, language) == [sentence]


@given(st.text())
def test_spans_of_any_text_lose_nothing(text):
    for name in ("rules", "lines", "paragraphs"):
        check_spans(text, SPLITTERS[name](text, "en"))


WORDS = st.lists(st.sampled_from(["tree", "house", "3.5", "won't", "(so", "to)"]), min_size=2)
ENDS = st.sampled_from([".", "!", "?!", "...", '."', ".)", "…”"])


@given(st.lists(st.tuples(WORDS, ENDS), min_size=1),
       st.sampled_from([" ", "  ", "\n", " \n ", "\n\n"]))  # fmt: skip
def test_plain_sentences_are_found_again(drawn, gap):
    sentences = ["The " + " ".join(words) + end for words, end in drawn]
    assert pieces(gap.join(sentences), "en") == sentences


@given(HOSTILE)
def test_lines_and_paragraphs_agree_with_a_plain_loop(text):
    expected = [line.strip() for line in text.split("\n") if line.strip()]
    assert [text[a:b] for a, b in split_lines(text)] == expected
    blocks, lines = [], []
    for line in [*text.split("\n"), ""]:
        # A line of white space parts two blocks; the marks \x1c-\x1f are text to a pattern.
        if re.fullmatch(r"[^\S\x1c-\x1f]*", line):
            blocks.append("\n".join(lines).strip())
            lines = []
        else:
            lines.append(line)
    assert [text[a:b] for a, b in split_paragraphs(text)] == [block for block in blocks if block]


UNITS = 'a|.|"|\'. |."|.)|A. |1. |\n| |\n |- |。」と|!?|.[1]|z. |»|. » |\u200b|éééé.|\n1. |．|?中'


# A search that is not linear would not come back from these.
@pytest.mark.parametrize("unit", [*UNITS.split("|"), "word ", ". ", "' \""])
def test_long_runs_of_any_mark_are_read_to_their_end(unit):
    text = unit * (30_000 // len(unit)) + "x"
    for split in (lambda text: split_sentences(text, "de"), split_paragraphs, split_lines):
        check_spans(text, split(text))


def test_splitters_are_found_by_name():
    text = "One. Two\nthree.\n\nFour."
    counts = {"rules": 3, "lines": 3, "paragraphs": 2}
    assert {name: len(get_splitter(name)(text, "en")) for name in counts} == counts
    message = r"no splitter is named 'rule'\. Did you mean 'rules'"
    with pytest.raises(UnknownNameError, match=message):
        get_splitter("rule")
    # A text without anything visible has no sentences.
    for split in (split_sentences, split_paragraphs, split_lines):
        assert split("") == split(" \n\n\t\x1c ") == []


def test_icu_counts_characters_and_not_utf16_units():
    pytest.importorskip("icu4py")
    text = "Hi 😀😀 there. Next one 😀. 今日は。明日。 "
    spans = get_splitter("icu")(text, "en-GB")
    check_spans(text, spans)
    assert [text[a:b] for a, b in spans] == ["Hi 😀😀 there.", "Next one 😀.", "今日は。", "明日。"]


def test_icu_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "icu4py", None)
    monkeypatch.setitem(sys.modules, "icu4py.breakers", None)
    with pytest.raises(MissingPackageError, match=r"'icu' needs .*: pip install icu4py$"):
        get_splitter("icu")("One.", "en")


PLAIN = [
    *"aZ9 .!?\n'\"(-é“…。\u3000人", "etc", "No", "Mr", "the", "Rain", "XI", "word. ", "dam. The ",
    "e.g. ", " . the ", " . Rain", "3.5", "iPhone", "iÉ", "why?! ", "St. foo. ",
]  # fmt: skip


@given(st.lists(st.sampled_from(PLAIN), max_size=12), st.sampled_from(["", "en", "de", "el"]))
def test_texts_without_doubt_are_cut_as_all_others_are(parts, code):
    """The quick way for plain marks gives what the rules give."""
    text = "".join(parts)
    quick = split_sentences(text, code)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "_plain_sentences", lambda text, known: None)
        assert split_sentences(text, code) == quick
