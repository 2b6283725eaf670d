"""The built pages, scanned: nothing from the network, a text for every picture, working quizzes."""

import copy
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import pytest

bs4 = pytest.importorskip("bs4", reason="the book's extra is not installed")
pytestmark = pytest.mark.slow

LOADED = {  # elements whose address the browser fetches without being asked
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
LOADED_LINKS = {"stylesheet", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch",
                "icon", "shortcut", "manifest", "apple-touch-icon"}  # fmt: skip


@pytest.fixture(scope="module")
def pages(html: Path) -> dict[str, "bs4.BeautifulSoup"]:
    found = {
        p.name: bs4.BeautifulSoup(p.read_text("utf-8"), "html.parser") for p in html.glob("*.html")
    }
    assert "03_self_attention.html" in found
    return found


def is_external(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https") or address.startswith("//")


def requested(page: "bs4.BeautifulSoup") -> list[str]:
    """The addresses that a browser fetches to show the page."""
    addresses = [
        element[attribute]
        for tag, attribute in LOADED.items()
        for element in page.find_all(tag)
        if element.get(attribute)
    ]
    for link in page.find_all("link", href=True):
        if LOADED_LINKS & {word.lower() for word in link.get("rel", [])}:
            addresses.append(link["href"])
    return addresses


def test_no_page_asks_the_network_for_anything(pages):
    external = {n: [a for a in requested(p) if is_external(a)] for n, p in pages.items()}
    assert {name: found for name, found in external.items() if found} == {}


def test_the_scan_sees_external_requests():
    page = bs4.BeautifulSoup(
        '<script src="https://cdn.example/x.js"></script>'
        '<link rel="preconnect" href="//fonts.example">'
        '<a href="https://fine.example">link</a><img src="_images/x.png">',
        "html.parser",
    )
    assert [a for a in requested(page) if is_external(a)] == [
        "https://cdn.example/x.js",
        "//fonts.example",
    ]


def test_no_style_sheet_asks_the_network_for_anything(html: Path):
    for sheet in html.rglob("*.css"):
        text = sheet.read_text("utf-8").replace(" ", "")
        assert "url(http" not in text, sheet.name
        assert "url(//" not in text, sheet.name
        assert "@importurl(" not in text, sheet.name


def test_everything_asked_for_is_there(html: Path, pages):
    for name, page in pages.items():
        for address in requested(page):
            if not address.startswith("data:"):
                assert (html / urlsplit(address).path).is_file(), f"{name} asks for {address}"


def test_mathematics_is_set_by_the_vendored_mathjax(pages):
    scripts = [s["src"] for s in pages["03_self_attention.html"].find_all("script", src=True)]
    assert any(urlsplit(s).path == "_static/mathjax/tex-svg-full.js" for s in scripts)


def test_no_unset_mathematics_or_directive_is_left_in_the_text(pages):
    for name, page in pages.items():
        article = copy.copy(page.find("article"))  # it is taken apart here
        if article is None:
            continue
        for hidden in article.find_all(["pre", "code", "script"]):
            hidden.decompose()
        for formula in article.find_all(class_="math"):
            formula.decompose()
        text = article.get_text()
        for leftover in ("$", ":::", "```", "{numref}", "{cite", "{doc}", "{glue", r"\sqrt"):
            assert leftover not in text, f"{leftover} stands in the text of {name}"


def test_every_picture_has_a_text(pages):
    for name, page in pages.items():
        article = page.find("article")
        for image in article.find_all("img") if article else []:
            assert image.get("alt", "").strip(), f"{image['src']} on {name}"
            assert not image["alt"].startswith("_images"), f"{image['src']} on {name}"


def broken_links(html: Path, pages: dict[str, "bs4.BeautifulSoup"]) -> list[str]:
    """Links within the book, navigation included, whose page, file or anchor is not there."""
    anchors = {
        name: {e.get("id") for e in page.find_all(id=True)}
        | {e["name"] for e in page.find_all("a", attrs={"name": True})}
        for name, page in pages.items()
    }
    broken = []
    for name, page in pages.items():
        for link in page.find_all(["a", "area"], href=True):
            target = urlsplit(link["href"])
            if target.scheme or target.netloc:
                continue
            where, fragment = unquote(target.path) or name, unquote(target.fragment)
            if where not in anchors:
                there = (html / where).is_file() and not fragment
            else:
                there = not fragment or fragment in anchors[where]
            if not there:
                broken.append(f"{link['href']} on {name}")
    return broken


def test_internal_links_lead_somewhere(html: Path, pages):
    assert broken_links(html, pages) == []


def test_broken_links_are_found(tmp_path: Path):
    (tmp_path / "file.txt").write_text("", encoding="utf-8")
    text = (
        '<p id="here"><a href="#here">a</a><a href="#nowhere">b</a><a href="q.html#%E4%B9%85">c</a>'
        '<a href="r.html">d</a><a href="file.txt">e</a><a href="https://fine.example/#x">f</a>'
    )
    pages = {
        "p.html": bs4.BeautifulSoup(text, "html.parser"),
        "q.html": bs4.BeautifulSoup('<h2 id="久">x</h2><a href="p.html#here">g</a>', "html.parser"),
    }
    assert broken_links(tmp_path, pages) == ["#nowhere on p.html", "r.html on p.html"]


def test_no_page_has_an_anchor_twice(pages):
    for name, page in pages.items():
        article = page.find("article")
        ids = [e["id"] for e in article.find_all(id=True)] if article else []
        twice = {i for i in ids if ids.count(i) > 1}
        assert twice == set(), f"{name}: links to {twice} lead to the first one only"


def test_what_the_exercises_say_about_the_book_leads_somewhere(pages):
    from exercises.engine.catalogue import load_all
    from exercises.engine.text import page_link

    for exercise in load_all().values():
        text = exercise.text
        advice = [*text.checks.values(), *text.mutants.values()]
        for link in {text.book, *(entry.book for entry in advice if entry.book)}:
            name, _, anchor = page_link(link).partition("#")
            assert name in pages, f"{exercise.id}: {link}"
            found = not anchor or pages[name].find(id=anchor)
            assert found, f"{exercise.id}: {link}"


def test_quizzes_work_without_scripts(pages):
    questions = pages["03_self_attention.html"].find_all(class_="quiz-question")
    assert len(questions) >= 4
    for question in questions:
        choices = question.find_all("details")
        assert sum(choice["data-right"] == "true" for choice in choices) == 1
        for choice in choices:
            assert choice.summary.get_text(strip=True)
            verdict = choice.find(class_="quiz-verdict").get_text()
            assert len(choice.find(class_="quiz-feedback").get_text()) > len(verdict) + 10


def test_a_live_figure_names_a_figure_that_the_script_has(html: Path, pages):
    figures = pages["03_self_attention.html"].find_all(class_="live-figure")
    assert figures
    script = (html / "_static" / "live.js").read_text("utf-8")
    for figure in figures:
        assert f"function {figure['data-figure']}(figure)" in script
        assert len(figure["data-scores"].split(",")) == len(figure["data-names"].split(","))
        assert figure.get_text(strip=True)  # the caption stays without JavaScript


def test_a_chapter_has_the_number_of_its_file(pages, chapter_numbers: ModuleType):
    assert chapter_numbers.chapter_number("03_self_attention") == 3
    assert chapter_numbers.chapter_number("index") is None
    heading = pages["03_self_attention.html"].find("article").find("h1")
    assert heading.find(class_="section-number").get_text().strip() == "3."
