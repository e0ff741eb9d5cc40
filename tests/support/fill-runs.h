// SPDX-License-Identifier: GPL-2.0-only
// Runs a pipeline with prefills in its bubbles, for tests, on the analytic network or any other,
// and records everything that happened.
#pragma once

#include "execution/spatial-sharing.h"
#include "execution/stepped-collectives.h"
#include "filling/rehearsal.h"
#include "hardware/gpu-catalogue.h"
#include "prefill-service/prefill-controller.h"
#include "prefill-service/request-generator.h"
#include "schedule-runs.h"
#include "schedule/schedule-catalogue.h"
#include "timing/compute-jitter.h"
#include "workload/model-catalogue.h"

#include <map>
#include <memory>

namespace geotrain
{

/// An OutageCarrier holds messages that are sent in [start, end) until its end.
class OutageCarrier : public MessageCarrier
{
  public:
    OutageCarrier(MessageLayer& layer, Instant start, Instant end)
        : m_carrier(layer),
          m_clock(layer.GetClock()),
          m_start(start),
          m_end(end)
    {
    }

    Handle Send(const Message& message, Callback callback) override
    {
        if (m_clock.Now() < m_start || m_clock.Now() >= m_end)
        {
            return m_carrier.Send(message, std::move(callback));
        }
        m_clock.Schedule(m_end, [this, message, callback] { m_carrier.Send(message, callback); });
        return 0;
    }

    /// Cancels a message that did not have to wait.
    void Cancel(Handle message) override
    {
        m_carrier.Cancel(message);
    }

  private:
    SpatialSharing m_carrier;
    Clock& m_clock;
    Instant m_start;
    Instant m_end;
};

/// FillSetup is a pipeline whose replicas share one data centre, with a delay at each hop, so that
/// it has bubbles to fill.
struct FillSetup
{
    std::string schedule = "1f1b";
    std::uint32_t stages = 4;
    std::uint32_t replicas = 1;
    std::uint32_t microbatches = 6;
    std::uint32_t iterations = 5;
    Duration forward = Duration::Milliseconds(20);
    Duration backward = Duration::Milliseconds(40);
    Duration hop = Duration::Milliseconds(15);
    Bytes boundary = Bytes::Of(1); ///< bytes of an activation
    double jitter = 0;
    std::uint64_t seed = 1;
    Instant outageStart;
    Instant outageEnd; ///< end; not after outageStart: no outage
    Bytes free = Bytes::Of(60000000000);

    bool serves = true;
    std::uint32_t ppDegree = 2;
    double rate = 20; ///< requests per second
    std::uint32_t medianPrompt = 300;
    std::uint32_t chunkTokens = 0;
    std::uint64_t requests = 0; ///< most requests; 0: no end
    ControllerOptions options;
    /// Time that an activation takes from stage to stage; unset: ServingTimes::Hop.
    std::optional<Duration> activationTime;
};

struct FillOutcome
{
    struct Fill
    {
        FillWork work;
        FillEnd end;
        FillYield yield;
    };

    std::vector<SpanRecorder::Span> training;
    std::vector<Fill> fills;
    std::vector<RequestEnd> requests;
    Duration held;
    Duration stops; ///< part of `held` that stopping costs
    Duration longestHold;
    ForecastScore score;
    std::optional<Bytes> leastRoom; ///< least room of all serving workers
    std::uint64_t arrived = 0;
    bool isDone = false;
};

class OutcomeRecorder : public FillObserver, public ServingObserver
{
  public:
    explicit OutcomeRecorder(FillOutcome& outcome)
        : m_outcome(outcome)
    {
    }

    void FillEnded(const FillWork& work, const FillEnd& end, const FillYield& yield) override
    {
        m_outcome.fills.push_back({work, end, yield});
    }

    void TrainingHeld(WorkerIndex, Instant, const TrainingWait& held) override
    {
        m_outcome.held += held.Sum();
        m_outcome.stops += held.stop;
        m_outcome.longestHold = std::max(m_outcome.longestHold, held.Sum());
    }

    void RequestEnded(const RequestEnd& end) override
    {
        m_outcome.requests.push_back(end);
    }

  private:
    FillOutcome& m_outcome;
};

/// A CountedSource counts the requests that it hands on.
class CountedSource : public RequestSource
{
  public:
    CountedSource(RequestSource& source, std::uint64_t& count)
        : m_source(source),
          m_count(count)
    {
    }

    std::optional<PrefillRequest> Next() override
    {
        auto next = m_source.Next();
        m_count += next ? 1 : 0;
        return next;
    }

  private:
    RequestSource& m_source;
    std::uint64_t& m_count;
};

inline ExecutionPlan
PlanOf(const FillSetup& setup)
{
    const auto* schedule = FindSchedule(setup.schedule);
    ScheduleRequest request;
    request.stages = setup.stages;
    request.microbatches = setup.microbatches;
    StageTiming timing;
    timing.forward = setup.forward;
    timing.backwardInput = setup.backward;
    timing.optimizerStep = Duration::Milliseconds(3);
    auto inputs =
        OnePipeline(schedule->make(request), std::vector<StageTiming>(setup.stages, timing));
    inputs.placement = OneNodeEach(setup.stages, setup.replicas);
    inputs.boundary = setup.boundary;
    inputs.iterations = setup.iterations;
    return BuildStreams(inputs);
}

inline ServingRequest
ServingOf(const FillSetup& setup)
{
    ServingRequest request;
    request.model = *FindModel("llama3-8b");
    request.ppDegree = setup.ppDegree;
    request.mostTokens = 2000;
    request.chunkTokens = setup.chunkTokens;
    request.gpus = {*FindGpu("A100-80")};
    request.dataCenters = {{"all", BitRate::GigabitsPerSecond(100), Duration::Microseconds(10)}};
    request.nodeLocalRate = BitRate::GigabitsPerSecond(2400);
    for (WorkerIndex worker = 0; worker < setup.stages * setup.replicas; ++worker)
    {
        request.workers.push_back({worker, 0, 0, setup.free});
        request.order.push_back(worker);
    }
    return request;
}

/// Returns what was decided and done before `t`, as text.
inline std::string
DecidedBefore(const FillOutcome& outcome, Instant t)
{
    std::string text;
    for (const auto& fill : outcome.fills)
    {
        if (fill.end.end < t)
        {
            text += "fill " + std::to_string(fill.work.worker) + " " +
                    std::to_string(fill.work.job) + " " + std::to_string(fill.work.part) + " " +
                    std::to_string(fill.end.start.ToNanoseconds()) + " " +
                    std::to_string(fill.end.end.ToNanoseconds()) + "\n";
        }
    }
    std::map<std::uint64_t, Instant> decided;
    for (const auto& end : outcome.requests)
    {
        if (end.decided < t)
        {
            decided[end.request.number] = end.decided;
        }
    }
    for (const auto& [number, at] : decided)
    {
        text +=
            "decision " + std::to_string(number) + " " + std::to_string(at.ToNanoseconds()) + "\n";
    }
    return text;
}

/// Runs the setup on `network`, which stands at time 0. The rehearsal runs on the analytic network,
/// with the setup's hop.
inline FillOutcome
RunFilledOver(Network& network, const FillSetup& setup)
{
    FillOutcome outcome;
    const ExecutionPlan plan = PlanOf(setup);
    AnalyticNetwork rehearsed(DelayOnly(setup.hop));
    BubbleForecast forecast(std::vector<WorkerMemory>(plan.workers.size()),
                            Rehearse(plan, 3, rehearsed, {}, Instant::Never()),
                            setup.options.guard);
    MessageLayer layer(network);
    SteppedCollectives collectives(layer);
    OutageCarrier carrier(layer, setup.outageStart, setup.outageEnd);
    SpanRecorder recorder;
    OutcomeRecorder outcomes(outcome);
    FillHost host(network.GetClock(), forecast, {&outcomes});

    const ServingRequest serving = ServingOf(setup);
    const ServingChains chains = MakeServingChains(serving);
    const ServingTimes times(serving, chains);
    GeneratorOptions generated;
    generated.requestsPerSecond = setup.rate;
    generated.medianTokens = setup.medianPrompt;
    generated.sigma = 0.8;
    generated.mostTokens = 2000;
    generated.most = setup.requests;
    RequestGenerator generator(generated, setup.seed);
    CountedSource source(generator, outcome.arrived);
    const KvTransfer transfer =
        [&](std::size_t, NodeIndex, Bytes size, std::function<void()> delivered)
    {
        const auto time = BitRate::GigabitsPerSecond(100).TransmissionTime(size);
        network.GetClock().Schedule(network.GetClock().Now() + time, std::move(delivered));
    };
    ActivationTransfer activation;
    if (setup.activationTime)
    {
        activation = [&](std::size_t, std::size_t, Bytes, std::function<void()> arrived)
        {
            network.GetClock().Schedule(network.GetClock().Now() + *setup.activationTime,
                                        std::move(arrived));
        };
    }
    PrefillController controller(host, times, source, setup.options, {transfer, activation});
    controller.Observe(outcomes);

    ExecutorOptions options;
    if (setup.jitter > 0)
    {
        const ComputeJitter jitter(setup.seed, setup.jitter);
        options.durationOf =
            [jitter](WorkerIndex worker, std::uint32_t k, std::size_t position, Duration planned)
        { return jitter.Apply(worker, k, position, planned); };
    }
    std::vector<ExecutionObserver*> observers{&recorder};
    if (setup.serves)
    {
        host.Add(controller);
        observers.push_back(&host);
        options.holdOf = [&host](WorkerIndex worker) { return host.HoldOf(worker); };
        host.Begin();
        controller.Begin();
    }
    Executor executor(plan, {layer.GetClock(), carrier, collectives}, observers, options);
    executor.Run(Instant() + Duration::Seconds(1000));
    controller.Finish();
    outcome.isDone = executor.IsDone();
    outcome.training = recorder.Spans();
    outcome.score = forecast.TakeScore();
    for (WorkerIndex worker = 0; worker < plan.workers.size(); ++worker)
    {
        const auto least = controller.LeastRoom(worker);
        outcome.leastRoom = least && (!outcome.leastRoom || *least < *outcome.leastRoom)
                                ? least
                                : outcome.leastRoom;
    }
    return outcome;
}

inline FillOutcome
RunFilled(const FillSetup& setup)
{
    AnalyticNetwork network(DelayOnly(setup.hop));
    return RunFilledOver(network, setup);
}

/// Returns whether all starts and ends, and their order, are equal.
inline bool
IsSameTraining(const FillOutcome& a, const FillOutcome& b)
{
    const auto same = [](const SpanRecorder::Span& x, const SpanRecorder::Span& y)
    {
        return x.worker == y.worker && x.iteration == y.iteration && x.kind == y.kind &&
               x.microbatch == y.microbatch && x.start == y.start && x.end == y.end;
    };
    return std::equal(
        a.training.begin(), a.training.end(), b.training.begin(), b.training.end(), same);
}

} // namespace geotrain
