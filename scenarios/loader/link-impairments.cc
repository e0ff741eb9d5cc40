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

CoDelSettings
CoDelOf(const std::string& target, const std::string& interval, bool ecn)
{
    return {ParseDuration(target), ParseDuration(interval), ecn};
}

StepSettings
StepOf(const scenario::StepQueue& written)
{
    StepSettings step;
    if (written.has_time())
    {
        step.time = ParseDuration(written.time());
    }
    if (written.has_size())
    {
        step.size = ParseQueueSize(written.size());
    }
    return step;
}

PieSettings
PieOf(const scenario::PieQueue& written)
{
    PieSettings pie;
    pie.target = ParseDuration(written.target());
    pie.update = ParseDuration(written.t_update());
    pie.alpha = written.alpha();
    pie.beta = written.beta();
    pie.maxBurst = ParseDuration(written.max_burst());
    pie.ecn = written.ecn();
    pie.markProbability = written.mark_ecnth();
    pie.delay = EnumOf<PieSettings::Delay>(written.delay());
    return pie;
}

FqCoDelSettings
FqCoDelOf(const scenario::FqCoDelQueue& written)
{
    FqCoDelSettings queue;
    queue.coDel = CoDelOf(written.target(), written.interval(), written.ecn());
    queue.flows = written.flows();
    if (written.has_quantum())
    {
        queue.quantum = ParseBytes(written.quantum());
    }
    if (written.has_ce_threshold())
    {
        queue.ceThreshold = ParseDuration(written.ce_threshold());
    }
    return queue;
}

DualPi2Settings
DualPi2Of(const scenario::DualPi2Queue& written)
{
    DualPi2Settings dual;
    dual.target = ParseDuration(written.target());
    dual.maxRtt = ParseDuration(written.max_rtt());
    dual.coupling = written.coupling();
    dual.threshold = ParseDuration(written.threshold());
    dual.ramp = ParseDuration(written.ramp());
    dual.scheduler = EnumOf<DualPi2Settings::Scheduler>(written.scheduler());
    dual.classicShare = written.classic_share();
    dual.timeShift = ParseDuration(written.time_shift());
    return dual;
}

QueueKinds
QueuesOf(const scenario::WanLink& written)
{
    QueueKinds queues;
    if (written.has_red())
    {
        queues.red = RedOf(written.red());
    }
    if (written.has_codel())
    {
        const auto& coDel = written.codel();
        queues.coDel = CoDelOf(coDel.target(), coDel.interval(), coDel.ecn());
    }
    if (written.has_step())
    {
        queues.step = StepOf(written.step());
    }
    if (written.has_pie())
    {
        queues.pie = PieOf(written.pie());
    }
    if (written.has_fq_codel())
    {
        queues.fqCoDel = FqCoDelOf(written.fq_codel());
    }
    if (written.has_dualpi2())
    {
        queues.dualPi2 = DualPi2Of(written.dualpi2());
    }
    return queues;
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
    static_cast<QueueKinds&>(link) = QueuesOf(written);
    link.lossRate = written.loss();
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
