"""Checks that utils/collc_batch.py outlives a collc that dies, hangs or loses its device. Run by lit."""

import os
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "utils"))
import collc_batch  # noqa: E402

# What a command says, it does.
COLLC = f"""#!{sys.executable}
import json, os, sys, time
for line in sys.stdin:
    words = json.loads(line)["arguments"]
    if words[0] == "die":
        sys.exit("no more")
    if words[0] == "hang":
        time.sleep(60)
    code = 3 if words[0] == "lose" else 0
    print(json.dumps({{"exit_code": code, "stdout": str(os.getpid()), "stderr": words[0]}}), flush=True)
"""


class Batches(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.collc = os.path.join(self.folder.name, "collc")
        with open(self.collc, "w", encoding="utf-8") as file:
            file.write(COLLC)
        os.chmod(self.collc, stat.S_IRWXU)

    def run_one(self, word, timeout=30):
        return collc_batch.run([self.collc, word, "--device=cuda:0"], timeout=timeout)

    def test_one_process(self):
        first, second = self.run_one("work"), self.run_one("work")
        self.assertEqual((first.returncode, first.stderr), (0, "work"))
        self.assertEqual(first.stdout, second.stdout)

    def test_lost_device(self):
        first, second = self.run_one("lose"), self.run_one("work")
        self.assertEqual((first.returncode, second.returncode), (3, 0))
        self.assertNotEqual(first.stdout, second.stdout)

    def test_death(self):
        died = self.run_one("die")
        self.assertEqual((died.returncode, died.stderr), (1, "no more\n"))
        self.assertEqual(self.run_one("work").returncode, 0)

    def test_hang(self):
        with self.assertRaises(subprocess.TimeoutExpired):
            self.run_one("hang", timeout=1)
        self.assertEqual(self.run_one("work").returncode, 0)


if __name__ == "__main__":
    unittest.main()
