"""Uses the page in a real browser.

Starts `wifi-harness serve` on a simulated world and drives headless Chromium at 390 and 1280 pixels, light and dark:
the list, details, the filter, the order, joining with a wrong and with the right password, forgetting, names that try
to be markup, a thousand networks, ten pages at once. Pictures are in .build/page-test. Fails where the browser logs
anything. ONLY=TEXT takes the parts whose names contain it.
"""

import contextlib
import json
import os
import re
import time

from lib import checking
from lib.checking import RECORDING
from lib.chromium import Browser
from lib.serving import Server

# A page that is left open after a failure would log in those after it.
checking.most_failures = 1
out = checking.pictures("page-test")
folder = checking.folder()


def check(condition, sentence):
    """Ends a part where a condition does not hold."""
    if not condition:
        raise AssertionError(sentence)


HOME = "--simulate", "home", "--seed", "7", "--interval", "2"
STILL = "--simulate", "still", "--seed", "7", "--interval", "2"
ROWS = "$$('#rows tr').length"
NAMES = "Array.from($$('#rows .text'), e => e.textContent)"
CONNECTED = "$$('#rows tr').length > 0 && !document.body.classList.contains('starting')"


@contextlib.contextmanager
def opened(browser, *options, may_act=True, **look):
    """Serves what the options say, and opens the page until its list is there; closed again where nothing failed."""
    with Server(*options) as server:
        page = browser.page(server.url if may_act else server.base + "/", **look)
        page.wait(CONNECTED, "the list")
        yield server, page
        page.close()


def fits(page, what):
    """Nothing is wider than the window, and nothing lies outside it but in what scrolls by itself."""
    # A telephone widens its window for what does not fit, so the width is the one that was asked for.
    wide = page.run("document.documentElement.scrollWidth") - page.width
    check(wide <= 0, f"{what}: {wide} pixels to scroll sideways")
    outside = page.run(
        "Array.from($$('body *')).filter(e => { const b = e.getBoundingClientRect();"
        " return b.width > 1 && b.right > %d && !e.closest('.plot, .hidden, .skip') }).map(e => e.tagName + '.' + e.className).slice(0, 3)" % (page.width + 1))
    check(not outside, f"{what}: outside the window: {outside}")


def every_control_is_named(page, what):
    kinds = {"button", "textbox", "searchbox", "checkbox", "radio", "switch", "slider", "combobox", "spinbutton",
             "link", "dialog",
             "alertdialog", "table", "image", "columnheader", "region"}
    controls = [(role, name) for role, name in page.accessibility() if role in kinds]
    check(controls and all(name.strip() for _, name in controls), f"{what}: without a name: {controls}")


def press_row(page, part, index=0, only=""):
    """Presses a part of a row that is not lost, and gives the key of the row.

    The row is chosen and pressed in one step: between two a list that moves may have another one in its place. Only
    rows for which `only` is true count.
    """
    key = page.run(
        f"(e => {{ if (!e) return null; e.scrollIntoView({{ block: 'nearest' }}); e.querySelector({json.dumps(part)}).click(); return e.dataset.key }})"
        f"(Array.from($$('#rows tr:not(.lost)')).filter(e => {only or 'true'})[{index}])")
    check(key, "no row to press")
    return key


def open_sheet(page):
    """Opens the sheet of a network with a password, and gives its key; one that is lost meanwhile has none."""
    for attempt in range(3):
        key = press_row(page, ".join", only="!e.querySelector('.row.open')")
        try:
            page.wait("$('#sheet').open", "the sheet", seconds=60 if attempt == 2 else 15)
            return key
        except AssertionError:
            if attempt == 2:
                raise


def use_wide(browser, scheme):
    """All of it with a mouse and keys, at 1280 pixels, in a world that keeps its networks however long that takes."""
    with opened(browser, *STILL, scheme=scheme) as (server, page):
        check("token" not in page.run("location.href"), "the token stays in the address")
        fits(page, "1280")
        every_control_is_named(page, "the page")
        # The same list as programs read, but for what changes in between.
        names = set(page.run(NAMES))
        check(len(names) >= 3, f"only {names} are listed")
        page.click("#pause")
        page.wait("$('#pause').getAttribute('aria-pressed') === 'true'", "pause")
        time.sleep(0.5)
        rows = page.run("""Array.from($$('#rows tr:not(.lost)'), row =>
            [...['.text', '.signal span', '.w-aps', '.w-band'].map(part => row.querySelector(part).textContent), !row.querySelector('.open')])""")
        listed = sorted([name, int(signal.replace("−", "-")), int(count), re.findall(r"[\d.]+", bands), secured]
                        for name, signal, count, bands, secured in rows)
        known = sorted([n["ssid"], n["signalDBm"], len(n["bssids"]), [band[:-3] for band in n["bands"]],
                        n["security"]["isSecured"]]
                       for n in server.scan()["networks"])
        check(listed == known, f"the page lists {listed}, /scan.json {known}")
        # Details of the row that is clicked.
        second = page.run("$('#rows tr:nth-child(2) .text').textContent")
        page.click("#rows tr:nth-child(2) .row")
        page.wait(f"$('#details-title').textContent === {json.dumps(second)}", "details of the clicked row")
        page.wait("$('#rows tr:nth-child(2)').classList.contains('current')", "the clicked row highlighted")
        page.screenshot(out / f"wide-{scheme}.png")
        # The filter, typed.
        before = page.run(ROWS)
        page.key("/")
        page.type(second[:5])
        wanted = json.dumps(second[:5].lower())
        page.wait(f"{ROWS} > 0 && {NAMES}.every(name => name.toLowerCase().includes({wanted}))",
                  "only what the filter lets pass")
        page.screenshot(out / f"filter-{scheme}.png", whole=False)
        page.key("Escape")
        page.wait(f"{ROWS} === {before}", "the filter cleared")
        # The order.
        page.click("th[data-sort=name] button")
        page.wait("$('th[data-sort=name]').getAttribute('aria-sort') === 'descending' || "
                  "$('th[data-sort=name]').getAttribute('aria-sort') === 'ascending'",
                  "sorted by name")
        page.wait(f"({NAMES}).every((name, at, all) => at === 0 || all[at - 1].toLowerCase() <= name.toLowerCase())",
                  "names in order")
        # A wrong password, then the right one; paused still, so that the sheet has the row behind it where it was.
        secured = open_sheet(page)
        check(page.run("document.activeElement.id") == "password", "the field has no focus")
        every_control_is_named(page, "the sheet")
        page.type("nope")
        page.screenshot(out / f"sheet-{scheme}.png", whole=False)
        page.key("Enter")
        page.wait("$('#sheet-state').textContent.startsWith('Joining')", "joining")
        page.wait("$('#question').open", "the alert")
        every_control_is_named(page, "the alert")
        page.screenshot(out / f"wrong-{scheme}.png", whole=False)
        page.key("Enter")
        page.wait("!$('#question').open && $('#sheet').open", "the alert closed")
        check(page.run("document.activeElement.id") == "password", "the focus does not go back to the field")
        # What was wrong is selected, and replaced by what is typed.
        page.type("blob")
        check(page.run("$('#password').value") == "blob", "the wrong password was not replaced")
        for _ in range(4):
            page.key("Tab")
        check(page.run("$('#sheet').contains(document.activeElement) || document.activeElement === document.body"),
              "the focus leaves the sheet")
        page.run("$('#password').focus()")
        page.key("Enter")
        page.wait("!$('#sheet').open", "joined")
        page.wait(f"$('#rows tr').dataset.key === {json.dumps(secured)}", "the joined network on top")
        # All details, and forget.
        page.click(f"tr[data-key='{secured}'] .join")
        page.wait("!$('#page').hidden", "the page about the network")
        page.wait("$('#page-body .elements, #page-body .facts')", "its details")
        every_control_is_named(page, "the page about a network")
        page.screenshot(out / f"detail-{scheme}.png")
        page.click("#page-body .danger")
        page.wait("$('#question').open", "the question")
        page.screenshot(out / f"forget-{scheme}.png", whole=False)
        page.click("#question .danger")
        page.wait("$('#page').hidden && !$('#rows .badge.good')", "forgotten")
        page.click("#pause")
        page.wait("$('#pause').getAttribute('aria-pressed') === 'false'", "the end of the pause")
        # Without a mouse: down, and join with Enter.
        page.run("$('#rows .row[tabindex=\"0\"]').focus()")
        page.key("End")
        # The highlighted row is another one than the first, and stays highlighted wherever it moves.
        page.wait("$('#rows .current') === document.activeElement.closest('tr')", "the last row by key")
        last = page.run("document.activeElement.closest('tr').dataset.key")
        page.key("Home")
        page.wait("(e => e && e === document.activeElement.closest('tr') && e.dataset.key !== %s)($('#rows .current'))" % json.dumps(last),
                  "the first row by key")
        # Off and on.
        page.click("#wifi")
        page.wait("$('#empty').textContent.includes('off')", "Wi-Fi off")
        page.screenshot(out / f"off-{scheme}.png", whole=False)
        page.click("#wifi")
        page.wait(CONNECTED, "Wi-Fi on again")


def use_narrow(browser, scheme):
    """One column, at 390 pixels."""
    with opened(browser, *HOME, width=390, height=844, scheme=scheme, mobile=True) as (_, page):
        fits(page, "390")
        page.screenshot(out / f"narrow-{scheme}.png")
        page.click("#unfold")
        page.wait("$('#unfold').getAttribute('aria-expanded') === 'true'", "the conditions")
        fits(page, "390 with conditions")
        page.screenshot(out / f"narrow-conditions-{scheme}.png", whole=False)
        page.click("#unfold")
        press_row(page, ".row", 1)
        page.wait("!$('#page').hidden", "the page about the network")
        fits(page, "390, details")
        page.screenshot(out / f"narrow-detail-{scheme}.png")
        page.click("#page-back")
        page.wait("$('#page').hidden", "back")


def known_networks(browser, width, scheme):
    """The known networks: listed, changed, copied, added, forgotten; a place of them opened by its address."""
    with Server("--simulate", "preview", "--seed", "7") as server:
        size = "narrow" if width < 500 else "wide"
        page = browser.page(server.url, width, 900, scheme, mobile=width < 500)
        page.wait(CONNECTED, "the list")
        page.click("#known-open")
        page.wait("$$('#known-rows tr').length === 3", "three known networks")
        check(page.run("$('#rows').checkVisibility()") is False, "the list of networks is behind it still")
        fits(page, f"{width}, known networks")
        every_control_is_named(page, "the known networks")
        page.screenshot(out / f"known-{size}-{scheme}.png", whole=False)
        # One is changed, field by field.
        page.click("[data-what=edit][aria-label='Edit Cabin']")
        page.wait("!$('#edit').hidden && document.activeElement.id === 'edit-title'", "the page of a known network")
        fits(page, f"{width}, the page of a known network")
        every_control_is_named(page, "the page of a known network")
        check(page.run("$('#edit-save').disabled"), "Save is offered though nothing is changed")
        page.click("#edit-autoconnect")
        page.wait("$('#edit-autoconnect').getAttribute('aria-checked') === 'false'", "the switch moved")
        page.run("(field => { field.focus(); field.select() })($('#edit-priority'))")
        # A number that is not typed whole yet stays as it is when something else changes, until it is left.
        page.key("Backspace")
        for _ in range(2):
            page.run("$('#edit-hidden').click()")
            time.sleep(0.5)
            check(page.run("$('#edit-priority').value") == "", "a number is taken back while it is typed")
        page.run("$('#edit-password').focus()")
        check(page.run("$('#edit-priority').value") == "0", "a number that was left unfinished is not what it was")
        page.run("(field => { field.focus(); field.select() })($('#edit-priority'))")
        page.type("12")
        page.run("$('#edit-password').focus()")
        page.type("short")
        page.wait("!$('#edit-save').disabled", "Save offered")
        page.click("#edit-save")
        page.wait("$('#edit-form .state').textContent.includes('8 to 63 characters')",
                  "why the password cannot be right")
        page.screenshot(out / f"known-edit-{size}-{scheme}.png", whole=False)
        page.run("$('#edit-password').focus()")
        page.type(" no more")
        page.key("Enter")
        page.wait("$('#edit-save').disabled && $('#edit-password').value === ''", "saved")
        page.key("Escape")
        page.wait("$('#edit').hidden && !$('#known').hidden", "back to the known networks")
        row = "Array.from($$('#known-rows tr')).find(e => e.textContent.includes('%s'))?.textContent ?? ''"
        page.wait(f"(text => text.includes('12') && text.includes('no'))({row % 'Cabin'})",
                  "what was saved in the list")
        # One is copied, and its page opens over that of the original.
        page.click("[data-what=duplicate][aria-label='Duplicate: Airport']")
        page.wait("$('#add').open && document.activeElement.id === 'add-name'", "the sheet of the copy")
        every_control_is_named(page, "the sheet of the copy")
        page.type("Station")
        page.key("Enter")
        page.wait("!$('#add').open && $('#edit-title').textContent === 'Station'", "the page of the copy")
        page.click("#edit-back")
        page.wait("$('#edit-title').textContent === 'Airport'", "the page of the original")
        page.click("#edit-back")
        page.wait("$$('#known-rows tr').length === 4", "four known networks")
        # One is added; a name that is markup is text.
        page.click("#known-add")
        page.wait("$('#add').open", "the sheet")
        page.type("<b>Attic</b>")
        page.run("$('#add-password').focus()")
        page.type("blob blob")
        page.screenshot(out / f"known-add-{size}-{scheme}.png", whole=False)
        page.click("#add-save")
        page.wait(f"!$('#add').open && ({row % '<b>Attic</b>'})", "the added network")
        check(page.run("$$('#known-rows b').length") == 0, "a name became markup")
        # One is forgotten with a question.
        page.click("[data-what=forget][aria-label='Forget: Airport']")
        page.wait("$('#question').open", "the question")
        page.click("#question .danger")
        page.wait("!$('#question').open && !$('#known').hidden && $$('#known-rows tr').length === 4", "forgotten")
        page.click("#known-back")
        page.wait("$('#known').hidden && $('#rows').checkVisibility()", "back to the networks")
        page.close()
        # A place by its address, with the token kept out of it.
        page = browser.page(server.url + "&open=known/Cabin/edit", width, 900, scheme)
        page.wait("$('#edit-title').textContent === 'Cabin'", "the place of the address")
        check(page.run("location.hash") == "", "the place stays in the address")
        page.close()


def read_only(browser):
    """Without the token the page shows everything, and changes nothing."""
    with opened(browser, *HOME, may_act=False) as (server, page):
        check(not page.run("$('#readonly').hidden"), "a page without the token does not say so")
        # It filters, sorts and selects for itself, and for no other page.
        other = browser.page(server.url, 1280, 900)
        other.wait(CONNECTED, "the list with the token")
        # One who may pauses, so that both lists stay as they are.
        other.click("#pause")
        for one in (page, other):
            one.wait("$('#pause').getAttribute('aria-pressed') === 'true'", "the pause")
        names = page.run(NAMES)
        check(len(names) > 1 and other.run(ROWS) == len(names), f"{other.run(ROWS)} rows beside {names}")
        page.click("th[data-sort=name] button")
        page.wait("$('th[data-sort=name]').getAttribute('aria-sort') === 'ascending'", "sorted by name")
        page.click("#rows tr:nth-child(2) .row")
        page.wait("$('#rows tr:nth-child(2)').classList.contains('current')", "the clicked row highlighted")
        page.key("/")
        page.type(names[0][:4])
        page.wait(f"{ROWS} < {len(names)}", "fewer rows")
        time.sleep(0.5)
        check(other.run(ROWS) >= len(names), "the filter of one browser is that of another")
        check(other.run("$('#filter').value") == "", "the filter of one browser stands in another")
        check(not other.run("$('#rows .current')"), "the selection of one browser is that of another")
        for control in ("#pause", "#scan", "#less", "#known-open", "#wifi"):
            check(page.run(f"$('{control}').disabled"), f"{control} is enabled without the token")
        check(not page.run("[...$$('.join, .lead [data-name=join]')].some(e => e.checkVisibility())"), "a page without the token joins")
        page.screenshot(out / "readonly.png", whole=False)
        # What was chosen stays when the page is loaded again.
        page.call("Page.reload")
        page.wait(CONNECTED + " && $('#filter').value !== ''", "the filter after loading again")
        other.close()


def replay(browser):
    """A recording, stepped through."""
    with Server("--replay", RECORDING) as server:
        page = browser.page(server.url, 1280, 900)
        page.wait("!$('#time').hidden", "the bar of a recording")
        check(page.run(PHASE)[0] == "phase held" and page.run(PHASE)[1].startswith("Stopped"),
              f"a recording that stands still shows {page.run(PHASE)}")
        page.click("#forth")
        page.wait("$('#place').textContent.startsWith('scan 2 ')", "one scan on")
        page.click("#last")
        page.wait("$('#position').value === $('#position').max", "the last scan")
        page.click("#back")
        page.wait("$('#position').value !== $('#position').max", "one scan back")
        check(page.run("[...$$('footer .live')].every(e => e.hidden)"),
              "the keys of a live page stand below a recording")
        page.screenshot(out / "replay.png")
        page.close()


PHASE = "[$('#phase').className, $('#phase .words').textContent]"


def no_adapter(browser):
    """Without an adapter the page shows that there is none, and how to go on."""
    if os.path.isdir("/sys/class/ieee80211") and os.listdir("/sys/class/ieee80211"):
        return
    with Server() as server:
        page = browser.page(server.url, 1280, 900)
        page.wait("$('#phase .words').textContent === 'No adapter'", "that there is no adapter")
        check("bad" in page.run(PHASE)[0], f"the dot is that of {page.run(PHASE)}")
        check(page.run("$('#wifi').getAttribute('aria-checked')") == "false", "Wi-Fi is shown as on")
        check(page.run("$('#wifi').disabled"), "a switch without an adapter can be moved")
        check("--simulate home" in page.run("$('#problem').textContent"), "no sentence names --simulate")
        page.screenshot(out / "no-adapter.png", whole=False)
        page.close()


def offline(browser):
    """While the server is gone nothing can be changed, and a sentence says why; a page that only looks goes on."""
    with Server(*HOME) as server:
        page = browser.page(server.url, 1280, 900)
        page.wait(CONNECTED, "the list")
    page.wait("!$('#offline').hidden", "that the server is gone")
    check("nothing can be changed" in page.run("$('#offline').textContent"), "no sentence says what that means")
    free = page.run("Array.from($$('button, input, select')).filter(e => !e.disabled && e.checkVisibility()).map(e => e.id || e.name || e.textContent)")
    check(not [one for one in free if not str(one).startswith(("span-", "channel-band", "zoom"))],
          f"enabled while the server is gone: {free}")
    check("bad" in page.run(PHASE)[0], f"the dot is that of {page.run(PHASE)}")
    page.screenshot(out / "offline.png", whole=False)
    page.close()
    browser.logs.clear()


def fresh_keys(browser):
    """The keys that stand at the bottom do what they say on a page that was just opened."""
    for key, mayAct in (("ArrowDown", True), ("ArrowUp", True), ("Enter", True), ("ArrowDown", False)):
        with opened(browser, *HOME, may_act=mayAct) as (_, page):
            page.key(key)
            page.wait("document.activeElement.closest('#rows tr')", f"the focus in the list after {key}")
            if mayAct:
                page.wait("document.activeElement.closest('tr').getAttribute('aria-current') === 'true'",
                          f"a highlighted row after {key}")
                check(not page.run("$('dialog[open]')"), f"{key} opened something")


def elements_keep_the_focus(browser):
    """Decoded elements are made anew when one of them changes, and the one that has the focus keeps it."""
    with opened(browser, "--simulate", "home", "--seed", "7", "--interval", "1") as (_, page):
        page.key("ArrowDown")
        summary = "$('#details-body details.elements summary')"
        page.wait(summary, "decoded elements")
        page.run("for (const each of $$('#details-body details')) each.open = true")
        page.run(f"window.first = {summary}; window.first.focus()")
        check(page.run("document.activeElement === window.first"), "an element takes no focus")
        # As where one of them changed.
        page.run("$('#details-body').view.shownElements = null")
        page.wait("!window.first.isConnected", "elements that were made anew", seconds=60)
        check(page.run("document.activeElement.dataset.id === window.first.dataset.id"), "the focus is lost")


def lost_and_back(browser):
    """The last minute of a network that is lost and comes back is drawn, whatever of it lies before the minute."""
    path = folder / "lost.ndjson"
    recording(path, [(10 * n, True, [(1, b"Steady", -50)] + ([(2, b"Guest", -60)] if n < 3 or n > 9 else []))
                     for n in range(24)])
    with opened(browser, "--replay", str(path), motion="no-preference") as (_, page):
        paths = "Array.from($$('#rows .trend path'), e => e.getAttribute('d') || '')"
        drawn = 0
        for position in range(2, 25):
            page.click("#forth")
            page.wait(f"$('#place').textContent.startsWith('scan {position} ')", f"scan {position}")
            time.sleep(0.1)
            found = [d for d in page.run(paths) if d]
            drawn += len(found)
            check(all(d.startswith("M") for d in found), f"scan {position}: a path without a beginning: {found}")
        check(drawn > 30, f"only {drawn} lines were drawn")


def recording(path, scans):
    """Writes a recording: each scan a time in seconds, whether it heard all that there is, and names with signals in
    dBm.

    The bytes of each BSS are those of a real one with another address, name, time and signal.
    """
    lines = open(RECORDING).read().splitlines()
    template = next(b for b in json.loads(lines[1])["bss"] if b["ssid"] == "Lab Open")
    raw = bytes.fromhex(template["attributes"])

    def attribute(kind, value):
        length = len(value) + 4
        return length.to_bytes(2, "little") + kind.to_bytes(2, "little") + value + b"\0" * (-length % 4)

    def bss(number, name, signal, now):
        result, at = b"", 0
        while at + 4 <= len(raw):
            length, kind = int.from_bytes(raw[at:at + 2], "little"), int.from_bytes(raw[at + 2:at + 4], "little")
            value = raw[at + 4:at + length]
            if kind == 1:
                value = bytes([2, 0, 0, 0, number >> 8, number & 255])
            elif kind in (6, 11):
                value = b"\0" + bytes([len(name)]) + name + value[2 + value[1]:]
            elif kind == 7:
                value = (signal * 100).to_bytes(4, "little", signed=True)
            elif kind == 15:
                value = now.to_bytes(8, "little")
            result += attribute(kind, value)
            at += (length + 3) & ~3
        address = ":".join(f"{byte:02x}" for byte in (2, 0, 0, 0, number >> 8, number & 255))
        return {"bssid": address, "ssid": "", "attributes": result.hex()}

    with open(path, "w") as file:
        file.write(lines[0] + "\n")
        for seconds, is_complete, heard in scans:
            end = int((100 + seconds) * 1e9)
            file.write(json.dumps({
                "interface": "wlan0", "startNs": end - 100_000_000, "endNs": end,
                "completion": "complete" if is_complete else "aborted",
                "bss": [bss(number, name, signal, end) for number, name, signal in heard]}) + "\n")


def hostile_names(browser):
    """Names that try to be markup, control characters or another direction are text."""
    names = [b"<script>alert(1)</script>", b'"><img src=x onerror=alert(1)>', b"<b>bold</b>", b"a\n\ndata: {}",
             "\u202egnp.exe".encode(),
             b"\x1b[31mred\r\x07", b"\xff\xfe\x00", "\u65e5\u672c\u8a9e \U0001F308".encode(), b"&lt;i&gt;",
             b"javascript:alert(1)", b" space ",
             "\u0645\u0642\u0647\u0649".encode()]
    path = folder / "hostile.ndjson"
    recording(path, [(0, True, [(index + 1, name, -40 - index) for index, name in enumerate(names)])])
    with opened(browser, "--replay", str(path)) as (_, page):
        check(page.run(ROWS) == len(names), f"{page.run(ROWS)} rows")
        check("<script>alert(1)</script>" in page.run(NAMES), "markup is not shown as text")
        check(page.run("$$('main img, main script, main b, main i').length") == 0, "a name became markup")
        check(page.run("!/[\\u0000-\\u0008\\u000b-\\u001f\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText)"), "a name has control characters")
        for row in range(1, len(names) + 1):
            page.click(f"#rows tr:nth-child({row}) .row")
        page.wait(f"$('#rows tr:nth-child({len(names)})').classList.contains('current')", "the last row")
        page.screenshot(out / "hostile.png")


def names_on_one_channel(browser):
    """Networks that are nearly as strong as each other on one channel all have their names in the picture, beside each
    other.
    """
    names = [b"Storey %d" % number for number in range(8)]
    path = folder / "channels.ndjson"
    recording(path, [(0, True, [(index + 1, name, -50 - index) for index, name in enumerate(names)])])
    with Server("--replay", str(path)) as server:
        for width in (1280, 390):
            page = browser.page(server.url, width, 900)
            page.wait(CONNECTED, "the list")
            page.run("$('#plot').scrollIntoView({ block: 'center' })")
            page.wait("$$('#plot .label').length > 0", "the picture of the channels")
            boxes = page.run(
                "Array.from($$('#plot .label'), e => { const b = e.getBBox(); return [e.textContent, b.x, b.x + b.width, b.y, b.y + b.height] })")
            check(sorted(box[0] for box in boxes) == [name.decode() for name in names],
                  f"the names at {width} are {boxes}")
            # Letters are lower than their lines.
            over = [(a[0], b[0]) for a in boxes for b in boxes if a[0] < b[0] and a[1] < b[2] and b[1] < a[2]
                    and a[3] + 3 < b[4] and b[3] + 3 < a[4]]
            check(not over, f"over each other at {width}: {over}")
            wide, high = page.run("(({ width, height }) => [width, height])($('#plot svg').viewBox.baseVal)")
            outside = [box for box in boxes if box[1] < 0 or box[2] > wide or box[3] < -3 or box[4] > high]
            check(not outside, f"outside the picture at {width}: {outside}")
            page.screenshot(out / f"channels-{width}.png")
            page.close()


def thousand(browser):
    """A thousand networks at two changes a second: what that costs, and how soon a change is seen."""
    names = [(index + 1, b"Network %04d" % index, -35 - index % 60) for index in range(1000)]
    changes = [(1 + index / 2, False, [(index % 1000 + 1, b"Network %04d" % (index % 1000), -35 - (index * 7) % 60)])
               for index in range(120)]
    path = folder / "thousand.ndjson"
    recording(path, [(0, True, names), *changes])
    with Server("--replay", str(path)) as server:
        page = browser.page(server.url, 1280, 900, motion="no-preference")
        page.wait(f"{ROWS} === 1000", "a thousand rows")
        page.click("#play")
        page.wait("$('#place').textContent.startsWith('scan 5 ')", "the fifth scan")
        before, cpu, began, drawing = page.metrics(), server.cpu(), time.monotonic(), browser.cpu()
        time.sleep(15)
        after, took = page.metrics(), time.monotonic() - began
        drawn = (browser.cpu() - drawing) / took * 100
        parts = ", ".join(f"{name} {(after[name + 'Duration'] - before[name + 'Duration']) / took * 100:.1f}"
                          for name in ("Script", "Layout", "RecalcStyle", "Task"))
        served = (server.cpu() - cpu) / took * 100
        page.screenshot(out / "thousand.png", whole=False)
        page.click("#play")
        # A change of the recording that is still on its way is not the filter's.
        page.wait("$('#phase').textContent.startsWith('Stopped')", "the recording stopped")
        changes = []
        for _ in range(9):
            changes.append(page.run("""new Promise(done => {
              const began = performance.now();
              new MutationObserver((_, observer) => {
                observer.disconnect();
                requestAnimationFrame(() => done(performance.now() - began));
              }).observe($('#rows'), { childList: true, characterData: true, attributes: true, subtree: true });
              $('#forth').click();
            })"""))
        waits = []
        for text in ("Network 01", "", "77", ""):
            waits.append(page.run(f"""new Promise(done => {{
              const began = performance.now(), field = $('#filter'), rows = $('#rows');
              const count = rows.childElementCount;
              new MutationObserver((_, observer) => {{
                if (rows.childElementCount === count) return;
                observer.disconnect();
                requestAnimationFrame(() => done(performance.now() - began));
              }}).observe(rows, {{ childList: true }});
              field.value = {json.dumps(text)};
              field.dispatchEvent(new Event('input'));
            }})"""))
        print(f"    1,000 networks, 2 changes/s: the page uses {drawn:.1f} % of a processor, the server {served:.1f} %; "
              f"one change is on the screen after {sorted(changes)[4]:.0f} ms, at most {max(changes):.0f}; "
              f"a filter typed that takes 900 rows away or brings them back after {', '.join(f'{wait:.0f}' for wait in waits)} ms; {parts} % of the time")
        check(0 < drawn < 20, f"the page uses {drawn:.1f} % of a processor")
        page.close()


def filtered(browser):
    """The page of a server with the filters of scan holds what they let pass, and nothing else."""
    with opened(browser, "--simulate", "home", "--seed", "7", "--interval", "1", "--band", "5", "--min-signal", "-80") as (server, page):
        heard = server.scan()["bss"]
        check(heard and all(one["band"] == "5GHz" and one["signalDBm"] >= -80 for one in heard), f"heard is {heard}")
        rows = server.hello()["rows"]
        check(rows and all(row["bands"] == "5" for row in rows), f"a row is of another band: {rows}")


def three_hundred(browser):
    """At 390 pixels a long list scrolls by itself, and every section is a tap away."""
    path = folder / "long.ndjson"
    recording(path, [(0, True, [(index + 1, b"Network %03d" % index, -35 - index % 60) for index in range(300)])])
    with Server("--replay", str(path)) as server:
        for url, sections in ((server.url, ["list", "channels", "events"]),
                              (server.base + "/", ["list", "details", "channels", "events"])):
            page = browser.page(url, 390, 844, mobile=True)
            page.wait(f"{ROWS} === 300", "300 rows")
            fits(page, "300 networks at 390")
            height = page.run("document.documentElement.scrollHeight")
            check(height < 4 * 844, f"the page is {height} pixels high")
            links = page.run("Array.from($$('.jump a')).filter(e => e.checkVisibility()).map(e => e.hash)")
            check(links == [f"#{name}-title" for name in sections], f"the sections to be reached are {links}")
            for name in reversed(sections):
                page.click(f".jump [href='#{name}-title']")
                page.wait(f"(b => b.top >= 0 && b.bottom <= innerHeight)($('#{name}-title').getBoundingClientRect())", f"the section {name}")
                check(page.run("$('.jump').getBoundingClientRect().top >= 0"), "the sections are out of reach")
            # The whole list can be seen.
            page.run("$('#rows tr:last-child').scrollIntoView({ block: 'end' })")
            page.wait("$('#rows tr:last-child .meta').textContent !== ''", "the last row")
            page.screenshot(out / f"long-{len(sections)}.png", whole=False)
            page.close()


def ten_pages(browser):
    """Ten pages at once show the same networks, and each its own filter."""
    with Server("--simulate", "preview", "--seed", "7") as server:
        pages = [browser.page(server.url, 800, 600) for _ in range(10)]
        for page in pages:
            page.wait(CONNECTED, "the list of one of ten")
        server.act(do="pause", value=True)
        for page in pages:
            page.wait("$('#pause').getAttribute('aria-pressed') === 'true'", "the pause on every page")
        time.sleep(0.3)
        lists = {json.dumps(page.run(NAMES)) for page in pages}
        check(len(lists) == 1, "ten pages show different lists")
        server.act(do="filter", value="no such network")
        name = json.loads(next(iter(lists)))[0]
        pages[3].run("(field => { field.value = %s; field.dispatchEvent(new Event('input')) })($('#filter'))" % json.dumps(name))
        pages[3].wait(f"{ROWS} > 0 && {NAMES}.every(one => one.includes({json.dumps(name)}))", "the filter of one page")
        time.sleep(0.3)
        check({json.dumps(page.run(NAMES)) for page in pages[:3] + pages[4:]} == lists,
              "the filter of one page is that of others")
        for page in pages:
            page.close()


def two_sheets(browser):
    """A sheet and its alert are of the page that opened it; others, and a page without the token, see nothing of it."""
    with opened(browser, *STILL) as (server, page):
        other = browser.page(server.url, 1280, 900)
        reader = browser.page(server.base + "/", 800, 600)
        for one in (other, reader):
            one.wait(CONNECTED, "the list of another page")
        page.click("#pause")
        for one in (page, other, reader):
            one.wait("$('#pause').getAttribute('aria-pressed') === 'true'", "the pause")
        secured = open_sheet(page)
        page.type("nope")
        page.key("Enter")
        page.wait("$('#question').open", "the alert")
        for one, what in ((other, "another page"), (reader, "a page without the token")):
            check(not one.run("$('dialog[open]')"), f"{what} shows the sheet or its alert")
        for token in (None, server.token):
            state = server.hello(token)
            check(state["layers"] == [] and "password" not in json.dumps(state), f"a program is sent {state['layers']}")
        page.key("Enter")
        page.wait("!$('#question').open", "the alert closed")
        # The other page opens its own beside it.
        other.click(f"tr[data-key='{secured}'] .join")
        other.wait("$('#sheet').open", "the sheet of the other page")
        check(other.run("$('#password').value") == "", "what one page typed stands in another")
        page.type("blob")
        page.key("Enter")
        page.wait("!$('#sheet').open", "joined")
        other.wait(f"$('#rows tr').dataset.key === {json.dumps(secured)}",
                   "the joined network on top of the other page")
        check(other.run("$('#sheet').open"), "the sheet of the other page is gone")
        for one in (other, reader):
            one.close()


def password_on_its_way(browser):
    """Nothing is joined with a password that did not reach the server whole."""
    with opened(browser, *STILL) as (_, page):
        open_sheet(page)
        page.type("blo")
        time.sleep(0.5)
        page.run("""(real => { window.asked = []; window.fetch = (url, options) => {
            const what = url === "action" ? JSON.parse(options.body).do : url;
            window.asked.push(what);
            return what === "password" ? Promise.reject(new TypeError("Failed to fetch")) : real(url, options);
        } })(window.fetch)""")
        page.type("b")
        page.key("Enter")
        page.wait("window.asked.includes('password')", "the password on its way")
        time.sleep(0.5)
        check(page.run("window.asked.includes('join')") is False, "it joins with a part of the password")
        check(page.run("$('#sheet').open"), "the sheet is gone")


def said_over_a_dialog(browser):
    """What is said while a dialog is open stands in it: all else is covered, for a screen reader, too."""
    with opened(browser, *STILL) as (_, page):
        open_sheet(page)
        # More bytes than a password has.
        page.run("(e => { e.value = 'é'.repeat(600); e.dispatchEvent(new Event('input')) })($('#password'))")
        page.wait("!$('#toast').hidden", "that it is not taken")
        said = page.run("$('#toast').textContent")
        check(any(said in name for _, name in page.accessibility()), f"no screen reader hears “{said}”")
        seen = page.run("(b => document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2).id)"
                        "($('#toast').getBoundingClientRect())")
        check(seen == "toast", f"{seen or 'something'} lies over what is said")
        page.key("Escape")
        page.wait("!$('#sheet').open", "the sheet closed")
        # A browser says in a later turn that a dialog has closed.
        page.wait("$('#toast').parentNode === document.body", "what was said out of the sheet")
    # The browser logs what the server refuses.
    browser.logs.clear()


def long_and_unanswered(browser):
    """What is typed is cut where the server takes no more, and an action without an answer holds no other one back."""
    with opened(browser, *STILL) as (_, page):
        fill = "(text => { const e = $('#filter'); e.value = text; e.dispatchEvent(new Event('input')); })"
        page.run(f"{fill}('無'.repeat(128))")
        page.wait(f"{ROWS} === 0", "a filter that no network passes")
        check(page.run("$('#filter').value.length") == 85, "the filter holds more than the server takes")
        check(page.run("$('#toast').hidden"), "a long filter is refused")
        # The first action has no answer, and half a second is as long as the time limit.
        page.run("""(real => {
            AbortSignal.timeout = () => {
                const ending = new AbortController();
                setTimeout(() => ending.abort(new DOMException("", "TimeoutError")), 500);
                return ending.signal;
            };
            let isFirst = true;
            window.fetch = (url, options) => url === "action" && isFirst
                ? new Promise((_, fail) => { isFirst = false; options.signal.addEventListener("abort", () => fail(options.signal.reason)); })
                : real(url, options);
        })(window.fetch)""")
        page.click("#pause")
        page.run(f"{fill}('')")
        page.wait("$('#toast').textContent.includes('did not answer for 30 seconds')", "that there is no answer")
        page.wait(f"{ROWS} > 0", "what was done after it")


browser = Browser()
for name, part in (
    ("wide, light", lambda: use_wide(browser, "light")), ("wide, dark", lambda: use_wide(browser, "dark")),
    ("narrow, light", lambda: use_narrow(browser, "light")), ("narrow, dark", lambda: use_narrow(browser, "dark")),
    ("known networks, wide", lambda: known_networks(browser, 1280, "light")),
    ("known networks, narrow", lambda: known_networks(browser, 390, "dark")),
    *((name, lambda part=part: part(browser)) for name, part in (
        ("read only", read_only), ("replay", replay), ("no adapter", no_adapter), ("offline", offline),
        ("fresh keys", fresh_keys),
        ("elements keep the focus", elements_keep_the_focus),
        ("lost and back", lost_and_back), ("hostile names", hostile_names),
        ("names on one channel", names_on_one_channel),
        ("filtered", filtered), ("three hundred networks", three_hundred), ("ten pages", ten_pages),
        ("two sheets", two_sheets), ("said over a dialog", said_over_a_dialog), ("password on its way", password_on_its_way),
        ("long and unanswered", long_and_unanswered),
        ("a thousand networks", thousand))),
):
    if os.environ.get("ONLY", "") not in name:
        continue
    problem = None
    try:
        part()
    except (AssertionError, RuntimeError) as error:
        problem = error
    checking.check(name, not problem and not browser.logs, (problem, "logged:", browser.logs))
    browser.logs.clear()
browser.close()
