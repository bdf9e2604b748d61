"""Prints the fields of `collc run --json`; with a second file, compares its checksum with that of the text form."""

import json
import re
import sys


def main():
    with open(sys.argv[1]) as file:
        result = json.load(file)
    output = result["outputs"][0]
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as file:
            (checksum,) = re.findall(r"checksum ([0-9a-f]{16})$", file.read(), re.MULTILINE)
        assert checksum == output["checksum"], f"{checksum} in text, {output['checksum']} in JSON"
        print("the checksums are equal")
        return
    assert set(result) == {"kernel", "device", "name", "outputs", "equal_to"}, set(result)
    assert set(output) == {"name", "type", "checksum", "values"}, set(output)
    for key in ("kernel", "device", "equal_to"):
        print(f"{key}: {result[key]}")
    print(f"{output['name']} {output['type']} with {len(output['values'])} values:", *output["values"])


if __name__ == "__main__":
    main()
