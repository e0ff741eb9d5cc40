# SPDX-License-Identifier: GPL-2.0-only
"""Reads what geotrain writes: result folders become pandas DataFrames.

    import geotrain
    run = geotrain.load("results/three-dc-gpt-1")
    run.summary            # metric, value, unit
    run.gpu_spans          # one of run.tables
    run.describe("gpu_spans")
"""
from .results import Comparison, Run, load
from .trace import TraceError

__all__ = ["Comparison", "Run", "TraceError", "load"]
