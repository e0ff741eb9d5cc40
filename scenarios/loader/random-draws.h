// SPDX-License-Identifier: GPL-2.0-only
// Tells what a run draws at random, so that a result of one seed can say of what it is one draw.
#pragma once

#include <string>
#include <vector>

namespace geotrain
{

struct Experiment;

/// Returns what the run draws from its seed, such as "packet losses", each once; none where every
/// seed gives the same result. What the network ignores is not drawn. The draws of a congestion
/// control of a user's own are not known.
std::vector<std::string> DrawsOf(const Experiment& experiment);

/// Returns whether a connection of the scenario's own traffic has a control with `part` in its name.
bool UsesControl(const Experiment& experiment, const std::string& part);

} // namespace geotrain
