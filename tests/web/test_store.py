"""The store, function by function: what is kept, in which order, for how long, and what is refused.

The pages try most of it from outside; here are the boundaries that a page meets seldom.
"""

import datetime
import re

import msgspec
import pytest
from sqlalchemy import create_engine, event, update
from web_content import corpus_of, topic_of

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Extract, Person, Summary
from summetry.web import tables
from summetry.web.settings import StudySettings
from summetry.web.store import accounts, answers, editors, keys, people, studies
from summetry.web.store.accounts import add_researcher
from summetry.web.store.answers import ConflictError, NothingToUndoError
from summetry.web.store.assignment import Plan, assign_next
from summetry.web.store.keys import make_key
from summetry.web.store.people import add_person
from summetry.web.store.studies import add_corpus, find_study, make_study, stored_corpus

START = datetime.datetime(2026, 11, 1, 12)
ITEMS = [(name,) for name in "abcd"]


@pytest.fixture
def connection():
    """A database in memory, in one transaction."""
    engine = create_engine("sqlite://")
    event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA foreign_keys=ON"))
    tables.metadata.create_all(engine)
    with engine.begin() as opened:
        yield opened
    engine.dispose()


@pytest.fixture
def clock(monkeypatch):
    """The time of the store, and a way to let seconds pass."""
    moment = [START]
    for module in (accounts, answers, keys, people, studies):
        monkeypatch.setattr(module, "now", lambda: moment[0])

    def wait(seconds):
        moment[0] += datetime.timedelta(seconds=seconds)

    return wait


def corpus_with(*names, **more):
    """A corpus of texts of these names."""
    texts = (topic_of(name, ("It sank.", "Two died.", "It rained.")) for name in names)
    return corpus_of(*texts, **more)


@pytest.fixture
def study(connection):
    return make_study(connection, "Study", "extract", corpus_with("a", "b"), state="open")


def stored(connection, study):
    """The corpus of a study as it is stored."""
    return stored_corpus(connection, find_study(connection, study))


@pytest.fixture
def heron(connection, study):
    return add_person(connection, study, "Heron")


@pytest.fixture
def answer(connection, study, heron, clock):
    """A function that answers the first item of Heron as it is now."""
    assign(connection, heron)
    return lambda: answers.find_answer(connection, heron.id, 1)


# ── assigning ─────────────────────────────────────────────────────────────


def assign(connection, person, items=ITEMS, practice=None, options=None, **settings):
    study, chosen = find_study(connection, person.study), StudySettings(**settings)
    items = [item for item in items if item != practice]
    plan = Plan(chosen, items, answers.count_states(connection, study), practice, **options or {})
    return assign_next(connection, study, person, plan)


def held(connection, study):
    """How many people have each item."""
    counts = answers.count_states(connection, find_study(connection, study))
    return {item: states.total() for item, states in counts.items()}


def give(connection, person, items=ITEMS, practice=None, count=9, options=None, **settings):
    """The items that somebody does one after the other, each with its number."""
    given = []
    for _ in range(count):
        number = assign(connection, person, items, practice, options, **settings)
        if number is None:
            break
        answer = answers.find_answer(connection, person.id, number)
        answers.change(connection, answer, 0, {}, "submit")
        given.append((number, *msgspec.json.decode(answer.item)))
    return given


def test_everybody_gets_every_item_once_in_an_own_order(connection, study):
    orders = set()
    for name in ("Ann", "Bob", "Cy", "Dee", "Eve"):
        given = give(connection, add_person(connection, study, name))
        assert [number for number, _ in given] == [1, 2, 3, 4]
        assert sorted(item for _, item in given) == ["a", "b", "c", "d"]
        orders.add(tuple(given))
    assert len(orders) > 1


def test_an_item_that_is_begun_is_given_again_and_what_fewest_people_have_comes_first(
    connection, study, heron
):
    assert [assign(connection, heron) for _ in range(3)] == [1, 1, 1]
    assert len(answers.answers_of(connection, find_study(connection, study), heron.id)) == 1
    for name in ("Ann", "Bob", "Cy"):
        give(connection, add_person(connection, study, name), count=1)
    assert held(connection, study) == dict.fromkeys(ITEMS, 1)


def test_no_item_is_given_to_more_people_or_to_one_more_often_than_the_study_says(
    connection, study
):
    people = [add_person(connection, study, name) for name in ("Ann", "Bob", "Cy", "Dee")]
    counts = [len(give(connection, one, per_text=2, per_informant=3)) for one in people]
    assert counts == [3, 3, 2, 0]
    # In the order of joining, and then in their own.
    names = [given.person for given in answers.given_answers(connection, study)]
    assert names == ["Ann"] * 3 + ["Bob"] * 3 + ["Cy"] * 2
    rows = answers.all_answers(connection, find_study(connection, study))
    order = [(answer.person, answer.place) for answer in rows]
    assert order == sorted(order) and len(order) == 8
    assert held(connection, study) == dict.fromkeys(ITEMS, 2)


def test_the_practice_item_comes_first_and_never_again(connection, study, heron):
    given = give(connection, heron, practice=("b",), per_informant=2)
    assert given[0] == (0, "b") and [number for number, _ in given] == [0, 1, 2]
    assert "b" not in {item for _, item in given[1:]}
    # It counts neither as coverage nor as submitted, but as work.
    assert ("b",) not in held(connection, study)
    assert len(answers.given_answers(connection, study)) == 2
    assert answers.count_answers(connection, study) == 3


@pytest.mark.parametrize("count, numbers", [(2, [1, 2, 3]), (1, [1])])
def test_the_first_item_is_repeated_once_after_two_or_more(
    connection, study, heron, count, numbers
):
    given = give(connection, heron, repeat=True, per_informant=count)
    assert [number for number, _ in given] == numbers
    assert given[-1][1] == given[0][1]
    # The repeated item is no more coverage than it was.
    assert sum(held(connection, study).values()) == count
    repeated = [one.repeated for one in answers.given_answers(connection, study)]
    assert repeated == [False, False, True][: len(numbers)]
    # The repeated item is not one of their own: where the study asks for more, they get more.
    more = give(connection, heron, repeat=True, per_informant=count + 1, count=1)
    assert [number for number, _ in more] == [len(numbers) + 1]


def test_topics_stay_apart_and_one_item_of_each_may_be_enough(connection, study, heron):
    items = [(topic, system) for topic in "abc" for system in "xy"]
    topics = [topic for _, topic, _ in give(connection, heron, items, options={"apart": True})]
    assert sorted(topics[:3]) == ["a", "b", "c"] and topics[3:] == topics[:3]
    ann = add_person(connection, study, "Ann")
    own = give(connection, ann, items, options={"once_per_topic": True})
    assert sorted(topic for _, topic, _ in own) == ["a", "b", "c"]


# ── changing and undoing ──────────────────────────────────────────────────


def test_a_change_names_the_version_that_was_shown(connection, answer):
    assert answers.change(connection, answer(), 0, {"units": [1]}) == 1
    for shown in (0, 2):
        with pytest.raises(ConflictError):
            answers.change(connection, answer(), shown, {"units": [2]})
    row = answer()
    assert (row.version, row.content, row.given) == (1, '{"units":[1]}', None)


def test_a_submitted_answer_stays_submitted_while_it_is_changed(connection, study, answer, clock):
    clock(10)
    answers.change(connection, answer(), 0, {"units": [1]}, "submit")
    first = answers.stamp(connection, study)
    clock(10)
    answers.change(connection, answer(), 1, {"units": [2]})
    assert (answer().given, answer().content) == ('{"units":[1]}', '{"units":[2]}')
    (given,) = answers.given_answers(connection, study)
    assert (given.person, given.content, given.repeated) == ("Heron", {"units": [1]}, False)
    assert given.submitted == START + datetime.timedelta(seconds=10)
    # Only what is submitted changes what the statistics are made of.
    assert answers.stamp(connection, study) == first
    clock(10)
    answers.change(connection, answer(), 2, {"units": [2]}, "submit")
    assert answers.stamp(connection, study) != first


def test_undo_goes_back_one_change_at_a_time_and_not_beyond_the_beginning(
    connection, heron, answer
):
    for version, units in enumerate(([1], [1, 2], [1, 2, 3])):
        answers.change(connection, answer(), version, {"units": units})
    contents = []
    for version in (3, 4, 5):
        assert answers.undo(connection, answer(), version) == version + 1
        contents.append(answer().content)
    assert contents == ['{"units":[1,2]}', '{"units":[1]}', "{}"]
    with pytest.raises(NothingToUndoError):
        answers.undo(connection, answer(), 6)
    # A change after an undo is undone to where the undo had arrived.
    answers.change(connection, answer(), 6, {"units": [9]})
    answers.undo(connection, answer(), 7)
    assert (answer().content, answer().version) == ("{}", 8)
    # The start and eight changes.
    assert answers.count_versions(connection, heron.id) == 9


def test_pauses_count_as_work_up_to_a_minute(connection, answer, clock):
    seconds = []
    for version, pause in enumerate((5, 60, 61, 3600, 0)):
        clock(pause)
        answers.change(connection, answer(), version, {})
        seconds.append(answer().seconds)
    assert seconds == [5, 65, 125, 185, 185]
    clock(300)
    answers.change(connection, answer(), 5, {}, longest_pause=200)
    assert answer().seconds == 385
    # A page that is opened again is at work from then on.
    clock(50)
    answers.open_page(connection, answer())
    clock(7)
    answers.change(connection, answer(), 6, {})
    assert answer().seconds == 392
    # A clock that is set back takes nothing away.
    clock(-3600)
    answers.change(connection, answer(), 7, {})
    assert answer().seconds == 392


# ── studies ───────────────────────────────────────────────────────────────


def test_a_study_is_found_by_its_id_and_by_its_code(connection, study):
    row = find_study(connection, study)
    assert (row.name, row.task, row.is_open, row.changes) == ("Study", "extract", True, 0)
    assert find_study(connection, row.code, by_code=True) == row
    assert find_study(connection, row.code) is find_study(connection, "none") is None
    # No letters that can be taken for others.
    assert re.fullmatch("[a-hjkmnp-z2-9]{10}", row.id)
    assert re.fullmatch("[a-hjkmnp-z2-9]{8}", row.code)


def test_studies_are_listed_newest_first_and_for_their_members(connection, clock):
    numbers = []
    for name in ("One", "Two", "Three"):
        numbers.append(make_study(connection, name, "extract", corpus_with()))
        clock(1)
    first, ann, bob = numbers[0], *(add_researcher(connection, name) for name in ("Ann", "Bob"))
    accounts.add_member(connection, first, ann)
    accounts.add_member(connection, first, ann)
    assert [s.name for s in studies.all_studies(connection)] == ["Three", "Two", "One"]
    assert [s.name for s in studies.all_studies(connection, ann)] == ["One"]
    assert studies.all_studies(connection, bob) == []
    assert [member.name for member in accounts.members_of(connection, first)] == ["Ann"]
    accounts.add_member(connection, first, bob)
    accounts.remove_member(connection, first, ann)
    assert [accounts.is_member(connection, first, one) for one in (ann, bob)] == [False, True]


def test_ids_of_topics_are_short_and_without_zero_bytes(connection):
    longest = make_study(connection, "Long", "extract", corpus_with("x" * 500))
    assert stored(connection, longest).topics[0].id == "x" * 500
    for name in ("x" * 501, "a\0b"):
        with pytest.raises(SummetryError, match="expected an id of at most 500 characters"):
            make_study(connection, "Long", "extract", corpus_with(name))


ANN = Person("Ann", "students")


@pytest.mark.parametrize("more, words", [
    (corpus_with(*"abcdefg"), "6 texts of the upload have an id that the study has already: 'a', "
     "'b', 'c', 'd', 'e', ...; rename them"),
    (corpus_with("n", scales={"focus": ("good", "bad")}), "the scale 'focus' of the upload is not"),
    (corpus_with("n", people=(Person("Ann", "others"),)), "'Ann' is another person in the upload"),
])  # fmt: skip
def test_a_corpus_that_does_not_fit_to_a_study_is_not_added(connection, more, words):
    before = corpus_with(*"abcdef", scales={"focus": ("bad", "good")}, people=(ANN,))
    study = find_study(connection, make_study(connection, "Study", "extract", before))
    with pytest.raises(SummetryError, match=re.escape(words)):
        studies.check_addition(connection, study, more)
    assert stored_corpus(connection, study) == before


def test_a_corpus_is_added_behind_what_is_there(connection):
    marks = Judgment("b", "lead", "Ann", "focus", "good")
    scales = {"focus": ("bad", "good")}
    summaries = (Summary("b", "lead", "candidate", text="It sank."),)
    more = corpus_with("b", people=(ANN,), scales=scales, judgments=(marks,), summaries=summaries)
    study = make_study(connection, "Study", "extract", corpus_with("a", people=(ANN,)))
    read = find_study(connection, study)
    addition = studies.check_addition(connection, read, more)
    add_corpus(connection, read, addition)
    with pytest.raises(SummetryError, match="changed in another window meanwhile; upload again"):
        add_corpus(connection, read, addition)
    corpus = stored(connection, study)
    assert [topic.id for topic in corpus.topics] == ["a", "b"]
    assert (corpus.people, corpus.judgments, corpus.scales) == ((ANN,), (marks,), scales)
    assert corpus.topics[1].language == "en"
    assert find_study(connection, study).changes == 1
    # A corpus without a name is called like its study.
    nameless = make_study(connection, "Study", "extract", Corpus("", "en"))
    assert (corpus.name, stored(connection, nameless).name) == ("small", "Study")


def test_every_change_of_a_study_is_counted(connection, study):
    first = msgspec.structs.replace(stored(connection, study).topics[0], title="T")
    for number, step in enumerate((
        lambda: studies.change_study(connection, study, state="closed"),
        lambda: studies.change_study(connection, study, settings=StudySettings(seed=7)),
        lambda: studies.change_topic(connection, study, first),
        lambda: studies.remove_topic(connection, find_study(connection, study), "b"),
    ), 1):  # fmt: skip
        step()
        assert find_study(connection, study).changes == number
        if number == 3:
            assert [topic.title for topic in stored(connection, study).topics] == ["T", ""]
    row = find_study(connection, study)
    assert (row.state, row.settings.seed) == ("closed", 7)
    assert [(topic.id, topic.title) for topic in stored(connection, study).topics] == [("a", "T")]


def test_a_removed_topic_takes_its_records_and_practice_along(connection):
    extracts = (Extract("a", "Ann", (0,)), Extract("b", "Ann", (1,)))
    corpus = corpus_with("a", "b", extracts=extracts)
    settings = StudySettings(practice="a", seed=3)
    study = make_study(connection, "Study", "extract", corpus, settings)
    studies.remove_topic(connection, find_study(connection, study), "b")
    assert find_study(connection, study).settings == settings
    studies.remove_topic(connection, find_study(connection, study), "a")
    assert find_study(connection, study).settings == StudySettings(seed=3)
    assert stored(connection, study).extracts == ()


# ── people and editors ────────────────────────────────────────────────────


def test_a_name_is_taken_once_in_a_study_without_its_white_space(connection, study, clock):
    clock(5)
    more = {"group": "g", "background": {"q": "a"}, "language": "sv"}
    wren = add_person(connection, study, "  Little   Wren ", joined=False, **more)
    assert (wren.name, wren.group, wren.joined) == ("Little Wren", "g", None)
    assert (wren.background, wren.language) == ('{"q":"a"}', "sv")
    assert wren.invited == START + datetime.timedelta(seconds=5)
    joined = add_person(connection, study, "x" * 40)
    assert (joined.invited, joined.joined) == (None, wren.invited)
    for name, words in (
        ("Little Wren", "the name 'Little Wren' is taken in this study"),
        ("x" * 41, "1 to 40 characters, found 41 characters"), (" ", "found none"),
    ):  # fmt: skip
        with pytest.raises(SummetryError, match=words):
            add_person(connection, study, name)
    other = make_study(connection, "Other", "extract", corpus_with("a"))
    # Earlier personal links stay valid.
    for key in [make_key(connection, "person", wren.id) for _ in range(2)]:
        assert people.find_person(connection, study, key).name == "Little Wren"
        assert people.find_person(connection, other, key) is None
    assert people.person_by_number(connection, other, wren.id) is None


def test_references_of_editors_and_votes_replace_only_their_own_kind(connection, study):
    def authors(role="reference"):
        summaries = stored(connection, study).summaries
        return sorted((s.author, s.topic) for s in summaries if s.role == role)

    for topic in ("a", "b"):
        for name in ("Eve", "Max"):
            editors.keep_extract(connection, study, topic, name, (0, 1))
    # Candidates of the same names are not theirs.
    names = ("editor: Eve", "majority: 30%, position")
    candidates = tuple(Summary(topic, name, "candidate", "It.") for topic in "ab" for name in names)
    studies.add_records(connection, study, Corpus("more", "en", summaries=candidates))
    editors.keep_extract(connection, study, "b", "Eve", (0, 2))
    for name in ("majority: 30%, position", "majority: mean, position"):
        new = Summary("a", name, "reference", units=(0,))
        editors.save_reference(connection, study, "a", new)
    editors.keep_extract(connection, study, "a", "Eve", ())
    own = [("editor: Eve", "b"), ("editor: Max", "a"), ("editor: Max", "b")]
    assert authors() == [*own, ("majority: mean, position", "a")]
    corpus = stored(connection, study)
    assert editors.saved_reference(corpus, "a") == new
    assert editors.saved_reference(corpus, "b") is None
    assert [s.author for s in editors.editors_extracts(corpus, "a")] == ["editor: Max"]
    editors.save_reference(connection, study, "a", None)
    assert authors() == own
    assert authors("candidate") == [(name, topic) for name in names for topic in "ab"]
    assert find_study(connection, study).changes == 9


# ── accounts ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seconds, is_valid", [(24 * 3600, True), (24 * 3600 + 1, False)])
def test_a_link_lasts_for_a_day_and_once(connection, clock, seconds, is_valid):
    ann = add_researcher(connection, "Ann")
    secret = accounts.make_link(connection, ann)
    assert not accounts.is_link(connection, "another") and accounts.is_link(connection, secret)
    clock(seconds)
    assert accounts.is_link(connection, secret) == is_valid
    entered = accounts.use_link(connection, secret)
    assert (entered and entered.id) == (ann if is_valid else None)
    assert not accounts.is_link(connection, secret)
    assert accounts.use_link(connection, secret) is None


def test_passwords_have_ten_characters_and_let_in_only_their_own(connection):
    def check(name, password):
        row = accounts.find_by_name(connection, name)
        return row if accounts.is_password(password, row) else None

    with pytest.raises(SummetryError, match="expected 10 or more characters, found 9"):
        accounts.hashed("x" * 9)
    ann = add_researcher(connection, "Ann", accounts.hashed("x" * 10))
    bare = add_researcher(connection, "Abe")
    entered = check(" Ann ", "x" * 10)
    assert entered.id == ann and not entered.is_admin
    for name, password in (("Ann", "x" * 11), ("Bob", "x" * 10), ("Abe", "")):
        assert check(name, password) is None, name
    accounts.set_password(connection, ann, accounts.hashed("y" * 10))
    row = accounts.find_researcher(connection, ann)
    assert check("Ann", "x" * 10) is None and check(" Ann  ", "y" * 10) == row
    accounts.set_admin(connection, bare, True)
    rows = accounts.all_researchers(connection)
    assert [(row.name, row.is_admin) for row in rows] == [("Abe", True), ("Ann", False)]
    # A reset makes earlier links and the password useless.
    old, new = accounts.make_link(connection, ann), accounts.reset_access(connection, ann)
    assert [accounts.is_link(connection, link) for link in (old, new)] == [False, True]
    assert check("Ann", "y" * 10) is None


def test_a_token_is_its_researchers_and_only_they_delete_it(connection):
    ann, bob = (add_researcher(connection, name) for name in ("Ann", "Bob"))
    secret = accounts.make_token(connection, ann, " my  script ")
    (token,) = accounts.tokens_of(connection, ann)
    assert token.name == "my script" and secret not in str(token)
    assert accounts.find_token(connection, secret).name == "Ann"
    assert accounts.find_token(connection, "another") is None
    accounts.delete_token(connection, bob, token.id)
    assert accounts.find_token(connection, secret) is not None
    accounts.delete_token(connection, ann, token.id)
    assert accounts.find_token(connection, secret) is None


def test_the_log_is_read_from_its_newest_entry_and_its_details_are_short(connection, study):
    for number in range(502):
        accounts.write_log(connection, "Ann", f"did {number}", detail="x" * 2001)
    accounts.write_log(connection, "Ann", "opened", study)
    entries = accounts.read_log(connection)
    assert len(entries) == 500 and entries[0].action == "opened"
    assert (entries[1].action, len(entries[1].detail)) == ("did 501", 2000)
    assert [entry.action for entry in accounts.read_log(connection, study)] == ["opened"]
    connection.execute(update(tables.log).values(who="Bob"))
    assert {entry.who for entry in accounts.read_log(connection, most=2)} == {"Bob"}
