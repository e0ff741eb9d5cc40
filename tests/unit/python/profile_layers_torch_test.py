# SPDX-License-Identifier: GPL-2.0-only
"""Tests tools/profile-layers with PyTorch on the CPU: it measures a profile that geotrain fits.

Usage: profile_layers_torch_test.py GEOTRAIN SOURCE

It ends with 77, which CTest shows as skipped, where there is no PyTorch.
"""

import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GEOTRAIN, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
TOOL = [sys.executable, "-B", str(SOURCE / "tools" / "profile-layers")]
# One GPU's part of 32, and 8 tokens: a layer of 2 x 8 x 6.3e6 = 0.1 GFLOP.
SMALL = "--model gpt-a --tp 32 --nvlink 300 --sequence 8 --precision fp32 --device cpu --repeats 2"


class ProfileLayersWithTorch(unittest.TestCase):
    def test_measures_on_the_cpu_what_fit_gpu_fits(self):
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder) / "profile.csv"
            result = subprocess.run(
                TOOL + SMALL.split() + ["--gpu", "A100-80", "--out", str(profile)],
                capture_output=True,
                text=True,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(profile, newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), 24 + 2)
            for row in rows:
                self.assertGreater(float(row["forward_ms"]), 0)
                self.assertGreater(float(row["backward_weight_ms"]), 0)
                self.assertGreater(float(row["optimizer_ms"]), 0)
            fitted = subprocess.run(
                [GEOTRAIN, "fit-gpu", str(profile), "--json"], capture_output=True, text=True
            )
            self.assertEqual(fitted.returncode, 0, fitted.stderr)
            self.assertEqual(json.loads(fitted.stdout)["rows"], 26)


if __name__ == "__main__":
    if importlib.util.find_spec("torch") is None:
        print("skipped: this Python has no PyTorch (Debian: python3-torch)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
