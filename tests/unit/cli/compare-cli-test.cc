// SPDX-License-Identifier: GPL-2.0-only
// Tests geotrain compare end to end: rows, figures, resumed comparisons, seeds.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

TEST_F(Cli, CompareWritesARowAVariant)
{
    const auto outcome = Geotrain("compare small.textproto --network analytic --out c --jobs 2");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    std::istringstream csv(Contents(m_folder / "c/comparison.csv"));
    std::string header;
    std::string first;
    std::string second;
    std::getline(csv, header);
    std::getline(csv, first);
    std::getline(csv, second);
    EXPECT_EQ(header.rfind("variant,job,schedule.name,iteration_time_s,gpu_utilization,", 0), 0U)
        << header;
    EXPECT_EQ(first.rfind("plain,,,", 0), 0U); // the scenario's own
    EXPECT_EQ(second.rfind("gpipe,,gpipe,", 0), 0U);
    EXPECT_EQ(nlohmann::json::parse(Contents(m_folder / "c/run-info.json"))["seed"], 1);
    EXPECT_TRUE(fs::exists(m_folder / "c/gpipe/trace.pb"));
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/comparison.png"));
    EXPECT_EQ(Geotrain("figures c").code, 0);
}

TEST_F(Cli, RanksOfALaunchShareAComparisonAndOneMayBeKilled)
{
    const std::string compare = "compare small.textproto --network analytic --jobs 1 --quiet "
                                "--figures NONE --vary model.microbatches=1..12 --out ";
    ASSERT_EQ(Geotrain(compare + "alone").code, 0);
    // As mpirun starts them, on one machine; the third of the others is killed at some moment.
    Write("launch.sh",
          "export OMPI_COMM_WORLD_SIZE=4 PMIX_NAMESPACE=$$\n"
          "for rank in 1 2 3; do\n"
          "    OMPI_COMM_WORLD_RANK=$rank '" GEOTRAIN_PROGRAM "' " +
              compare +
              "ranks > rank-$rank.txt 2>&1 &\n"
              "done\n"
              "(sleep 0.7; kill -9 $!) &\n"
              "OMPI_COMM_WORLD_RANK=0 '" GEOTRAIN_PROGRAM "' " +
              compare +
              "ranks\n"
              "code=$?\n"
              "wait\n"
              "exit $code\n");
    const int status = std::system(
        ("cd '" + m_folder.string() + "' && bash launch.sh > out.txt 2> error.txt").c_str());
    ASSERT_EQ(WEXITSTATUS(status), 0) << Contents(m_folder / "error.txt");
    EXPECT_EQ(Contents(m_folder / "ranks/comparison.csv"),
              Contents(m_folder / "alone/comparison.csv"));
    EXPECT_FALSE(fs::exists(m_folder / "ranks/sweep"));
    for (const char* rank : {"rank-1.txt", "rank-2.txt"})
    {
        EXPECT_EQ(Contents(m_folder / rank), "") << rank;
    }
}

TEST_F(Cli, CompareDrawsWhatItIsAskedTo)
{
    const auto comparisonOf = [this](const char* folder)
    { return fs::exists(m_folder / folder / "figures/comparison.png"); };
    const auto runOf = [this](const char* folder)
    { return fs::exists(m_folder / folder / "figures/timeline.png"); };
    const std::string compare = "compare small.textproto --network analytic --jobs 2 --quiet ";
    ASSERT_EQ(Geotrain(compare + "--out all").code, 0);
    EXPECT_TRUE(comparisonOf("all") && runOf("all/gpipe"));
    ASSERT_EQ(Geotrain(compare + "--out one --figures comparison").code, 0);
    EXPECT_TRUE(comparisonOf("one") && !runOf("one/gpipe"));
    ASSERT_EQ(Geotrain(compare + "--out none --figures NONE").code, 0);
    EXPECT_FALSE(comparisonOf("none") || runOf("none/gpipe"));
    EXPECT_EQ(Geotrain("figures none").code, 0);
    EXPECT_TRUE(comparisonOf("none") && runOf("none/gpipe"));
    // With several seeds figures of each run are too many to look at.
    ASSERT_EQ(Geotrain(compare + "--out seeds --seeds 1,2").code, 0);
    EXPECT_TRUE(comparisonOf("seeds") && !runOf("seeds/gpipe/seed-1"));
    ASSERT_EQ(Geotrain(compare + "--out every --seeds 1,2 --figures ALL").code, 0);
    EXPECT_TRUE(comparisonOf("every") && runOf("every/gpipe/seed-1"));
    const auto wrong = Geotrain(compare + "--out wrong --figures SOME");
    EXPECT_EQ(wrong.code, 1);
    EXPECT_EQ(Lines(wrong.error), 1) << wrong.error;
}

TEST_F(Cli, FiguresFollowChoicesAndRefuseBadOnes)
{
    ASSERT_EQ(Geotrain("compare small.textproto --network analytic --out c --jobs 2").code, 0);
    fs::remove_all(m_folder / "c/figures");
    const auto drawn = Geotrain("figures c --only comparison --variant gpipe --width 3.3in "
                                "--title none --format svg,pdf --json");
    ASSERT_EQ(drawn.code, 0) << drawn.error;
    const auto files = nlohmann::json::parse(drawn.out)["figures"];
    EXPECT_EQ(files.size(), 4U) << drawn.out; // SVG, PDF, CSV, gnuplot script
    // 3.3 in are 316.8 pixels of 1/96 in (CSS 2.1, 4.3.2).
    EXPECT_NE(Contents(m_folder / "c/figures/comparison.svg").find("width=\"317\""),
              std::string::npos);
    EXPECT_EQ(Contents(m_folder / "c/figures/comparison.csv").find("plain"), std::string::npos);
    // The comparison has no timeline: those of its runs are drawn.
    fs::remove(m_folder / "c/gpipe/figures/timeline.png");
    EXPECT_EQ(Geotrain("figures c --only timeline --width one-column").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "c/gpipe/figures/timeline.png"));
    for (const auto* arguments : {"--only nothing",
                                  "--only comparison,nothing",
                                  "--variant nothing",
                                  "--width 0.1in",
                                  "--width 100in",
                                  "--width 3",
                                  "--width in",
                                  "--width nan",
                                  "--width -3in",
                                  "--from -1s",
                                  "--from 1",
                                  "--from 2s --to 1s",
                                  "--only timeline --from 1h",
                                  "--only ''",
                                  "--variant ''",
                                  "--only timeline,",
                                  "--only comparison --from 1s",
                                  "--only comparison --to 1s",
                                  "--format ''",
                                  "--format svg,,png",
                                  "--format gif",
                                  "--format png,bmp"})
    {
        const auto outcome = Geotrain(std::string("figures c ") + arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << arguments << "\n" << outcome.error;
    }
    EXPECT_EQ(Geotrain("figures c/gpipe --variant gpipe").code, 1);
}

const char* const bulk = R"(
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "5ms" }
transport { bearer: EXPRESS window: "1MB" }
transfer { size: "200kB" messages: 100 }
grid {
  vary: "transport.congestion_control=TcpCubic,TcpBbr"
  vary: "wan_link[0].loss=0,0.001"
}
)";

TEST_F(Cli, ComparedTransfersHaveTheirColumnsAndFigures)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    const auto outcome = Geotrain("compare bulk.textproto --out c --jobs 2 --set "
                                  "transport.connections=2 --set transfer.rival=TcpCubic");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto csv = Contents(m_folder / "c/comparison.csv");
    EXPECT_EQ(csv.rfind("variant,job,transport.congestion_control,wan_link[0].loss,"
                        "completion_time_p50_s,completion_time_p99_s,completion_time_mean_s,"
                        "messages,goodput_bps,goodput_over_capacity,retransmitted_share,"
                        "mean_queueing_delay_s,jain_index,rival_goodput_over_capacity,"
                        "jain_index_rival,simulated_time_s,warnings,speedup\n",
                        0),
              0U)
        << csv;
    EXPECT_EQ(Lines(csv), 1 + 4);
    for (const auto* figure : {"comparison", "completion-cdf", "congestion"})
    {
        EXPECT_TRUE(fs::exists(m_folder / "c/figures" / (std::string(figure) + ".png"))) << figure;
    }
    const auto report = Contents(m_folder / "c/report.html");
    EXPECT_NE(report.find("href=\"./congestion_control%3DTcpBbr_loss%3D0/report.html\""),
              std::string::npos);
    fs::remove_all(m_folder / "c/figures");
    fs::remove(m_folder / "c/report.html");
    EXPECT_EQ(Geotrain("figures c").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/completion-cdf.png"));
    EXPECT_EQ(Contents(m_folder / "c/report.html"), report);
    EXPECT_EQ(Geotrain("export c --format csv").code, 0);
    EXPECT_EQ(Contents(m_folder / "c/csv/summary.csv").rfind("variant,seed,metric,value,unit,job,meaning\n", 0),
              0U);
    EXPECT_EQ(Geotrain("export c/congestion_control=TcpBbr_loss=0 --format csv").code, 0);
    EXPECT_EQ(Geotrain("export c/congestion_control=TcpBbr_loss=0 --format perfetto").code, 0);
}

TEST_F(Cli, AKilledComparisonGoesOnWhereItWas)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    const std::string compare = "compare bulk.textproto --out c --resume --quiet";
    ASSERT_EQ(Geotrain(compare).code, 0);
    const auto csv = Contents(m_folder / "c/comparison.csv");
    const auto infoOf = [this](const std::string& variant)
    { return Contents(m_folder / "c" / variant / "run-info.json"); };
    const std::string kept = "congestion_control=TcpBbr_loss=0";
    const std::string broken = "congestion_control=TcpBbr_loss=0.001";
    const auto keptInfo = infoOf(kept);
    // The folder is as a kill leaves it: a trace without its end, no summary, no table.
    fs::remove(m_folder / "c/comparison.csv");
    fs::remove(m_folder / "c" / broken / "summary.csv");
    std::ofstream(m_folder / "c" / broken / "run-info.json") << "{}";
    ASSERT_EQ(Geotrain(compare).code, 0);
    EXPECT_EQ(infoOf(kept), keptInfo);
    EXPECT_NE(infoOf(broken), "{}");
    EXPECT_EQ(Contents(m_folder / "c/comparison.csv"), csv);
    // Another scenario in the same folder: everything is run again.
    ASSERT_EQ(Geotrain(compare + " --set transfer.messages=101").code, 0);
    EXPECT_NE(infoOf(kept), keptInfo);
    EXPECT_NE(Contents(m_folder / "c/comparison.csv"), csv);
}

TEST_F(Cli, ResumeRefusesWhatIsNoFolderOfResults)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    fs::create_directory(m_folder / "mine");
    std::ofstream(m_folder / "mine/thesis.tex") << "x";
    for (const auto* arguments : {"--resume", "--resume --out mine", "--resume --force --out c"})
    {
        const auto outcome = Geotrain(std::string("compare bulk.textproto ") + arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(Lines(outcome.error), 1) << outcome.error;
    }
}

TEST_F(Cli, ScenariosRefuseBadTransportsInOneLine)
{
    std::ofstream(m_folder / "bulk.textproto") << bulk;
    for (const auto* set : {"transport.congestion_control=TcpTahiti",
                            "transport.congestion_control=ns3::Node",
                            "transport.congestion_control=ns3::TcpSocketBase",
                            "mtu=575",
                            "mtu=65536",
                            "wan_link[0].queue=0B",
                            "wan_link[0].queue=0bdp",
                            "wan_link[0].loss=1.1"})
    {
        const auto outcome = Geotrain(std::string("run bulk.textproto --out o --set ") + set);
        EXPECT_EQ(outcome.code, 1) << set;
        EXPECT_EQ(Lines(outcome.error), 1) << set << ": " << outcome.error;
        EXPECT_FALSE(fs::exists(m_folder / "o")) << set;
    }
}

TEST_F(Cli, VariantsThatDifferInTheRoundTripHaveTheirFigures)
{
    const auto outcome =
        Geotrain("compare small.textproto --network analytic --vary wan_link[*].delay=5ms,20ms "
                 "--vary schedule.name=1f1b,gpipe --out c --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    for (const auto* figure : {"c/figures/round-trips.png", "c/figures/timelines.png"})
    {
        const auto drawn = Contents(m_folder / figure);
        ASSERT_FALSE(drawn.empty()) << figure;
        fs::remove(m_folder / figure);
        EXPECT_EQ(Geotrain("figures c").code, 0);
        EXPECT_EQ(Contents(m_folder / figure), drawn) << figure;
    }
}

TEST_F(Cli, AComparisonOfNumbersEndsWithItsAnswer)
{
    const auto outcome = Geotrain("compare small.textproto --network analytic --out c --vary "
                                  "transport.connections=1,2,4 --vary mtu=1500,9000");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("\nanswer: connections per node pair, mtu 1500: "),
              std::string::npos)
        << outcome.out;
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/matrix.png"));
}

TEST_F(Cli, AVariantThatFailsLeavesTheOthers)
{
    const auto outcome = Geotrain(
        "compare small.textproto --network analytic --vary model.microbatches=2,-2,4 --out c");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "variant microbatches=-2: exit 1: small.textproto: model.microbatches: \"-2\" must "
              "be >= 1\n");
    const auto csv = Contents(m_folder / "c/comparison.csv");
    EXPECT_EQ(Lines(csv), 4) << csv;
    EXPECT_NE(csv.find("\nmicrobatches=4,,4,0."), std::string::npos) << csv;
}

TEST_F(Cli, SeedsGiveMeanAndInterval)
{
    const auto outcome = Geotrain("compare small.textproto --network analytic --set "
                                  "run.compute_jitter=0.1 --seeds 1..3 --out c --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(Contents(m_folder / "c/comparison.csv").find(",iteration_time_s_ci95,"),
              std::string::npos);
    EXPECT_TRUE(fs::exists(m_folder / "c/plain/seed-3/trace.pb"));
    const auto info = nlohmann::json::parse(Contents(m_folder / "c/run-info.json"));
    EXPECT_EQ(info["seeds"], (std::vector<int>{1, 2, 3}));
}

} // namespace
