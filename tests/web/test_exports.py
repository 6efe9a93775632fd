"""The export page and the page of tokens, in a real browser."""

import zipfile

from summetry.formats import load
from summetry.web.demo import demo_corpus


def test_a_study_is_exported_and_a_token_made_in_the_browser(server, open_page, tmp_path):
    page = open_page()
    page.goto(server.login)
    page.click("button.primary")
    page.get_by_role("link", name="Demo: extracts").click()
    page.get_by_role("link", name="Export").click()
    page.fill("#length", "")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "study.zip")
    with zipfile.ZipFile(tmp_path / "study.zip") as archive:
        archive.extractall(tmp_path / "study")
    (folder,) = (tmp_path / "study").iterdir()
    assert load(folder).extracts == demo_corpus().extracts

    # References by majority vote go into SEE's files.
    page.select_option("#format", "rouge_xml(texts=SEE)")
    page.fill("#length", "30%")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    started.value.save_as(tmp_path / "see.zip")
    names = zipfile.ZipFile(tmp_path / "see.zip").namelist()
    assert [name for name in names if name.endswith("majority/t01.html")]

    with page.expect_download() as started:
        page.get_by_role("link", name="Download the changes").click()
    started.value.save_as(tmp_path / "versions.csv")
    assert (tmp_path / "versions.csv").read_text().startswith("person,place,item,version,action")

    page.goto(f"{server.base}/account/tokens")
    page.fill("#name", "a script")
    page.get_by_role("button", name="Make a token").click()
    token = page.locator("[role=status] code").inner_text()
    answer = page.request.get(
        f"{server.base}/api/v1/studies", headers={"Authorization": f"Bearer {token}"}
    )
    assert "Demo: extracts" in {study["name"] for study in answer.json()}
    page.get_by_role("button", name="Delete the token a script").click()
    page.get_by_text("a script").wait_for(state="detached")
    again = page.request.get(
        f"{server.base}/api/v1/studies", headers={"Authorization": f"Bearer {token}"}
    )
    assert again.status == 401
