// SPDX-License-Identifier: GPL-2.0-only
// Draws a small scenario from a seed: faults, bearers, congestion controls, schedules, topologies and
// both networks in any mixture. The same seed gives the same text for ever, so that a seed that a
// test prints is a scenario.
#pragma once

#include <cstdint>
#include <string>

namespace geotrain
{

/// Returns the text of the scenario of `seed`. Some are refused, since the mixture is free.
std::string SwarmScenario(std::uint64_t seed);

} // namespace geotrain
