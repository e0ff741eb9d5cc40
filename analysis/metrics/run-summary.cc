// SPDX-License-Identifier: GPL-2.0-only
#include "metrics/run-summary.h"

#include <algorithm>

namespace geotrain
{

double
GpusOf(const trace::RunHeader& header)
{
    double gpus = 0;
    for (const auto& worker : header.workers())
    {
        gpus += worker.gpus();
    }
    return gpus;
}

void
RunNotes::Take(const trace::Record& record)
{
    if (record.has_warning())
    {
        const auto& text = record.warning().text();
        warnings.push_back(text);
        doubt = record.warning().untrusted() ? text.substr(0, text.find(':')) : doubt;
    }
    complete = complete || record.run_end().finished();
}

const Metric*
Summary::MetricNamed(std::string_view name) const
{
    const auto found = std::find_if(
        metrics.begin(), metrics.end(), [&](const Metric& metric) { return metric.name == name; });
    return found == metrics.end() ? nullptr : &*found;
}

std::optional<double>
Summary::Find(std::string_view name) const
{
    const Metric* metric = MetricNamed(name);
    return metric == nullptr ? std::nullopt : std::optional(metric->value);
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
