// The figures are whole files of the right kind, the same twice, and hold as many rows as they can.
#include "figures/comparison-figure.h"
#include "figures/run-figures.h"
#include "figures/timeline-layout.h"
#include "figures/wan-throughput.h"
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace geotrain
{
namespace
{

std::string
Contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::filesystem::path
TraceOf(const TemporaryFolder& folder, const PipelineSetup& setup)
{
    const auto path = folder / "trace.pb";
    WriteTrace(path.string(), PipelineTrace(setup));
    return path;
}

VariantSummary
Variant(const TemporaryFolder& folder, const std::string& name, const PipelineSetup& setup)
{
    TraceReader reader(TraceOf(folder, setup).string());
    return {name, Summarize(reader)};
}

void
ExpectPngAndPdf(const std::filesystem::path& stem)
{
    EXPECT_EQ(Contents(stem.string() + ".png").substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(Contents(stem.string() + ".pdf").substr(0, 5), "%PDF-");
}

TEST(Figures, RunGivesTimelineAndWanThroughputAndNothingElse)
{
    const TemporaryFolder folder;
    const auto files = DrawRunFigures(TraceOf(folder, {}), folder.Path());
    EXPECT_EQ(files.size(), 4u);
    ExpectPngAndPdf(folder / "timeline");
    ExpectPngAndPdf(folder / "wan-throughput");
    const auto entries = std::filesystem::directory_iterator(folder.Path());
    EXPECT_EQ(std::distance(begin(entries), end(entries)), 5); // the trace and the figures
}

TEST(Figures, ARunKilledInItsFirstIterationShowsWhatThereIs)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace({});
    records.resize(records.size() / 2);
    WriteTrace((folder / "trace.pb").string(), records);
    const auto files = DrawRunFigures(folder / "trace.pb", folder.Path());
    EXPECT_GE(files.size(), 2u);
    ExpectPngAndPdf(folder / "timeline");
}

TEST(Figures, ATraceOfNothingIsRefused)
{
    const TemporaryFolder folder;
    auto records = PipelineTrace({});
    records.resize(1); // the header
    WriteTrace((folder / "trace.pb").string(), records);
    EXPECT_THROW(DrawRunFigures(folder / "trace.pb", folder.Path()), TraceError);
}

TEST(Figures, AreTheSameBytesTwice)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    std::vector<std::string> first;
    for (const auto& file : DrawRunFigures(trace, folder.Path()))
    {
        first.push_back(Contents(file));
    }
    std::size_t index = 0;
    for (const auto& file : DrawRunFigures(trace, folder.Path()))
    {
        EXPECT_EQ(Contents(file), first[index++]) << file;
    }
}

TEST(Figures, RunInsideOneDataCentreHasNoWanThroughput)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.dataCentres = {"only"};
    EXPECT_EQ(DrawRunFigures(TraceOf(folder, setup), folder.Path()).size(), 2u);
}

TEST(Figures, TimelineOf200WorkersHasARowForEach)
{
    PipelineSetup setup;
    setup.stages = 8;
    setup.replicas = 25;
    const auto header = PipelineTrace(setup).front().run_header();
    EXPECT_EQ(LayOutTimeline(header).workers.size(), 200u);
    EXPECT_EQ(LayOutTimeline(header).replicasShown, 0u);
}

TEST(Figures, TimelineOfMoreWorkersShowsTheFirstReplicasThatFit)
{
    PipelineSetup setup;
    setup.stages = 8;
    setup.replicas = 26;
    const auto header = PipelineTrace(setup).front().run_header();
    EXPECT_EQ(LayOutTimeline(header).workers.size(), 200u);
    EXPECT_EQ(LayOutTimeline(header).replicasShown, 25u);
}

TEST(Figures, ComparisonTakesLongAndOddNames)
{
    const TemporaryFolder folder;
    const std::vector<VariantSummary> variants = {
        Variant(folder, "1F1B, one connection of 1.5 MB a node pair, as PyTorch opens it", {}),
        Variant(folder, "it's_a^{name} 'with' \"quotes\" @ & \\n new\nline", {}),
        Variant(folder, std::string(90, 'x'), {}),
        Variant(folder, "", {})};
    EXPECT_EQ(DrawComparison(variants, folder / "comparison").size(), 2u);
    ExpectPngAndPdf(folder / "comparison");
}

TEST(Figures, MissingGnuplotIsNamedInOneLine)
{
    const TemporaryFolder folder;
    const auto trace = TraceOf(folder, {});
    setenv("PATH", folder.Path().c_str(), 1);
    try
    {
        DrawRunFigures(trace, folder.Path());
        FAIL() << "no error";
    }
    catch (const TraceError& error)
    {
        EXPECT_STREQ(error.what(), "gnuplot: must be installed (No such file or directory)");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "timeline.png"));
    EXPECT_FALSE(std::filesystem::exists(folder / "timeline.png.part"));
}

TEST(Figures, MissingFolderIsNamed)
{
    const TemporaryFolder folder;
    EXPECT_THROW(DrawRunFigures(TraceOf(folder, {}), folder / "missing"), TraceError);
}

// Bits are kept: what is spread over the bins adds up to what was added inside the window.
TEST(BinnedBits, KeepWhatLiesInsideTheWindow)
{
    BinnedBits bits({1000, 2000}, 7);
    bits.Add(900, 1100, 200); // half of it outside
    bits.Add(1500, 1500, 40); // no length
    bits.Add(1990, 2010, 60); // half of it outside
    bits.Add(0, 500, 1000);
    bits.Add(2000, 2500, 1000);
    EXPECT_NEAR(bits.TotalBits(), 100 + 40 + 30, 1e-9); // rounding of 7 bins of 142.86 ns
}

// 8 bits over 4 ns of a window of 4 ns: 2 bit/ns in each bin.
TEST(BinnedBits, RateIsBitsOverTime)
{
    BinnedBits bits({0, 4}, 2);
    bits.Add(0, 4, 8);
    EXPECT_EQ(bits.RatesBps(), (std::vector<double>{2e9, 2e9}));
}

TEST(WanThroughput, AnalyticRunTakesItFromMessages)
{
    const TemporaryFolder folder;
    PipelineSetup setup;
    setup.network = "analytic";
    setup.linkSamples = false;
    TraceReader reader(TraceOf(folder, setup).string());
    const auto throughput = GatherWanThroughput(reader, {0, 10000000000}, 100);
    EXPECT_FALSE(throughput.fromLinks);
    // p = 3 stages: two hops, each in both directions, each with 4 replicas x 16 messages of 32
    // MiB.
    ASSERT_EQ(throughput.bits.size(), 4u);
    EXPECT_NEAR(throughput.bits.at("dc0 -> dc1").TotalBits(), 64 * 8 * 33554432.0, 1);
}

} // namespace
} // namespace geotrain
