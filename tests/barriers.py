"""A page as axe-core sees it: WCAG 2.2 A and AA without a serious violation."""

from axe_playwright_python.sync_playwright import Axe

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Scripts do not run; what those of researchers do is done here.
_SHOW = """async html => {
  const shown = new DOMParser().parseFromString(html, "text/html").documentElement;
  shown.querySelectorAll("[data-copy]").forEach(one => { one.hidden = false; });
  document.replaceChild(shown, document.documentElement);
  const styles = [...document.querySelectorAll("link[rel=stylesheet]")].filter(one => !one.sheet);
  await Promise.all(styles.map(one => new Promise(done => { one.onload = done; })));
}"""


def show(page, html):
    """Put a page of the same server in the place of the one that is shown: axe need not start."""
    page.evaluate(_SHOW, html)


def violations(page, options):
    """What axe finds with these options; its script is put into a page once."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    run = "options => axe.run(options).then(results => results.violations)"
    return page.evaluate(run, {"resultTypes": ["violations"], **options})


def check(page, but=()):
    """Serious and critical violations of what the page shows now, without those of some rules."""
    # What the sticky foot covers at the moment is too small a target for axe; see `small_targets`.
    rules = {rule: {"enabled": False} for rule in ("target-size", *but)}
    found = violations(page, {"runOnly": {"type": "tag", "values": RULES}, "rules": rules})
    wrong = [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert wrong == [], (page.url, wrong)
    assert small_targets(page) == [], page.url


def check_contrast_in_the_dark(page):
    """In the dark scheme nothing but the colours differs."""
    page.emulate_media(color_scheme="dark")
    page.evaluate("document.getAnimations().forEach(change => change.finish())")
    options = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    assert violations(page, options) == [], page.url


def small_targets(page):
    """Buttons, menus and marks that are lower or narrower than the 24 px of WCAG 2.2."""
    return page.locator(
        "button:not([aria-hidden]), .button, select, .scale .row span"
    ).evaluate_all("""found => found
        .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 23.9 || box.height < 23.9))
        .map(([html]) => html)""")
