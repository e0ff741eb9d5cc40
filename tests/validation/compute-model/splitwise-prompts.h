// SPDX-License-Identifier: GPL-2.0-only
// Reads Splitwise's measurements of prefills on A100 (Patel et al., ISCA'24).
#pragma once

#include "csv-rows.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace geotrain
{

/// A PromptShape is tensor-parallel width, tokens per prompt and number of prompts.
using PromptShape = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Returns milliseconds for at most `mostPrompts` prompts of at least `shortest` tokens; empty if
/// the data isn't there.
inline std::map<PromptShape, std::vector<double>>
MeasuredPrefills(const std::string& model, std::uint32_t shortest, std::uint32_t mostPrompts)
{
    std::map<PromptShape, std::vector<double>> measured;
    for (const auto& row : ReadReference("inference/splitwise_a100.csv"))
    {
        const std::uint32_t tokens = Count(row, "prompt_size");
        const std::uint32_t prompts = Count(row, "batch_size");
        if (row.at("model") == model && prompts <= mostPrompts && tokens >= shortest)
        {
            measured[{Count(row, "tensor_parallel"), tokens, prompts}].push_back(
                Number(row, "prompt_time"));
        }
    }
    return measured;
}

} // namespace geotrain
