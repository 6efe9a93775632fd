"""A page as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

from axe_playwright_python.sync_playwright import Axe

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE = {"width": 390, "height": 844}


def violations(page, options):
    """What axe finds with these options; its script is put into a page once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    run = "options => axe.run(options).then(results => results.violations)"
    return page.evaluate(run, {"resultTypes": ["violations"], **options})


def check(page):
    """Serious and critical violations of what the page shows now."""
    # What the sticky foot covers at the moment is too small a target for axe; see `small_targets`.
    rules = {"target-size": {"enabled": False}}
    options = {"runOnly": {"type": "tag", "values": RULES}, "rules": rules}
    found = violations(page, options)
    wrong = [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert wrong == [], (page.url, wrong)
    assert small_targets(page) == [], page.url


def small_targets(page):
    """Buttons, menus and marks that are lower or narrower than the 24 px of WCAG 2.2."""
    return page.locator(
        "button:not([aria-hidden]), .button, select, .scale .row span"
    ).evaluate_all("""found => found
        .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
        .map(([html]) => html)""")
