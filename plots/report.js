/* The page of slabsim report: sorting, and the reports and configurations of runs. */
(function () {
"use strict";

var root = document.documentElement;
window.addEventListener("error", function (e) { root.dataset.error = e.message; });

function $(id) { return document.getElementById(id); }

/* ---- light or dark ---- */

function theme() {
	var wanted = /[?&]theme=(light|dark)\b/.exec(location.search), button = $("theme");

	if (wanted)
		root.dataset.theme = wanted[1];
	button.hidden = false;
	button.addEventListener("click", function () {
		var dark = root.dataset.theme ? root.dataset.theme === "dark" :
			matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = dark ? "light" : "dark";
	});
}

/* ---- tables ---- */

/* What a cell is sorted by: its number, without what stands behind; or its text. */
function key(row, column) {
	var cell = row.cells[column], text, number;

	text = cell && cell.firstChild ? cell.firstChild.textContent.trim() : "";
	if (!cell || cell.tagName === "TH" || cell.className === "word")
		return cell ? cell.textContent.trim() : "";
	number = parseFloat(text);
	return isNaN(number) ? text : number;
}

function compare(a, b) {
	var numbers = (typeof a === "number") - (typeof b === "number");

	/* what has no number comes last */
	if (numbers)
		return -numbers;
	if (typeof a === "number")
		return a - b;
	return a.localeCompare(b, "en", {numeric: true});
}

function sort(table, column, order) {
	var body = table.tBodies[0], heads = table.tHead.rows[0].cells, rows, i;

	rows = Array.prototype.map.call(body.rows, function (row) {
		return {row: row, key: key(row, column)};
	});
	rows.sort(function (a, b) {
		var c = compare(a.key, b.key);
		return order === "descending" && typeof a.key === typeof b.key ? -c : c;
	});
	rows.forEach(function (r) { body.appendChild(r.row); });
	for (i = 0; i < heads.length; i++)
		heads[i].removeAttribute("aria-sort");
	heads[column].setAttribute("aria-sort", order);
}

function sortable(table) {
	Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
		var button = head.querySelector("button");

		if (button)
			button.addEventListener("click", function () {
				sort(table, column,
				     head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
			});
	});
}

function filter() {
	var input = $("filter"), table = $("points");

	if (!input)
		return;
	input.addEventListener("input", function () {
		var wanted = input.value.toLowerCase(), shown = 0;

		Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
			row.hidden = row.textContent.toLowerCase().indexOf(wanted) < 0;
			shown += !row.hidden;
		});
		$("filtered").textContent = wanted ? shown + " rows" : "";
	});
}

/* ---- slabinfo -r ---- */

/* Control characters as \xNN, byte by byte, as on a terminal. */
function plain(name) {
	return name.replace(/[\u0000-\u001f\u007f-\u009f]/g, function (c) {
		var code = c.charCodeAt(0), hex = ("0" + code.toString(16)).slice(-2);
		return (code < 0x80 ? "\\x" : "\\xc2\\x") + hex;
	});
}

function left(text, width) {
	text = String(text);
	return text + " ".repeat(Math.max(0, width - Array.from(text).length));
}

function right(text, width) {
	return String(text).padStart(width);
}

/* value * 100 / total, truncated. */
function percent(value, total) {
	return total ? Number(BigInt(value) * 100n / BigInt(total)) : 0;
}

var GEOMETRY = ["object_size", "size", "align", "order", "objects_per_slab", "slabs", "objects",
		"partial", "cpu_slabs", "peak", "memory"];

/* One cache of a run, by names. Counters that the kernel does not have are left out. */
function unpack(data, numbers) {
	var cache = {name: data.caches[numbers[0]], counters: {}};

	GEOMETRY.forEach(function (name, i) { cache[name] = numbers[i + 1]; });
	data.counters.forEach(function (name, i) {
		var value = numbers[1 + GEOMETRY.length + i];
		if (value >= 0)
			cache.counters[name] = value;
	});
	return cache;
}

function sizes(c, page) {
	var slab = page * Math.pow(2, c.order), total = c.slabs * slab, used = c.objects * c.object_size;
	var pad = c.size - c.object_size;

	function line(a, x, b, y, d, e, z) {
		return a + right(x, 7) + b + right(y, 7) + d + e + right(z, 7) + "\n";
	}
	return "\nSizes (bytes)     Slabs              Debug                Memory\n" +
	    "-".repeat(72) + "\n" +
	    line("Object : ", c.object_size, "  Total  : ", c.slabs, "   Sanity Checks : Off", "  Total: ", total) +
	    line("SlabObj: ", c.size, "  Full   : ", c.slabs - c.partial - c.cpu_slabs, "   Redzoning     : Off", "  Used : ", used) +
	    line("SlabSiz: ", slab, "  Partial: ", c.partial, "   Poisoning     : Off", "  Loss : ", total - used) +
	    line("Loss   : ", pad, "  CpuSlab: ", c.cpu_slabs, "   Tracking      : Off", "  Lalig: ", pad * c.objects) +
	    line("Align  : ", c.align, "  Objects: ", c.objects_per_slab, "   Tracing       : Off", "  Lpadd: ",
		 (slab - c.objects_per_slab * c.size) * c.slabs);
}

function performance(n) {
	var allocs = n("alloc_fastpath") + n("alloc_slowpath");
	var frees = n("free_fastpath") + n("free_slowpath"), text;

	function row(label, alloc, free) {
		return left(label, 20) + " " + right(alloc, 8) + " " + right(free, 8) + " " +
		    right(percent(alloc, allocs), 3) + " " + right(percent(free, frees), 3) + "\n";
	}
	text = "\nSlab Perf Counter       Alloc     Free %Al %Fr\n" + "-".repeat(50) + "\n" +
	    row("Fastpath", n("alloc_fastpath"), n("free_fastpath")) +
	    row("Slowpath", n("alloc_slowpath"), n("free_slowpath")) +
	    row("Page Alloc", n("alloc_slab"), n("free_slab")) +
	    row("Add partial", n("deactivate_to_head") + n("deactivate_to_tail"), n("free_add_partial")) +
	    row("Remove partial", n("alloc_from_partial"), n("free_remove_partial")) +
	    row("Cpu partial list", n("cpu_partial_alloc"), n("cpu_partial_free")) +
	    row("RemoteObj/SlabFrozen", n("deactivate_remote_frees"), n("free_frozen")) +
	    left("Total", 20) + " " + right(allocs, 8) + " " + right(frees, 8) + "\n\n";
	if (n("cpuslab_flush"))
		text += "Flushes " + right(n("cpuslab_flush"), 8) + "\n";
	return text;
}

function deactivation(n) {
	var total = n("deactivate_full") + n("deactivate_empty") + n("deactivate_to_head") +
	    n("deactivate_to_tail") + n("deactivate_bypass");

	function row(label, value) {
		return left(label, 29) + " " + right(value, 7) + "  " + right(percent(value, total), 3) + "%\n";
	}
	if (!total)
		return "";
	return "\nSlab Deactivation             Occurrences %\n" + "-".repeat(49) + "\n" +
	    row("Slab full", n("deactivate_full")) +
	    row("Slab empty", n("deactivate_empty")) +
	    row("Moved to head of partial list", n("deactivate_to_head")) +
	    row("Moved to tail of partial list", n("deactivate_to_tail")) +
	    row("Deactivation bypass", n("deactivate_bypass")) +
	    row("Refilled from foreign frees", n("alloc_refill")) +
	    row("Node mismatch", n("alloc_node_mismatch"));
}

function looping(n) {
	if (!n("cmpxchg_double_fail") && !n("cmpxchg_double_cpu_fail"))
		return "";
	return "\nCmpxchg_double Looping\n------------------------\n" +
	    "Locked Cmpxchg Double redos   " + n("cmpxchg_double_fail") + "\n" +
	    "Unlocked Cmpxchg Double redos " + n("cmpxchg_double_cpu_fail") + "\n";
}

/* The report of slabinfo -r. */
function slabinfo(c, config) {
	var known = (config.caches || []).find(function (k) { return k.name === c.name; }) || {}, text;

	function n(name) { return c.counters[name] || 0; }
	text = "\nSlabcache: " + left(plain(c.name), 15) + "  Aliases:  0 Order : " + right(c.order, 2) +
	    " Objects: " + c.objects + "\n";
	if (known.hwcache_align)
		text += "** Hardware cacheline aligned\n";
	if (known.typesafe_by_rcu)
		text += "** Slabs are destroyed via RCU\n";
	text += sizes(c, (config.machine || {}).page_size || 4096) +
	    "\n" + plain(c.name) + ": No NUMA information available.\n";
	if (!n("alloc_slab") || !(n("alloc_fastpath") + n("alloc_slowpath")))
		return text;
	return text + performance(n) + deactivation(n) + looping(n);
}

/* Every counter, which slabinfo does not print. */
function counters(c) {
	var n = c.counters, allocs = (n.alloc_fastpath || 0) + (n.alloc_slowpath || 0);
	var text = "\nAll counters                    Occurrences    %Al\n" + "-".repeat(50) + "\n";

	if (n.alloc_cpu_sheaf !== undefined)
		allocs += n.alloc_cpu_sheaf - (n.sheaf_refill || 0);
	text += left("Objects allocated", 29) + " " + right(allocs, 13) + "\n";
	Object.keys(n).forEach(function (name) {
		text += left(name, 29) + " " + right(n[name], 13) + " " +
		    right(allocs ? (100 * n[name] / allocs).toFixed(2) : "-", 6) + "\n";
	});
	return text + "\nMemory of slabs, bytes: " + c.memory + ", at most " + c.peak + "\n";
}

/* ---- configurations ---- */

function copy(value) { return JSON.parse(JSON.stringify(value)); }

/* The configuration of run i: that of the first, with what differs. */
function configuration(data, i) {
	var config = copy(data.base);

	data.runs[i].v.forEach(function (change) {
		var path = change[0], at = config, k;

		for (k = 0; k < path.length - 1; k++)
			at = at[path[k]];
		if (change.length > 1)
			at[path[k]] = change[1];
		else
			delete at[path[k]];
	});
	return config;
}

/* What differs, as slabsim's --set has it: a key with a dot is set with what it stands in. */
function settings(data, i) {
	var config = configuration(data, i), set = {};

	data.runs[i].v.forEach(function (change) {
		var path = change[0], at = config, used = [], k;

		for (k = 0; k < path.length && !/[.[\]]/.test(path[k]); k++) {
			used.push(path[k]);
			at = at === null || at === undefined ? null : at[path[k]];
		}
		set[used.join(".")] = at === undefined ? null : at;
	});
	return set;
}

function label(data, i) {
	var run = data.runs[i], first = i;

	while (data.runs[first].l === undefined)
		first--;
	return data.runs[first].l + (data.seeds > 1 ? ", seed " + run.s : "");
}

/* All runs as one sweep. */
function sweep(data) {
	var config = copy(data.base);

	config.sweep = {run: data.runs.map(function (run, i) {
		return {label: (i + 1) + ": " + label(data, i), set: settings(data, i)};
	})};
	return config;
}

function save(name, value) {
	var link = document.createElement("a");

	link.href = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2) + "\n"], {type: "application/json"}));
	link.download = name;
	link.click();
	URL.revokeObjectURL(link.href);
}

/* ---- the view of a run ---- */

function options(select, texts) {
	select.textContent = "";
	texts.forEach(function (text, i) {
		var option = document.createElement("option");

		option.value = i;
		option.textContent = text;
		select.appendChild(option);
	});
}

function view(data) {
	var which = $("which"), cache = $("cache"), current = -1;

	function show() {
		var run = data.runs[current], config = configuration(data, current), numbers = run.c[cache.value];
		var set = settings(data, current), c = numbers ? unpack(data, numbers) : null;

		$("slabinfo").textContent = c ? (slabinfo(c, config) + counters(c)).slice(1) :
		    "No cache had an event.";
		$("settings").textContent = Object.keys(set).map(function (path) {
			return path + " " + (typeof set[path] === "string" ? set[path] : JSON.stringify(set[path]));
		}).join(", ");
		$("config").textContent = JSON.stringify($("differences").checked ? set : config, null, 2);
	}

	function open(i, focus) {
		var old = cache.selectedIndex >= 0 ? cache.options[cache.selectedIndex].textContent : "";

		if (!data.runs[i])
			return;
		current = i;
		if (!which.options.length)
			options(which, data.runs.map(function (run, k) { return label(data, k); }));
		which.value = i;
		options(cache, data.runs[i].c.map(function (c) { return plain(data.caches[c[0]]); }));
		/* the one looked at before, or the busiest, whose number is the least */
		data.runs[i].c.forEach(function (c, k) {
			if (old ? cache.options[k].textContent === old : c[0] === 0)
				cache.selectedIndex = k;
		});
		show();
		$("runview").hidden = false;
		if (focus) {
			$("h-run").scrollIntoView();
			$("h-run").focus();
		}
	}

	which.addEventListener("change", function () { open(Number(which.value)); });
	cache.addEventListener("change", show);
	$("differences").addEventListener("change", show);
	$("save").addEventListener("click", function () {
		save("run-" + (current + 1) + ".json", configuration(data, current));
	});
	$("saveall").disabled = false;
	$("saveall").addEventListener("click", function () { save("sweep.json", sweep(data)); });
	document.addEventListener("click", function (e) {
		var button = e.target.closest ? e.target.closest("[data-run]") : null;

		if (button)
			open(Number(button.dataset.run), true);
	});
	open(0, false);
	return open;
}

/* #run=3 opens a run; #sort=2:descending sorts the points by their third column. */
function follow(open) {
	location.hash.slice(1).split("&").forEach(function (part) {
		var run = /^run=(\d+)$/.exec(part), order = /^sort=(\d+):(ascending|descending)$/.exec(part);

		if (run)
			open(Number(run[1]), true);
		if (order && $("points").tHead.rows[0].cells[order[1]])
			sort($("points"), Number(order[1]), order[2]);
	});
}

theme();
document.querySelectorAll("table.sortable").forEach(sortable);
filter();
(function () {
	var data = JSON.parse($("data").textContent), open = view(data);

	/* for tests, and for who looks under the bonnet */
	window.slabsim = {data: data, configuration: configuration, settings: settings, sweep: sweep,
			  slabinfo: slabinfo, unpack: unpack};
	follow(open);
	window.addEventListener("hashchange", function () { follow(open); });
}());
root.dataset.ready = "yes";
}());
