// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/run-summary.h"

#include <algorithm>

namespace geotrain
{

std::string
DoubtOf(const trace::Warning& warning)
{
    return warning.untrusted() ? warning.text().substr(0, warning.text().find(':')) : "";
}

std::optional<double>
Summary::Find(std::string_view name) const
{
    const auto found = std::find_if(
        metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
    return found == metrics.end() ? std::nullopt : std::optional<double>(found->value);
}

bool
Summary::WasMissedByLoss() const
{
    const auto isZero = [this](std::string_view name) { return Find(name).value_or(1) == 0; };
    const bool wasNoneLost = lostPackets
                                 ? *lostPackets == 0
                                 : isZero("dropped_packets") || isZero("retransmitted_share");
    return header.wan_conditions().loss() > 0 && !header.without_packets() && wasNoneLost;
}

} // namespace geotrain
