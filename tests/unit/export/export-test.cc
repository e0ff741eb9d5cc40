// SPDX-License-Identifier: GPL-2.0-only
// Exports hold each record once, in a form that others read.
#include "export/csv-export.h"
#include "export/perfetto-export.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

namespace geotrain
{
namespace
{

std::vector<std::string>
Lines(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

class ExportTest : public ::testing::Test
{
  protected:
    void Trace(const std::vector<trace::Record>& records) const
    {
        WriteTrace((m_folder / "trace.pb").string(), records);
    }

    TemporaryFolder m_folder;
};

TEST_F(ExportTest, CsvTablesHoldARowARecord)
{
    const auto records = PipelineTrace({});
    std::map<trace::Record::KindCase, std::size_t> count;
    for (const auto& record : records)
    {
        ++count[record.kind_case()];
    }
    Trace(records);
    EXPECT_EQ(ExportCsv(RunsIn(m_folder.Path()), m_folder.Path()).size(), 10u);
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv").size(), 1 + count[trace::Record::kGpuSpan]);
    EXPECT_EQ(Lines(m_folder / "message_spans.csv").size(), 1 + count[trace::Record::kMessageSpan]);
    EXPECT_EQ(Lines(m_folder / "link_samples.csv").size(), 1 + count[trace::Record::kLinkSample]);
    EXPECT_EQ(Lines(m_folder / "workers.csv").size(), 1 + 12u);
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv")[0],
              "worker,iteration,kind,stage,microbatch,start_ns,end_ns,worker_name");
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv")[1],
              "0,0,forward,0,0,0,20000000,replica 0 stage 0 (dc0-1)");
}

TEST_F(ExportTest, CsvQuotesWhatNeedsIt)
{
    auto records = PipelineTrace({});
    trace::Record warning;
    warning.mutable_warning()->set_text("a \"b\", c");
    records.insert(records.begin() + 1, warning);
    Trace(records);
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    EXPECT_EQ(Lines(m_folder / "warnings.csv")[1], "\"a \"\"b\"\", c\",0"); // text, untrusted
}

TEST_F(ExportTest, NoTableIsEmptyAndOldOnesGo)
{
    std::ofstream(m_folder / "requests.csv") << "number\n1\n"; // of an earlier export
    Trace(PipelineTrace({}));
    for (const auto& file : ExportCsv(RunsIn(m_folder.Path()), m_folder.Path()))
    {
        EXPECT_GT(Lines(file).size(), 1U) << file;
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder / "requests.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "warnings.csv"));
}

TEST_F(ExportTest, TablesOfAComparisonNameVariantAndSeed)
{
    auto records = PipelineTrace({});
    const std::map<std::string, std::uint64_t> seeds{{"b/seed-2", 2}, {"b/seed-10", 10}, {"a", 1}};
    for (const auto& [run, seed] : seeds)
    {
        records.front().mutable_run_header()->set_seed(seed);
        std::filesystem::create_directories(m_folder / run);
        WriteTrace((m_folder / run / "trace.pb").string(), records);
        std::ofstream(m_folder / run / "summary.csv") << "metric,value,unit\nmfu,0.5,\n";
    }
    std::ofstream(m_folder / "comparison.csv") << "variant,mfu\nb,0.5\na,0.5\n";
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    EXPECT_EQ(
        Lines(m_folder / "summary.csv"),
        (std::vector<std::string>{
            "variant,seed,metric,value,unit", "b,2,mfu,0.5,", "b,10,mfu,0.5,", "a,1,mfu,0.5,"}));
    EXPECT_EQ(Lines(m_folder / "workers.csv")[0].rfind("variant,seed,worker,node,", 0), 0U);
    EXPECT_EQ(Lines(m_folder / "workers.csv").size(), 1 + 3 * 12U);
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv")[1].rfind("b,2,0,0,forward,", 0), 0U);
}

TEST_F(ExportTest, TablesOfARunWithJobsTellWhoseARowIs)
{
    PipelineSetup plain;
    plain.stages = 2;
    plain.replicas = 1;
    plain.linkSamples = false;
    auto records = TraceOfJobs({{"a", plain}, {"b", plain}});
    trace::Record warning;
    warning.mutable_warning()->set_text("look");
    records.insert(records.begin() + 1, warning);
    Trace(records);
    std::ofstream(m_folder / "flows-b.csv") << "flow,goodput_bps\none,5\n";
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    const auto spans = Lines(m_folder / "gpu_spans.csv");
    EXPECT_EQ(spans[0],
              "worker,iteration,kind,stage,microbatch,start_ns,end_ns,worker_name,of_job");
    EXPECT_EQ(spans[1], "0,0,forward,0,0,0,20000000,replica 0 stage 0 (dc0-1),a");
    EXPECT_EQ(spans.back().substr(spans.back().rfind(',')), ",b");
    EXPECT_EQ(Lines(m_folder / "warnings.csv"),
              (std::vector<std::string>{"text,untrusted,of_job", "look,0,"}));
    EXPECT_EQ(Lines(m_folder / "run.csv").size(), 3U);
    EXPECT_EQ(Lines(m_folder / "run_end.csv").size(), 3U);
    EXPECT_EQ(Lines(m_folder / "nodes.csv").size(), 1 + 4U);
    EXPECT_EQ(Lines(m_folder / "workers.csv")[3].rfind("0,2,", 0), 0U); // of b, on the third node
    EXPECT_EQ(Lines(m_folder / "flows.csv"),
              (std::vector<std::string>{"flow,goodput_bps,of_job", "one,5,b"}));
}

TEST_F(ExportTest, NamesExplainIds)
{
    auto records = PipelineTrace({});
    trace::Record sample;
    sample.mutable_flow_sample()->set_destination(4);
    sample.mutable_flow_sample()->set_connection(7);
    records.insert(records.begin() + 1, sample);
    Trace(records);
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    const auto& nodes = records.front().run_header().nodes();
    const auto line = Lines(m_folder / "flow_samples.csv")[1];
    const auto names = nodes[0].name() + "," + nodes[4].name() + "," + nodes[0].name() + " -> " +
                       nodes[4].name() + " #7";
    EXPECT_EQ(line, "0,0,4,7,0,0,0,0,0,0," + names);
    EXPECT_EQ(Lines(m_folder / "nodes.csv")[1].rfind("0," + nodes[0].name() + ",", 0), 0U);
}

TEST_F(ExportTest, ATableThatCannotBeWrittenSaysWhy)
{
    Trace(PipelineTrace({}));
    std::filesystem::create_directory(m_folder / "workers.csv");
    try
    {
        ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
        FAIL();
    }
    catch (const TraceError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  (m_folder / "workers.csv").string() + ": cannot be written (Is a directory)");
    }
}

TEST_F(ExportTest, TruncatedTraceLeavesNoTables)
{
    Trace(PipelineTrace({}));
    const auto path = m_folder / "trace.pb";
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THROW(ExportCsv(RunsIn(m_folder.Path()), m_folder.Path()), TraceError);
    EXPECT_THROW(ExportPerfetto(path, m_folder / "timeline.pftrace"), TraceError);
    const auto entries = std::filesystem::directory_iterator(m_folder.Path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1); // the trace
}

} // namespace
} // namespace geotrain
