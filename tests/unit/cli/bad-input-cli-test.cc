// SPDX-License-Identifier: GPL-2.0-only
// Tests that bad command lines, and places that take no output, end in the program's own words.
#include "cli-fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

class BadInput : public Cli
{
  protected:
    /// Runs a shell command in which $geotrain is the program. Returns its exit code.
    int Shell(const std::string& script) const
    {
        const auto command =
            "cd '" + m_folder.string() + "'; geotrain='" GEOTRAIN_PROGRAM "'; " + script;
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
};

TEST_F(BadInput, IsRefusedWithItsArgumentAndAHint)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"compare small.textproto --jobs 0", "--jobs"},
        {"plan small.textproto --top x", "--top"},
        {"transfer --bytes 1MB --rate 1Gbps --rtt 1ms --mtu abc", "--mtu"},
        {"export c --format xml", "--format"},
        {"run small.textproto --network", "--network"},
        {"run small.textproto other", "other"},
        {"run small.textproto --again r", "--again"},
        {"learn a.csv --model lstm --seconds -1 --out x.pb", "--seconds"},
        {"compare small.textproto --seeds 1 --seeds 2", "--seeds"},
        {"compare small.textproto --sedes 1,2", "--sedes"},
    };
    for (const auto& [arguments, argument] : cases)
    {
        const auto verb = arguments.substr(0, arguments.find(' '));
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(outcome.error.rfind("geotrain: ", 0), 0U) << outcome.error;
        EXPECT_NE(outcome.error.find(argument), std::string::npos) << outcome.error;
        EXPECT_NE(outcome.error.find("; see geotrain " + verb + " --help\n"), std::string::npos)
            << outcome.error;
    }
}

TEST_F(BadInput, OfAVeryLongValueStaysShort)
{
    const auto outcome = Geotrain("compare small.textproto --jobs " + std::string(100000, '1'));
    EXPECT_EQ(outcome.code, 1);
    EXPECT_LT(outcome.error.size(), 1100U);
}

TEST_F(BadInput, AVeryLongTextEndsNoProgram)
{
    const std::string text(100000, 'a');
    for (const auto& arguments :
         {"check small.textproto --set " + text + "=1",
          "compare small.textproto --vary " + text + "=1,2 --out c",
          "run small.textproto --ns3 ns3::TcpSocketBase::MinRto=" + std::string(100000, '1') +
              "x --set transport.bearer=STOCK --out r"})
    {
        const auto outcome = Geotrain(arguments + " --quiet");
        EXPECT_EQ(outcome.code, 1) << arguments.substr(0, 40);
        EXPECT_LT(outcome.error.size(), 2000U) << arguments.substr(0, 40);
    }
}

TEST_F(BadInput, MessagesThatNobodyTakesChangeNoExitCode)
{
    for (const std::string lost : {"2>&-", "2>/dev/full"})
    {
        EXPECT_EQ(Shell("$geotrain run nowhere > out " + lost), 1) << lost;
        // Its variants are mentioned on stderr.
        EXPECT_EQ(
            Shell("$geotrain run small.textproto --network analytic --out r --force > out " + lost),
            0)
            << lost;
        EXPECT_NE(Contents(m_folder / "out").find("results in r"), std::string::npos) << lost;
        EXPECT_EQ(Geotrain("figures r").code, 0) << lost; // the trace is whole
    }
    EXPECT_EQ(Shell("$geotrain list gpus >&- 2> err"), 1);
    EXPECT_EQ(Contents(m_folder / "err"),
              "geotrain: stdout cannot be written (Bad file descriptor)\n");
}

TEST_F(BadInput, OfAComparisonIsRefusedBeforeItRuns)
{
    EXPECT_EQ(Geotrain("compare small.textproto --vary mtu=1500 --vary mtu=9000").error,
              "--vary: \"mtu=9000\" varies mtu a second time; one list has all values\n");
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    EXPECT_EQ(Geotrain("compare small.textproto --out r --resume").error,
              "--resume: \"r\" holds one run and no comparison to go on with\n");
    EXPECT_FALSE(fs::exists(m_folder / "r/comparison.csv"));
}

constexpr const char* transferText = R"(
transfer { size: "1MB" messages: 2 }
data_center { name: "a" nodes: 2 } data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "50Mbps" delay: "5ms" }
run { deadline: "100s" }
)";

TEST_F(BadInput, CheckRefusesWhatARunRefuses)
{
    Write("t.textproto", transferText);
    const std::vector<std::pair<std::string, std::string>> cases{
        {"wan_link[0].queue=1B", "wan_link[0].queue: \"1B\" must be >= a packet, 1500B"},
        {"wan_link[0].queue=1499B", "wan_link[0].queue: \"1499B\" must be >= a packet, 1500B"},
        {"wan_link[0].delay=0.1ns", "wan_link[0].delay: \"0.1ns\" must be 0 or at least 1 ns"},
        {"transfer.start_spread=1e-9ns", "transfer.start_spread: \"1e-9ns\" must be 0 or"},
        {"transfer.size=1e-3B", "transfer.size: \"1e-3B\" must be 0 or at least 1 B"},
        {"wan_link[0].rate=0.5bps", "wan_link[0].rate: \"0.5bps\" must be 0 or at least 1 bps"},
        {"data_center[0].gpu=nosuch", "data_center[0].gpu: \"nosuch\""},
        {"data_center[0].nodes=4095", "data_center[0].nodes: \"4095\" must be <= 4094"},
        {"cross_traffic={from: \"a\" to: \"b\" load: 2 mean_size: \"1kB\"}'"
         " --set wan_link[0].rate=100Tbps --set 'run.deadline=100s",
         "cross_traffic: \"2.5e+12 files\" must be at most 1e9 by run.deadline"}};
    for (const auto& [set, message] : cases)
    {
        for (const std::string verb : {"check", "run"})
        {
            const auto outcome = Geotrain(verb + " t.textproto --quiet --set '" + set + "'");
            EXPECT_EQ(outcome.code, 1) << verb << " " << set;
            EXPECT_NE(outcome.error.find(message), std::string::npos)
                << verb << " " << set << ": " << outcome.error;
        }
    }
    // What is no less than a packet, or a whole unit, is taken.
    for (const std::string set : {"wan_link[0].queue=1500B", "wan_link[0].delay=1.4ns"})
    {
        EXPECT_EQ(Geotrain("check t.textproto --quiet --set " + set).code, 0) << set;
    }
}

TEST_F(BadInput, AVariantChangesNoListOfVariantsAndNoValueComesTwice)
{
    Write("t.textproto", transferText);
    const auto add = [this](const std::string& more)
    {
        Write("v.textproto", transferText + more);
        const auto checked = Geotrain("check v.textproto --quiet");
        const auto compared = Geotrain("compare v.textproto --quiet");
        EXPECT_EQ(checked.code, 1) << more;
        EXPECT_EQ(compared.code, 1) << more;
        EXPECT_EQ(checked.error, compared.error) << more;
        return checked.error;
    };
    EXPECT_NE(add("grid { name: \"g\" vary: \"grid[0].vary=a,b\" }").find("must not change grid"),
              std::string::npos);
    EXPECT_NE(add("variant { name: \"a\" set: \"variant[0].name=b\" }").find("must not change"),
              std::string::npos);
    EXPECT_NE(add("grid { vary: \"mtu=1500,9000,1500\" }").find("must have the value 1500 once"),
              std::string::npos);
    EXPECT_NE(add("variant { name: \"a\" } variant { name: \"a\" }").find("variant[1].name"),
              std::string::npos);
    EXPECT_EQ(Geotrain("compare t.textproto --vary grid[0].name=a,b").code, 1);
}

TEST_F(BadInput, FillJobsThatFitNoBubbleOrHaveTooManyStepsAreRefusedByCheck)
{
    const auto fill = [this](const std::string& duration, const std::string& times)
    {
        Write("f.textproto",
              R"(
model { transformer { layers: 8 hidden: 1024 heads: 16 vocabulary: 8000 } microbatches: 4 sequence: 1024 }
parallelism { pipeline_stages: 2 }
data_center { name: "a" nodes: 1 gpus_per_node: 2 gpu: "A100-80" }
schedule { name: "1f1b" }
fill_jobs { jobs: 20 median_time: "100ms" context_switch: "0" mix { model: "mine" }
  model { name: "mine" samples: 2 operator { name: "op" duration: ")" +
                  duration + R"(" memory: "1GB" times: )" + times + R"( } } }
run { iterations: 4 network: ANALYTIC }
)");
        const auto checked = Geotrain("check f.textproto --quiet");
        EXPECT_EQ(Geotrain("run f.textproto --quiet").code, checked.code) << checked.error;
        return checked;
    };
    EXPECT_EQ(fill("10us", "10").code, 0);
    const auto long1 = fill("1h", "1");
    EXPECT_EQ(long1.code, 1);
    EXPECT_NE(long1.error.find("fill_jobs: must have a job that fits a bubble"), std::string::npos)
        << long1.error;
    const auto many = fill("1ns", "100000");
    EXPECT_EQ(many.code, 1);
    EXPECT_NE(many.error.find("fill_jobs.model[0]: \"mine\" must have at most 10000 steps"),
              std::string::npos)
        << many.error;
}

TEST_F(BadInput, AnExpectedMetricMayHaveItsUnit)
{
    WriteSmall("run { network: ANALYTIC }\n"
               "expected { metric: \"iteration_time_s\" value: 1 tolerance: 1 }\n");
    EXPECT_EQ(Geotrain("check small.textproto --quiet").code, 0);
    const auto run = Geotrain("run small.textproto --json");
    ASSERT_EQ(run.code, 0) << run.error;
    EXPECT_NE(run.out.find("\"given\""), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("\"given\": null"), std::string::npos) << run.out;
    WriteSmall("expected { metric: \"iteration_time_ci95\" value: 1 tolerance: 1 }\n");
    EXPECT_EQ(Geotrain("check small.textproto --quiet").code, 1);
}

TEST_F(BadInput, ATransferNamesItsOwnOptionsAlone)
{
    const std::string transfer = "transfer --bytes 1MB --rate 1Gbps --rtt ";
    EXPECT_EQ(Geotrain(transfer + "60s").error,
              "--rtt: \"60s\" must be at least 2ns and at most 20s\n");
    // Windows of 2 TB together: the hosts' queues keep below their limit.
    EXPECT_EQ(Geotrain(transfer + "1ms --window 1GB --connections 1000").code, 0);
}

} // namespace
