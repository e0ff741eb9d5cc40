// SPDX-License-Identifier: GPL-2.0-only
// Exports hold each record once, in a form that others read.
#include "export/csv-export.h"
#include "export/perfetto-export.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
    TraceReader Trace(const std::vector<trace::Record>& records)
    {
        WriteTrace((m_folder / "trace.pb").string(), records);
        return TraceReader((m_folder / "trace.pb").string());
    }

    TemporaryFolder m_folder;
};

TEST_F(ExportTest, PerfettoTimelineHoldsEverySpan)
{
    const auto records = PipelineTrace({});
    std::map<trace::Record::KindCase, int> count;
    for (const auto& record : records)
    {
        ++count[record.kind_case()];
    }
    TraceReader reader = Trace(records);
    ExportPerfetto(reader, m_folder / "timeline.json");
    const auto json = nlohmann::json::parse(Contents(m_folder / "timeline.json"));
    std::map<std::string, int> phases;
    for (const auto& event : json["traceEvents"])
    {
        ++phases[event["ph"].get<std::string>()];
    }
    EXPECT_EQ(phases["X"], count[trace::Record::kGpuSpan]);
    const int asynchronous =
        count[trace::Record::kMessageSpan] + count[trace::Record::kCollectiveSpan];
    EXPECT_EQ(phases["b"], asynchronous);
    EXPECT_EQ(phases["e"], asynchronous);
    EXPECT_EQ(phases["C"],
              3 * count[trace::Record::kFlowSample] + 2 * count[trace::Record::kLinkSample]);
    EXPECT_EQ(phases["M"], 3 + 2 + 12); // data centres; messages and network; workers
}

TEST_F(ExportTest, PerfettoTimesAreMicroseconds)
{
    PipelineSetup setup;
    setup.forwardNs = 1234567;
    TraceReader reader = Trace(PipelineTrace(setup));
    ExportPerfetto(reader, m_folder / "timeline.json");
    const auto json = nlohmann::json::parse(Contents(m_folder / "timeline.json"));
    for (const auto& event : json["traceEvents"])
    {
        if (event["ph"] == "X" && event["name"] == "forward")
        {
            EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 1234.567);
            return;
        }
    }
    FAIL() << "no forward";
}

TEST_F(ExportTest, CsvTablesHoldARowARecord)
{
    const auto records = PipelineTrace({});
    std::map<trace::Record::KindCase, std::size_t> count;
    for (const auto& record : records)
    {
        ++count[record.kind_case()];
    }
    TraceReader reader = Trace(records);
    EXPECT_EQ(ExportCsv(reader, m_folder.Path()).size(), 19u);
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv").size(), 1 + count[trace::Record::kGpuSpan]);
    EXPECT_EQ(Lines(m_folder / "message_spans.csv").size(), 1 + count[trace::Record::kMessageSpan]);
    EXPECT_EQ(Lines(m_folder / "link_samples.csv").size(), 1 + count[trace::Record::kLinkSample]);
    EXPECT_EQ(Lines(m_folder / "workers.csv").size(), 1 + 12u);
    EXPECT_EQ(Lines(m_folder / "warnings.csv"), (std::vector<std::string>{"text"}));
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv")[0],
              "worker,iteration,kind,stage,microbatch,start_ns,end_ns");
    EXPECT_EQ(Lines(m_folder / "gpu_spans.csv")[1], "0,0,forward,0,0,0,20000000");
}

TEST_F(ExportTest, CsvQuotesWhatNeedsIt)
{
    auto records = PipelineTrace({});
    trace::Record warning;
    warning.mutable_warning()->set_text("a \"b\", c");
    records.insert(records.begin() + 1, warning);
    TraceReader reader = Trace(records);
    ExportCsv(reader, m_folder.Path());
    EXPECT_EQ(Lines(m_folder / "warnings.csv")[1], "\"a \"\"b\"\", c\"");
}

TEST_F(ExportTest, OddNamesDoNotBreakTheTimeline)
{
    auto records = PipelineTrace({});
    for (auto& record : records)
    {
        if (record.has_link_sample())
        {
            record.mutable_link_sample()->set_link("a \"b\"\n\\");
        }
    }
    TraceReader reader = Trace(records);
    ExportPerfetto(reader, m_folder / "timeline.json");
    EXPECT_TRUE(nlohmann::json::accept(Contents(m_folder / "timeline.json")));
}

TEST_F(ExportTest, TruncatedTraceLeavesNoTables)
{
    Trace(PipelineTrace({}));
    const auto path = m_folder / "trace.pb";
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    TraceReader reader(path.string());
    EXPECT_THROW(ExportCsv(reader, m_folder.Path()), TraceError);
    TraceReader again(path.string());
    EXPECT_THROW(ExportPerfetto(again, m_folder / "timeline.json"), TraceError);
    const auto entries = std::filesystem::directory_iterator(m_folder.Path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 1); // the trace
}

} // namespace
} // namespace geotrain
