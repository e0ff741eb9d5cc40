// SPDX-License-Identifier: GPL-2.0-only
// Workloads made for the test run on a testbed without packets: one alone, two at once, one that fails,
// one that never ends, and one that ends by time.
#include "runner/run-experiment.h"
#include "runner/testbed.h"
#include "runner/unfinished-run.h"
#include "trace/trace-reader.h"

#include "small-scenario.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <utility>

namespace geotrain
{

namespace
{

/// What a workload of the test does, and what it has done.
struct Part
{
    std::string name;
    Duration lasts;              ///< from its begin to its end; zero: it never ends
    bool fails = false;          ///< at its end
    bool hasEndOfItsOwn = false; ///< it is over by time
    std::vector<std::string> calls = {};
    Duration begins = {};                      ///< as Times() says
    std::optional<Duration> measuredFrom = {}; ///< until its end; none: Times() says nothing
};

/// A TimedWorkload does nothing for a time.
class TimedWorkload : public Workload
{
  public:
    explicit TimedWorkload(Part& part)
        : m_part(part)
    {
    }

    std::string Name() const override
    {
        return m_part.name;
    }

    void Describe(trace::RunHeader& header) const override
    {
        header.set_schedule("schedule of " + m_part.name);
        header.set_stages(1);
        header.set_replicas(1);
        header.set_measured_iterations(1);
        header.add_workers()->set_gpus(1);
    }

    void WarmUp(Testbed& /*testbed*/, RecordSink& trace) override
    {
        m_part.calls.emplace_back("warm up");
        m_trace = &trace;
    }

    void Settle(Testbed& /*testbed*/) override
    {
        m_part.calls.emplace_back("settle");
    }

    void Begin(Testbed& testbed) override
    {
        m_part.calls.emplace_back("begin");
        Clock& clock = testbed.GetClock();
        EXPECT_EQ(clock.Now(), Instant());
        if (m_part.lasts > Duration())
        {
            clock.Schedule(Instant() + m_part.lasts, [this] { m_isOver = true; });
        }
    }

    std::optional<Instant> End() const override
    {
        return m_part.hasEndOfItsOwn ? std::optional(Instant() + m_part.lasts) : std::nullopt;
    }

    bool IsDone() const override
    {
        return m_isOver && !m_part.fails;
    }

    bool HasFailed() const override
    {
        return m_isOver && m_part.fails;
    }

    std::optional<WorkTimes> Times() const override
    {
        const Instant end = Instant() + m_part.lasts;
        return m_part.measuredFrom
                   ? std::optional(WorkTimes{
                         Instant() + m_part.begins, end, Instant() + *m_part.measuredFrom, end})
                   : std::nullopt;
    }

    std::string WhoWaits() const override
    {
        return "it waits for " + m_part.name;
    }

    void Finish(Testbed& /*testbed*/, trace::RunEnd& end) override
    {
        m_part.calls.emplace_back("finish");
        end.set_kv_bytes(7);
        trace::Record record;
        record.mutable_bubble()->set_length_ns(1);
        m_trace->Write(record);
    }

    void CheckResults() const override
    {
        m_part.calls.emplace_back("check");
    }

  private:
    Part& m_part;
    RecordSink* m_trace = nullptr;
    bool m_isOver = false;
};

/// Returns what the run says where it does not finish; empty where it does.
std::string
RunParts(const std::filesystem::path& folder, std::vector<Part>& parts)
{
    Experiment experiment = LoadSmall({"run.network=ANALYTIC", "run.deadline=10s"});
    experiment.warnings = {"look twice"};
    Workloads workloads;
    for (Part& part : parts)
    {
        workloads.push_back(std::make_unique<TimedWorkload>(part));
    }
    RunOptions options;
    options.folder = folder;
    EarlyEnd early(experiment.run, {});
    try
    {
        RunWorkloads(std::move(workloads), experiment, options, early);
    }
    catch (const UnfinishedRun& unfinished)
    {
        return unfinished.what();
    }
    return "";
}

const std::vector<std::string> allCalls{"warm up", "settle", "begin", "finish", "check"};

TEST(RunWorkloads, OneAloneIsPreparedBegunFinishedAndChecked)
{
    const TemporaryFolder folder;
    std::vector<Part> parts{{"", Duration::Seconds(2)}};
    EXPECT_EQ(RunParts(folder.Path(), parts), "");
    EXPECT_EQ(parts[0].calls, allCalls);
    TraceReader reader((folder.Path() / "trace.pb").string());
    EXPECT_EQ(reader.HeaderOfRun().jobs_size(), 0);
    EXPECT_EQ(reader.Header().schedule(), "schedule of ");
    EXPECT_EQ(reader.Next()->warning().text(), "look twice");
    EXPECT_TRUE(reader.Next()->has_bubble());
    const auto end = reader.Next()->run_end();
    EXPECT_TRUE(end.finished());
    EXPECT_EQ(end.simulated_time_ns(), 2000000000);
    EXPECT_EQ(end.kv_bytes(), 7U);
}

TEST(RunWorkloads, TwoRunUntilTheLongerIsOverAndKeepTheirRecordsApart)
{
    const TemporaryFolder folder;
    std::vector<Part> parts{{"a", Duration::Seconds(3)}, {"b", Duration::Seconds(1)}};
    EXPECT_EQ(RunParts(folder.Path(), parts), "");
    EXPECT_EQ(parts[0].calls, allCalls);
    EXPECT_EQ(parts[1].calls, allCalls);
    for (std::uint32_t job = 0; job < 2; ++job)
    {
        TraceReader reader((folder.Path() / "trace.pb").string(), job);
        EXPECT_EQ(reader.Header().job(), parts[job].name);
        EXPECT_EQ(reader.Header().schedule(), "schedule of " + parts[job].name);
        EXPECT_TRUE(reader.Next()->has_warning()); // of the run
        EXPECT_TRUE(reader.Next()->has_bubble());  // its own, and not the other's
        const auto end = reader.Next()->run_end();
        EXPECT_EQ(end.simulated_time_ns(), 3000000000);
        EXPECT_EQ(end.kv_bytes(), 7U);
    }
}

TEST(RunWorkloads, AFailureEndsTheRunAtOnceAndNamesTheJobsThatAreNotDone)
{
    const TemporaryFolder folder;
    std::vector<Part> parts{{"a", Duration::Seconds(1)},
                            {"b", Duration::Seconds(2), true},
                            {"c", Duration::Seconds(5)}};
    EXPECT_EQ(RunParts(folder.Path(), parts),
              "the simulation did not finish at 2.000000 s of simulated time:\n"
              "job b:\nit waits for b\njob c:\nit waits for c");
    EXPECT_EQ(parts[0].calls.back(), "finish"); // results of an unfinished run are not checked
    TraceReader reader((folder.Path() / "trace.pb").string());
    while (const auto record = reader.Next())
    {
        EXPECT_FALSE(record->has_run_end() && record->run_end().finished());
    }
    EXPECT_EQ(reader.Ending(), TraceReader::End::Complete);
}

TEST(RunWorkloads, WhatNeverEndsIsToldOf)
{
    const TemporaryFolder folder;
    std::vector<Part> parts{{"", Duration()}};
    // Nothing is left to do on the clock, so that the run ends before its deadline.
    EXPECT_NE(RunParts(folder.Path(), parts).find("it waits for"), std::string::npos);
}

TEST(RunWorkloads, OneThatEndsByTimeIsOutlastedByAnother)
{
    const TemporaryFolder folder;
    std::vector<Part> parts{{"flows", Duration::Seconds(4), false, true},
                            {"job", Duration::Seconds(1)}};
    EXPECT_EQ(RunParts(folder.Path(), parts), "");
    TraceReader reader((folder.Path() / "trace.pb").string());
    std::int64_t end = 0;
    while (const auto record = reader.Next())
    {
        end = record->has_run_end() ? record->run_end().simulated_time_ns() : end;
    }
    EXPECT_EQ(end, 4000000000);
}

Part
MeasuredPart(const std::string& name, double begins, double measuredFrom, double ends)
{
    Part part{name, Duration::Seconds(ends)};
    part.begins = Duration::Seconds(begins);
    part.measuredFrom = Duration::Seconds(measuredFrom);
    return part;
}

/// Returns the warnings of a run, without the one that every run of the test has.
std::vector<std::string>
WarningsOf(std::vector<Part> parts)
{
    const TemporaryFolder folder;
    EXPECT_EQ(RunParts(folder.Path(), parts), "");
    TraceReader reader((folder.Path() / "trace.pb").string());
    std::vector<std::string> warnings;
    while (const auto record = reader.Next())
    {
        if (record->has_warning() && record->warning().text() != "look twice")
        {
            warnings.push_back(record->warning().text());
        }
    }
    return warnings;
}

TEST(RunWorkloads, WarnsOfASlowdownThatIsMeasuredPartlyWithoutAnother)
{
    // Of the second from 1 s to 2 s, a quarter is without what ends at 1.75 s or begins at 1.25 s.
    using Lines = std::vector<std::string>;
    EXPECT_EQ(WarningsOf({MeasuredPart("a", 0, 1, 1.75), MeasuredPart("b", 0, 1, 2)}),
              (Lines{"job a ended at 1.750 s, before the measured iterations of job b did: b's "
                     "slowdown is measured without it for 25 % of the time"}));
    EXPECT_EQ(WarningsOf({MeasuredPart("a", 1.25, 1.25, 2), MeasuredPart("b", 0, 1, 2)}),
              (Lines{"job a began at 1.250 s, after the measured iterations of job b did: b's "
                     "slowdown is measured without it for 25 % of the time"}));
    EXPECT_EQ(WarningsOf({MeasuredPart("b", 0, 1, 2), MeasuredPart("transfer", 0, 0.5, 0.5)}),
              (Lines{"the transfer ended at 0.500 s, before the measured iterations of job b did: "
                     "b's slowdown is measured without it for 100 % of the time"}));
    EXPECT_EQ(WarningsOf({MeasuredPart("a", 0, 1, 1.999), MeasuredPart("b", 0, 1, 2)}), Lines());
}

} // namespace

} // namespace geotrain
