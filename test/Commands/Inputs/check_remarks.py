"""Prints what lines of --remarks=json say, and of collectives of short warps why other strategies were not taken."""

import json
import sys


def describe(record):
    place = f"{record['target']} {record['kernel']}:{record['line']} {record['collective']}"
    if record["strategy"] is None:
        return f"{place}: None"
    what = record.get("operator", record.get("argument"))
    present = "" if len(record["present"]) == 1 else f" {record['present']}"
    fits = sum(step["cost"] for step in record["steps"]) == record["cost"]
    times = "" if record["times"] == 1 else f", {record['times']} times"
    return (f"{place} {what} {record['type']} {record['group']}/{record['warp']}{present}: {record['strategy']}, "
            f"{len(record['steps'])} steps, costs {'add up' if fits else 'differ'}{times}")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = [json.loads(line) for line in file if line.startswith("{")]
    for record in records:
        print(describe(record))
        if len(record.get("present", [])) < 2:
            continue
        for other in record["others"]:
            if other["cost"] is not None:
                print(f"not {other['strategy']}: {'dearer' if other['cost'] >= record['cost'] else 'cheaper'}")
            elif other["strategy"] == "shuffle-scan":
                print(f"not {other['strategy']}: {other['reason']}")


if __name__ == "__main__":
    main()
