"""Drives a headless Chromium over its debugging pipe; nothing but the standard library."""

import base64
import json
import os
import select
import shutil
import time

from lib.checking import fail, folder, start


def find():
    """The path of a browser."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    fail("there is no Chromium: scripts/setup browser installs it.", 69)


class Browser:
    """One browser; `page` opens a tab."""

    def __init__(self):
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def pipes():
            # The browser reads commands from 3 and writes answers to 4.
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = start(
            find(), "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
            "--no-first-run", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            f"--user-data-dir={folder()}", "about:blank", stdout=-3, stderr=-3, preexec_fn=pipes, close_fds=False)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.buffer = b""
        self.answers = {}
        self.logs = []

    def receive(self, seconds):
        """Takes in what the browser says, for at most so long."""
        ready, _, _ = select.select([self.into], [], [], max(seconds, 0))
        if not ready:
            return
        data = os.read(self.into, 1 << 20)
        if not data:
            raise RuntimeError("the browser ended")
        self.buffer += data
        *messages, self.buffer = self.buffer.split(b"\0")
        for message in messages:
            message = json.loads(message)
            if "id" in message:
                self.answers[message["id"]] = message
            elif message["method"] == "Runtime.consoleAPICalled":
                if message["params"]["type"] in ("error", "warning"):
                    self.logs.append(" ".join(str(a.get("value", a.get("description")))
                                              for a in message["params"]["args"]))
            elif message["method"] == "Runtime.exceptionThrown":
                details = message["params"]["exceptionDetails"]
                self.logs.append(details.get("exception", {}).get("description", details["text"]))
            elif message["method"] == "Log.entryAdded" and message["params"]["entry"]["level"] in ("error", "warning"):
                self.logs.append(message["params"]["entry"]["text"] + " " + message["params"]["entry"].get("url", ""))

    def call(self, method, session=None, **params):
        """Sends a command and waits for its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + 60
        while self.number not in self.answers:
            if time.monotonic() > end:
                raise RuntimeError(f"{method}: no answer within 60 s")
            self.receive(1)
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, url, width=1280, height=900, scheme="light", motion="reduce", mobile=False):
        return Page(self, url, width, height, scheme, motion, mobile)

    def cpu(self):
        """Seconds of a processor that the processes which run pages have used."""
        return sum(p["cpuTime"] for p in self.call("SystemInfo.getProcessInfo")["processInfo"]
                   if p["type"] == "renderer")

    def close(self):
        try:
            self.call("Browser.close")
        except RuntimeError:
            self.process.kill()
        self.process.wait()


class Page:
    """One tab."""

    def __init__(self, browser, url, width, height, scheme, motion, mobile):
        self.browser = browser
        # A context of its own is as good as a browser of its own: it shares neither storage nor connections.
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        self.target = browser.call("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Performance"):
            self.call(f"{domain}.enable")
        self.resize(width, height, mobile)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion}])
        self.call("Page.navigate", url=url)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def resize(self, width, height, mobile=False):
        self.width = width
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def run(self, expression):
        """The value of an expression of JavaScript, in which `$` and `$$` find one element and all, as in a console."""
        expression = expression.replace("$$(", "document.querySelectorAll(").replace("$(", "document.querySelector(")
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return result["result"].get("value")

    def wait(self, expression, what, seconds=60):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while True:
            value = None
            try:
                value = self.run(expression)
            except RuntimeError:
                pass
            if value or value == {}:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"{what}: not within {seconds} s")
            self.browser.receive(0.03)

    def click(self, selector, count=1):
        """Clicks the middle of an element with the mouse, as soon as the element stays in its place."""
        box, before = None, ()
        while box != before:
            if box:
                time.sleep(0.05)
            before, box = box, self.run(
                f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}}); "
                "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()")
        for clicks in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=clicks)

    def type(self, text):
        """Types into what has the focus, character by character."""
        for character in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=character, key=character)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=character)

    def key(self, name, code=None, modifiers=0):
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "Backspace": 8, "Home": 36,
                 "End": 35, " ": 32}
        extra = {"text": "\r"} if name == "Enter" else {"text": " "} if name == " " else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=code or name,
                  windowsVirtualKeyCode=codes.get(name, 0), modifiers=modifiers, **extra)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=code or name,
                  windowsVirtualKeyCode=codes.get(name, 0), modifiers=modifiers)

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole, **self.clip(whole))["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def clip(self, whole):
        if not whole:
            return {}
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def metrics(self):
        return {m["name"]: m["value"] for m in self.call("Performance.getMetrics")["metrics"]}

    def accessibility(self):
        """The nodes of the accessibility tree that are not ignored."""
        self.call("Accessibility.enable")
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        self.call("Accessibility.disable")
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored")
                and "role" in n]

    def close(self):
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)
