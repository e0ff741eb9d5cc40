// SPDX-License-Identifier: GPL-2.0-only
#include "runner/training-workload.h"

#include "execution/warm-ups.h"
#include "filling/rehearsal.h"
#include "runner/analytic-testbed.h"
#include "runner/analytic-warnings.h"
#include "runner/testbed.h"
#include "runner/training-header.h"
#include "runner/training-streams.h"
#include "runner/unfinished-run.h"
#include "timing/compute-jitter.h"
#include "training-plan/collective-times.h"
#include "wan/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace geotrain
{

namespace
{

std::uint64_t
CountComputations(const ExecutionPlan& plan)
{
    std::uint64_t count = 0;
    for (const auto& worker : plan.workers)
    {
        for (const auto& instruction : worker.stream)
        {
            count += IsCompute(instruction.kind) ? 1 : 0;
        }
    }
    return count * plan.iterations;
}

} // namespace

/// Counts the computations that have ended.
class TrainingWorkload::ComputationCount : public ExecutionObserver
{
  public:
    explicit ComputationCount(const ExecutionPlan& plan)
        : m_all(CountComputations(plan))
    {
    }

    void InstructionEnded(WorkerIndex /*worker*/,
                          std::uint32_t /*iteration*/,
                          const Instruction& instruction,
                          Instant /*start*/,
                          Instant /*end*/) override
    {
        m_done += IsCompute(instruction.kind) ? 1 : 0;
    }

    double Share() const
    {
        return static_cast<double>(m_done) / static_cast<double>(m_all);
    }

  private:
    std::uint64_t m_all;
    std::uint64_t m_done = 0;
};

TrainingWorkload::TrainingWorkload(const Experiment& experiment,
                                   const TrainingSpec& spec,
                                   const Baseline& baseline)
    : m_experiment(experiment),
      m_spec(spec),
      m_baseline(baseline),
      m_plan(MakeTrainingStreams(spec, experiment.run, experiment.provenance.file))
{
    const auto pairs = PairsOfFillers(spec, m_plan);
    m_plan.pairs.insert(m_plan.pairs.end(), pairs.begin(), pairs.end());
    if (!experiment.run.network->hasPackets)
    {
        m_meeting = WarningOfMeetingReplicas(spec, m_plan.pairs);
    }
}

TrainingWorkload::~TrainingWorkload() = default;

std::string
TrainingWorkload::Name() const
{
    return m_spec.name;
}

std::vector<NodePair>
TrainingWorkload::Pairs() const
{
    return NodePairsOf(WarmUps());
}

std::vector<Network::WarmUp>
TrainingWorkload::WarmUps() const
{
    std::vector<Network::WarmUp> warmUps;
    for (const OwnerIndex owner : m_spec.owners)
    {
        for (const auto& pair : m_plan.pairs)
        {
            warmUps.push_back(
                {m_spec.nodes[pair.source], m_spec.nodes[pair.destination], pair.size, owner});
        }
    }
    return warmUps;
}

void
TrainingWorkload::Describe(trace::RunHeader& header) const
{
    DescribeTraining(m_experiment, m_spec, m_plan, header);
}

/// Returns the settings of a rehearsal, which takes the schedule's times without jitter.
PlanRunSettings
TrainingWorkload::RehearsalSettings() const
{
    PlanRunSettings settings;
    settings.executor.durationOf = m_meeting.empty() ? nullptr : &BreakTie;
    settings.turns = m_plan.Turns();
    settings.passLatency = m_spec.cluster.turnLatency;
    settings.layer.chunkSize = m_spec.cluster.chunk;
    const auto local = m_spec.prepared.nodeLocalRate;
    settings.layer.nodeLocalRate = local;
    settings.warmUps = m_plan.pairs;
    if (!m_plan.collectivesOverNetwork && !m_spec.inNetwork)
    {
        const auto resources =
            std::make_shared<const Resources>(m_spec.cluster.wan, NodePairsOf(m_plan.pairs));
        const double payloadShare = m_spec.cluster.transport.payloadShare;
        settings.collectiveTime =
            [this, resources, local, payloadShare](const CollectiveRequest& request)
        {
            return m_plan.CarriesRing(request.members)
                       ? std::nullopt
                       : std::optional(
                             DemandOfCollective(request, *resources, local, payloadShare));
        };
    }
    return settings;
}

/// Makes the run, on the nodes of the job.
void
TrainingWorkload::WarmUp(Testbed& testbed, RecordSink& trace)
{
    m_trace = &trace;
    if (!m_meeting.empty())
    {
        testbed.Warn((m_spec.name.empty() ? "" : "job " + m_spec.name + ": ") + m_meeting);
    }
    if (m_plan.collectivesOverNetwork && !m_experiment.run.collectivesOverNetwork)
    {
        testbed.Warn(
            "run.all_reduce_fidelity ANALYTIC is ignored: all-reduces and other messages wait for "
            "each other in NICs, which no formula has, so that the network carries all");
    }
    auto settings = RehearsalSettings();
    const double deviation = m_experiment.run.computeJitter;
    if (deviation > 0)
    {
        const ComputeJitter jitter(m_spec.SeedFrom(m_experiment.run.seed), deviation);
        settings.executor.durationOf =
            [jitter](
                WorkerIndex worker, std::uint32_t iteration, std::size_t position, Duration planned)
        { return jitter.Apply(worker, iteration, position, planned); };
    }
    const auto& dataCenters = m_plan.cells.dataCenterOfNode;
    const bool tellsKinds = m_spec.owners.size() > 1;
    if (!m_spec.name.empty() || tellsKinds)
    {
        m_view = std::make_unique<NodeView>(
            testbed.GetNetwork(), m_spec.nodes, dataCenters, m_spec.owners);
    }
    settings.ofCollectives = tellsKinds ? static_cast<OwnerIndex>(MessageKind::Gradients) : 0;
    Network& network = m_view ? *m_view : testbed.GetNetwork();
    MessageLayerSettings ofOthers = settings.layer;
    ofOthers.owner = static_cast<OwnerIndex>(MessageKind::Other);
    m_run = std::make_unique<PlanRun>(m_plan.execution, network, std::move(settings));
    if (tellsKinds)
    {
        m_layerOfOthers = std::make_unique<MessageLayer>(network, ofOthers);
    }
    const TransportSettings& transport = m_experiment.testbed.transport;
    std::optional<BitRate> mostRate = m_spec.cluster.transport.connection.mostRate;
    if (mostRate)
    {
        mostRate = BitRate::BitsPerSecond(mostRate->ToBitsPerSecond() * transport.connections);
    }
    m_recorder =
        std::make_unique<TraceRecorder>(trace,
                                        network,
                                        RecordedNodes{m_spec.nodes, dataCenters},
                                        CrossingTimes(m_spec.cluster.wan,
                                                      m_plan.Turns(),
                                                      transport.window * transport.connections,
                                                      mostRate));
    m_computations = std::make_unique<ComputationCount>(m_plan.execution);
}

/// Makes the in-network optimizer, whose time begins here.
void
TrainingWorkload::Settle(Testbed& /*testbed*/)
{
    if (m_spec.inNetwork)
    {
        const RunSettings& run = m_experiment.run;
        m_inNetwork =
            std::make_unique<InNetworkRun>(m_spec, run.warmUpIterations + run.iterations, *m_run);
        m_recorder->SetCounters([this](const NetworkCounters& counters)
                                { return m_inNetwork->AddTo(counters); });
    }
}

void
TrainingWorkload::Begin(Testbed& testbed)
{
    if (HasFillers(m_spec))
    {
        m_fills = std::make_unique<FillRun>(
            FilledTraining{m_experiment,
                           m_spec,
                           m_plan,
                           m_layerOfOthers ? *m_layerOfOthers : m_run->Layer(),
                           *m_trace},
            RehearseFor(testbed));
    }
    if (m_spec.start > Duration())
    {
        testbed.GetClock().Schedule(Instant() + m_spec.start,
                                    [this, &testbed] { BeginNow(testbed); });
        return;
    }
    BeginNow(testbed);
}

void
TrainingWorkload::BeginNow(Testbed& testbed)
{
    const RunSettings& run = m_experiment.run;
    m_warmUpLosses =
        std::make_unique<WarmUpLosses>(testbed.GetNetwork(), run.warmUpIterations, run.iterations);
    m_run->Observe(*m_recorder);
    m_run->Observe(*m_computations);
    m_run->Observe(*m_warmUpLosses);
    if (run.repeat > 0)
    {
        m_repetition =
            std::make_unique<RepetitionWatch>(run.repeat, run.warmUpIterations, run.iterations);
        m_run->Observe(*m_repetition);
    }
    if (m_fills)
    {
        for (auto* observer : m_fills->Observers())
        {
            m_run->Observe(*observer);
        }
        m_run->SetHold([this](WorkerIndex worker) { return m_fills->HoldOf(worker); });
        m_fills->Begin();
    }
    m_run->Begin();
}

/// Rehearses the job alone, without fillers, on the analytic network: all iterations where the run
/// has no packets. For a run over packets it is the first few, which differ from later ones because
/// training has just begun; schedules without flush take longer to settle.
Rehearsal
TrainingWorkload::RehearseFor(const Testbed& testbed) const
{
    EarlyEnd& early = testbed.Early();
    const auto network = MakeAnalyticNetwork(
        m_spec.cluster.wan,
        m_spec.cluster.transport,
        m_plan.pairs,
        {m_experiment.run.seed, m_spec.plan.dataParallelism == DataParallelism::Zero3});
    network->GetClock().SetWatch([&early]
                                 { return early.HasCome([] { return "training is rehearsed"; }); });
    const std::uint32_t first = m_spec.prepared.order.noFlush ? 4 : 2;
    auto rehearsal = Rehearse(
        m_plan.execution,
        m_experiment.run.network->hasPackets ? first : std::numeric_limits<std::uint32_t>::max(),
        *network,
        RehearsalSettings(),
        early.Deadline());
    if (early.IsCome())
    {
        throw UnfinishedRun(early.Why(Instant()) + ": training was being rehearsed");
    }
    return rehearsal;
}

bool
TrainingWorkload::IsDone() const
{
    return RepeatedIterations() > 0 || (m_run->IsOver() && m_run->Outcome().IsDone());
}

/// Returns how many measured iterations need not be simulated, since the last one stands for them.
std::uint32_t
TrainingWorkload::RepeatedIterations() const
{
    return m_repetition ? m_repetition->IterationsLeft() : 0;
}

std::optional<WorkTimes>
TrainingWorkload::Times() const
{
    if (!IsDone())
    {
        return std::nullopt;
    }
    const RunSettings& run = m_experiment.run;
    const Instant begin = Instant() + m_spec.start;
    const auto& ends = m_run->Times().Ends();
    return WorkTimes{begin,
                     ends.back(),
                     run.warmUpIterations > 0 ? ends[run.warmUpIterations - 1] : begin,
                     ends[run.warmUpIterations + run.iterations - RepeatedIterations() - 1]};
}

bool
TrainingWorkload::HasFailed() const
{
    return (m_run->IsOver() && !m_run->Outcome().IsDone()) || (m_fills && m_fills->HasFailed());
}

double
TrainingWorkload::Progress() const
{
    return m_computations ? m_computations->Share() : 0;
}

/// Names the first worker that waits, and counts the others.
std::string
TrainingWorkload::Doing() const
{
    const auto waits = m_run ? m_run->WhoWaitsForWhat() : "";
    if (waits.empty())
    {
        return "";
    }
    const auto others = std::count(waits.begin(), waits.end(), '\n') - 1;
    return fmt::format("{} messages under way, {}{}",
                       m_run->MessagesUnderWay(),
                       waits.substr(0, waits.find('\n')),
                       others > 0 ? fmt::format(" (and {} more)", others) : "");
}

std::string
TrainingWorkload::WhoWaits() const
{
    return m_run->WhoWaitsForWhat();
}

void
TrainingWorkload::Finish(Testbed& testbed, trace::RunEnd& end)
{
    if (m_warmUpLosses)
    {
        if (const auto warning = m_warmUpLosses->Warning(RepeatedIterations()))
        {
            testbed.Warn((m_spec.name.empty() ? "" : "job " + m_spec.name + ": ") + *warning);
        }
    }
    end.set_iteration_time_without_s(m_baseline.withoutFillers);
    end.set_iteration_time_alone_s(m_baseline.alone);
    if (m_repetition)
    {
        end.set_repeated_iterations(m_repetition->IterationsLeft());
    }
    if (m_fills)
    {
        m_fills->Finish(end);
    }
}

void
TrainingWorkload::CheckResults() const
{
    if (m_fills)
    {
        m_fills->CheckConservation();
        m_fills->RefuseIfAllWereRefused();
    }
}

} // namespace geotrain
