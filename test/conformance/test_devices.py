"""Checks that devices.py blames somebody for each fault. Run by lit."""

import unittest
from unittest import mock

import devices
import programs


class Verdicts(unittest.TestCase):
    def verdicts_of(self, problem_of):
        """The verdicts of a batch whose runs go wrong as `problem_of` their programs says."""
        batch = programs.Batch("1", 0, range(3))
        device = devices.Device("compile:sm_90", "collc")
        with mock.patch.object(devices, "run", lambda chosen, *_: (problem_of(chosen), None)):
            return [(program.number, verdict) for program, verdict, _ in devices.verdicts(batch, batch.programs, device, 32, "")]

    def test_one_is_to_blame(self):
        found = self.verdicts_of(lambda chosen: "a trap" if any(program.number == 1 for program in chosen) else None)
        self.assertEqual(found, [(0, devices.PASSED), (1, devices.FAILED), (2, devices.PASSED)])

    def test_only_all_together(self):
        found = self.verdicts_of(lambda chosen: "no end after 120 s" if len(chosen) == 3 else None)
        self.assertIn((0, devices.FAILED), found)

    def test_no_room_for_all(self):
        found = self.verdicts_of(lambda chosen: "needs 70000 bytes of shared memory" if len(chosen) == 3 else None)
        self.assertEqual(found, [(number, devices.PASSED) for number in range(3)])

    def test_no_room_for_one(self):
        def problem_of(chosen):
            return "needs 70000 bytes of shared memory" if any(program.number == 1 for program in chosen) else None

        found = self.verdicts_of(problem_of)
        self.assertEqual(found, [(0, devices.PASSED), (1, devices.UNSUPPORTED), (2, devices.PASSED)])


if __name__ == "__main__":
    unittest.main()
