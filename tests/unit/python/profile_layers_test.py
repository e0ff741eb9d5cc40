# SPDX-License-Identifier: GPL-2.0-only
"""Tests tools/profile-layers without a GPU: a dry run's profile is one that geotrain fits and runs with.

Usage: profile_layers_test.py GEOTRAIN SOURCE
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

GEOTRAIN, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
TOOL = [sys.executable, "-B", str(SOURCE / "tools" / "profile-layers")]
SCENARIO = """
model { catalogue: "gpt-a" microbatches: 4 recomputation: FULL profile: "profile.csv" }
parallelism { pipeline_stages: 2 tensor_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 2 gpu: "A100-80" }
"""


class ProfileLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.profile = self.folder / "profile.csv"

    def profile_with(self, *options, gpu="A100-80", teraflops="200"):
        command = TOOL + ["--model", "gpt-a", "--gpu", gpu, "--out", str(self.profile)]
        return subprocess.run(
            command + ["--dry-run", teraflops, *options], capture_output=True, text=True
        )

    def test_has_a_row_for_each_layer_the_embedding_and_the_head(self):
        self.assertEqual(self.profile_with("--microbatch-size", "1,2").returncode, 0)
        with open(self.profile, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2 * (24 + 2))
        self.assertEqual({row["gpu"] for row in rows}, {"A100-80"})

    def test_tensor_parallelism_needs_the_rate_of_nvlink(self):
        self.assertEqual(self.profile_with("--tp", "2").returncode, 2)

    # At one rate for every product and no traffic, the largest products run at 200 of 312 TFLOP/s.
    def test_fit_gpu_finds_the_dry_runs_rate(self):
        self.profile_with("--microbatch-size", "1,2,4")
        result = subprocess.run(
            [GEOTRAIN, "fit-gpu", str(self.profile), "--json"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        fit = json.loads(result.stdout)
        self.assertEqual(fit["gpu"], "A100-80")
        self.assertAlmostEqual(fit["matmul_efficiency"], 200 / 312, delta=0.1)
        self.assertEqual(len(fit["residuals"]), fit["rows"] * 3 - 3)  # no input below the embedding

    def test_a_scenario_takes_the_profile(self):
        self.profile_with("--tp", "2", "--nvlink", "300")
        scenario = self.folder / "profiled.textproto"
        scenario.write_text(SCENARIO)
        result = subprocess.run(
            [GEOTRAIN, "check", str(scenario), "--quiet"], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_precision_that_the_gpu_lacks_is_not_fitted(self):
        self.profile_with("--precision", "fp8")
        result = subprocess.run(
            [GEOTRAIN, "fit-gpu", str(self.profile)], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn('"FP8" must be a precision of A100-80', result.stderr)
        self.profile_with("--precision", "fp16", gpu="V100-32", teraflops="60")
        fitted = subprocess.run([GEOTRAIN, "fit-gpu", str(self.profile)], capture_output=True)
        self.assertEqual(fitted.returncode, 0)

    def test_profiles_of_two_gpus_are_not_fitted_together(self):
        self.profile_with()
        first = self.folder / "first.csv"
        self.profile.rename(first)
        self.profile_with(gpu="H100")
        result = subprocess.run(
            [GEOTRAIN, "fit-gpu", str(first), str(self.profile)], capture_output=True, text=True
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn("must be A100-80", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
