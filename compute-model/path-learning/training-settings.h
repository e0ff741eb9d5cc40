// SPDX-License-Identifier: GPL-2.0-only
// Defines what a training of a learned path can be told, with its defaults.
#pragma once

#include "units/duration.h"

#include <cstdint>
#include <optional>

namespace geotrain
{

/// TrainingSettings are those of one training.
struct TrainingSettings
{
    bool isPlain = false; ///< the plain LSTM instead of RBU
    std::uint64_t seed = 1;
    std::uint32_t epochs = 40; ///< at most; it ends earlier where the held-out loss stays
    std::uint32_t hidden = 16; ///< cells of the LSTM
    /// Time that one value of the network holds; none: as WindowFor() says.
    std::optional<Duration> window;
};

} // namespace geotrain
