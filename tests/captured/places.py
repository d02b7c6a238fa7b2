#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# places.py MACHINE.xml TOPOLOGY.json: reads hwloc's XML of a machine and what --topology says of its levels of places,
# and prints what contradicts: CPUs of a place, its number, levels that are missing, equal levels that are not said to
# be equal, and an order in which a level is not inside the one before. It shares no code with affinity.
# With a file ARGS it writes one that has a thread on each usable place, by its name; with PLAN.json, what --plan says of
# that file, it prints places whose thread is on another CPU.
import json
import re
import sys
import xml.etree.ElementTree as ET

NAMES = {"Package": "package", "Socket": "package", "Die": "die", "Core": "core", "PU": "pu"}
GROUPS = {"drawer", "book", "cluster", "module", "tile", "complex"}


def level_of(o):
    kind, cache = o.get("type"), re.fullmatch(r"L([1-4])Cache", o.get("type"))
    if cache:
        return "L" + cache.group(1)
    if kind == "Cache" and o.get("cache_type") != "2":
        return "L" + o.get("depth")
    if kind == "Group":
        named = [o.get("subtype") or ""] + [i.get("value") for i in o.findall("info") if i.get("name") == "Type"]
        return next((n.lower() for n in named if n.lower() in GROUPS), None)
    return NAMES.get(kind)


def bits(text):
    """The numbers of a set: 32 bits a word, the last word the lowest."""
    words = [int(w, 16) if w else 0 for w in text.split(",")]
    return {32 * i + b for i, w in enumerate(reversed(words)) for b in range(max(w.bit_length(), 1)) if w >> b & 1}


def below(o):
    return [int(x.get("os_index")) for x in o.iter("object") if x.get("type") == "PU"]


def machine(path):
    """level -> [(number, CPUs)], those of caches by their level."""
    root = ET.parse(path).getroot()
    levels, cpus = {}, [c for o in root.findall("object") for c in below(o)]
    package = {c: i for i, o in enumerate(x for x in root.iter("object") if level_of(x) == "package") for c in below(o)}
    for o in root.iter("object"):
        name, of = level_of(o), below(o)
        if not name or not of:
            continue
        places = levels.setdefault(name, [])
        made_up = name[0] == "L" and not int(o.get("cache_size") or 0) and len({package.get(c) for c in of}) > 1
        places.append((of[0] if name == "pu" else len(places), None if made_up else of))
    # a CPU is of the smallest node that lists it
    nodes = [(int(o.get("os_index")), bits(o.get("cpuset"))) for o in root.iter("object")
             if o.get("type") == "NUMANode" and o.get("cpuset")]
    home = {}
    for number, of in sorted(nodes, key=lambda n: (len(n[1]), n[0])):
        for c in of:
            home.setdefault(c, number)
    for number in sorted(set(home.values())):
        levels.setdefault("node", []).append((number, [c for c in cpus if home.get(c) == number]))
    if "core" not in levels:  # each CPU counts as one
        levels["core"] = [(i, [c]) for i, c in enumerate(cpus)]
    return {n: p for n, p in levels.items() if all(of for _, of in p)}


def inside(inner, outer):
    return all(len({n for n, of in outer if set(of) & set(p)}) < 2 and
               len({any(c in of for _, of in outer) for c in p}) < 2 for _, p in inner)


def usable(expected, said):
    allowed = {c["cpu"] for c in json.load(open(said))["cpus"] if c["allowed"]}
    return [(f"{name}({n})", set(of) & allowed) for name, places in expected.items() for n, of in places if set(of) & allowed]


def named(expected, said, plan):
    threads = json.load(open(plan))["plans"][0]["runs"][0]["threads"]
    places = usable(expected, said)
    if len(threads) != len(places):
        print(f"{len(threads)} threads for {len(places)} places")
    for (word, of), t in zip(places, threads):
        if t["cpu"] not in of:
            print(f"{word}: CPU {t['cpu']} in place of {sorted(of)}")


def main(xml, said, args=None, plan=None):
    expected, levels = machine(xml), json.load(open(said))["levels"]
    if plan:
        named(expected, said, plan)
    elif args:
        words = " ".join(word for word, _ in usable(expected, said))
        open(args, "w").write(f"kernels: fp_add\nplacePerThread: {words}\noversubscribe: yes\n")
    if args:
        return
    found = {l["level"]: [(p["number"], p["cpus"]) for p in l["places"]] for l in levels}
    for name, places in expected.items():
        if sorted(map(str, places)) != sorted(map(str, found.get(name, []))):
            print(f"{name}: {found.get(name)} in place of {places}")
    for name in found.keys() - expected.keys():
        if name != "LLC" and not name.startswith("group"):
            print(f"{name}: {found[name]} is made up")
    # the last level of each CPU
    last = {c: (n, i) for n in sorted(n for n in expected if re.fullmatch(r"L\d", n)) for i, of in expected[n] for c in of}
    for _, of in found.get("LLC", []):
        if len({last[c] for c in of}) > 1 or len(of) < sum(l == last[of[0]] for l in last.values()):
            print(f"LLC: {of}")
    sets = {n: {frozenset(of) for _, of in p} for n, p in found.items()}
    order = [l["level"] for l in levels if l["in_order"]]
    for i, l in enumerate(levels):
        same = next((o["level"] for o in levels[:i] if sets[o["level"]] == sets[l["level"]]), None)
        if l["same_as"] != same:
            print(f"{l['level']}: same as {l['same_as']}, not {same}")
    for outer, inner in zip(order, order[1:]):
        if not inside(found[inner], found[outer]):
            print(f"{inner} is not inside {outer}")


main(*sys.argv[1:])
