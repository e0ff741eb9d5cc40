// SPDX-License-Identifier: GPL-2.0-only
// Checks metrics on hand-made traces (the formula stands beside the number) and on any legal trace.
#include "metrics/gpu-time.h"
#include "metrics/statistics.h"
#include "metrics/summary.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

namespace geotrain
{
namespace
{

constexpr auto forward = trace::GPU_WORK_FORWARD;
constexpr auto recompute = trace::GPU_WORK_RECOMPUTE;
constexpr auto backward = trace::GPU_WORK_BACKWARD;
constexpr auto weight = trace::GPU_WORK_WEIGHT_GRADIENT;
constexpr auto optimizer = trace::GPU_WORK_OPTIMIZER_STEP;

trace::GpuSpan
Span(trace::GpuWork kind, std::int64_t startNs, std::int64_t endNs, std::uint32_t iteration = 0)
{
    trace::GpuSpan span;
    span.set_kind(kind);
    span.set_start_ns(startNs);
    span.set_end_ns(endNs);
    span.set_iteration(iteration);
    return span;
}

void
ExpectGpuTime(const GpuTime& time,
              std::int64_t work,
              std::int64_t fillDrain,
              std::int64_t forwardBackward,
              std::int64_t allReduce,
              std::int64_t imbalance)
{
    EXPECT_EQ(time.workNs, work);
    EXPECT_EQ(time.idleFillDrainNs, fillDrain);
    EXPECT_EQ(time.idleForwardBackwardNs, forwardBackward);
    EXPECT_EQ(time.idleAllReduceNs, allReduce);
    EXPECT_EQ(time.idleImbalanceNs, imbalance);
    EXPECT_EQ(time.IdleWanNs() + time.idleLocalNs, 0);
}

/// Splits the time of a worker of whose messages and collectives the trace says nothing.
GpuTime
SplitOfOne(const std::vector<trace::GpuSpan>& spans,
           const std::vector<FillTime>& fills,
           MeasuredSpan measured)
{
    const std::vector<std::vector<trace::GpuSpan>> workers{spans};
    const std::vector<trace::MessageSpan> messages;
    const std::vector<trace::CollectiveSpan> collectives;
    const CausalHistory history(workers, messages, collectives);
    return GpuTimeSplit(history, measured, false).Of(0, fills);
}

TEST(GpuTime, AGapWithoutATracedCauseCountsByItsPlaceInTheSchedule)
{
    const std::vector<trace::GpuSpan> spans = {
        Span(forward, 10, 20),   // fill: 10
        Span(forward, 23, 33),   // fill: 3
        Span(recompute, 40, 45), // forward to backward: 7
        Span(backward, 45, 60),
        Span(forward, 61, 71),      // imbalance: 1
        Span(backward, 75, 90),     // drain: 4, no forward comes any more
        Span(weight, 92, 97),       // drain: 2
        Span(backward, 100, 110),   // drain: 3
        Span(optimizer, 130, 140)}; // all-reduce: 20; drain: 60
    ExpectGpuTime(SplitOfOne(spans, {}, {0, 200}),
                  10 + 10 + 5 + 15 + 10 + 15 + 5 + 10 + 10,
                  10 + 3 + 4 + 2 + 3 + 60,
                  7,
                  20,
                  1);
}

TEST(GpuTime, GapBeforeTheNextIterationsFirstForwardIsFillAndDrain)
{
    const std::vector<trace::GpuSpan> spans = {Span(forward, 0, 10, 0),
                                               Span(optimizer, 10, 20, 0),
                                               Span(forward, 50, 60, 1),
                                               Span(optimizer, 60, 70, 1)};
    ExpectGpuTime(SplitOfOne(spans, {}, {0, 70}), 40, 30, 0, 0, 0);
}

TEST(GpuTime, SpansAndGapsAreClippedAtTheBorder)
{
    const std::vector<trace::GpuSpan> spans = {
        Span(forward, 0, 10), Span(backward, 40, 60), Span(optimizer, 80, 120)};
    // [30, 100]: 10 of the forward-to-backward gap, 20 of backward, 20 of all-reduce, 20 of the
    // optimiser.
    ExpectGpuTime(SplitOfOne(spans, {}, {30, 100}), 40, 0, 10, 20, 0);
    // [5, 30]: the backward outside ends the gap.
    ExpectGpuTime(SplitOfOne(spans, {}, {5, 30}), 5, 0, 20, 0, 0);
}

TEST(GpuTime, WorkerWithoutWorkIsAllFillAndDrain)
{
    ExpectGpuTime(SplitOfOne({}, {}, {5, 30}), 0, 25, 0, 0, 0);
}

FillTime
Fill(std::int64_t startNs, std::int64_t endNs, std::int64_t usefulNs)
{
    return {startNs, endNs, usefulNs, 0, trace::FILL_KIND_PREFILL};
}

TEST(GpuTime, UsefulFillTimeIsTakenFromTheGapThatItLiesIn)
{
    const std::vector<trace::GpuSpan> spans = {
        Span(forward, 10, 20), Span(backward, 40, 60), Span(optimizer, 80, 90)};
    // 6 of 10 ns before the forward, 15 of 20 before the backward, 5 of which are lost, 20 of 20
    // before the step.
    const GpuTime time =
        SplitOfOne(spans, {Fill(2, 8, 6), Fill(22, 37, 10), Fill(60, 80, 20)}, {0, 100});
    EXPECT_EQ(time.fillNs, 6 + 10 + 20);
    ExpectGpuTime(time, 10 + 20 + 10, (10 - 6) + 10, 20 - 10, 0, 0);
}

TEST(GpuTime, FillAcrossTheBorderIsSharedOut)
{
    // Half of the fill lies inside, and so does half of its 12 useful ns.
    const GpuTime time = SplitOfOne({Span(optimizer, 60, 70)}, {Fill(20, 40, 12)}, {30, 70});
    EXPECT_EQ(time.fillNs, 6);
    EXPECT_EQ(time.idleAllReduceNs, 30 - 6);
}

TEST(Statistics, PercentileIsTheNearestRank)
{
    // Ranks ceil(0.5 * 5) = 3, ceil(0.3 * 5) = 2, ceil(0.99 * 5) = 5, ceil(0.01 * 5) = 1.
    const std::vector<double> samples = {50, 15, 40, 20, 35};
    EXPECT_EQ(Percentile(samples, 50), 35);
    EXPECT_EQ(Percentile(samples, 30), 20);
    EXPECT_EQ(Percentile(samples, 99), 50);
    EXPECT_EQ(Percentile(samples, 1), 15);
    EXPECT_EQ(Percentile({7}, 50), 7);
}

TEST(Statistics, JainIndexIsOneForEqualSharesAndOneOverNForOneOwner)
{
    EXPECT_DOUBLE_EQ(JainFairness({3, 3, 3}), 1);
    EXPECT_DOUBLE_EQ(JainFairness({4, 0, 0, 0}), 0.25);
    EXPECT_DOUBLE_EQ(JainFairness({1, 2, 3}), 36.0 / (3 * 14)); // (1+2+3)^2 / (3 (1+4+9))
    EXPECT_EQ(JainFairness({}), 1);
}

class SummaryTest : public ::testing::Test
{
  protected:
    Summary SummaryOf(const std::vector<trace::Record>& records)
    {
        WriteTrace(Path(), records);
        TraceReader reader(Path());
        return Summarize(reader);
    }

    std::string Path() const
    {
        return (m_folder / "trace.pb").string();
    }

    TemporaryFolder m_folder;
};

double
Value(const Summary& summary, const std::string& name)
{
    const auto value = summary.Find(name);
    EXPECT_TRUE(value) << name;
    return value.value_or(-1);
}

double
SumOfShares(const Summary& summary)
{
    return Value(summary, "total_utilization") + Value(summary, "idle_fill_drain") +
           Value(summary, "idle_wan") + Value(summary, "idle_forward_backward") +
           Value(summary, "idle_imbalance") + Value(summary, "idle_local") +
           Value(summary, "idle_all_reduce");
}

// GPipe without delays, one replica: (m+p-1)(F+R+B), then all-reduce and optimiser step after the
// first stage's last backward. Each GPU works m(F+R+B) and the step.
TEST_F(SummaryTest, GpipeWithoutDelaysHasItsTextbookBubble)
{
    PipelineSetup setup;
    setup.gpipe = true;
    setup.replicas = 1;
    setup.hopNs = 0;
    setup.linkSamples = false;
    const auto summary = SummaryOf(PipelineTrace(setup));
    const double slot = 0.020 + 0.020 + 0.040; // F + R + B
    const double time = (16 + 3 - 1) * slot + 0.100 + 0.005;
    EXPECT_NEAR(Value(summary, "iteration_time"), time, 1e-12); // rounding of one division
    EXPECT_NEAR(Value(summary, "gpu_utilization"), (16 * slot + 0.005) / time, 1e-12);
    EXPECT_NEAR(Value(summary, "idle_all_reduce"), 0.100 / time, 1e-12);
    // The 2 slots of bubble and nothing else. Stage s (0, 1, 2) waits s F to fill; (2-s)(F+R+B)
    // from its last forward to its first backward; s (R+B) to drain.
    EXPECT_NEAR(Value(summary, "idle_forward_backward"), (2 + 1 + 0) * slot / 3 / time, 1e-12);
    EXPECT_NEAR(Value(summary, "idle_fill_drain"), (0 + 1 + 2) * slot / 3 / time, 1e-12);
    EXPECT_NEAR(Value(summary, "idle_wan"), 0, 1e-12);
}

// 1F1B on two stages a hop c apart. Stage 0 runs 2 forwards and turns to its first backward when
// the gradient of microbatch 0 is back. Meanwhile stage 1 computes F + R + B, and the rest of
// 2 c + R + B is the WAN's. Stage 1 turns without a gap.
TEST_F(SummaryTest, OnlyTheNeighboursComputeBeforeTheFirstBackwardIsAForwardBackwardGap)
{
    PipelineSetup setup;
    setup.gpipe = false;
    setup.replicas = 1;
    setup.stages = 2;
    setup.dataCentres = {"a", "b"};
    const auto summary = SummaryOf(PipelineTrace(setup));
    EXPECT_NEAR(Value(summary, "idle_forward_backward"),
                (0.020 + 0.020 + 0.040) / 2 / Value(summary, "iteration_time"),
                1e-12);
    EXPECT_GT(Value(summary, "idle_wan"), 0);
}

TEST_F(SummaryTest, MfuIsModelFlopsOverPeak)
{
    const auto summary = SummaryOf(PipelineTrace({}));
    // 1e15 FLOPs per iteration; 12 GPUs of 312e12 FLOP/s.
    EXPECT_NEAR(
        Value(summary, "mfu"), 1e15 / (312e12 * 12 * Value(summary, "iteration_time")), 1e-12);
}

TEST_F(SummaryTest, GpusOfAWorkerWeighItsTime)
{
    PipelineSetup setup;
    setup.replicas = 1;
    setup.stages = 2;
    setup.dataCentres = {"a", "b"};
    auto records = PipelineTrace(setup);
    const double equal = Value(SummaryOf(records), "gpu_utilization");
    records[0].mutable_run_header()->mutable_workers(1)->set_gpus(3);
    // Both stages work the same time, so that the weights change nothing; with stage 1 gone idle
    // they do.
    EXPECT_NEAR(Value(SummaryOf(records), "gpu_utilization"), equal, 1e-12);
    records.erase(std::remove_if(records.begin(),
                                 records.end(),
                                 [](const auto& record) {
                                     return record.has_gpu_span() &&
                                            record.gpu_span().worker() == 1;
                                 }),
                  records.end());
    const auto summary = SummaryOf(records);
    const double work = 16 * 0.080 + 0.005; // of stage 0, one GPU of four
    EXPECT_NEAR(
        Value(summary, "gpu_utilization"), work / (4 * Value(summary, "iteration_time")), 1e-12);
}

TEST_F(SummaryTest, CountsAreThoseOfAnIteration)
{
    PipelineSetup setup;
    setup.warmupIterations = 2;
    setup.measuredIterations = 3;
    const auto summary = SummaryOf(PipelineTrace(setup));
    // 4 replicas x 16 microbatches x 2 boundaries x both directions x 32 MiB; the generator's wire
    // bytes are 2 % more.
    const double payload = 4 * 16 * 2 * 2 * 33554432.0;
    EXPECT_EQ(summary.iterations, 3u);
    EXPECT_DOUBLE_EQ(Value(summary, "wan_bytes"), payload);
    const double wireBits = 8 * 1.02 * payload;
    // 5e-10: the generator rounds wire bytes down.
    EXPECT_NEAR(Value(summary, "wan_utilization"),
                wireBits / (80e9 * Value(summary, "iteration_time")),
                5e-10);
    EXPECT_NEAR(Value(summary, "retransmitted_bytes"), payload / 1000, 1); // rounded down, too
    EXPECT_NEAR(Value(summary, "packets_wan"), payload / 8948, 1);
    EXPECT_EQ(Value(summary, "dropped_packets"), 0);
}

TEST_F(SummaryTest, EveryIterationOfASteadyRunTakesTheSameTime)
{
    PipelineSetup setup;
    const double once = Value(SummaryOf(PipelineTrace(setup)), "iteration_time");
    setup.warmupIterations = 1;
    setup.measuredIterations = 4;
    EXPECT_NEAR(Value(SummaryOf(PipelineTrace(setup)), "iteration_time"), once, 1e-12);
}

TEST_F(SummaryTest, AnalyticRunHasNoPackets)
{
    PipelineSetup setup;
    setup.network = "analytic";
    setup.withoutPackets = true;
    const auto summary = SummaryOf(PipelineTrace(setup));
    for (const char* name : {"packets_wan", "packets_intra_dc", "dropped_packets"})
    {
        EXPECT_FALSE(summary.Find(name)) << name;
    }
    EXPECT_TRUE(summary.Find("wan_bytes"));
    EXPECT_TRUE(summary.Find("retransmitted_bytes")); // what its windows lost
}

TEST_F(SummaryTest, OlderTraceTellsItsLackOfPacketsByItsLackOfACongestionControl)
{
    auto records = PipelineTrace({});
    EXPECT_TRUE(SummaryOf(records).Find("packets_wan"));
    records[0].mutable_run_header()->clear_congestion_control();
    EXPECT_FALSE(SummaryOf(records).Find("packets_wan"));
}

TEST_F(SummaryTest, WarningsAndAnalyticPartsAreNamed)
{
    auto records = PipelineTrace({});
    records[0].mutable_run_header()->add_analytic_parts("all_reduce");
    trace::Record warning;
    warning.mutable_warning()->set_text("queue overflow");
    records.insert(records.begin() + 1, 2, warning);
    const auto summary = SummaryOf(records);
    EXPECT_EQ(Value(summary, "analytic_all_reduce"), 1);
    EXPECT_EQ(Value(summary, "warnings"), 2);
    EXPECT_EQ(summary.warnings.front(), "queue overflow");
}

TEST_F(SummaryTest, KilledRunCountsTheIterationsThatEnded)
{
    PipelineSetup setup;
    setup.measuredIterations = 3;
    auto records = PipelineTrace(setup);
    const double time = Value(SummaryOf(records), "iteration_time");
    while (!records.back().has_counters() || records.back().counters().iteration() != 1)
    {
        records.pop_back();
    }
    const auto summary = SummaryOf(records);
    EXPECT_EQ(summary.iterations, 2u);
    EXPECT_FALSE(summary.complete);
    EXPECT_NEAR(Value(summary, "iteration_time"), time, 1e-12);
}

// An iteration of time t, another of t + 30 ms that sends 1000 bytes more, and three that repeat it: of
// five, four are as the second.
TEST_F(SummaryTest, RepeatedIterationsCountAsTheLastOne)
{
    PipelineSetup setup;
    setup.replicas = 1;
    setup.linkSamples = false;
    setup.measuredIterations = 2;
    auto records = PipelineTrace(setup);
    const auto plain = SummaryOf(records);
    EXPECT_FALSE(plain.Find("repeated_iterations"));
    for (auto& record : records)
    {
        if (record.gpu_span().kind() == optimizer && record.gpu_span().iteration() == 1)
        {
            record.mutable_gpu_span()->set_end_ns(record.gpu_span().end_ns() + 30000000);
        }
        if (record.counters().iteration() == 1)
        {
            const auto payload = record.counters().wan_payload_bytes();
            record.mutable_counters()->set_wan_payload_bytes(payload + 1000);
        }
    }
    records.front().mutable_run_header()->set_measured_iterations(5);
    records.back().mutable_run_end()->set_repeated_iterations(3);
    const auto summary = SummaryOf(records);
    EXPECT_EQ(summary.iterations, 5u);
    EXPECT_EQ(Value(summary, "repeated_iterations"), 3);
    const double time = Value(plain, "iteration_time") + 0.030 * 4 / 5;
    // The repeated ones take as long as the last one, and GPUs work in them for the share of their time
    // that they work in the first.
    const double first = Value(plain, "iteration_time");
    const double work = 16 * 0.080 + 0.005;
    const double utilization = (2 * work + 0.030 + 3 * (first + 0.030) * work / first) / (5 * time);
    EXPECT_NEAR(Value(summary, "iteration_time"), time, 1e-12); // rounding of the sums
    EXPECT_NEAR(Value(summary, "gpu_utilization"), utilization, 1e-12);
    EXPECT_NEAR(Value(summary, "mfu"), 1e15 / (312e12 * 3 * time), 1e-12);
    EXPECT_NEAR(SumOfShares(summary), 1, 1e-12);
    EXPECT_DOUBLE_EQ(Value(summary, "wan_bytes"), Value(plain, "wan_bytes") + 1000.0 * 4 / 5);
}

TEST_F(SummaryTest, RunWithoutAnEndedIterationIsRefused)
{
    auto records = PipelineTrace({});
    records.resize(records.size() / 2);
    EXPECT_THROW(SummaryOf(records), TraceError);
}

TEST_F(SummaryTest, OverlappingSpansAreRefused)
{
    auto records = PipelineTrace({});
    records.insert(records.begin() + 1, records[1]);
    EXPECT_THROW(SummaryOf(records), TraceError);
}

// One of the n messages that have a predecessor takes 5 ms longer than that: 5 ms / n.
TEST_F(SummaryTest, JitterIsTheChangeOfAMessageFromIterationToIteration)
{
    PipelineSetup setup;
    setup.warmupIterations = 1;
    setup.measuredIterations = 2;
    auto records = PipelineTrace(setup);
    double compared = 0;
    for (auto& record : records)
    {
        if (record.has_message_span() && record.message_span().crosses_wan() &&
            record.message_span().iteration() == 2)
        {
            auto& span = *record.mutable_message_span();
            span.set_delivered_ns(span.delivered_ns() + (compared == 0 ? 5000000 : 0));
            ++compared;
        }
    }
    ASSERT_GT(compared, 0);
    EXPECT_NEAR(*SummaryOf(records).Find("wan_message_jitter"), 5e-3 / compared, 1e-12);
}

trace::Record
JobSpan(std::uint32_t gpu, std::int64_t startNs, std::int64_t endNs)
{
    trace::Record record;
    auto& span = *record.mutable_fill_span();
    span.set_kind(trace::FILL_KIND_FILL_JOB);
    span.set_gpu(gpu);
    span.set_start_ns(startNs);
    span.set_end_ns(endNs);
    span.set_useful_ns(endNs - startNs);
    return record;
}

// Spans on two GPUs of a worker may overlap; two on one GPU may not, and there is no third GPU.
TEST_F(SummaryTest, AFillJobIsOnOneGpuOfItsWorker)
{
    auto records = PipelineTrace({});
    records.front().mutable_run_header()->mutable_workers(0)->set_gpus(2);
    std::int64_t beforeNs = INT64_MAX; // of the worker's first instruction
    for (const auto& record : records)
    {
        if (record.has_gpu_span() && record.gpu_span().worker() == 0)
        {
            beforeNs = std::min(beforeNs, record.gpu_span().start_ns());
        }
    }
    const auto insert = [&](std::vector<trace::Record> spans)
    {
        auto filled = records;
        filled.insert(filled.begin() + 1, spans.begin(), spans.end());
        return filled;
    };
    const auto both = {JobSpan(0, beforeNs - 100, beforeNs - 50),
                       JobSpan(1, beforeNs - 80, beforeNs - 30)};
    EXPECT_NO_THROW(SummaryOf(insert(both)));
    const auto twice = {JobSpan(1, beforeNs - 100, beforeNs - 50),
                        JobSpan(1, beforeNs - 80, beforeNs - 30)};
    EXPECT_THROW(SummaryOf(insert(twice)), TraceError);
    EXPECT_THROW(SummaryOf(insert({JobSpan(2, beforeNs - 100, beforeNs - 50)})), TraceError);
}

TEST_F(SummaryTest, CsvIsTheGoldenOne)
{
    PipelineSetup setup;
    setup.warmupIterations = 1;
    setup.measuredIterations = 2;
    setup.splitBackward = true;
    const auto summary = SummaryOf(PipelineTrace(setup));
    WriteSummaryCsv(summary, m_folder / "summary.csv");
    EXPECT_EQ(Contents(m_folder / "summary.csv"),
              Contents(GEOTRAIN_SOURCE_DIR "/tests/golden/metrics/summary.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "summary.csv.part"));
}

/// Makes a legal trace without meaning: spans of random kinds and iterations, one after another.
std::vector<trace::Record>
RandomTrace(std::mt19937& random)
{
    const auto below = [&](std::uint32_t limit)
    { return static_cast<std::uint32_t>(random() % limit); };
    PipelineSetup setup;
    setup.stages = 1 + below(3);
    setup.replicas = 1 + below(3);
    setup.warmupIterations = below(2);
    setup.measuredIterations = 1 + below(3);
    const std::vector<trace::Record> sensible = PipelineTrace(setup);
    std::vector<trace::Record> records{sensible.front()};
    const std::uint32_t iterations = setup.warmupIterations + setup.measuredIterations;
    for (std::uint32_t worker = 0; worker < setup.stages * setup.replicas; ++worker)
    {
        records[0]
            .mutable_run_header()
            ->mutable_workers(static_cast<int>(worker))
            ->set_gpus(1 + below(8));
        std::int64_t nowNs = below(1000);
        for (std::uint32_t step = 0; step < 40 * iterations; ++step)
        {
            const bool last = step % 40 == 39;
            nowNs += below(4) == 0 ? below(100000) : 0;
            const std::int64_t endNs = nowNs + below(100000);
            auto& span = *records.emplace_back().mutable_gpu_span();
            span = Span(last ? optimizer : static_cast<trace::GpuWork>(1 + below(5)),
                        nowNs,
                        endNs,
                        step / 40);
            span.set_worker(worker);
            nowNs = endNs;
        }
    }
    for (std::uint32_t iteration = 0; iteration < iterations; ++iteration)
    {
        records.emplace_back().mutable_counters()->set_iteration(iteration);
    }
    records.push_back(sensible.back());
    return records;
}

TEST_F(SummaryTest, AJobHasTheMetricsOfItsTraceAlone)
{
    PipelineSetup other;
    other.stages = 2;
    other.replicas = 1;
    auto records = TraceOfJobs({{"a", {}}, {"b", other}});
    auto& end = *records.back().mutable_run_end();
    end.mutable_carried()->set_wan_payload_bytes(7000);
    WriteTrace(Path(), records);
    const auto run = SummarizeRun(Path());
    ASSERT_EQ(run.jobs.size(), 2U);
    const auto alone = SummaryOf(PipelineTrace(other));
    ASSERT_EQ(run.jobs[1].metrics.size(), alone.metrics.size());
    for (std::size_t i = 0; i < alone.metrics.size(); ++i)
    {
        EXPECT_EQ(run.jobs[1].metrics[i].name, alone.metrics[i].name);
        EXPECT_EQ(run.jobs[1].metrics[i].value, alone.metrics[i].value) << alone.metrics[i].name;
    }
    EXPECT_EQ(Value(run, "wan_bytes"), 7000);
    EXPECT_EQ(Value(run, "simulated_time"),
              static_cast<double>(end.simulated_time_ns()) / 1e9);
    EXPECT_FALSE(run.Find("iteration_time"));
    EXPECT_FALSE(run.Find("job_fairness")); // nobody knows the jobs' times alone
}

// The slow-downs are 1.25 and 2. Jain: (1/1.25 + 1/2)^2 / (2 (1/1.25^2 + 1/2^2)) = 1.69 / 1.78.
TEST_F(SummaryTest, FairnessIsOfTheJobsTimesAloneOverThoseTogether)
{
    auto records = TraceOfJobs({{"a", {}}, {"b", {}}});
    const double together = Value(SummaryOf(PipelineTrace({})), "iteration_time");
    auto& ends = *records.back().mutable_run_end()->mutable_jobs();
    ends[0].set_iteration_time_alone_s(together / 1.25);
    ends[1].set_iteration_time_alone_s(together / 2);
    WriteTrace(Path(), records);
    const auto run = SummarizeRun(Path());
    EXPECT_NEAR(Value(run.jobs[0], "slowdown"), 1.25, 1e-12);
    EXPECT_NEAR(Value(run, "job_fairness"), 1.69 / 1.78, 1e-12);
    WriteSummaryCsv(run, m_folder / "summary.csv");
    const auto csv = Contents(m_folder / "summary.csv");
    EXPECT_EQ(csv.rfind("metric,value,unit,job,meaning\n", 0), 0U) << csv;
    EXPECT_NE(csv.find("\nslowdown,2,,b,"), std::string::npos) << csv;
}

TEST_F(SummaryTest, SharesOfAnyLegalTraceAddToOne)
{
    std::mt19937 random(2024);
    for (int trial = 0; trial < 60; ++trial)
    {
        // Sums of at most 9 workers' shares: far fewer than 1e-12 / 1e-16 roundings.
        EXPECT_NEAR(SumOfShares(SummaryOf(RandomTrace(random))), 1, 1e-12) << trial;
    }
}

TEST(CensoredPercentile, IsTheNearestRankWithoutCensoredOnes)
{
    std::vector<LifeTime> times;
    std::vector<double> values;
    for (int i = 0; i < 37; ++i)
    {
        const double value = (i * 17) % 37;
        times.push_back({value, false});
        values.push_back(value);
    }
    for (const double percent : {1.0, 50.0, 90.0, 99.0})
    {
        EXPECT_EQ(CensoredPercentile(times, percent), Percentile(values, percent)) << percent;
    }
}

TEST(CensoredPercentile, CountsWhatHadNotEndedWithThoseThatLastedLonger)
{
    // Kaplan and Meier: after 1 s 4/5 last; one is lost at 2 s; after 3 s 4/5 x 2/3, after 4 s 4/15.
    const std::vector<LifeTime> times{{1, false}, {2, true}, {3, false}, {4, false}, {5, true}};
    EXPECT_EQ(CensoredPercentile(times, 20), 1);
    EXPECT_EQ(CensoredPercentile(times, 46), 3); // 1 - 8/15 = 46.7 %
    EXPECT_EQ(CensoredPercentile(times, 50), 4);
    EXPECT_EQ(CensoredPercentile(times, 73), 4);
    EXPECT_FALSE(CensoredPercentile(times, 74)); // the last one's end is not known
    EXPECT_FALSE(CensoredPercentile({{1, false}, {INFINITY, false}}, 99)); // it never comes
    EXPECT_FALSE(CensoredPercentile({}, 50));
}

} // namespace
} // namespace geotrain
