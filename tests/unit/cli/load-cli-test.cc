// SPDX-License-Identifier: GPL-2.0-only
// Tests congestion controls of a user's own: --load and run.load, the example's build line, what is
// recorded of a library, and what is refused. Also tests which runs `compare --resume` starts again.
#include "program-test.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <regex>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

const std::string control = "example::TcpAimd";

class Load : public geotrain::ProgramTest
{
  protected:
    void SetUp() override
    {
        fs::create_directory(m_folder / "lib");
        fs::copy_file(GEOTRAIN_EXAMPLE_CONTROL, m_folder / "lib/my-control.so");
        Write("bulk.textproto", R"(
transfer { from: "a" to: "b" size: "2MB" messages: 3 }
data_center { name: "a" nodes: 1 }
data_center { name: "b" nodes: 1 }
wan_link { from: "a" to: "b" rate: "100Mbps" delay: "5ms" loss: 0.001 }
)");
        Write("lib/own.textproto",
              Contents(m_folder / "bulk.textproto") +
                  "transport { congestion_control: \"example::TcpAimd\" }\n"
                  "run { load: \"my-control.so\" }\n");
    }

    /// Returns the path of the library as the program writes it.
    std::string Library() const
    {
        return (m_folder / "lib/my-control.so").lexically_normal().string();
    }

    nlohmann::json Info(const std::string& folder) const
    {
        return nlohmann::json::parse(Contents(m_folder / folder / "run-info.json"));
    }

    /// Changes the library's hash, and not what it does: nothing reads behind the last section.
    void ChangeLibrary() const
    {
        std::ofstream(m_folder / "lib/my-control.so", std::ios::app) << "another build";
    }

    double CompletionTime(const std::string& arguments) const
    {
        const auto outcome = Geotrain("transfer --bytes 10MB --rate 100Mbps --rtt 20ms --loss 1e-3 "
                                      "--json --load lib/my-control.so " +
                                      arguments);
        EXPECT_EQ(outcome.code, 0) << outcome.error;
        const auto object = nlohmann::json::parse(outcome.out, nullptr, false);
        return object.is_object() ? object["completion_time_s"].get<double>() : 0;
    }
};

TEST_F(Load, ListHasTheControlAndItsLibrary)
{
    const auto outcome = Geotrain("list congestion-controls --load lib/my-control.so --json");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const auto controls = nlohmann::json::parse(outcome.out)["congestion-controls"];
    const auto found = std::find_if(
        controls.begin(), controls.end(), [](const auto& one) { return one["name"] == control; });
    ASSERT_NE(found, controls.end());
    EXPECT_EQ((*found)["source"], "a user's own, of my-control.so");
    const auto without = Geotrain("list congestion-controls").out;
    EXPECT_EQ(without.find(control), std::string::npos);
}

// GAIMD with Reno's constants is Reno: 1 segment a round trip, half of the window after a loss. The
// two differ in when they round to whole segments, which moves losses by a packet.
TEST_F(Load, ATransferUsesTheControlAndItsAttributes)
{
    const std::string own = "--congestion-control example::TcpAimd ";
    const double asReno = CompletionTime(own + "--ns3 example::TcpAimd::Increase=1 "
                                               "--ns3 example::TcpAimd::Decrease=0.5");
    const double reno = CompletionTime("--congestion-control ns3::TcpLinuxReno");
    EXPECT_NEAR(asReno, reno, 0.15 * reno);
    const double timid = CompletionTime(own + "--ns3 example::TcpAimd::Increase=0.01 "
                                              "--ns3 example::TcpAimd::Decrease=0.1");
    EXPECT_GT(timid, 1.5 * reno);
    const auto refused = Geotrain("transfer --bytes 1MB --rate 1Gbps --rtt 1ms --load "
                                  "lib/my-control.so --ns3 example::TcpAimd::Decrease=2");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.error.find("is no value of this attribute"), std::string::npos);
}

TEST_F(Load, AControlIsFoundByItsShortNameBehindThoseOfGeotrain)
{
    const auto checked =
        Geotrain("check lib/own.textproto --set transport.congestion_control=aimd");
    EXPECT_NE(checked.out.find("congestion_control: \"example::TcpAimd\""), std::string::npos)
        << checked.error;
    const auto near =
        Geotrain("check lib/own.textproto --set transport.congestion_control=TcpAimt");
    EXPECT_NE(near.error.find("the nearest are example::TcpAimd, "), std::string::npos)
        << near.error;
}

TEST_F(Load, AControlMayDeriveFromOneOfGeotrains)
{
    EXPECT_EQ(CompletionTime("--load " GEOTRAIN_DERIVED_CONTROL
                             " --congestion-control example::TcpDerived"),
              CompletionTime("--congestion-control geotrain::TcpBbr3"));
}

TEST_F(Load, AMistypedAttributeNamesTheNearestOfItsControl)
{
    const auto error = Geotrain("transfer --bytes 1MB --rate 1Gbps --rtt 1ms --load "
                                "lib/my-control.so --ns3 example::TcpAimd::Incraese=2")
                           .error;
    EXPECT_NE(error.find("the nearest are example::TcpAimd::Increase, "), std::string::npos)
        << error;
}

TEST_F(Load, AComparisonRunsItBesideOthersAndRecordsTheLibrary)
{
    const auto outcome =
        Geotrain("compare bulk.textproto --load lib/my-control.so --out c --vary "
                 "transport.congestion_control=ns3::TcpLinuxReno,example::TcpAimd");
    ASSERT_EQ(outcome.code, 0) << outcome.error;
    const std::string run = "c/congestion_control=example--TcpAimd";
    const auto sum = "sha256sum '" + Library() + "' > '" + (m_folder / "sum").string() + "'";
    ASSERT_EQ(std::system(sum.c_str()), 0);
    for (const auto& folder : {run, std::string("c")})
    {
        const auto library = Info(folder)["libraries"].at(0);
        EXPECT_EQ(library["path"], Library());
        EXPECT_EQ(library["sha256"], Contents(m_folder / "sum").substr(0, 64));
        EXPECT_EQ(library["congestion_controls"].at(0), control);
    }
    EXPECT_NE(Contents(m_folder / run / "scenario.textproto").find(Library()), std::string::npos);
    const auto trace = Unpacked(m_folder / run / "trace.pb");
    EXPECT_NE(trace.find("TcpAimd"), std::string::npos);
    EXPECT_EQ(trace.find("my-control.so"), std::string::npos);
    EXPECT_EQ(Contents(m_folder / run / "summary.csv").find("my-control.so"), std::string::npos);
}

TEST_F(Load, AScenarioNamesLibrariesRelativeToItsFile)
{
    const auto checked = Geotrain("check lib/own.textproto");
    ASSERT_EQ(checked.code, 0) << checked.error;
    EXPECT_NE(checked.out.find(Library()), std::string::npos);
    ASSERT_EQ(Geotrain("run lib/own.textproto --out r").code, 0);
    EXPECT_EQ(Geotrain("run r/scenario.textproto --out same").code, 0);
    EXPECT_EQ(Contents(m_folder / "same/summary.csv"), Contents(m_folder / "r/summary.csv"));
    // The same library twice is one library.
    EXPECT_EQ(Geotrain("check lib/own.textproto --load lib/my-control.so").out, checked.out);
    Write("broken.textproto", Contents(m_folder / "lib/own.textproto"));
    const auto missing = Geotrain("check broken.textproto");
    EXPECT_EQ(missing.code, 1);
    EXPECT_EQ(missing.error.rfind("broken.textproto: run.load[0]: \"my-control.so\" is no file", 0),
              0U)
        << missing.error;
}

TEST_F(Load, ARunAgainRefusesALibraryThatHasChanged)
{
    ASSERT_EQ(Geotrain("run lib/own.textproto --out r").code, 0);
    fs::copy_file(m_folder / "lib/my-control.so", m_folder / "kept.so");
    EXPECT_EQ(Geotrain("run --again r --out same").code, 0);
    ChangeLibrary();
    const auto changed = Geotrain("run --again r --out changed");
    EXPECT_EQ(changed.code, 1);
    EXPECT_NE(changed.error.find("is another library now"), std::string::npos) << changed.error;
    EXPECT_EQ(Geotrain("run --again r --load kept.so --out moved").code, 0);
    const auto other =
        Geotrain("run --again r --load kept.so --load lib/my-control.so --out other");
    EXPECT_NE(other.error.find("is none of the run's libraries"), std::string::npos) << other.error;
    fs::remove(m_folder / "lib/my-control.so");
    EXPECT_NE(Geotrain("run --again r --out gone").error.find("can't be read"), std::string::npos);
}

TEST_F(Load, APlanHandsTheLibraryOn)
{
    WriteSmall();
    const auto plan = Geotrain("plan small.textproto --load lib/my-control.so --verify 1 --out p "
                               "--set transport.congestion_control=example::TcpAimd");
    ASSERT_EQ(plan.code, 0) << plan.error;
    EXPECT_NE(Contents(m_folder / "p/plan-1.textproto").find("my-control.so"), std::string::npos);
    EXPECT_EQ(Geotrain("run p/plan-1.textproto --out r").code, 0);
}

TEST_F(Load, BrokenLibrariesAreRefusedInOneLine)
{
    Write("text.so", "no library");
    const std::pair<std::string, std::string> cases[] = {
        {"nowhere.so", "is no file"},
        {"lib", "is no file"},
        {"text.so", "can't be loaded: "},
        {GEOTRAIN_BROKEN_1, "adds no congestion control"},
        {GEOTRAIN_BROKEN_2, "undefined symbol: "},
    };
    for (const auto& [library, rule] : cases)
    {
        const auto outcome = Geotrain("list congestion-controls --load " + library);
        EXPECT_EQ(outcome.code, 1) << library;
        EXPECT_EQ(outcome.error.rfind("--load: \"" + library + "\" ", 0), 0U) << outcome.error;
        EXPECT_NE(outcome.error.find(rule), std::string::npos) << outcome.error;
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
        EXPECT_EQ(outcome.out, "");
    }
    const auto unnamed = Geotrain("list congestion-controls --load ''");
    EXPECT_EQ(unnamed.error.rfind("--load: is no file", 0), 0U) << unnamed.error;
}

TEST_F(Load, TheExamplesBuildLineWorks)
{
    const std::string source = GEOTRAIN_SOURCE_DIR "/scenarios/examples/my-control.cc";
    fs::copy_file(source, m_folder / "my-control.cc");
    std::smatch line;
    const auto text = Contents(source);
    ASSERT_TRUE(std::regex_search(text, line, std::regex("//   (g\\+\\+ .*)")));
    const auto build = "cd '" + m_folder.string() + "' && " + line[1].str();
    ASSERT_EQ(std::system(build.c_str()), 0) << build;
    const auto listed = Geotrain("list congestion-controls --load ./my-control.so");
    EXPECT_NE(listed.out.find(control), std::string::npos) << listed.error;
}

TEST_F(Load, AResumedComparisonStartsAgainWhatRanUnderOtherSettings)
{
    const std::string compare = "compare lib/own.textproto --out c --resume --seeds 1,2 ";
    ASSERT_EQ(Geotrain(compare).error, "");
    const auto first = Info("c/base/seed-1");
    EXPECT_EQ(Geotrain(compare).error, "2 of 2 runs are kept\n");
    EXPECT_EQ(Info("c/base/seed-1"), first);
    const auto other = Geotrain(compare + "--ns3 geotrain::BulkTcp::MinRto=1s");
    EXPECT_EQ(other.error,
              "0 of 2 runs are kept\n"
              "2 runs are started again: each ran with --ns3 none, and now with "
              "geotrain::BulkTcp::MinRto=1s\n");
    EXPECT_EQ(Info("c/base/seed-1")["ns3_defaults"].at(0), "geotrain::BulkTcp::MinRto=1s");
    ASSERT_EQ(Geotrain(compare).code, 0);
    ChangeLibrary();
    const auto library = Geotrain(compare).error;
    EXPECT_NE(
        library.find("2 runs are started again: each ran with --load my-control.so (SHA-256 " +
                     first["libraries"][0]["sha256"].get<std::string>().substr(0, 12)),
        std::string::npos)
        << library;
}

TEST_F(Load, AResumedComparisonNamesTheVersionThatWroteAnotherScenario)
{
    const std::string compare = "compare bulk.textproto --out c --resume ";
    ASSERT_EQ(Geotrain(compare).code, 0);
    const auto same = Geotrain(compare + "--set transfer.messages=2").error;
    EXPECT_NE(same.find("1 run is started again: each ran another scenario\n"), std::string::npos)
        << same;
    auto info = Info("c/base");
    info["geotrain_version"] = "0.1.0";
    Write("c/base/run-info.json", info.dump());
    const auto older = Geotrain(compare).error;
    EXPECT_NE(older.find("in geotrain 0.1.0 (commit "), std::string::npos) << older;
}

} // namespace
