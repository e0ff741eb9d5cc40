// SPDX-License-Identifier: GPL-2.0-only
// Reads MosaicML's public benchmark runs (llm-foundry, scripts/train/benchmarking; GPT-like models on
// one node of 8 GPUs, sequences of 512 to 65,536 tokens, FlashAttention, FSDP). The models are its MPT
// configurations.
#pragma once

#include "csv-rows.h"
#include "hardware/gpu-spec.h"
#include "workload/stage-execution.h"
#include "workload/transformer-spec.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns the public rows of all GPUs whose name begins with `chip`, such as "a100"; empty if the
/// data isn't there.
std::vector<CsvRow> MosaicRows(const std::string& chip);

/// Returns the catalogue's GPU of a row.
GpuSpec MosaicGpu(const CsvRow& row);

/// Returns the model of a row.
TransformerSpec MosaicModel(const CsvRow& row);

/// Returns how a row's whole model runs on each GPU.
StageExecution MosaicExecution(const CsvRow& row, Attention attention);

} // namespace geotrain
