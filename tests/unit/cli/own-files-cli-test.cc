// SPDX-License-Identifier: GPL-2.0-only
// Tests that the program keeps its hands off files that it did not write: --force removes only what a
// folder's list names, and nothing is written through a symbolic link in a folder of results.
#include "cli-fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

class OwnFiles : public Cli
{
  protected:
    Outcome Run(const std::string& folder, const std::string& more = "") const
    {
        return Geotrain("run small.textproto --network analytic --quiet --out " + folder + more);
    }

    std::set<std::string> NamesIn(const std::string& folder) const
    {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_folder / folder))
        {
            names.insert(entry.path().filename());
        }
        return names;
    }

    nlohmann::json InfoOf(const std::string& folder) const
    {
        return nlohmann::json::parse(Contents(m_folder / folder / "run-info.json"));
    }

    void WriteInfo(const std::string& folder, const nlohmann::json& files) const
    {
        nlohmann::json info;
        info["files"] = files;
        Write(folder + "/run-info.json", info.dump());
    }
};

TEST_F(OwnFiles, AreAllThatForceRemoves)
{
    ASSERT_EQ(Run("r").code, 0);
    const auto own = NamesIn("r");
    Write("r/notes.md", "mine");
    fs::create_directories(m_folder / "r/paper/empty");
    Write("r/paper/a.tex", "x");
    Write("r/figures/mine.svg", "x");
    const auto again = Run("r", " --force");
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_EQ(again.error,
              "geotrain: r keeps what geotrain did not write: figures/mine.svg, notes.md, "
              "paper/a.tex, paper/empty\n");
    for (const auto* kept : {"r/notes.md", "r/paper/a.tex", "r/paper/empty", "r/figures/mine.svg"})
    {
        EXPECT_TRUE(fs::exists(m_folder / kept)) << kept;
    }
    auto names = own;
    names.insert({"notes.md", "paper"});
    EXPECT_EQ(NamesIn("r"), names);
}

TEST_F(OwnFiles, AreListedWithTheirSizes)
{
    ASSERT_EQ(Run("r").code, 0);
    const auto check = [this]
    {
        const auto files = InfoOf("r")["files"];
        std::size_t found = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_folder / "r"))
        {
            const auto name = fs::relative(entry.path(), m_folder / "r").string();
            if (entry.is_regular_file() && name != "run-info.json")
            {
                ASSERT_TRUE(files.contains(name)) << name;
                EXPECT_EQ(files[name], fs::file_size(entry.path())) << name;
                ++found;
            }
        }
        EXPECT_EQ(found, files.size());
    };
    check();
    ASSERT_EQ(Geotrain("figures r --width one-column --quiet").code, 0);
    ASSERT_EQ(Geotrain("export r --format csv --quiet").code, 0);
    check();
    EXPECT_EQ(Run("r", " --force").error, ""); // all of that was geotrain's
}

TEST_F(OwnFiles, OfAComparisonGoWithItsVariants)
{
    const std::string compare =
        "compare small.textproto --set run.network=ANALYTIC --quiet --seeds 1,2 --out c";
    ASSERT_EQ(Geotrain(compare).code, 0);
    Write("c/plain/seed-1/mine", "x");
    ASSERT_EQ(Run("c/inside").code, 0); // another's results, which only lie here
    const auto again = Geotrain(compare + " --force");
    EXPECT_EQ(again.code, 0) << again.error;
    EXPECT_NE(again.error.find("c keeps what geotrain did not write: inside/critical-path.csv"),
              std::string::npos)
        << again.error;
    EXPECT_TRUE(fs::exists(m_folder / "c/plain/seed-1/mine"));
    EXPECT_TRUE(fs::exists(m_folder / "c/inside/summary.csv"));
}

TEST_F(OwnFiles, ThatSomebodyChangedAreNotReplaced)
{
    ASSERT_EQ(Run("r").code, 0);
    Write("r/summary.csv", "my own sums");
    const auto refused = Run("r", " --force");
    EXPECT_EQ(refused.code, 1);
    EXPECT_EQ(refused.error,
              "--out: \"r/summary.csv\" was changed after geotrain wrote it: move it elsewhere "
              "first\n");
    EXPECT_EQ(Contents(m_folder / "r/summary.csv"), "my own sums");
    EXPECT_TRUE(fs::exists(m_folder / "r/trace.pb")); // nothing is removed
}

TEST_F(OwnFiles, OfAKilledRunAreKnownByItsRecord)
{
    fs::create_directory(m_folder / "r");
    Write("r/run-info.json", "{}"); // without an end, as a kill leaves it
    Write("r/run-info.json.files", "run-info.json\nscenario.textproto\ntrace.pb\n");
    Write("r/trace.pb", "half a trace");
    Write("r/mine", "x");
    EXPECT_EQ(Run("r", " --force").code, 0);
    EXPECT_GT(fs::file_size(m_folder / "r/trace.pb"), 100u);
    EXPECT_TRUE(fs::exists(m_folder / "r/mine"));
    EXPECT_FALSE(fs::exists(m_folder / "r/run-info.json.files"));
}

TEST_F(OwnFiles, AreNoneInAFolderWithoutAList)
{
    fs::create_directory(m_folder / "home");
    Write("home/run-info.json", "{}");
    Write("home/key", "key");
    const auto refused = Run("home", " --force");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.error.find("has no list of what geotrain wrote"), std::string::npos)
        << refused.error;
    EXPECT_EQ(Contents(m_folder / "home/key"), "key");
}

TEST_F(OwnFiles, AHostileListLeadsNowhereElse)
{
    fs::create_directories(m_folder / "r");
    fs::create_directories(m_folder / "other");
    for (const auto* name : {"victim", "other/victim"})
    {
        Write(name, "four");
    }
    fs::create_directory_symlink("../other", m_folder / "r/door");
    fs::create_symlink("../victim", m_folder / "r/link");
    WriteInfo("r",
              {{"../victim", 4},
               {(m_folder / "victim").string(), 4},
               {"door/victim", 4},
               {"door/../../victim", 4},
               {"link", 4},
               {"", 0},
               {".", 0},
               {"run-info.json", nullptr},
               {"./run-info.json", nullptr},
               {"door/run-info.json", nullptr}});
    const auto ran = Run("r", " --force");
    EXPECT_EQ(ran.code, 0) << ran.error;
    EXPECT_EQ(Contents(m_folder / "victim"), "four");
    EXPECT_EQ(Contents(m_folder / "other/victim"), "four");
    EXPECT_TRUE(fs::is_symlink(m_folder / "r/link"));
    for (const auto* broken : {"[]", "{\"files\": 7}", "{\"files\": [\"a\"]}", "null", "{"})
    {
        fs::remove_all(m_folder / "b");
        fs::create_directory(m_folder / "b");
        Write("b/run-info.json", broken);
        Write("b/a", "x");
        EXPECT_EQ(Run("b", " --force").code, 1) << broken;
        EXPECT_TRUE(fs::exists(m_folder / "b/a")) << broken;
    }
}

TEST_F(OwnFiles, StayInWorkingDirectoriesHomesAndRepositories)
{
    ASSERT_EQ(Run("r").code, 0);
    const auto refusal = [this](const std::string& shell, const std::string& out)
    {
        const auto command = "cd '" + (m_folder / "r").string() + "' && " + shell +
                             " '" GEOTRAIN_PROGRAM "' schedule gpipe --stages 2 --microbatches 2 "
                             "--forward 1ms --backward 1ms --quiet --force --out " +
                             out + " 2> '" + (m_folder / "error.txt").string() + "'";
        const int status = std::system(command.c_str());
        EXPECT_EQ(WEXITSTATUS(status), 1) << shell << out;
        EXPECT_TRUE(fs::exists(m_folder / "r/trace.pb"));
        return Contents(m_folder / "error.txt");
    };
    EXPECT_EQ(refusal("", "."),
              "--out: \".\" is the working directory, or above it: --force does not empty it\n");
    EXPECT_NE(refusal("", "../r").find("is the working directory"), std::string::npos);
    fs::create_directory(m_folder / "r/below");
    EXPECT_NE(refusal("cd below &&", "..").find("or above it"), std::string::npos);
    EXPECT_NE(refusal("cd / && HOME='" + m_folder.string() + "/r'", (m_folder / "r").string())
                  .find("is a home, or above one"),
              std::string::npos);
    fs::create_directory_symlink(m_folder / "r", m_folder / "door");
    EXPECT_NE(refusal("", "../door").find("is the working directory"), std::string::npos);
    fs::create_directory(m_folder / "r/.git");
    EXPECT_NE(refusal("cd / &&", (m_folder / "r").string()).find("is the root of a repository"),
              std::string::npos);
    EXPECT_EQ(Geotrain("run small.textproto --network analytic --force --out /").code, 1);
}

TEST_F(OwnFiles, AFolderBehindALinkIsReplacedAsItself)
{
    ASSERT_EQ(Run("r").code, 0);
    Write("r/mine", "x");
    fs::create_directory_symlink("r", m_folder / "door");
    EXPECT_EQ(Run("door", " --force").code, 0);
    EXPECT_TRUE(fs::is_symlink(m_folder / "door"));
    EXPECT_TRUE(fs::exists(m_folder / "r/mine"));
}

TEST_F(OwnFiles, AreWrittenThroughNoLinkInAFolderOfResults)
{
    ASSERT_EQ(Run("r").code, 0);
    ASSERT_EQ(Geotrain("export r --format csv --quiet").code, 0);
    for (const auto* name : {"a", "b", "c", "d", "e"})
    {
        Write(name, "precious");
    }
    const auto link = [this](const std::string& target, const std::string& place)
    {
        fs::remove(m_folder / place);
        fs::create_symlink(target, m_folder / place);
    };
    link("../../a", "r/figures/timeline.csv.part");
    link("../b", "r/report.html.part");
    link("../../c", "r/csv/counters.csv.part");
    link("../../d", "r/figures/timeline.png");
    link("../e", "r/report.html");
    EXPECT_EQ(Geotrain("figures r --quiet").code, 0);
    EXPECT_EQ(Geotrain("export r --format csv --quiet").code, 0);
    for (const auto* name : {"a", "b", "c", "d", "e"})
    {
        EXPECT_EQ(Contents(m_folder / name), "precious") << name;
    }
    EXPECT_TRUE(fs::is_symlink(m_folder / "r/report.html.part")); // it is not geotrain's
}

TEST_F(OwnFiles, ALinkedFolderOfFiguresOrTablesIsRefused)
{
    ASSERT_EQ(Run("r").code, 0);
    fs::create_directory(m_folder / "victim");
    Write("victim/timeline.png", "precious");
    fs::remove_all(m_folder / "r/figures");
    for (const auto* name : {"r/figures", "r/csv", "drawn", "paths"})
    {
        fs::create_directory_symlink(m_folder / "victim", m_folder / name);
    }
    Write("trace.csv", "send_s,size_bytes,delay_s\n0,1500,0.01\n0.1,1500,0.01\n0.2,1500,0.012\n");
    for (const std::string arguments :
         {"figures r", "export r --format csv", "learn trace.csv --out p.pb --figures drawn"})
    {
        const auto refused = Geotrain(arguments + " --quiet");
        EXPECT_EQ(refused.code, 1) << arguments;
        EXPECT_NE(refused.error.find("is a symbolic link, through which no results are written"),
                  std::string::npos)
            << arguments << refused.error;
    }
    EXPECT_EQ(NamesIn("victim"), std::set<std::string>{"timeline.png"});
    EXPECT_EQ(Contents(m_folder / "victim/timeline.png"), "precious");
}

TEST_F(OwnFiles, AVariantOutsideOfAComparisonIsNone)
{
    ASSERT_EQ(Run("other").code, 0);
    const auto before = fs::last_write_time(m_folder / "other/report.html");
    ASSERT_EQ(Geotrain("compare small.textproto --set run.network=ANALYTIC --quiet --out c").code,
              0);
    auto table = Contents(m_folder / "c/comparison.csv");
    table.replace(table.find("\nplain,"), 7, "\n../other,");
    Write("c/comparison.csv", table);
    fs::create_directory_symlink("../other", m_folder / "c/door");
    Geotrain("figures c --quiet");
    EXPECT_EQ(fs::last_write_time(m_folder / "other/report.html"), before);
}

TEST_F(OwnFiles, AnEmptyNameOfAFolderIsRefused)
{
    for (const std::string arguments :
         {"run small.textproto --network analytic",
          "compare small.textproto",
          "plan small.textproto",
          "schedule gpipe --stages 2 --microbatches 2 --forward 1ms --backward 1ms",
          "live small.textproto",
          "learn x.csv",
          "figures --suite paper"})
    {
        const auto refused = Geotrain(arguments + " --out ''");
        EXPECT_EQ(refused.code, 1) << arguments;
        EXPECT_NE(refused.error.find("--out: must not be empty"), std::string::npos)
            << arguments << ": " << refused.error;
    }
    EXPECT_FALSE(fs::exists(m_folder / "results"));
}

} // namespace
