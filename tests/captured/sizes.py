#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# sizes.py MACHINE.xml PLANS.json ARGS: reads the plans of the argument files below ARGS on a machine, and its XML, and
# prints what contradicts: vectors of files with `measures: memory` that are less than four times a thread's share of
# the caches, and words for what holds the data of a thread alone that are not those of its caches. It shares no code
# with affinity.
import collections
import json
import re
import sys
import xml.etree.ElementTree as ET

FROM_MEMORY = 4
# kernels that visit all lines of their vectors, with stores that stay in the caches
WHOLE = {"load", "store", "copy", "triad", "sum", "read", "write", "read_write", "write_read", "gups"}


def machine(path):
    """CPU -> {level: (cache, bytes, cores under it)}, and the largest cache of each level."""
    above = collections.defaultdict(dict)
    largest = collections.defaultdict(int)
    for number, o in enumerate(ET.parse(path).getroot().iter("object")):
        named = re.fullmatch(r"L([1-4])Cache", o.get("type"))
        older = o.get("type") == "Cache" and o.get("cache_type") != "2"
        size = int(o.get("cache_size", 0))
        if not size or not (named or older):
            continue
        level = int(named.group(1) if named else o.get("depth"))
        cores = sum(x.get("type") == "Core" for x in o.iter("object"))
        largest[level] = max(largest[level], size)
        for x in o.iter("object"):
            if x.get("type") == "PU":
                above[int(x.get("os_index"))][level] = (number, size, cores)
    return above, largest


def works(run, op, i):
    return run["threads"][i]["vectors"] and op["threads"][i]["kernel"] != "null"


def smallest_ratio(run, op, above, largest):
    """Of the threads: lines by their share of the caches; a cache above n threads counts 1/n."""
    threads = run["threads"]
    workers = [i for i in range(len(threads)) if works(run, op, i)]
    users = collections.Counter(v for i in workers for v in threads[i]["vectors"])
    under = collections.Counter(c[0] for i in workers for c in above[threads[i]["cpu"]].values())
    ratios = []
    for i in workers:
        own = above[threads[i]["cpu"]]
        share = sum(own[n][1] / under[own[n][0]] if n in own else largest[n] for n in largest)
        lines = sum(run["vectors"][v]["bytes"] / users[v] for v in threads[i]["vectors"])
        if share:
            ratios.append(lines / share)
    return min(ratios, default=None)


def words(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def held(run, above, largest):
    """What the words for the only thread of a run begin with."""
    own = above[run["threads"][0]["cpu"]]
    lines = sum(run["vectors"][v]["bytes"] for v in run["threads"][0]["vectors"])
    everything = sum(own[n][1] if n in own else largest[n] for n in largest)
    last = 0
    if not own:
        return "unknown"
    if lines >= FROM_MEMORY * everything and max(largest) > 1:
        return "memory"
    for n in sorted(largest):
        if n not in own:
            return f"unknown above L{last}" if last else "unknown"
        last = n
        if lines <= own[n][1]:
            return f"L{n}," if own[n][2] > 1 else "L1" if n == 1 else f"L{n} of {words(own[n][1])}"
    return f"unknown above L{last}" if last == 1 else f"L{last} and memory"


def simple(run):
    p = run["parameters"]
    return len(run["threads"]) == 1 and run["threads"][0]["cpu"] is not None and not (p.get("fraction") or p.get("hot"))


def check(path, run, memory, above, largest):
    for op in run["operations"]:
        if memory:
            ratio = smallest_ratio(run, op, above, largest)
            if ratio is not None and ratio < FROM_MEMORY:
                yield f"{op['operation']}: {ratio:.12g} times a thread's share of the caches"
        job = op["threads"][0]
        if simple(run) and job["kernel"] in WHOLE and job["held_by"] != "memory-side cache":
            expected = held(run, above, largest)
            if not job["held_by"].startswith(expected):
                yield f"{op['operation']}: data in '{job['held_by']}', expected '{expected}'"


def main():
    above, largest = machine(sys.argv[1])
    with open(sys.argv[2]) as f:
        plans = json.load(f)["plans"]
    runs = 0
    for plan in plans:
        with open(f"{sys.argv[3]}/{plan['path']}") as f:
            memory = re.search(r"^measures: *memory", f.read(), re.M)
        for m in plan["messages"]:
            if re.search("measures: memory, but what", m["text"]):
                print(f"{plan['path']}: {m['text']}")
        for run in plan.get("runs") or []:
            if "skipped" in run:
                continue
            runs += 1
            for wrong in check(plan["path"], run, memory, above, largest):
                print(f"{plan['path']}: {run['values']}: {wrong}")
    print(f"{runs} runs", file=sys.stderr)


main()
