// SPDX-License-Identifier: GPL-2.0-only
// Tests what the cells of exported tables hold: every type of field, names beside ids, messages inside
// records, and runs that lack something.
#include "csv-rows.h"
#include "export/csv-export.h"
#include "export/name-columns.h"
#include "pipeline-trace.h"
#include "result-folders.h"
#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

class CsvTablesTest : public ::testing::Test
{
  protected:
    /// Exports a run of one GPU with these records before its end.
    std::vector<fs::path> Export(const std::vector<trace::Record>& more = {},
                                 const EditHeader& edit = {}) const
    {
        auto records = OneGpuTrace(1, edit);
        records.insert(records.end() - 1, more.begin(), more.end());
        WriteTrace((m_folder / "trace.pb").string(), records);
        return ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    }

    std::vector<CsvRow> Table(const std::string& name) const
    {
        return ReadCsvRows((m_folder / (name + ".csv")).string());
    }

    bool Has(const std::string& table) const
    {
        return fs::exists(m_folder / (table + ".csv"));
    }

    TemporaryFolder m_folder;
};

TEST_F(CsvTablesTest, AFileEachKindOfRecordByItsName)
{
    trace::Record job;
    job.mutable_fill_job()->set_number(3);
    trace::Record totals;
    totals.mutable_transfer_totals()->set_delivered_bytes(5);
    Export({job, totals, WarningRecord("w")});
    for (const auto* table : {"run", "nodes", "workers", "gpu_spans", "fill_jobs", "warnings"})
    {
        EXPECT_TRUE(Has(table)) << table;
    }
    EXPECT_TRUE(Has("transfer_totals")); // has an s
    EXPECT_TRUE(Has("run_end"));         // there is one
    EXPECT_FALSE(Has("run_header"));     // is run
    EXPECT_FALSE(Has("requests"));
}

TEST_F(CsvTablesTest, EnumerationsAreNamesAndFlagsAreDigits)
{
    trace::Record sample;
    sample.mutable_link_sample()->set_link_class(trace::LINK_CLASS_INTRA_DC);
    sample.mutable_link_sample()->set_link("a -> a");
    sample.mutable_link_sample()->set_utilization(0.125);
    sample.mutable_link_sample()->set_interval_ns(1);
    Export({sample, WarningRecord("one"), WarningRecord("two", true)});
    const auto link = Table("link_samples").at(0);
    EXPECT_EQ(link.at("link_class"), "intra_dc");
    EXPECT_EQ(link.at("utilization"), "0.125");
    EXPECT_EQ(Table("warnings").at(0).at("untrusted"), "0");
    EXPECT_EQ(Table("warnings").at(1).at("untrusted"), "1");
}

TEST_F(CsvTablesTest, NumbersOfAllWidthsAreWhole)
{
    trace::Record span;
    auto& message = *span.mutable_message_span();
    message.set_payload(trace::PAYLOAD_ACTIVATION);
    message.set_bytes(18446744073709551615u);    // 2^64 - 1
    message.set_queued_ns(-4000000000000000000); // in the warm-up; 127 years are the most
    message.set_number(4294967296u);             // 2^32
    Export({span});
    const auto row = Table("message_spans").at(0);
    EXPECT_EQ(row.at("bytes"), "18446744073709551615");
    EXPECT_EQ(row.at("queued_ns"), "-4000000000000000000");
    EXPECT_EQ(row.at("number"), "4294967296");
}

TEST_F(CsvTablesTest, ListsOfTextsAreJoined)
{
    Export({},
           [](trace::RunHeader& header)
           {
               header.add_draws("packet losses");
               header.add_draws("arrivals, of requests");
           });
    EXPECT_EQ(Table("run").at(0).at("draws"), "packet losses;arrivals, of requests");
}

TEST_F(CsvTablesTest, AMessageInsideARecordHasColumnsWithItsName)
{
    Export({},
           [](trace::RunHeader& header)
           {
               header.mutable_wan_conditions()->set_loss(0.001);
               header.mutable_wan_conditions()->set_queue("1bdp");
           });
    const auto run = Table("run").at(0);
    EXPECT_EQ(run.at("wan_conditions_loss"), "0.001");
    EXPECT_EQ(run.at("wan_conditions_queue"), "1bdp");
    EXPECT_EQ(run.at("serving_model"), ""); // not set
}

TEST_F(CsvTablesTest, WorkersAndNodesAreNamedBesideTheirIds)
{
    trace::Record span;
    span.mutable_message_span()->set_payload(trace::PAYLOAD_GRADIENT);
    Export({span});
    const auto row = Table("message_spans").at(0);
    EXPECT_EQ(row.at("sender"), "0");
    EXPECT_EQ(row.at("sender_name"), "replica 0 stage 0 (dc0-1)");
    EXPECT_EQ(row.at("source_name"), "dc0-1");
    EXPECT_EQ(Table("workers").at(0).at("node_name"), "dc0-1");
}

TEST_F(CsvTablesTest, ConnectionsOfFlowsHaveTheirFlowsName)
{
    auto records = MessagesTrace({0.1});
    auto& flow = *records.front().mutable_run_header()->mutable_transfers()->add_flows();
    flow.set_name("late");
    flow.set_destination(1);
    trace::Record sample;
    sample.mutable_flow_sample()->set_destination(1);
    sample.mutable_flow_sample()->set_flow_number(1);
    sample.mutable_flow_sample()->set_connection(2);
    records.insert(records.end() - 1, sample);
    WriteTrace((m_folder / "trace.pb").string(), records);
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    EXPECT_EQ(Table("flow_samples").at(0).at("flow"), "late #2");
}

TEST_F(CsvTablesTest, TablesOfTheRunsFolderAreTakenOver)
{
    WriteText(m_folder / "summary.csv", "metric,value,unit\nmfu,0.5,\nmessages,3,\n");
    const auto exported = m_folder / "csv";
    fs::create_directory(exported);
    WriteTrace((m_folder / "trace.pb").string(), OneGpuTrace(1));
    ExportCsv(RunsIn(m_folder.Path()), exported);
    const auto rows = ReadCsvRows((exported / "summary.csv").string());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].at("metric"), "messages");
    EXPECT_FALSE(fs::exists(exported / "flows.csv"));
}

TEST_F(CsvTablesTest, ARunThatWasKilledHasNoSummaryAndNoEnd)
{
    auto records = OneGpuTrace(1);
    records.pop_back();
    WriteTrace((m_folder / "trace.pb").string(), records);
    EXPECT_FALSE(ExportCsv(RunsIn(m_folder.Path()), m_folder.Path()).empty());
    EXPECT_TRUE(Has("gpu_spans"));
    EXPECT_FALSE(Has("run_end"));
    EXPECT_FALSE(Has("summary"));
}

TEST_F(CsvTablesTest, OneVariantOfAComparisonIsNamed)
{
    WriteRun(m_folder / "only", OneGpuTrace(1));
    WriteText(m_folder / "comparison.csv", "variant\nonly\n");
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    for (const auto* table : {"gpu_spans", "workers", "summary", "run_end"})
    {
        EXPECT_EQ(Table(table).at(0).at("variant"), "only") << table;
    }
}

TEST_F(CsvTablesTest, TheRunHasItsOwnColumnsForVariantAndSeed)
{
    const auto edit = [](trace::RunHeader& header)
    {
        header.set_variant("a");
        header.set_seed(9);
    };
    WriteRun(m_folder / "a/seed-9", OneGpuTrace(1, edit));
    WriteText(m_folder / "comparison.csv", "variant\na\n");
    ExportCsv(RunsIn(m_folder.Path()), m_folder.Path());
    const auto heads = CsvFields(Contents(m_folder / "run.csv")
                                     .substr(0, Contents(m_folder / "run.csv").find('\n')));
    EXPECT_EQ(std::count(heads.begin(), heads.end(), "variant"), 1);
    EXPECT_EQ(std::count(heads.begin(), heads.end(), "seed"), 1);
    EXPECT_EQ(Table("run").at(0).at("seed"), "9");
    EXPECT_EQ(Table("gpu_spans").at(0).at("seed"), "9");
}

TEST_F(CsvTablesTest, EveryFileThatIsReturnedIsThere)
{
    const auto files = Export({WarningRecord("w")});
    for (const auto& file : files)
    {
        EXPECT_TRUE(fs::exists(file)) << file;
        EXPECT_FALSE(fs::exists(file.string() + ".part")) << file;
    }
    EXPECT_EQ(std::count(files.begin(), files.end(), m_folder / "warnings.csv"), 1);
}

TEST(NameColumns, ConnectionsAreNamedByTheirNodes)
{
    trace::RunHeader header;
    header.add_nodes()->set_name("dc-a/0");
    header.add_nodes()->set_name("dc-b/0");
    header.add_workers()->set_node(1);
    header.mutable_workers(0)->set_replica(2);
    header.mutable_workers(0)->set_stage(3);
    EXPECT_EQ(WorkerName(header, 0), "replica 2 stage 3 (dc-b/0)");
    EXPECT_EQ(ConnectionName(header, 0, 1, 7), "dc-a/0 -> dc-b/0 #7");
    EXPECT_EQ(NameInFlow(header, 0, 7), std::nullopt); // no run of flows
    header.mutable_transfers()->add_flows()->set_name("bbr");
    EXPECT_EQ(NameInFlow(header, 1, 7), "bbr #7");
}

TEST(NameColumns, OnlyIdsOfWorkersAndNodesHaveNames)
{
    const auto& span = *trace::MessageSpan::descriptor();
    for (const auto* id : {"sender", "receiver", "source", "destination"})
    {
        EXPECT_TRUE(IsId(*span.FindFieldByName(id))) << id;
    }
    for (const auto* number : {"number", "iteration", "stage", "bytes"})
    {
        EXPECT_FALSE(IsId(*span.FindFieldByName(number))) << number;
    }
}

} // namespace
} // namespace geotrain
