// SPDX-License-Identifier: GPL-2.0-only
// Tests what the geotrain program says where something is wrong, stops early, or is asked of what
// was run before: JSON, refusals, interrupts, full disks, versions, repeated runs, old results.
#include "program-test.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

class ProgramCli : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        WriteSmall(R"(
transit_site { name: "c" }
wan_link { from: "b" to: "c" rate: "10Gbps" delay: "10ms" }
run { network: ANALYTIC }
)");
        Write("transfer.textproto", R"(
transfer { from: "a" to: "b" size: "1MB" messages: 20 }
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "1Gbps" delay: "1ms" loss: 0.001 }
run { deadline: "1000h" }
variant { name: "short" }
variant { name: "endless" set: "transfer.messages=1000000" }
)");
    }

    /// Runs `script` in the test's folder, where $geotrain is the program; returns its exit code.
    int Shell(const std::string& script) const
    {
        const std::string command = "cd '" + m_folder.string() +
                                    "' && geotrain='" GEOTRAIN_PROGRAM "' && { " + script + "; }";
        const int status = std::system(command.c_str());
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    }

    nlohmann::json Info(const std::string& folder) const
    {
        return nlohmann::json::parse(Contents(m_folder / folder / "run-info.json"));
    }
};

TEST_F(ProgramCli, WithJsonAnErrorIsOneObject)
{
    fs::create_directory(m_folder / "empty");
    for (const std::string arguments :
         {"run nowhere",
          "run small.textproto --set mtu=x",
          "run small.textproto --nonsense",
          "run",
          "run --again empty",
          "compare nowhere",
          "compare small.textproto --seeds 3..1",
          "compare --results empty small.textproto",
          "plan nowhere",
          "plan small.textproto --without z",
          "figures empty",
          "export empty --format csv",
          "export empty --format morse",
          "check small.textproto --set sharing=both",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms --congestion-control tahiti",
          "schedule 2f2b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
          "timing --model gpt5 --gpu H100",
          "list nothing",
          "live nowhere",
          "live small.textproto --set mtu=x",
          "live",
          "learn nowhere.csv --model ibox --out path.pb",
          "learn small.textproto --model ibox --out path.pb",
          "learn",
          "fit-gpu nowhere.csv",
          "plan",
          "plan transfer.textproto",
          "plan small.textproto --top 0",
          "plan small.textproto --set plan.schedule=2f2b",
          "export",
          "transfer --bytes 1XB --rate 1Gbps --rtt 1ms",
          "figures --suite none --out suite",
          "figures",
          "paln x",
          ""})
    {
        const auto outcome = Geotrain(arguments + " --json");
        EXPECT_EQ(outcome.code, 1) << arguments << "\n" << outcome.error;
        const auto object = nlohmann::json::parse(outcome.out, nullptr, false);
        ASSERT_TRUE(object.is_object()) << arguments << "\n" << outcome.out;
        ASSERT_TRUE(object.contains("error")) << arguments << "\n" << outcome.out;
        EXPECT_EQ(object["error"]["exit_code"], 1) << arguments;
        EXPECT_EQ(object["error"]["message"].get<std::string>() + "\n", outcome.error) << arguments;
    }
    const auto unfinished = Geotrain("run small.textproto --set run.deadline=5ms --json");
    EXPECT_EQ(unfinished.code, 2);
    EXPECT_EQ(nlohmann::json::parse(unfinished.out)["error"]["exit_code"], 2);
    EXPECT_NE(unfinished.error.find("deadline of 0.005 s"), std::string::npos) << unfinished.error;
}

TEST_F(ProgramCli, WithJsonEveryVerbPrintsOneObject)
{
    for (const std::string arguments :
         {"run small.textproto --out r",
          "run --again r --out again",
          "compare small.textproto --out c",
          "compare --results r c --out side",
          "plan small.textproto --set plan.pipeline_stages=[2] --top 1 --out p",
          "figures r",
          "figures c",
          "export r --format perfetto",
          "export r --format csv",
          "check small.textproto",
          "check transfer.textproto",
          "transfer --bytes 1MB --rate 1Gbps --rtt 1ms",
          "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
          "timing --model gpt-a --gpu H100",
          "list gpus",
          "list models",
          "list schedules",
          "list congestion-controls",
          "list regions",
          "list scenarios",
          "list fill-jobs",
          "list paths",
          "list tcp-settings",
          "live --help",
          "run --help",
          "--help",
          "--version"})
    {
        const auto outcome = Geotrain(arguments + " --json");
        EXPECT_EQ(outcome.code, 0) << arguments << "\n" << outcome.error;
        EXPECT_TRUE(nlohmann::json::parse(outcome.out, nullptr, false).is_object())
            << arguments << "\n"
            << outcome.out;
    }
}

/// Returns the number of characters of the longest line, and the line.
std::pair<std::size_t, std::string>
LongestLineOf(const std::string& text)
{
    std::pair<std::size_t, std::string> longest{0, ""};
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
    {
        const auto characters = static_cast<std::size_t>(
            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }));
        longest = std::max(longest, {characters, line});
    }
    return longest;
}

TEST_F(ProgramCli, TablesFitIntoTheColumnsOfTheTerminal)
{
    Geotrain("compare small.textproto --out c --quiet");
    for (const std::string arguments : {"list gpus",
                                        "list models",
                                        "list schedules",
                                        "list congestion-controls",
                                        "list regions",
                                        "list scenarios",
                                        "list fill-jobs",
                                        "list tcp-settings",
                                        "compare small.textproto --out d --force",
                                        "compare --results c/plain c/gpipe --out e --force",
                                        "check small.textproto",
                                        "timing --model gpt-a --gpu H100",
                                        "transfer --bytes 1MB --rate 1Gbps --rtt 1ms"})
    {
        const auto [columns, line] = LongestLineOf(Geotrain(arguments).out);
        EXPECT_LE(columns, 80u) << arguments << "\n" << line;
    }
    setenv("COLUMNS", "40", 1); // a table needs 60
    EXPECT_LE(LongestLineOf(Geotrain("list gpus").out).first, 60u);
    EXPECT_LE(LongestLineOf(Geotrain("compare small.textproto --out d --force").out).first, 60u);
    setenv("COLUMNS", "400", 1);
    EXPECT_GT(LongestLineOf(Geotrain("list gpus").out).first, 200u);
    unsetenv("COLUMNS");
}

TEST_F(ProgramCli, AnUnknownNamePointsToTheListThatHasIt)
{
    for (const auto& [arguments, list] : std::vector<std::pair<std::string, std::string>>{
             {"check small.textproto --set data_center[0].gpu=A101", "gpus"},
             {"timing --model gpt-a --gpu A101", "gpus"},
             {"timing --model gpt5 --gpu H100", "models"},
             {"check small.textproto --set model.catalogue=gpt5", "models"},
             {"check small.textproto --set schedule.name=2f2b", "schedules"},
             {"schedule 2f2b --stages 2 --microbatches 4 --forward 1ms --backward 1ms",
              "schedules"},
             {"check small.textproto --set transport.congestion_control=tahiti",
              "congestion-controls"},
             {"transfer --bytes 1MB --rate 1Gbps --rtt 1ms --congestion-control tahiti",
              "congestion-controls"},
             {"check small.textproto --set data_center[0].region=moon", "regions"},
             {"check three-dc-gtp", "scenarios"},
             {"run small.textproto --ns3 MinRto=1s", "tcp-settings"},
             {"run small.textproto --ns3 geotrain::BulkTcp::MinRTO=1s", "tcp-settings"}})
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_NE(outcome.error.find("`geotrain list " + list + "`"), std::string::npos)
            << arguments << "\n"
            << outcome.error;
    }
}

// The distance of "bbrv4" is 1 to "bbrv3", and 6 to "geotrain::TcpBbr3" at least.
TEST_F(ProgramCli, AMistypedControlIsNearToTheShortNamesOfControls)
{
    const auto error =
        Geotrain("transfer --bytes 1MB --rate 1Gbps --rtt 1ms --congestion-control BBRv4").error;
    EXPECT_NE(error.find("the nearest are geotrain::TcpBbr3, ns3::TcpBbr, "), std::string::npos)
        << error;
}

TEST_F(ProgramCli, NamesOfCataloguesAreFoundInAnyCase)
{
    const std::string sets = " --set data_center[0].gpu=h100 --set schedule.name=GPipe";
    const auto checked = Geotrain("check small.textproto" + sets);
    ASSERT_EQ(checked.code, 0) << checked.error;
    EXPECT_NE(checked.out.find("gpu: \"H100\""), std::string::npos) << checked.out;
    EXPECT_NE(checked.out.find("name: \"gpipe\""), std::string::npos) << checked.out;
    EXPECT_EQ(Geotrain("timing --model GPT-A --gpu a100-80").out,
              Geotrain("timing --model gpt-a --gpu A100-80").out);
    const std::string shape =
        " --stages 2 --microbatches 3 --forward 1ms --backward 2ms --weight 1ms";
    EXPECT_EQ(Geotrain("schedule GPipe" + shape).out, Geotrain("schedule gpipe" + shape).out);
}

TEST_F(ProgramCli, CheckRefusesSlipsInWhatAScenarioSaysOfItsResults)
{
    const std::string figure =
        R"(name: "f" metric: "gpu_utilization" label: "l" across_label: "m")";
    for (
        const auto& [text, refusal] : std::vector<std::pair<std::string, std::string>>{
            {"figure { " + figure + R"( across: "mtuu" })",
             R"(more.textproto: figure[0].across: mtuu: "mtuu" is no field of Scenario; the nearest are mtu)"},
            {"figure { " + figure + R"( across: "mtu" where: "wan_link[7].rat=3" })",
             R"(figure[0].where[0]: wan_link[0].rat: "rat" is no field of WanLink; the nearest are rate)"},
            {R"(expected { variant: "no" metric: "mfu" value: 1 })",
             R"(more.textproto: expected[0].variant: "no" is no variant of this scenario)"},
            {R"(expected { metric: "iteration_tme" value: 1 })",
             R"(more.textproto: expected[0].metric: "iteration_tme" is no metric; the nearest are iteration_time)"},
            {R"(expected { metric: "goodput_nobody" value: 1 })",
             R"(more.textproto: expected[0].metric: "goodput_nobody" is no metric; the nearest are goodput)"},
            {R"(criterion { what: "w" metric: "gpu_utilisation" reference: "r" source: "s" })",
             R"(more.textproto: criterion[0].metric: "gpu_utilisation" is no metric; the nearest are gpu_utilization)"},
            {R"(expected { value: 1 })", "more.textproto: expected[0].metric: must be set"},
            {R"(price { region: "moon" })", R"(more.textproto: price[0].region: "moon" must be)"}})
    {
        Write("more.textproto", Contents(m_folder / "small.textproto") + text + "\n");
        const auto outcome = Geotrain("check more.textproto");
        EXPECT_EQ(outcome.code, 1) << text;
        EXPECT_NE(outcome.error.find(refusal), std::string::npos) << outcome.error;
    }
}

TEST_F(ProgramCli, AFigureOfAMetricThatNoRunHasIsWarnedOf)
{
    Write("more.textproto",
          Contents(m_folder / "small.textproto") +
              R"(figure { name: "f" metric: "iteration_tme" label: "l" across: "mtu"
                         across_label: "m" by: "transport.window" })");
    const auto outcome = Geotrain(
        "compare more.textproto --vary mtu=1500,9000 --vary transport.window=1MB,2MB --out c");
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.error.find("figure f is not drawn: \"iteration_tme\" is no metric of these "
                                 "runs; the nearest are iteration_time"),
              std::string::npos)
        << outcome.error;
}

TEST_F(ProgramCli, ATransferFindsItsControlByWhatPeopleCallIt)
{
    const auto outcome =
        Geotrain("transfer --bytes 1MB --rate 1Gbps --rtt 1ms --congestion-control BBRv3 --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["congestion_control"], "geotrain::TcpBbr3");
}

TEST_F(ProgramCli, AnInterruptedComparisonPrintsWhatIsDoneAndGoesOn)
{
    const std::string compare = "compare transfer.textproto --jobs 1 --out c";
    EXPECT_EQ(Shell("$geotrain " + compare +
                    " > out 2> err & pid=$!; "
                    "until [ -f c/short/summary.csv ] && [ -f c/endless/trace.pb ]; "
                    "do sleep 0.1; done; kill -INT $pid; wait $pid"),
              2);
    const auto out = Contents(m_folder / "out");
    EXPECT_NE(out.find("short"), std::string::npos) << out;
    EXPECT_EQ(out.find("endless"), std::string::npos) << out;
    EXPECT_EQ(Contents(m_folder / "err"),
              "interrupted: 1 of 2 runs are done and kept; this goes on with the others:\n"
              "  geotrain compare transfer.textproto --jobs 1 --out c --resume\n");
    EXPECT_EQ(Info("c")["exit_code"], 2);
    // The second run's time is short now, and the first variant's run is kept.
    const auto kept = Contents(m_folder / "c/short/run-info.json");
    auto text = Contents(m_folder / "transfer.textproto");
    text.replace(text.find("1000000"), 7, "30");
    Write("transfer.textproto", text);
    const auto resumed = Geotrain(compare + " --resume");
    EXPECT_EQ(resumed.code, 0) << resumed.error;
    EXPECT_NE(resumed.out.find("endless"), std::string::npos);
}

// A run that failed has ended too, but --resume starts it again.
TEST_F(ProgramCli, AnInterruptedComparisonCountsWhatResumeWillKeep)
{
    auto text = Contents(m_folder / "transfer.textproto");
    text.insert(text.find("variant { name: \"endless\""),
                "variant { name: \"late\" set: \"run.deadline=1us\" }\n");
    Write("transfer.textproto", text);
    EXPECT_EQ(
        Shell("$geotrain compare transfer.textproto --jobs 1 --out c > out 2> err & pid=$!; "
              "until [ -f c/endless/trace.pb ]; do sleep 0.1; done; kill -INT $pid; wait $pid"),
        2);
    const auto error = Contents(m_folder / "err");
    EXPECT_NE(error.find("interrupted: 1 of 3 runs are done and kept"), std::string::npos) << error;
}

TEST_F(ProgramCli, AnInterruptedRunSaysThatFiguresCanBeDrawn)
{
    EXPECT_EQ(
        Shell("$geotrain run transfer.textproto --set transfer.messages=1000000 --out r "
              "> out 2> err & pid=$!; until [ -f r/trace.pb ]; do sleep 0.1; done; sleep 0.3; "
              "kill -INT $pid; wait $pid"),
        2);
    const auto error = Contents(m_folder / "err");
    EXPECT_NE(error.find("interrupted"), std::string::npos) << error;
    EXPECT_NE(error.find("`geotrain figures r` draws what there is"), std::string::npos) << error;
    EXPECT_EQ(Geotrain("figures r").code, 0);
}

TEST_F(ProgramCli, AFullDiskIsNamedWithPathAndReason)
{
    ASSERT_EQ(Geotrain("run small.textproto --out r").code, 0);
    for (const std::string verb :
         {"run small.textproto --quiet --out new",
          "run --again r --out new",
          "compare small.textproto --out new",
          "compare --results r r --out new",
          "plan small.textproto --set plan.pipeline_stages=[2] --top 1 --out new",
          "export r --format perfetto",
          "export r --format csv",
          "schedule 1f1b --stages 2 --microbatches 400 --forward 1ms "
          "--backward 1ms --out new"})
    {
        // No file may have more than 0 blocks, as on a full disk, but for another reason.
        EXPECT_EQ(Shell("rm -rf new && mkfifo pipe && { cat pipe > err & } && "
                        "{ ulimit -f 0; $geotrain " +
                        verb + " > /dev/null 2> pipe; code=$?; wait; rm pipe; exit $code; }"),
                  1)
            << verb;
        const auto error = Contents(m_folder / "err");
        EXPECT_NE(error.find("cannot be written (File too large)"), std::string::npos)
            << verb << "\n"
            << error;
        EXPECT_TRUE(error.rfind("new/", 0) == 0 || error.rfind("r/", 0) == 0) << verb << "\n"
                                                                              << error;
    }
}

TEST_F(ProgramCli, APlaceThatCantBeMadeIsNamed)
{
    for (const std::string verb : {"run small.textproto",
                                   "compare small.textproto",
                                   "plan small.textproto --set plan.pipeline_stages=[2] --top 1",
                                   "schedule 1f1b --stages 2 --microbatches 4 --forward 1ms "
                                   "--backward 1ms"})
    {
        const auto outcome = Geotrain(verb + " --quiet --out /dev/null/x");
        EXPECT_EQ(outcome.code, 1) << verb;
        EXPECT_EQ(outcome.error, "--out: \"/dev/null/x\" can't be made (Not a directory)\n")
            << verb;
    }
}

TEST_F(ProgramCli, AStdoutThatTakesNothingIsAnError)
{
    EXPECT_EQ(Shell("$geotrain list gpus > /dev/full 2> err"), 1);
    EXPECT_EQ(Contents(m_folder / "err"),
              "geotrain: stdout cannot be written (No space left on device)\n");
}

TEST_F(ProgramCli, RunOfAScenarioWithVariantsNamesCompare)
{
    const auto outcome = Geotrain("run small.textproto --out r");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.error.find("small.textproto lists 2 variants"), std::string::npos);
    EXPECT_NE(outcome.error.find("\n  geotrain compare small.textproto\n"), std::string::npos);
}

TEST_F(ProgramCli, CheckTellsMemoryMessagesTimeAndIdleLinks)
{
    const auto outcome = Geotrain("check small.textproto --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto estimates = nlohmann::json::parse(outcome.out)["estimates"];
    EXPECT_EQ(estimates["variants"], 2);
    ASSERT_EQ(estimates["memory_per_gpu"].size(), 2U);
    for (const auto& memory : estimates["memory_per_gpu"])
    {
        EXPECT_EQ(memory["total_bytes"].get<double>(),
                  memory["state_bytes"].get<double>() + memory["activation_bytes"].get<double>() +
                      memory["working_bytes"].get<double>());
        EXPECT_EQ(memory["capacity_bytes"], 80000000000);
    }
    EXPECT_EQ(estimates["boundary_message_bytes"], 128 * 256 * 2); // s b h x 2 bytes
    EXPECT_GT(estimates["run_wall_s"].get<double>(), 0);
    ASSERT_EQ(estimates["idle_links"].size(), 1U);
    EXPECT_EQ(estimates["idle_links"][0]["between"], "b - c");
    const auto text = Geotrain("check small.textproto");
    for (const auto* part : {"# small: nothing is wrong, nor in its 2 variants\n",
                             "# memory per GPU",
                             "# messages: 65.54 kB per microbatch",
                             "# run: less than a second on one core on the analytic network",
                             "# WAN links that stay idle: wan_link[1] (b - c)\n"})
    {
        EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
    }
    Write("again.textproto", text.out);
    EXPECT_EQ(Geotrain("check again.textproto").code, 0);
}

TEST_F(ProgramCli, VersionsAreThoseOfTheBuild)
{
    const auto version = Geotrain("--version");
    EXPECT_TRUE(std::regex_search(
        version.out,
        std::regex(
            "^geotrain [0-9]+\\.[0-9]+\\.[0-9]+ \\(commit ([0-9a-f]{12}(-dirty)?|unknown)\\), "
            "ns-3 [0-9]+\\.[0-9]+, [A-Za-z]+ build\n$")))
        << version.out;
    ASSERT_EQ(Geotrain("run small.textproto --out r").code, 0);
    const auto info = Info("r");
    for (const auto* key : {"geotrain_version", "git_commit", "ns3_version"})
    {
        EXPECT_NE(version.out.find(info[key].get<std::string>()), std::string::npos) << key;
    }
    EXPECT_FALSE(info.contains("host"));
}

TEST_F(ProgramCli, ARunAgainGivesTheSameBytes)
{
    ASSERT_EQ(Geotrain("run transfer.textproto --seed 7 --ns3 geotrain::BulkTcp::MinRto=300ms "
                       "--out r")
                  .code,
              0);
    const auto same = Geotrain("run --again r --out same");
    EXPECT_EQ(same.code, 0) << same.error;
    EXPECT_EQ(same.out.rfind("equal: ", 0), 0U) << same.out;
    EXPECT_EQ(Contents(m_folder / "same/summary.csv"), Contents(m_folder / "r/summary.csv"));
    EXPECT_EQ(Info("same")["seed"], 7);
    EXPECT_EQ(Info("same")["ns3_defaults"], Info("r")["ns3_defaults"]);
}

TEST_F(ProgramCli, ARunOfAComparisonCanBeRunAgain)
{
    ASSERT_EQ(Geotrain("compare small.textproto --out c").code, 0);
    EXPECT_EQ(Geotrain("run --again c/gpipe --out same").code, 0);
    const auto whole = Geotrain("run --again c --out other");
    EXPECT_EQ(whole.code, 1);
    EXPECT_NE(whole.error.find("such as c/gpipe"), std::string::npos) << whole.error;
}

TEST_F(ProgramCli, OtherBytesOfTheSameVersionAreAnInternalError)
{
    ASSERT_EQ(Geotrain("run small.textproto --out r").code, 0);
    auto summary = Contents(m_folder / "r/summary.csv");
    const auto place = summary.find("iteration_time,");
    summary.replace(place, 15, "iteration_time,9");
    Write("r/summary.csv", summary);
    const auto broken = Geotrain("run --again r --out b --json");
    EXPECT_EQ(broken.code, 3) << broken.error;
    const auto object = nlohmann::json::parse(broken.out);
    EXPECT_EQ(object["equal"], false);
    EXPECT_EQ(object["trace_equal"], true);
    EXPECT_EQ(object["different_metrics"].size(), 1U);
    auto info = Info("r");
    info["geotrain_version"] = "0.0.1";
    Write("r/run-info.json", info.dump());
    const auto older = Geotrain("run --again r --out o");
    EXPECT_EQ(older.code, 1);
    EXPECT_NE(older.error.find("the versions differ: geotrain 0.0.1"), std::string::npos)
        << older.error;
    info["exit_code"] = 2;
    Write("r/run-info.json", info.dump());
    EXPECT_NE(Geotrain("run --again r --out u").error.find("did not finish"), std::string::npos);
}

TEST_F(ProgramCli, EarlierResultsStandSideBySide)
{
    const std::string scenario = "transfer.textproto --set transfer.messages=100 ";
    const std::string lossy =
        "compare " + scenario + "--vary wan_link[0].loss=0.0001 --seeds 1..4 --out ";
    ASSERT_EQ(Geotrain(lossy + "a").code, 0);
    ASSERT_EQ(Geotrain(lossy + "b --set wan_link[0].delay=20ms").code, 0);
    ASSERT_EQ(Geotrain("run " + scenario + "--set wan_link[0].loss=0.0001 --seed 5 --out one").code,
              0);
    const auto outcome = Geotrain("compare --results a b one --out side --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto results = nlohmann::json::parse(outcome.out)["results"];
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0]["seeds"], 4);
    // A round trip of 40 ms in the place of 2 ms shows; another seed of the same does not.
    EXPECT_EQ(results[1]["metrics"]["completion_time_p50_s"]["exceeds_spread"], true);
    EXPECT_EQ(results[2]["metrics"]["completion_time_p50_s"]["exceeds_spread"], false);
    const auto csv = Contents(m_folder / "side/comparison.csv");
    EXPECT_NE(csv.find(",exceeds_spread\n"), std::string::npos) << csv;
    EXPECT_FALSE(fs::is_empty(m_folder / "side/figures"));
    const auto text = Geotrain("compare --results one one a --out text");
    EXPECT_NE(text.out.find("unknown between A and B"), std::string::npos) << text.out;
    const auto wide = Geotrain("compare --results a b one a --out wide").out;
    EXPECT_NE(wide.find(" ± "), std::string::npos) << wide;
    std::istringstream lines(wide);
    for (std::string line; std::getline(lines, line);)
    {
        const auto isOwn = [](char byte)
        { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
        EXPECT_LE(std::count_if(line.begin(), line.end(), isOwn), 80) << line;
    }
    EXPECT_EQ(Geotrain("compare --results one --out x").code, 1);
    EXPECT_EQ(Geotrain("compare --results one nowhere --out x").code, 1);
}

} // namespace
