// SPDX-License-Identifier: GPL-2.0-only
// Questions to a planner: the same search on a cluster that differs.
#pragma once

#include "training-plan/cluster.h"

#include <string>
#include <vector>

namespace geotrain
{

struct WhatIf
{
    enum class Kind
    {
        Without,
        Add,
        WanRate
    };

    Kind kind = Kind::Without;
    std::string question;   ///< "--without dc-c"
    std::string subject;    ///< the data centre; empty for WanRate
    double value = 0;       ///< Add: its GPUs then; WanRate: Gbit/s
    double valueBefore = 0; ///< Add: its GPUs now
    Cluster cluster;
};

struct WhatIfRequest
{
    std::vector<std::string>
        without; ///< names of data centres that take no part; the WAN keeps their site
    std::vector<std::string> add; ///< "DC=GPUS": so many more in whole nodes
    std::vector<std::string>
        wanRates; ///< of every WAN cap that the scenario sets; where it sets none, of every link
};

/// One for each entry of `request`, in this order. Throws ConfigError that names the option.
std::vector<WhatIf> MakeWhatIfs(const Cluster& cluster, const WhatIfRequest& request);

} // namespace geotrain
