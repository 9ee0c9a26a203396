"""The exported page in a real browser: what it shows, how it behaves, and that it asks nobody."""

from __future__ import annotations

import json
import shutil
from importlib.resources import files

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest

from reports.site import page
from reports.warehouse import Published
from tests.imagesuite import SUITE
from tests.published_board import CROWD, make_board
from tests.support import query, run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver (Debian: chromium, chromium-driver)"
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
)  # fmt: skip
BOARD = f"#/board/{SUITE}/image-v0.1/all"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_board(tmp_path_factory.mktemp("site") / "project")


@pytest.fixture(scope="module")
def site(project):
    run(project, "jevhouse", "export", "site", "--out", "out/site")
    return project.root / "out" / "site"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, site):
    """Opens a view at a width; at the end of the test the console must be clean and no request have left."""

    def show(view: str = BOARD, width: int = 1280):
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        browser.get("about:blank")
        browser.get(f"{(site / 'index.html').as_uri()}{view}")
        return browser

    browser.get_log("browser"), browser.get_log("performance")
    yield show
    assert browser.get_log("browser") == []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            assert message["params"]["request"]["url"].startswith(("file:", "about:", "data:")), message


def texts(browser, selector: str) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
    )


def systems(browser) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll('tbody tr')].map(r => r.dataset.system)"
    )


def click(browser, selector: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def choose(browser, name: str, value: str) -> None:
    browser.execute_script(
        "const e = document.querySelector(`[name=${arguments[0]}]`); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change'))",
        name,
        value,
    )


@needs_chromium
def test_cells_are_the_board(project, opened):
    browser = opened()
    board = query(project, "FROM board.leaderboard WHERE suite = ? ORDER BY rank NULLS LAST", [SUITE])
    board = [row for row in board if row["track"] == "all"]
    assert systems(browser) == [row["system"] for row in board]
    for row in board:
        cells = f"tr[data-system='{row['system']}'] .c-"

        def shown(name: str, cells: str = cells) -> str:
            return texts(browser, cells + name)[0]

        def agrees(name: str, value: float | None, half_a_digit: float) -> None:
            text = shown(name)
            if value is None:
                assert text.startswith("n/a"), (name, text)
            else:
                found = float(text.split()[0].removesuffix("%").replace("−", "-").replace("±", ""))
                assert found == pytest.approx(value, abs=half_a_digit * 1.001, rel=0), (name, text, value)

        assert shown("rank") == (str(row["rank"]) if row["ranked"] else "–")
        agrees("composite", row["composite"], 0.005)
        for axis in ("intelligence", "calibration", "speed", "cost"):
            agrees(axis, row[axis], 0.05)
        agrees("gap", row["matched_gap_pp"], 0.05)
        for part in ("public", "sealed"):
            agrees(part, 100 * row[f"{part}_correct"] / row[f"{part}_n"], 0.05)
            assert shown(part).endswith(f"{row[f'{part}_correct']}/{row[f'{part}_n']}")
        for name, value in (("p50", row["p50_s"]), ("p95", row["p95_s"]), ("usd", row["usd_per_1000"])):
            agrees(name, value, (value or 0) * 0.005)
        bites = [a for a in ("intelligence", "speed", "cost") if (row[f"gate_{a}"] or 1) < 1]
        assert len(texts(browser, f"{cells}gates .gate")) == len(bites)
        if not row["ranked"]:
            assert row["unranked_reason"] in shown("name")
    assert "penalty" in texts(browser, "tr[data-system='gapped'] .c-gap")[0]
    assert "Saw sealed items without gold" in texts(browser, "tr[data-system='sys'] .c-name")[0]
    assert "Mute <b>" in texts(browser, "tr[data-system='mute'] .c-name")[0]


@needs_chromium
def test_sort_filter_and_keyboard(project, opened):
    from selenium.webdriver.common.keys import Keys

    browser = opened("#/board/crowd-v1/image-v0.1/all")
    rows = query(project, "FROM board.leaderboard WHERE suite = 'crowd-v1'")
    head = browser.find_element("css selector", "th.c-public button")
    head.send_keys(Keys.ENTER)
    best = max(r["public_correct"] for r in rows)
    assert texts(browser, "tbody .c-public .sub")[0] == f"{best}/100"
    assert browser.execute_script("return document.querySelector('th.c-public').ariaSort") == "descending"
    head.send_keys(Keys.SPACE)
    shown = [int(t.split("/")[0]) for t in texts(browser, "tbody .c-public .sub")]
    assert shown == sorted(shown) and len(shown) == CROWD
    choose(browser, "endpoint_kind", "self_hosted")
    assert len(systems(browser)) == sum(r["endpoint_kind"] == "self_hosted" for r in rows)
    choose(browser, "text", "system 19")
    assert texts(browser, ".status") == ["5 of 200 systems"]
    choose(browser, "text", "nothing")
    assert "no system passes" in texts(browser, ".status")[0]
    # The name stays in sight when the table scrolls sideways, the head when it scrolls down.
    browser = opened("#/board/crowd-v1/image-v0.1/all", 700)
    stuck = browser.execute_script(
        "const s = document.querySelector('.scroll'), top = e => e.getBoundingClientRect();"
        "const name = document.querySelector('tbody .c-name'), head = document.querySelector('th.c-rank');"
        "const before = [top(head).top, top(s).left]; s.scrollTo(400, 500);"
        "return [before[0] - top(head).top, top(name).left - before[1]]"
    )
    assert abs(stuck[0]) < 2 and abs(stuck[1]) < 2


@needs_chromium
def test_two_systems_side_by_side(project, opened):
    browser = opened()
    for system in ("sys", "gapped"):
        click(browser, f"tr[data-system='{system}'] input")
    click(browser, ".comparebar a")
    board = {r["system"]: r for r in query(project, "FROM board.leaderboard WHERE track = 'all'")}
    first = texts(browser, "table.compare tbody tr:first-child > *")
    for text, system in zip(first[1:3], ("sys", "gapped"), strict=True):
        assert float(text.removesuffix(" (better)")) == pytest.approx(board[system]["composite"], abs=0.00501)
    assert first[1].endswith("(better)")
    choose(browser, "second", "mute")
    assert "Mute <b>" in texts(browser, "h1")[0]


@needs_chromium
def test_one_system_down_to_its_counts(project, opened):
    browser = opened(f"#/system/{SUITE}/image-v0.1/all/gapped")
    text = texts(browser, "main")[0]
    bins = query(
        project, "FROM board.reliability WHERE system = 'gapped' AND track = 'all' ORDER BY part, bin"
    )
    assert len(texts(browser, ".dot")) == len(bins)
    assert [int(t) for t in texts(browser, "details tr td:nth-child(3)")[: len(bins)]] == [
        b["answer_count"] for b in bins
    ]
    for family in query(project, "FROM board.families WHERE system = 'gapped' AND track = 'all'"):
        assert f"{family['sealed_correct']}/{family['sealed_n']}" in text
    (row,) = query(project, "FROM board.leaderboard WHERE system = 'gapped' AND track = 'all'")
    assert row["evidence_fingerprint"] in text
    for file in query(project, "FROM board.evidence WHERE system = 'gapped'"):
        assert file["sha256"] in text
    assert "invalid" in text or "answer not argmax" in text


def test_distribution_is_numpys_nearest_rank(project):
    walls = 0.1 + np.arange(1, 27) / 1000  # 101 to 126 ms
    rows = query(
        project, "FROM board.latency_distribution WHERE system = 'sys' AND track = 'all' ORDER BY share"
    )
    assert len(rows) == 25
    shares = np.array([r["share"] for r in rows])
    wanted = np.quantile(walls, shares, method="inverted_cdf")
    assert [r["latency_s"] for r in rows] == pytest.approx(wanted.tolist())
    assert [r["adjusted_latency_s"] for r in rows] == [r["latency_s"] for r in rows]  # hosted: as measured


@needs_chromium
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_view_scrolls_the_page_sideways(opened, width):
    for view in (
        BOARD, "#/board/crowd-v1/image-v0.1/all", f"#/system/{SUITE}/image-v0.1/all/gapped",
        f"#/compare/{SUITE}/image-v0.1/all/sys/mute", f"#/sensitivity/{SUITE}/image-v0.1/all", "#/method",
        "#/data", f"#/system/{SUITE}/image-v0.1/all/nobody",
    ):  # fmt: skip
        browser = opened(view, width)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, view


@needs_chromium
def test_accessible_light_and_dark(opened):
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    for view, width in (
        (BOARD, 1280), (BOARD, 320), (f"#/system/{SUITE}/image-v0.1/all/gapped", 1280),
        (f"#/compare/{SUITE}/image-v0.1/all/sys/mute", 1280), ("#/sensitivity/crowd-v1/image-v0.1/all", 1280),
        ("#/method", 1280), ("#/data", 1280),
    ):  # fmt: skip
        for colours in ("light", "dark"):
            browser = opened(view, width)
            browser.execute_script("document.documentElement.dataset.theme = arguments[0]", colours)
            # Only a slice of a long table: each of its rows has the same markup.
            browser.execute_script(
                "document.querySelectorAll('tbody tr:nth-child(n+9)').forEach(r => r.remove())"
            )
            browser.execute_script(axe)
            found = browser.execute_async_script("axe.run(document).then(arguments[0])")
            violations = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found["violations"]]
            assert violations == [], (view, width, colours)


@needs_chromium
def test_theme_is_remembered_and_dark_is_dark(opened):
    browser = opened()

    def background() -> int:
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in colour.strip("rgb()").split(","))

    seen = {}
    for _ in range(3):
        click(browser, "#theme")
        seen[browser.execute_script("return document.documentElement.dataset.theme")] = background()
    assert seen["dark"] < 150 < 600 < seen["light"]
    while browser.execute_script("return document.documentElement.dataset.theme") != "dark":
        click(browser, "#theme")
    opened()
    assert background() == seen["dark"]
    while browser.execute_script("return document.documentElement.dataset.theme") != "auto":
        click(browser, "#theme")
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    assert background() == seen["dark"]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@needs_chromium
def test_policy_forbids_the_network(browser, site):
    browser.get((site / "index.html").as_uri())
    refused = browser.execute_async_script(
        "const done = arguments[0];"
        "document.addEventListener('securitypolicyviolation', e => done(e.violatedDirective));"
        "fetch('http://127.0.0.1:9/').catch(() => 0)"
    )
    assert refused == "connect-src"
    browser.get_log("browser")


def test_downloads_are_the_tables(project, site):
    tables = query(
        project, "SELECT table_name AS t FROM information_schema.tables WHERE table_schema = 'board'"
    )
    assert {p.stem for p in (site / "data").iterdir()} == {row["t"] for row in tables}
    for row in tables:
        rows = query(project, f"SELECT COUNT(*) AS n FROM board.{row['t']}")
        assert pq.read_metadata(site / "data" / f"{row['t']}.parquet").num_rows == rows[0]["n"]
    found = duckdb.sql(f"FROM '{site}/data/leaderboard.parquet' ORDER BY ALL").fetchall()
    with duckdb.connect(str(project.database), read_only=True) as warehouse:
        assert found == warehouse.sql("FROM board.leaderboard ORDER BY ALL").fetchall()


def test_stale_board_is_refused_and_unaudited_is_watermarked(project, tmp_path):
    seed = project.seeds / "disclosures.csv"
    before = seed.read_bytes()
    seed.write_bytes(before + b"x,y,setting,z\n")
    try:
        done = run(project, "jevhouse", "export", "site", "--out", str(tmp_path / "no"), check=False)
        assert done.returncode == 1 and "jevhouse audit" in done.stderr and not (tmp_path / "no").exists()
        run(project, "jevhouse", "export", "site", "--out", str(tmp_path / "marked"), "--unaudited")
    finally:
        seed.write_bytes(before)
    assert '"watermark":"UNAUDITED"' in (tmp_path / "marked" / "index.html").read_text()


def test_page_of_200_called_systems_stays_small(project):
    """The rows of one called system, for 200 systems on three tracks, ten more families and full diagrams."""
    more = {
        "families": ("RANGE(10)", "more.n || family AS family"),
        "reliability": ("RANGE(8)", "bin + more.n AS bin"),
    }
    boards = {}
    with duckdb.connect(str(project.database), read_only=True) as warehouse:
        described = warehouse.execute(
            "SELECT table_name, LIST(column_name), LIST(data_type) FROM information_schema.columns "
            "WHERE table_schema = 'board' GROUP BY table_name"
        ).fetchall()
        for name, columns, types in described:
            # Other values in every row, so that nothing is smaller than it would be.
            changes = [
                f"{c} * (0.9 + RANDOM() / 10) AS {c}"
                for c, type_ in zip(columns, types, strict=True)
                if type_ == "DOUBLE" and c not in ("share", "low_confidence", "high_confidence")
            ]
            copies, change = more.get(name, ("RANGE(1)", ""))
            changes += [change] if change else []
            changes += ["'system ' || systems.n AS system"] if "system" in columns else []
            changes += ["'track ' || tracks.n AS track"] if "track" in columns else []
            named = {"suite", "system"} <= {*columns}
            boards[name] = warehouse.execute(
                f"SELECT one.* {'REPLACE (' + ', '.join(changes) + ')' if changes else ''} "
                f"FROM (FROM board.{name} WHERE {'suite' if named else repr('')} = ?"
                f"{' AND system = ' + repr('sys') if named else ''}) AS one "
                f"CROSS JOIN RANGE(200) AS systems(n) "
                f"CROSS JOIN RANGE({3 if 'track' in columns else 1}) AS tracks(n) "
                f"CROSS JOIN {copies} AS more(n)",
                [SUITE],
            ).to_arrow_table()
    assert len(boards["leaderboard"]) >= 600 and len(boards["families"]) >= 6000
    boards = {
        name: rows.sort_by([(c, "ascending") for c in rows.column_names[:6]]) for name, rows in boards.items()
    }
    text = page(Published(boards, [], {}, "state"), {}, "")
    assert len(text.encode()) < 3 * MEGABYTE
