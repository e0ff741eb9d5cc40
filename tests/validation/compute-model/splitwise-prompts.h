// SPDX-License-Identifier: GPL-2.0-only
// Reads Splitwise's measurements of single prompts: prefills of Llama-2 70B on A100 (Patel et al.,
// ISCA'24).
#pragma once

#include "csv-rows.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace geotrain
{

/// Returns milliseconds by tensor-parallel width and prompt tokens, for prompts of `shortest` to
/// `longest` tokens; empty if the data isn't there.
inline std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>>
MeasuredPrefills(std::uint32_t shortest, std::uint32_t longest)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> measured;
    for (const auto& row : ReadReference("inference/splitwise_a100.csv"))
    {
        const std::uint32_t tokens = Count(row, "prompt_size");
        if (row.at("model") == "llama2-70b" && Count(row, "batch_size") == 1 &&
            tokens >= shortest && tokens <= longest)
        {
            measured[{Count(row, "tensor_parallel"), tokens}].push_back(Number(row, "prompt_time"));
        }
    }
    return measured;
}

} // namespace geotrain
