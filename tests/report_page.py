#!/usr/bin/env python3
"""Drive a page of slabsim report in a headless Chromium, and say what is wrong with it.

usage: report_page.py BROWSER PAGE [SCREENSHOTS | --once]

At 1280 and 390 pixels, light and dark: nothing on the console, nothing loaded, no sideways scroll,
names for what cannot be seen, contrast, text inside its chart; then sorting, runs and folds by
keyboard alone. Each fault is a line on standard output. With SCREENSHOTS, a folder, pictures of the
page are left there; with --once, only the phone is tried. Exit status: 0 no fault, 1 faults, 2 the browser does not do.
"""
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = [(1280, 900), (390, 844)]
THEMES = ["light", "dark"]
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40}


class Browser:
    """Chromium, spoken to through two pipes; a message is JSON that ends in a zero byte."""

    def __init__(self, program, profile):
        command_r, self.command = os.pipe()
        self.answer, answer_w = os.pipe()
        os.set_inheritable(command_r, True)
        os.set_inheritable(answer_w, True)
        arguments = [program, "--headless", "--disable-gpu", "--no-first-run", "--disable-sync",
                     "--disable-background-networking", "--disable-component-update",
                     "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={profile}", "--remote-debugging-pipe"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        # It reads from 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{command_r} 4>&{answer_w}', "sh", *arguments],
            close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(command_r)
        os.close(answer_w)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None

    def read(self):
        while b"\0" not in self.buffer:
            got = os.read(self.answer, 1 << 16)
            if not got:
                sys.exit("the browser ended")
            self.buffer += got
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def do(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.command, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.events = []
        self.do("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.read())

    def ask(self, expression):
        """The value of an expression in the page."""
        result = self.do("Runtime.evaluate", expression=expression, returnByValue=True,
                         awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            sys.exit(f"{expression[:200]}: {details['exception'].get('description', details)}")
        return result["result"].get("value")

    def key(self, key):
        text = {"Enter": "\r", " ": " "}.get(key)
        common = {"key": key, "code": "Space" if key == " " else key,
                  "windowsVirtualKeyCode": KEYS[key]}
        down = dict(common, type="keyDown" if text else "rawKeyDown")
        if text:
            down["text"] = text
        self.do("Input.dispatchKeyEvent", **down)
        self.do("Input.dispatchKeyEvent", type="keyUp", **common)
        # what the key set off has been drawn
        self.ask("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


# What is looked at in every size and theme; a list of faults.
LOOK = r"""
(function () {
var faults = [], root = document.documentElement;
function fault(text) { if (faults.length < 40) faults.push(text); }
function name(e) { return (e.textContent || e.outerHTML).trim().slice(0, 60); }
function seen(e) { return e.getClientRects().length > 0; }

if (root.dataset.ready !== "yes")
	fault("the page's script did not end");
if (root.dataset.error)
	fault("script: " + root.dataset.error);
if (root.scrollWidth > root.clientWidth)
	fault("the page is " + root.scrollWidth + " pixels wide, the window " + root.clientWidth);
if (!root.lang || !document.title)
	fault("no language or no title");
if (document.querySelectorAll("h1").length !== 1)
	fault("not one h1");
document.querySelectorAll("[id]").forEach(function (e) {
	if (document.querySelectorAll("#" + CSS.escape(e.id)).length > 1)
		fault("id twice: " + e.id);
});
document.querySelectorAll("table").forEach(function (t) {
	if (!t.tHead || t.querySelectorAll("thead th:not([scope=col])").length ||
	    Array.from(t.querySelectorAll("thead td")).some(function (c) { return c.textContent; }))
		fault("table without headings: " + name(t));
	Array.prototype.forEach.call(t.tHead && t.tBodies[0] ? t.tBodies[0].rows : [], function (row) {
		if (!row.cells[0] || row.cells[0].getAttribute("scope") !== "row")
			fault("row without heading: " + name(row));
		if (row.cells.length !== t.tHead.rows[0].cells.length)
			fault("row of " + row.cells.length + " cells: " + name(row));
	});
});
document.querySelectorAll("svg, img").forEach(function (e) {
	if (!((e.getAttribute("role") === "img" && e.getAttribute("aria-label")) || e.getAttribute("alt")))
		fault("picture without words: " + e.outerHTML.slice(0, 60));
});
document.querySelectorAll("button, a, select, input, summary").forEach(function (e) {
	var label = e.textContent.trim() || e.getAttribute("aria-label") || (e.labels && e.labels.length);
	if (!label)
		fault("control without a name: " + e.outerHTML.slice(0, 80));
	if (e.tabIndex < 0)
		fault("not to be had by keyboard: " + name(e));
});
document.querySelectorAll("a[href^='#']").forEach(function (a) {
	if (!document.getElementById(a.getAttribute("href").slice(1)))
		fault("link to nothing: " + a.getAttribute("href"));
});
/* what scrolls by itself can be reached by keyboard */
document.querySelectorAll("*").forEach(function (e) {
	var style = getComputedStyle(e);
	if (/auto|scroll/.test(style.overflowX) && seen(e) && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0)
		fault("scrolls, but not by keyboard: " + e.outerHTML.slice(0, 80));
});

/* ---- contrast ---- */
function rgb(text) {
	var m = /rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)/.exec(text);
	var s = /color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)/.exec(text);
	if (m)
		return [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]];
	return s ? [255 * s[1], 255 * s[2], 255 * s[3], s[4] === undefined ? 1 : +s[4]] : null;
}
function light(c) {
	var v = c.slice(0, 3).map(function (x) {
		x /= 255;
		return x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
	});
	return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}
function contrast(a, b) {
	var x = light(a), y = light(b);
	return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
function behind(e) {
	var over = [], c;
	for (; e; e = e.parentElement) {
		c = rgb(getComputedStyle(e).backgroundColor);
		if (c && c[3] > 0)
			over.push(c);
		if (c && c[3] === 1)
			break;
	}
	if (!over.length || over[over.length - 1][3] < 1)
		over.push([255, 255, 255, 1]);
	return over.reduceRight(function (low, high) {
		return [0, 1, 2].map(function (i) { return high[i] * high[3] + low[i] * (1 - high[3]); }).concat(1);
	});
}
document.querySelectorAll("body *").forEach(function (e) {
	var own = Array.prototype.some.call(e.childNodes, function (n) {
		return n.nodeType === 3 && n.textContent.trim();
	}), svg = e.closest("svg"), c;
	if (!own || !seen(e) || /^(SCRIPT|STYLE|OPTION)$/.test(e.tagName))
		return;
	/* numbers in bars and maps stand on those */
	if (e.closest('[fill="#111111"], [fill="#fafafa"]'))
		return;
	c = rgb(svg ? getComputedStyle(e).fill : getComputedStyle(e).color);
	if (c && contrast(c, behind(svg ? svg.parentElement : e)) < 4.5)
		fault("contrast " + contrast(c, behind(svg ? svg.parentElement : e)).toFixed(1) + ": " + name(e));
});

/* ---- charts ---- */
document.querySelectorAll("figure svg").forEach(function (svg) {
	var box = svg.getBoundingClientRect(), straight = [], where = svg.closest("figure").id;
	if (!seen(svg))
		return;
	svg.querySelectorAll("text").forEach(function (t) {
		var b = t.getBoundingClientRect(), m = t.getScreenCTM();
		if (!t.textContent.trim())
			return;
		if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1)
			fault(where + ": leaves the picture: " + name(t));
		if (Math.abs(m.b) < 0.01)
			straight.push([b, t]);
	});
	straight.forEach(function (x, i) {
		straight.slice(i + 1).forEach(function (y) {
			var w = Math.min(x[0].right, y[0].right) - Math.max(x[0].left, y[0].left);
			var h = Math.min(x[0].bottom, y[0].bottom) - Math.max(x[0].top, y[0].top);
			/* boxes are higher than letters */
			if (w > 1 && h > 0.45 * Math.min(x[0].height, y[0].height))
				fault(where + ": one on the other: " + name(x[1]) + " | " + name(y[1]));
		});
	});
});
return faults;
}())
"""

# Cells of a column of the table of points, as they stand.
COLUMN = """Array.from(document.querySelectorAll("#points tbody tr"), function (r) {
	return r.cells[%d].firstChild ? r.cells[%d].firstChild.textContent.trim() : ""; })"""


def look(browser, url, faults, shots, sizes):
    for width, height in sizes:
        for theme in THEMES:
            where = f"{width} pixels, {theme}"
            browser.do("Emulation.setDeviceMetricsOverride", width=width, height=height,
                       deviceScaleFactor=1, mobile=width < 600)
            browser.do("Emulation.setEmulatedMedia",
                       features=[{"name": "prefers-color-scheme", "value": theme}])
            browser.open(url)
            faults += [f"{where}: {f}" for f in browser.ask(LOOK)]
            back = browser.ask("getComputedStyle(document.body).backgroundColor")
            dark = sum(int(float(x)) for x in back.strip("rgba()").split(",")[:3]) < 200
            if dark != (theme == "dark"):
                faults.append(f"{where}: the background is {back}")
            for event in browser.events:
                method, params = event.get("method"), event.get("params", {})
                if method == "Runtime.exceptionThrown":
                    details = params["exceptionDetails"]
                    faults.append(f"{where}: script: {details.get('text')}")
                elif method == "Runtime.consoleAPICalled":
                    faults.append(f"{where}: console: {params['args']}")
                elif method == "Log.entryAdded":
                    faults.append(f"{where}: console: {params['entry']['text']}")
                elif method == "Network.requestWillBeSent" and params["request"]["url"] != url:
                    faults.append(f"{where}: loads {params['request']['url'][:100]}")
            if shots:
                size = browser.do("Page.getLayoutMetrics")["cssContentSize"]
                shot = browser.do("Page.captureScreenshot", captureBeyondViewport=True, clip={
                    "x": 0, "y": 0, "width": width, "height": size["height"], "scale": 1})
                name = f"{shots}/{pathlib.Path(url).stem}-{width}-{theme}.png"
                with open(name, "wb") as out:
                    out.write(base64.b64decode(shot["data"]))


def ordered(cells, descending):
    """Numbers in order, what is none behind them."""
    numbers = []
    for cell in cells:
        try:
            numbers.append(float(cell.split(" ")[0]))
        except ValueError:
            numbers.append(None)
    have = [n for n in numbers if n is not None]
    return have == sorted(have, reverse=descending) and None not in numbers[:len(have)]


def sorts(browser, faults):
    columns = browser.ask("document.querySelectorAll('#points thead th').length")
    rows = browser.ask("document.querySelectorAll('#points tbody tr').length")
    for column in range(1, min(columns, 8)):
        button = f"document.querySelectorAll('#points thead th button')[{column}]"
        if browser.ask(f"{button}.parentNode.className === 'word'"):
            continue
        for want in ("ascending", "descending"):
            browser.ask(f"{button}.focus()")
            browser.key("Enter")
            cells = browser.ask(COLUMN % (column, column))
            said = browser.ask(f"{button}.parentNode.getAttribute('aria-sort')")
            if said != want or not ordered(cells, want == "descending") or len(cells) != rows:
                faults.append(f"column {column} is not sorted, {want}: {said}, {cells[:8]}")
    others = browser.ask("document.querySelectorAll('#points th[aria-sort]').length")
    if others != 1:
        faults.append(f"{others} columns say that rows are sorted by them")


def opens(browser, faults):
    """Every tenth run and the last, by its name in the table."""
    last = browser.ask("document.querySelectorAll('[data-run]').length") - 1
    for i in sorted({*range(0, last, max(1, last // 10)), last}):
        button = f"document.querySelectorAll('[data-run]')[{i}]"
        run = int(browser.ask(f"{button}.dataset.run"))
        browser.ask(f"{button}.focus()")
        browser.key("Enter")
        got = browser.ask("""({shown: !document.getElementById("runview").hidden,
            focus: document.activeElement.id, which: document.getElementById("which").value,
            slabinfo: document.getElementById("slabinfo").textContent,
            config: document.getElementById("config").textContent,
            top: document.getElementById("h-run").getBoundingClientRect().top})""")
        if not got["shown"] or got["which"] != str(run) or "Slabcache: " not in got["slabinfo"]:
            faults.append(f"run {run} does not open: {got}"[:300])
            continue
        if got["focus"] != "h-run" or not -50 < got["top"] < 900:
            faults.append(f"run {run}: one is not led to it: {got['focus']}, {got['top']}")
        wanted = browser.ask(f"slabsim.configuration(slabsim.data, {run})")
        if json.loads(got["config"]) != wanted:
            faults.append(f"run {run}: not its configuration")
    browser.ask("document.getElementById('differences').focus()")
    before = browser.ask("document.getElementById('config').textContent")
    browser.key(" ")
    if browser.ask("document.getElementById('config').textContent") == before and last:
        faults.append("what differs is not shown alone")


def keyboard(browser, faults):
    browser.ask("window.scrollTo(0, 0); document.activeElement.blur()")
    browser.key("Tab")
    first = browser.ask("""({name: document.activeElement.className,
        left: document.activeElement.getBoundingClientRect().left})""")
    if first["name"] != "skip" or first["left"] < 0:
        faults.append(f"the first stop is not the link to the content: {first}")
    folded = "document.querySelector('details:not([open]) > summary')"
    browser.ask(f"window.fold = {folded}; fold.focus()")
    browser.key("Enter")
    if not browser.ask("fold.parentNode.open"):
        faults.append("a fold does not open by keyboard")
    before = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.ask("document.getElementById('theme').focus()")
    browser.key(" ")
    if browser.ask("getComputedStyle(document.body).backgroundColor") == before:
        faults.append("light and dark do not change")
    browser.key(" ")
    # Through the whole page by Tab: nobody is caught, what has the focus can be seen.
    browser.ask("window.scrollTo(0, 0); document.activeElement.blur(); window.stops = new Set()")
    for _ in range(30):
        browser.key("Tab")
        state = browser.ask("""(function (e) { stops.add(e); var b = e.getBoundingClientRect();
            return {outline: getComputedStyle(e).outlineStyle, width: b.width, text: e.outerHTML.slice(0, 80)};
            }(document.activeElement))""")
        # behind the last stop is the page itself
        if state["text"].startswith("<body"):
            break
        if state["width"] == 0 or state["outline"] == "none":
            faults.append(f"the focus cannot be seen: {state['text']}")
            break
    stops = browser.ask("stops.size")
    if stops < 15:
        faults.append(f"Tab comes to {stops} places only")


def filters(browser, faults):
    if not browser.ask("!!document.getElementById('filter')"):
        return
    rows = "Array.from(document.querySelectorAll('#points tbody tr')).filter(r => !r.hidden).length"
    everything = browser.ask(rows)
    text = browser.ask("document.querySelector('#points tbody tr').cells[1].textContent.trim()")
    browser.ask("document.getElementById('filter').focus()")
    browser.do("Input.insertText", text=text + "no such")
    if browser.ask(rows) != 0:
        faults.append("rows are not filtered")
    browser.ask("document.getElementById('filter').value = ''")
    browser.do("Input.insertText", text=text)
    if not 0 < browser.ask(rows) <= everything:
        faults.append("no row is left of those that fit")


def drive(browser, url, faults, sizes):
    for width, height in sizes:
        browser.do("Emulation.setDeviceMetricsOverride", width=width, height=height,
                   deviceScaleFactor=1, mobile=width < 600)
        browser.open(url)
        for part in (keyboard, sorts, opens, filters):
            part(browser, faults)
        if browser.ask("document.documentElement.dataset.error || ''"):
            faults.append("script: " + browser.ask("document.documentElement.dataset.error"))
    browser.ask("location.hash = '#run=1&sort=1:descending'; new Promise(r => setTimeout(r, 50))")
    if browser.ask("document.getElementById('which').value") != "1":
        faults.append("#run=1 does not open run 1")


def main():
    program, page = sys.argv[1:3]
    more = sys.argv[3] if len(sys.argv) > 3 else None
    sizes = SIZES[1:] if more == "--once" else SIZES
    shots = more if more and more != "--once" else None
    url = pathlib.Path(page).resolve().as_uri()
    faults = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            target = browser.do("Target.createTarget", url="about:blank")["targetId"]
            browser.session = browser.do("Target.attachToTarget", targetId=target,
                                         flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                browser.do(f"{domain}.enable")
            look(browser, url, faults, shots, sizes)
            # what a page without its script does need not be asked
            if browser.ask("document.documentElement.dataset.ready") == "yes":
                drive(browser, url, faults, sizes)
        finally:
            browser.process.terminate()
            browser.process.wait()
    for fault in dict.fromkeys(faults):
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SystemExit as e:
        if isinstance(e.code, str):
            print(e.code, file=sys.stderr)
            sys.exit(2)
        raise
