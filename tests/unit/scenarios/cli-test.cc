// The geotrain program end to end: exit codes, file names, columns, messages.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace
{

namespace fs = std::filesystem;

struct Outcome
{
    int code = 0;
    std::string out;
    std::string error;
};

std::string
Contents(const fs::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class Cli : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = fs::path(testing::TempDir()) / (std::string("geotrain-cli-") + info->name());
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
        std::ofstream(m_folder / "small.textproto") << R"(
model { transformer { layers: 4 hidden: 256 heads: 4 vocabulary: 1000 } sequence: 128 microbatches: 4 }
parallelism { pipeline_stages: 2 data_parallel: 2 }
data_center { name: "a" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
data_center { name: "b" nodes: 2 gpus_per_node: 1 gpu: "A100-80" stages: 1 }
wan_link { from: "a" to: "b" rate: "10Gbps" delay: "10ms" }
variant { name: "plain" }
variant { name: "gpipe" set: "schedule.name=gpipe" }
)";
    }

    void TearDown() override
    {
        fs::remove_all(m_folder);
    }

    Outcome Geotrain(const std::string& arguments) const
    {
        const std::string command = "cd '" + m_folder.string() + "' && '" GEOTRAIN_PROGRAM "' " +
                                    arguments + " > out.txt 2> error.txt";
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128,
                Contents(m_folder / "out.txt"),
                Contents(m_folder / "error.txt")};
    }

    fs::path m_folder;
};

int
Lines(const std::string& text)
{
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(Cli, UnknownVerbNamesTheVerbs)
{
    const auto outcome = Geotrain("paln x");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.error,
              "geotrain: \"paln\" is no verb; the verbs are run, compare, figures, export, check, "
              "schedule, "
              "timing, list\n");
}

TEST_F(Cli, EveryVerbTeachesWithExamples)
{
    for (const auto* verb :
         {"run", "compare", "figures", "export", "check", "schedule", "timing", "list"})
    {
        const auto outcome = Geotrain(std::string(verb) + " --help");
        EXPECT_EQ(outcome.code, 0) << verb;
        EXPECT_NE(outcome.out.find("Examples:\n  geotrain " + std::string(verb)), std::string::npos)
            << verb;
    }
}

TEST_F(Cli, RunLeavesAFolderThatExplainsItself)
{
    for (const auto* network : {"analytic", "packet"})
    {
        const auto outcome = Geotrain("run small.textproto --network " + std::string(network) +
                                      " --json --out " + network);
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        for (const auto* file :
             {"scenario.textproto", "trace.pb", "summary.csv", "run-info.json", "figures"})
        {
            EXPECT_TRUE(fs::exists(m_folder / network / file)) << file;
        }
        const auto summary = nlohmann::json::parse(outcome.out);
        EXPECT_GT(summary["iteration_time_s"].get<double>(), 0.02);
        // 2 pipelines x 4 microbatches x both directions of s b h x 2 bytes.
        EXPECT_EQ(summary["wan_bytes"].get<double>(), 2 * 4 * 2 * 128 * 256 * 2);
        const auto info = nlohmann::json::parse(Contents(m_folder / network / "run-info.json"));
        EXPECT_EQ(info["exit_code"], 0);
        EXPECT_EQ(Contents(m_folder / network / "summary.csv").rfind("metric,value,unit\n", 0), 0U);
    }
}

TEST_F(Cli, TheRunFoldersScenarioGivesTheSameSummary)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    ASSERT_EQ(Geotrain("run a/scenario.textproto --out b").code, 0);
    EXPECT_EQ(Contents(m_folder / "a/summary.csv"), Contents(m_folder / "b/summary.csv"));
}

TEST_F(Cli, AFolderWithSomethingInItIsRefusedUnlessForced)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    const auto refused = Geotrain("run small.textproto --network analytic --out a");
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.error, "--out: \"a\" is not empty; --force replaces it\n");
    EXPECT_EQ(Geotrain("run small.textproto --network analytic --out a --force").code, 0);
}

TEST_F(Cli, ForceTouchesOnlyFoldersOfResults)
{
    fs::create_directory(m_folder / "mine");
    std::ofstream(m_folder / "mine/thesis.tex") << "x";
    EXPECT_EQ(Geotrain("run small.textproto --network analytic --out mine --force").code, 1);
    EXPECT_TRUE(fs::exists(m_folder / "mine/thesis.tex"));
}

TEST_F(Cli, WithoutOutResultsAreNumbered)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic").code, 0);
    ASSERT_EQ(Geotrain("run small.textproto --network analytic").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "results/small-1/summary.csv"));
    EXPECT_TRUE(fs::exists(m_folder / "results/small-2/summary.csv"));
}

TEST_F(Cli, BadInputExitsWithOneAndOneLine)
{
    std::ofstream(m_folder / "broken.textproto") << "model {";
    std::ofstream(m_folder / "empty.textproto");
    fs::create_directory(m_folder / "foreign");
    std::ofstream(m_folder / "foreign/trace.pb") << "this is no trace";
    for (const auto* arguments :
         {"run nowhere",
          "run broken.textproto",
          "run empty.textproto",
          "run small.textproto --set wan_link[0].delay=-3ms",
          "run small.textproto --set mtu",
          "run small.textproto --seed -1",
          "run small.textproto --seed x",
          "run small.textproto --network carrier-pigeon",
          "run small.textproto --ns3 ns3::Nothing::X=1",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=much",
          "run small.textproto --nonsense",
          "run",
          "compare small.textproto --vary transport.konnections=1,2",
          "compare small.textproto --seeds 3..1",
          "compare small.textproto --jobs 0",
          "check small.textproto --set data_center[0].gpu=A101",
          "figures nowhere",
          "figures .",
          "figures foreign",
          "export foreign --format csv",
          "export foreign --format morse",
          "list nothing",
          "timing --model gpt5 --gpu H100",
          "timing --model gpt-a --gpu H101",
          "timing --model gpt-a --gpu H100 --tp -1",
          "timing --model gpt-a --gpu H100 --tp 7",
          "schedule 2f2b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 0 --microbatches 4 --forward 1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward -1ms --backward 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1 --backward 1ms",
          "schedule 1f1b --stages 3 --microbatches 4 --forward 1ms --backward 1ms --hops 1ms"})
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(Lines(outcome.error), 1) << arguments << "\n" << outcome.error;
        EXPECT_EQ(outcome.out, "") << arguments;
    }
}

TEST_F(Cli, ADeadlineExitsWithTwoAndSaysWhoWaits)
{
    const auto outcome =
        Geotrain("run small.textproto --network analytic --set run.deadline=5ms --out a");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.error.find("replica 0 stage 1"), std::string::npos) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "a/trace.pb"));
}

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
    EXPECT_EQ(header.rfind("variant,iteration_time_s,gpu_utilization,", 0), 0U) << header;
    EXPECT_EQ(first.rfind("plain,", 0), 0U);
    EXPECT_EQ(second.rfind("gpipe,", 0), 0U);
    EXPECT_TRUE(fs::exists(m_folder / "c/gpipe/trace.pb"));
    EXPECT_TRUE(fs::exists(m_folder / "c/figures/comparison.png"));
    EXPECT_EQ(Geotrain("figures c").code, 0);
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
    EXPECT_NE(csv.find("\nmicrobatches=4,4,0."), std::string::npos) << csv;
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
}

TEST_F(Cli, CheckPrintsAScenarioThatChecksToItself)
{
    const auto first = Geotrain("check small.textproto");
    ASSERT_EQ(first.code, 0) << first.error;
    std::ofstream(m_folder / "resolved.textproto") << first.out;
    EXPECT_EQ(Geotrain("check resolved.textproto").out, first.out);
}

TEST_F(Cli, ScheduleSpeaksJson)
{
    const auto outcome =
        Geotrain("schedule 1f1b --stages 4 --microbatches 8 --forward 10ms --backward 20ms --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_DOUBLE_EQ(object["makespan_s"].get<double>(), 0.33);
    EXPECT_EQ(object["peak_activations"], 4);
}

TEST_F(Cli, ScheduleDrawsItsPicture)
{
    const auto outcome =
        Geotrain("schedule gpipe --stages 2 --microbatches 3 --forward 1ms --backward 2ms --out p");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_TRUE(fs::exists(m_folder / "p/timeline.png"));
}

TEST_F(Cli, TimingSpeaksJson)
{
    const auto outcome = Geotrain("timing --model llama3-8b --gpu A100-80 --tp 2 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto object = nlohmann::json::parse(outcome.out);
    EXPECT_GT(object["backward_s"].get<double>(), object["forward_s"].get<double>());
    EXPECT_GT(object["prefill_s"].get<double>(), 0);
}

TEST_F(Cli, ListsAreThereWithSources)
{
    for (const auto* kind :
         {"gpus", "models", "schedules", "congestion-controls", "regions", "scenarios"})
    {
        const auto outcome = Geotrain(std::string("list ") + kind + " --json");
        ASSERT_EQ(outcome.code, 0) << outcome.error;
        EXPECT_FALSE(nlohmann::json::parse(outcome.out)[kind].empty()) << kind;
        EXPECT_EQ(Geotrain(std::string("list ") + kind).code, 0);
    }
}

TEST_F(Cli, ExportWritesTheTimeline)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out a").code, 0);
    ASSERT_EQ(Geotrain("export a --format perfetto").code, 0);
    ASSERT_EQ(Geotrain("export a --format csv").code, 0);
    EXPECT_TRUE(fs::exists(m_folder / "a/timeline.json"));
    EXPECT_TRUE(fs::exists(m_folder / "a/csv/gpu_spans.csv"));
}

} // namespace
