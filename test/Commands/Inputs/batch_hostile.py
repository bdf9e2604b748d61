import json

for words in ["--help"], ["run", "--version"], ["run\0x"]:
    print(json.dumps({"arguments": words}))
print("[" * 40000)
