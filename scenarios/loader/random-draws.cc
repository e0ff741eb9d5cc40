// SPDX-License-Identifier: GPL-2.0-only
#include "loader/random-draws.h"

#include "loader/experiment.h"
#include "schema/scenario.pb.h"
#include "wan/learned-link.h"

#include <algorithm>
#include <memory>

namespace geotrain
{

namespace
{

/// RandomDraws collects what is drawn, each once.
class RandomDraws
{
  public:
    void Add(bool isDrawn, const char* what)
    {
        if (isDrawn && std::find(m_all.begin(), m_all.end(), what) == m_all.end())
        {
            m_all.emplace_back(what);
        }
    }

    const std::vector<std::string>& All() const
    {
        return m_all;
    }

  private:
    std::vector<std::string> m_all;
};

/// Returns whether a learned path draws the values of its windows: one without a network of its own
/// is a queue, and gives the same with every seed.
bool
Draws(const std::shared_ptr<const LearnedLink>& learned)
{
    return learned && learned->forward.network != nullptr;
}

void
AddLinks(const Experiment& experiment, RandomDraws& draws)
{
    for (const auto& link : experiment.testbed.wan.links)
    {
        draws.Add(link.lossRate > 0, "packet losses");
        if (!experiment.run.network->hasPackets)
        {
            continue;
        }
        draws.Add(link.burstLoss.has_value(), "packet losses");
        draws.Add(link.jitter.has_value(), "packet delays");
        draws.Add(link.duplication > 0, "packet copies");
        draws.Add(link.red.has_value(), "RED's drops");
        draws.Add(link.pie.has_value(), "PIE's drops");
        draws.Add(!link.queueDisc.empty(), "the queue disc's draws");
        draws.Add(Draws(link.learned), "delays of learned paths");
    }
}

void
AddTraffic(const Experiment& experiment, RandomDraws& draws)
{
    if (experiment.transfer)
    {
        draws.Add(experiment.transfer->startSpread > Duration(), "starts");
        for (const auto& flow : experiment.transfer->flows)
        {
            draws.Add(flow.arrivalsPerSecond > 0, "arrivals of messages");
            draws.Add(flow.sizes != FlowSizes::Equal, "sizes of messages");
        }
    }
    if (!experiment.run.network->hasPackets)
    {
        return;
    }
    const auto& cross = experiment.crossTraffic;
    const auto sends = [](const CrossTrafficPair& pair) { return pair.load > 0; };
    draws.Add(std::any_of(cross.begin(), cross.end(), sends), "cross traffic");
    draws.Add(UsesControl(experiment, "TcpBbr"), "BBR's probing");
    draws.Add(experiment.provenance.resolved->in_network().loss() > 0, "packet losses");
}

/// Returns whether the generated fill jobs differ from seed to seed.
bool
DrawsFillJobs(const scenario::FillJobs& jobs)
{
    return jobs.jobs() > 0 && (jobs.jobs_per_hour() > 0 || jobs.sigma() > 0 || jobs.mix_size() > 1);
}

/// Adds what fills the bubbles of a training, which a scenario or a `job` describes.
template <typename Training>
void
AddFillers(const Training& training, RandomDraws& draws)
{
    draws.Add(training.inference().has_generator(), "arrivals and lengths of prompts");
    draws.Add(DrawsFillJobs(training.fill_jobs()), "fill jobs");
}

} // namespace

bool
UsesControl(const Experiment& experiment, const std::string& part)
{
    const auto has = [&part](const std::string& control)
    { return control.find(part) != std::string::npos; };
    bool uses = has(experiment.testbed.transport.congestionControl);
    if (experiment.transfer)
    {
        uses = uses || has(experiment.transfer->rival);
        for (const auto& flow : experiment.transfer->flows)
        {
            uses = uses || has(flow.congestionControl);
        }
    }
    return uses;
}

std::vector<std::string>
DrawsOf(const Experiment& experiment)
{
    RandomDraws draws;
    AddLinks(experiment, draws);
    AddTraffic(experiment, draws);
    draws.Add(experiment.run.computeJitter > 0, "compute times");
    const auto& resolved = *experiment.provenance.resolved;
    AddFillers(resolved, draws);
    for (const auto& job : resolved.job())
    {
        AddFillers(job, draws);
    }
    return draws.All();
}

} // namespace geotrain
