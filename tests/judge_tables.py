"""What a test of a judge and two runs of a judge could have written: small, and made up."""

from summetry.formats.judge_tables import (
    AltTestLimits,
    AltTestTables,
    AnnotatorRow,
    JudgedSystem,
    JudgeRow,
    JudgeTables,
    MeasuredBias,
    Table,
)

ALT_TEST = AltTestTables(
    AltTestLimits(0.1, 0.05),
    ("a: llm passes", "b: no verdict"),
    Table(
        (
            JudgeRow("llm", "a", "llm", 1.0, 0.85, None, None, None),
            JudgeRow("llm", "a", "(constant)", 0.5, 0.4, 0.45, 0.001, "yes"),
            JudgeRow("llm", "a+b", "llm", 0.0, 0.3, None, None, None),
            JudgeRow("llm", "a+b", "(constant)", 1.0, 0.9, -0.6, None, "no"),
        ),
        "Judges",
        ("a note",),
    ),
    Table(
        (
            AnnotatorRow("llm", "a", "ann", 40, 0.9, 0.6, 0.01, "yes"),
            AnnotatorRow("llm", "a", "bob", 12, None, None, None, "no"),
            AnnotatorRow("llm", "a+b", "ann", 80, 0.3, 0.95, 1.0, "no"),
        ),
        "Annotators",
    ),
)
SYSTEMS = (
    JudgedSystem("fluency", "ada", 4, 8, 7, 1, 0, 0, 0, 4.5, 4.25, 4.75, 4.0, 4.625),
    JudgedSystem("fluency", "bob", 4, 8, 8, 0, 0, 0, 0, 2.0, 1.5, 2.25, 2.0, 2.0),
    JudgedSystem("fluency", "eve", 4, 8, 0, 0, 5, 2, 1, None, None, None, 1.0, 5.0),
)
POINTS = JudgeTables(
    "llama", {"mark": 15, "parse_failure": 1, "refusal": 5, "no_answer": 2, "not_asked": 1},
    points=Table(SYSTEMS, "Marks by llama: fluency", ("low, high: 95 % interval",)),
    biases=Table((
        MeasuredBias("fluency", "mark and length", -0.5, -0.75, 0.25, 12),
        MeasuredBias("fluency", "equal marks of two trials", 0.6, 0.4, 0.7, 10),
        MeasuredBias("fluency", "difference of two trials", 0.4, 0.3, 1.2, 10),
    ), "Biases"),
)  # fmt: skip
PAIRS = JudgeTables(
    "llama", {"mark": 24},
    pairs=Table(
        (JudgedSystem("focus", "ada", 4, 8, 8, 0, 0, 0, 0, 0.5, 0.25, 0.75, 0.5, 0.5),),
        "Win rates by llama: focus",
    ),
    biases=Table((
        MeasuredBias("focus", "first wins", 0.7, 0.6, 0.8, 20),
        MeasuredBias("focus", "called equal", 0.1, 0.0, 0.2, 20),
        MeasuredBias("focus", "flips", 0.3, 0.1, 0.5, 10),
        MeasuredBias("focus", "longer wins", None, None, None, 0),
    ), "Biases"),
)  # fmt: skip
