// SPDX-License-Identifier: GPL-2.0-only
// Reads a profile of measured times: a CSV file with the columns layer, microbatch, tp, forward_ms,
// backward_input_ms and backward_weight_ms in any order, and optionally gpu, optimizer_ms, model,
// sequence and precision. `layer` counts from 0, or is `embedding` or `head`; `microbatch` is a size in
// sequences.
// tools/profile-layers writes such files.
#pragma once

#include "units/duration.h"
#include "units/precision.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// A ProfileRow is one line of a profile.
struct ProfileRow
{
    std::string layer; ///< a number, "embedding" or "head"
    std::uint32_t microbatch = 1;
    std::uint32_t tensorParallel = 1;
    Duration forward;
    Duration backwardInput;
    Duration backwardWeight;
    std::string gpu;                    ///< empty: of any GPU
    std::optional<Duration> optimizer;  ///< unset: not measured
    std::string model;                  ///< empty: not named
    std::uint32_t sequence = 0;         ///< tokens; 0: not given
    std::optional<Precision> precision; ///< unset: not given

    /// Returns whether it is of a layer, and not of the embedding or the head.
    bool IsOfLayer() const
    {
        return layer != "embedding" && layer != "head";
    }
};

/// Reads the rows of `text`; `fileName` is used in messages. Times must be positive and no row may
/// come twice. Throws ConfigError that names file, line, column and rule.
std::vector<ProfileRow> ReadProfileRows(const std::string& fileName, const std::string& text);

} // namespace geotrain
