"""Counts the dots of pictures by class, and lists what the first lanes read in the first step.

With --bars it counts the bars and the lines from what is read instead.
"""

import collections
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

SPACE = "{http://www.w3.org/2000/svg}"


def right_of(text):
    """Where a text ends at the least: letters of DejaVu Sans are about half as wide as they are high, bold ones a little wider."""
    size = {"title": 13 * 0.55, "lane": 8 * 0.25}.get(text.get("class"), 11 * 0.48)
    return float(text.get("x")) + len(text.text) * size


def main():
    has_bars = sys.argv[1] == "--bars"
    for number, path in enumerate(sys.argv[1 + has_bars:]):
        root = ElementTree.parse(path).getroot()
        dots = collections.Counter(dot.get("class") for dot in root.iter(SPACE + "circle"))
        titles = sum(text.get("class") == "title" for text in root.iter(SPACE + "text"))
        kinds = ("same", "combine", "take", "absent") if has_bars else ("same", "combine", "absent")
        counts = "".join(f", {dots[kind]} {kind}" for kind in kinds if dots[kind])
        if has_bars:
            bars = sum(bar.get("class") == "bar" for bar in root.iter(SPACE + "rect"))
            lines = sum(line.get("d").count("M") for line in root.iter(SPACE + "path") if line.get("class") == "read")
            counts += f", {bars} bars, {lines} read"
        print(f"{os.path.basename(path)}: {titles} titles{counts}")
        for text in root.iter(SPACE + "text"):
            if right_of(text) > float(root.get("width")):
                print(f"'{text.text}' is cut off")
        if has_bars:
            continue
        if number:
            continue
        columns = sorted({float(dot.get("cx")) for dot in root.iter(SPACE + "circle")})
        lines = next(line for line in root.iter(SPACE + "path") if line.get("class") == "read")
        ends = re.findall(r"M(\S+) \S+?L(\S+) ", lines.get("d"))
        print("read: " + ", ".join(f"lane {columns.index(float(to))} <- {columns.index(float(source))}"
                                   for source, to in ends[:2]))


if __name__ == "__main__":
    main()
