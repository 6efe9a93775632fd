"""How a visitor in a real browser joins a study; the pictures of the docs are taken with it too."""


def join(page, address, name="Heron"):
    """Join a study, whatever it asks for; the address of the first text."""
    page.goto(address)
    page.fill("#name", name)
    for question in page.locator("fieldset.choices").all():
        if question.locator("input[type=radio]").count():
            question.locator("input[type=radio]").first.check()
    if page.locator("input[name=consent]").count():
        page.check("input[name=consent]")
    page.click("button.primary")
    page.wait_for_selector("#outcome")
    page.wait_for_load_state()  # keys do nothing before the scripts are there
    return page.url
