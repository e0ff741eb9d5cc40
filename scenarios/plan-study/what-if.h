// SPDX-License-Identifier: GPL-2.0-only
// Makes what-if questions for a planner: each repeats the search on a changed scenario.
#pragma once

#include "loader/scenario-loader.h"

#include <string>
#include <vector>

namespace geotrain
{

/// A WhatIf is one question and the scenario that answers it.
struct WhatIf
{
    /// Kind says what is changed.
    enum class Kind
    {
        Without, ///< a data centre takes no part
        Add,     ///< a data centre has more GPUs
        WanRate  ///< the WAN has another rate
    };

    Kind kind = Kind::Without;
    std::string question;   ///< the question as the user typed it: "--without dc-c"
    std::string subject;    ///< the data centre; empty for WanRate
    double value = 0;       ///< Add: GPUs after the change; WanRate: rate in Gbit/s
    double valueBefore = 0; ///< Add: GPUs before the change
    /// The changed scenario, whose plans can be written: its resolved text and its cluster.
    PlanningScenario scenario;
};

/// A WhatIfRequest holds the options from which questions are made.
struct WhatIfRequest
{
    /// Names of data centres that take no part; the WAN keeps their sites.
    std::vector<std::string> without;

    /// Data centres and the number of GPUs that are added in whole nodes, "DC=GPUS".
    std::vector<std::string> add;

    /// Rates of every WAN cap that the scenario sets, or of every link where it sets no cap.
    std::vector<std::string> wanRates;
};

/// Returns a question for each entry of `request`: those of `without`, then of `add`, then of
/// `wanRates`. Throws ConfigError that names the option.
std::vector<WhatIf> MakeWhatIfs(const PlanningScenario& scenario, const WhatIfRequest& request);

} // namespace geotrain
