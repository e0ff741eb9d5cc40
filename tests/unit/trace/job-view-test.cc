// SPDX-License-Identifier: GPL-2.0-only
// Tests that a job's view of a run's trace is the trace that the job would write alone.
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/job-view.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"
#include "trace/trace-writer.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

PipelineSetup
Pipeline(std::uint32_t stages, std::uint32_t microbatches)
{
    PipelineSetup setup;
    setup.stages = stages;
    setup.replicas = 1;
    setup.microbatches = microbatches;
    setup.linkSamples = false;
    return setup;
}

/// JobView writes a run of two jobs, and reads it as one of them.
class JobView : public testing::Test
{
  protected:
    JobView()
        : m_records(TraceOfJobs({{"a", Pipeline(2, 2)}, {"b", Pipeline(3, 4)}}))
    {
    }

    std::vector<trace::Record> Read(std::uint32_t job) const
    {
        const auto path = (m_folder / "trace.pb").string();
        WriteTrace(path, m_records);
        TraceReader reader(path, job);
        std::vector<trace::Record> records(1);
        *records.front().mutable_run_header() = reader.Header();
        while (const auto record = reader.Next())
        {
            records.push_back(*record);
        }
        EXPECT_EQ(reader.Ending(), TraceReader::End::Complete);
        return records;
    }

    std::string WhyRefused() const
    {
        const auto path = (m_folder / "refused.pb").string();
        try
        {
            WriteTrace(path, m_records);
            TraceReader reader(path);
            while (reader.Next())
            {
            }
        }
        catch (const TraceError& error)
        {
            return std::string(error.what()).substr(path.size() + 2);
        }
        return "";
    }

    trace::RunHeader& Header()
    {
        return *m_records.front().mutable_run_header();
    }

    TemporaryFolder m_folder;
    std::vector<trace::Record> m_records;
};

TEST_F(JobView, IsTheTraceOfTheJobAlone)
{
    const auto alone = PipelineTrace(Pipeline(3, 4));
    const auto view = Read(1);
    ASSERT_EQ(view.size(), alone.size());
    for (std::size_t index = 1; index < alone.size(); ++index)
    {
        auto expected = alone[index];
        if (expected.has_message_span())
        {
            auto& span = *expected.mutable_message_span(); // two nodes of the other job come first
            span.set_source(span.source() + 2);
            span.set_destination(span.destination() + 2);
        }
        EXPECT_EQ(view[index].DebugString(), expected.DebugString()) << index;
    }
    const auto& header = view.front().run_header();
    EXPECT_EQ(header.job(), "b");
    EXPECT_EQ(header.network(), "packet");
    EXPECT_EQ(header.stages(), 3u);
    EXPECT_EQ(header.nodes_size(), 5);
    EXPECT_EQ(header.workers_size(), 3);
    EXPECT_EQ(header.jobs_size(), 0);
}

TEST_F(JobView, HoldsWhatIsOfTheWholeRun)
{
    trace::Record sample;
    sample.mutable_link_sample()->set_link_class(trace::LINK_CLASS_WAN);
    sample.mutable_link_sample()->set_interval_ns(1);
    trace::Record warning;
    warning.mutable_warning()->set_text("look");
    trace::Record pair;
    pair.mutable_flow_sample()->set_destination(1);
    trace::Record ofA;
    ofA.mutable_counters()->set_iteration(7);
    m_records.insert(m_records.begin() + 1, {sample, warning, pair, ofA});
    const auto b = Read(1);
    EXPECT_TRUE(b[1].has_link_sample());
    EXPECT_TRUE(b[2].has_warning());
    EXPECT_TRUE(b[3].has_flow_sample());
    EXPECT_FALSE(b[4].has_counters());
    EXPECT_EQ(Read(0)[4].counters().iteration(), 7u);
}

TEST_F(JobView, OfARunWithoutJobsIsTheRun)
{
    m_records = PipelineTrace(Pipeline(2, 2));
    const auto view = Read(0);
    ASSERT_EQ(view.size(), m_records.size());
    EXPECT_EQ(view.back().SerializeAsString(), m_records.back().SerializeAsString());
    EXPECT_EQ(JobNames(view.front().run_header()), std::vector<std::string>{""});
    EXPECT_THROW(Read(1), TraceError);
}

TEST_F(JobView, WriterSaysWhoseTheRecordsAre)
{
    const auto path = (m_folder / "trace.pb").string();
    {
        TraceWriter run(path, Header());
        JobTraceWriter b(run, 1);
        trace::Record counters;
        counters.mutable_counters()->set_iteration(3);
        b.Write(counters);
        trace::RunEnd end;
        end.set_finished(true);
        end.add_jobs();
        end.add_jobs()->set_iteration_time_alone_s(2);
        run.Finish(end);
    }
    TraceReader reader(path, 1);
    EXPECT_EQ(reader.Next()->counters().iteration(), 3u);
    const auto end = reader.Next()->run_end();
    EXPECT_TRUE(end.finished());
    EXPECT_EQ(end.iteration_time_alone_s(), 2);
    EXPECT_EQ(TraceReader(path, 0).Next()->run_end().iteration_time_alone_s(), 0);
}

TEST_F(JobView, RefusesBrokenJobs)
{
    const auto whole = m_records;
    m_records[1].set_job(2);
    EXPECT_EQ(WhyRefused(), "record.job: must be a job of the run header");
    m_records = whole;
    m_records[1].mutable_gpu_span()->set_worker(2); // the other job has a worker 2
    m_records[1].set_job(0);
    EXPECT_EQ(WhyRefused(), "gpu_span.worker: must be a worker of the run header");
    m_records = whole;
    m_records.back().mutable_run_end()->mutable_jobs(1)->set_iteration_time_alone_s(-1);
    EXPECT_EQ(WhyRefused(), "run_end.jobs.iteration_time_alone_s: must be a number >= 0");
    m_records = whole;
    for (const auto* name : {"a", "", "../a"})
    {
        Header().mutable_jobs(1)->set_job(name);
        EXPECT_EQ(WhyRefused(),
                  "run_header.jobs: each must have a name of its own, of letters, digits and . _ + -");
    }
    Header().mutable_jobs(1)->set_job("b");
    Header().mutable_jobs(1)->clear_workers();
    EXPECT_EQ(WhyRefused(), "run_header.workers: must not be empty");
    *Header().mutable_jobs(1) = whole.front().run_header();
    Header().mutable_jobs(1)->set_job("b");
    EXPECT_EQ(WhyRefused(), "run_header.jobs: nodes and jobs must be of the run only");
    Header() = whole.front().run_header();
    *Header().mutable_workers() = Header().jobs(0).workers();
    EXPECT_EQ(WhyRefused(), "run_header: workers and transfers must be of its jobs");
}

} // namespace
} // namespace geotrain
