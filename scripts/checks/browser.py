"""Opens pages of `wifi-harness explain` in a real browser.

Takes a picture of each at 1280 and 390 pixels, light and dark, into .build/browser-test, and fails where the browser
logs anything or a page is wider than its window.
"""
import shutil

from lib import checking
from lib.checking import BINARY, ROOT, check, must, write
from lib.chromium import Browser

out = checking.pictures("browser-test")
work = checking.folder()
# What a page may be: good, failed with hostile names, ten thousand rows, a recording.
write(work / "hostile.yaml", r"""scenario: "a wrong password, <b>then</b> a \u202Eright one"
about: A user mistypes, and tries again while another network goes; then expects too much.
source: { simulate: { world: preview, seed: 7, churn: off } }
start:
  networks:
    - Nacho Wi-Fi
    - { name: "<script>alert(1)</script>", secured: off, connectivity: 0.35 }
    - { name: "\"><img src=x onerror=alert(1)>", connectivity: 0.5 }
    - { name: "abc\u202Efed", connectivity: 0.5 }
    - { name: "مقهى الحديقة", connectivity: 0.7 }
    - { name: "0123456789abcdef0123456789abcdef", connectivity: 0.2 }
    - { name: Café Zürich, secured: off }
  selected: Café Zürich
steps:
  - tap: Nacho Wi-Fi
  - type: { password: nope }
  - tap: join
  - advance: 1s
  - expect: { alert: incorrectPassword }
  - tap: ok
  - world: { find: { name: New Neighbour, connectivity: 0.8 } }
  - world: { lose: Café Zürich }
  - type: { password: blob }
  - advance: 30s
  - tap: join
  - advance: 1s
  - expect: { selected: New Neighbour, destination: none, rows: [New Neighbour] }
""")
write(work / "many.yaml", """scenario: ten thousand rows
source: { simulate: { world: preview, seed: 7, churn: off } }
start: { networks: { count: 10000 } }
steps:
  - tap: Network 2
  - tap: cancel
  - world: { find: Newcomer }
  - advance: 1s
  - expect: { count: 10001 }
""")
shutil.copytree(ROOT / "fixtures/recordings", work / "recordings")
shutil.copy(ROOT / "fixtures/scenarios/signal-changes-update-rows.yaml", work / "recorded.yaml")
shutil.copy(ROOT / "fixtures/scenarios/forget-asks-and-forgets.yaml", work / "page.yaml")

browser = Browser()
for name in ("hostile", "many", "recorded", "page"):
    must(BINARY, "explain", work / f"{name}.yaml", "--output", out / f"{name}.html")
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            page = browser.page((out / f"{name}.html").as_uri(), width, 900, scheme)
            what = f"{name} at {width} pixels, {scheme}"
            page.wait("document.readyState === 'complete'", what)
            page.key("j")
            page.key("j")
            wide, outside, *parts = page.run("""[document.documentElement.scrollWidth,
                Array.from(document.querySelectorAll("main *")).filter(e => {
                    const box = e.getBoundingClientRect();
                    return box.width > 1 && box.right > innerWidth + 1 && !e.closest(".lanes");
                }).map(e => e.outerHTML.slice(0, 80)),
                document.images.length, document.scripts.length, document.activeElement.id]""")
            check(f"{what}: nothing to scroll sideways", wide <= width and not outside, (wide, outside[:3]))
            check(f"{what}: no image, one script, and keys move the focus", parts == [0, 1, "step-1"], parts)
            page.screenshot(out / f"{name}-{width}-{scheme}.png")
            page.close()
    check(f"{name}: the browser logs nothing", not browser.logs, browser.logs)
    browser.logs.clear()
browser.close()
