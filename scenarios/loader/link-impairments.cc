// SPDX-License-Identifier: GPL-2.0-only
#include "loader/link-impairments.h"

#include "loader/queue-size.h"
#include "loader/scenario-file.h"
#include "schema/scenario.pb.h"
#include "units/quantity-parser.h"

namespace geotrain
{

namespace
{

RedSettings
RedOf(const scenario::RedQueue& written)
{
    RedSettings red;
    red.minThreshold = ParseQueueSize(written.min_threshold());
    red.maxThreshold = ParseQueueSize(written.max_threshold());
    red.maxProbability = written.max_probability();
    red.weight = written.weight();
    red.gentle = written.gentle();
    red.ecn = written.ecn();
    return red;
}

JitterSettings
JitterOf(const scenario::Jitter& written)
{
    JitterSettings jitter;
    jitter.distribution = EnumOf<JitterSettings::Distribution>(written.distribution());
    jitter.mean = ParseDuration(written.mean());
    jitter.deviation = ParseDuration(written.deviation());
    jitter.reorders = written.reorder();
    return jitter;
}

} // namespace

LinkImpairments
ImpairmentsOf(const scenario::WanLink& written)
{
    LinkImpairments link;
    link.lossRate = written.loss();
    if (written.has_red())
    {
        link.red = RedOf(written.red());
    }
    if (written.has_codel())
    {
        const auto& coDel = written.codel();
        link.coDel = CoDelSettings{
            ParseDuration(coDel.target()), ParseDuration(coDel.interval()), coDel.ecn()};
    }
    if (written.has_policer())
    {
        const auto& policer = written.policer();
        link.policer = PolicerSettings{ParseBitRate(policer.rate()), ParseBytes(policer.burst())};
    }
    if (written.has_burst_loss())
    {
        const auto& burst = written.burst_loss();
        link.burstLoss = BurstLossSettings{burst.enter(), burst.leave(), burst.loss()};
    }
    if (written.has_jitter())
    {
        link.jitter = JitterOf(written.jitter());
    }
    link.duplication = written.duplication();
    for (const auto& step : written.rate_step())
    {
        link.rates.steps.push_back({ParseDuration(step.at()), ParseBitRate(step.rate())});
    }
    for (const auto& outage : written.outage())
    {
        link.outages.push_back(
            {ParseDuration(outage.begin()), ParseDuration(outage.end()), outage.hold()});
    }
    return link;
}

} // namespace geotrain
