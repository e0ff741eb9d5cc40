// SPDX-License-Identifier: GPL-2.0-only
#include "closed-loop-runs.h"

#include "path-learning/path-file.h"
#include "path-learning/trace-readers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace geotrain
{

namespace
{

FlowSummary
SummaryOf(const PacketTrace& trace, int seconds)
{
    std::vector<double> delays;
    FlowSummary summary;
    for (const TracedPacket& packet : trace.packets)
    {
        if (packet.delay)
        {
            delays.push_back(packet.delay->ToSeconds());
            summary.delayMean += delays.back();
            summary.bitsPerSecond += 8 * static_cast<double>(packet.size.Count()) / seconds;
        }
    }
    std::sort(delays.begin(), delays.end());
    summary.delayMean /= static_cast<double>(delays.size());
    summary.lossShare =
        1 - static_cast<double>(delays.size()) / static_cast<double>(trace.packets.size());
    summary.delayP95 = delays[delays.size() * 95 / 100];
    return summary;
}

} // namespace

FlowErrors
ErrorsOf(const FlowSummary& learned, const FlowSummary& truth)
{
    const auto relative = [](double value, double of) { return std::abs(value / of - 1); };
    return {relative(learned.bitsPerSecond, truth.bitsPerSecond),
            relative(learned.delayMean, truth.delayMean),
            relative(learned.delayP95, truth.delayP95)};
}

FlowErrors
MedianErrors(std::vector<FlowErrors> errors)
{
    FlowErrors medians{};
    const std::size_t half = errors.size() / 2;
    for (std::size_t i = 0; i < medians.size(); ++i)
    {
        std::sort(errors.begin(),
                  errors.end(),
                  [i](const FlowErrors& a, const FlowErrors& b) { return a[i] < b[i]; });
        medians[i] =
            errors.size() % 2 == 1 ? errors[half][i] : (errors[half - 1][i] + errors[half][i]) / 2;
    }
    return medians;
}

FlowSummary
ClosedLoopRuns::FlowOverTruth(const KnownPath& path,
                              const std::string& control,
                              const std::string& out,
                              std::uint64_t seed) const
{
    if (path.crossKind == CrossKind::Reactive)
    {
        return Flow(path.Link(), path.CrossTraffic(), control, out, seed);
    }
    PathModel model;
    model.model = "ibox";
    model.forward = path.WithSteadyTraffic(seed, flowSeconds);
    Write("truth.pb", EncodePath(model));
    return Flow("learned: \"truth.pb\"", "", control, out);
}

FlowSummary
ClosedLoopRuns::Flow(const std::string& link,
                     const std::string& crossTraffic,
                     const std::string& control,
                     const std::string& out,
                     std::uint64_t seed) const
{
    Write("flow.textproto", KnownPathScenario(link, crossTraffic, flowSeconds));
    const auto run =
        Geotrain(fmt::format("run flow.textproto --quiet --force --out {} --set run.seed={} --set "
                             "transport.congestion_control={} --set transport.preset={}",
                             out,
                             seed,
                             control,
                             m_preset));
    EXPECT_EQ(run.code, 0) << run.error;
    const auto file = (m_folder / out / "packets-1.csv").string();
    return SummaryOf(ParsePacketTrace(file, ReadMaybeGzipped(file)), flowSeconds);
}

LearnedFacts
ClosedLoopRuns::Learn(const std::string& of, const std::string& model) const
{
    const auto learn =
        Geotrain(fmt::format("learn {0}/packets-1.csv --model {1} --out {1}.pb --json", of, model));
    EXPECT_EQ(learn.code, 0) << learn.error;
    const auto facts = nlohmann::json::parse(learn.out);
    return {facts["rate_bps"].get<double>(),
            facts["propagation_s"].get<double>(),
            facts["buffer_bytes"].get<double>(),
            learn.out.find("comes in bursts") != std::string::npos};
}

std::vector<std::string>
UnseenControls()
{
    return {"TcpNewReno", "TcpVegas", "TcpLedbat"};
}

} // namespace geotrain
