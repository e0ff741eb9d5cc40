// SPDX-License-Identifier: GPL-2.0-only
// Tests what figures, export and other readers of results say of folders that lack something.
#include "cli-fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace
{

namespace fs = std::filesystem;
using geotrain::Cli;
using geotrain::Contents;

class ResultsCli : public Cli
{
  protected:
    /// Makes the comparison c of the variants plain and gpipe.
    void Compare() const
    {
        ASSERT_EQ(Geotrain("compare small.textproto --network analytic --out c --jobs 2").code, 0);
    }

    std::string ErrorOf(const std::string& arguments) const
    {
        const auto outcome = Geotrain(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments << outcome.out << outcome.error;
        return outcome.error;
    }
};

TEST_F(ResultsCli, AComparisonSaysWhichTraceItLacks)
{
    Compare();
    fs::remove(m_folder / "c/plain/trace.pb");
    for (const std::string verb : {"figures c",
                                   "export c --format csv",
                                   "export c --format perfetto",
                                   "compare --results c c --out both"})
    {
        const auto outcome = Geotrain(verb);
        EXPECT_EQ(outcome.code, 0) << verb << outcome.error;
        EXPECT_EQ(outcome.error.rfind("warning: c/plain/trace.pb is not there: figures and tables "
                                      "leave plain out\n",
                                      0),
                  0U)
            << verb << outcome.error;
    }
    EXPECT_EQ(Contents(m_folder / "c/csv/spans.csv").find("plain"), std::string::npos);
}

TEST_F(ResultsCli, AVariantThatWasKilledAtItsStartDoesNotHideTheOthers)
{
    Compare();
    std::ofstream(m_folder / "c/plain/trace.pb", std::ios::trunc).flush();
    const auto outcome = Geotrain("figures c");
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_EQ(outcome.error,
              "warning: c/plain/trace.pb: is empty: figures and tables leave plain out\n");
    EXPECT_EQ(Contents(m_folder / "c/figures/comparison.csv").find("plain"), std::string::npos);
}

TEST_F(ResultsCli, AFolderWithoutTracesSaysWhichIsMissing)
{
    Compare();
    fs::copy(m_folder / "c/plain", m_folder / "run", fs::copy_options::recursive);
    fs::remove(m_folder / "run/trace.pb");
    fs::remove(m_folder / "c/plain/trace.pb");
    fs::remove(m_folder / "c/gpipe/trace.pb");
    for (const std::string verb : {"figures", "export"})
    {
        const std::string options = verb == "export" ? " --format csv" : "";
        EXPECT_EQ(ErrorOf(verb + " run" + options),
                  verb + ": \"run\" holds no trace: run/trace.pb is not there\n");
        EXPECT_EQ(ErrorOf(verb + " c" + options),
                  verb +
                      ": \"c\" holds no trace that can be read: c/plain/trace.pb is not there\n");
    }
    EXPECT_EQ(ErrorOf("run --again run"),
              "--again: \"run\" holds no trace: run/trace.pb is not there\n");
    EXPECT_EQ(ErrorOf("compare --results run c"),
              "--results: \"run\" holds a run without trace.pb, from which results are compared\n");
}

TEST_F(ResultsCli, AComparisonWithoutItsTableSaysSo)
{
    Compare();
    fs::remove(m_folder / "c/comparison.csv");
    const auto error = ErrorOf("figures c");
    EXPECT_NE(error.find("has no comparison.csv"), std::string::npos) << error;
    EXPECT_EQ(Geotrain("figures c/plain").code, 0);
}

TEST_F(ResultsCli, ARunIsNotBlamedForAnEarlierTraceThatWasCut)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    fs::resize_file(m_folder / "r/trace.pb", fs::file_size(m_folder / "r/trace.pb") / 2);
    const auto error = ErrorOf("run --again r --out r2");
    EXPECT_EQ(error.rfind("r/trace.pb: is truncated: ", 0), 0U) << error;
}

TEST_F(ResultsCli, AgainNamesARunOfAComparisonAndNoOtherFolder)
{
    Compare();
    ASSERT_EQ(Geotrain("export c --format csv").code, 0); // its folder has a summary.csv too
    EXPECT_EQ(ErrorOf("run --again c"),
              "--again: \"c\" is a comparison; --again takes one of its runs, such as c/gpipe\n");
}

TEST_F(ResultsCli, ATimeBeyondTheRunNamesTheFigureThatWasAskedFor)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    for (const std::string figure : {"timeline", "wan-throughput"})
    {
        const auto error = ErrorOf("figures r --only " + figure + " --from 1000s");
        EXPECT_EQ(
            error.rfind(figure + ": --from 1000s leaves nothing of this figure, which is 0.", 0),
            0U)
            << error;
    }
}

TEST_F(ResultsCli, AnUnknownFigureIsRefusedWithTheNearestNames)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    EXPECT_EQ(ErrorOf("figures r --only timline"),
              "--only: \"timline\" is no figure of this folder; the nearest are timeline, "
              "wan-throughput; there are timeline, wan-throughput\n");
}

TEST_F(ResultsCli, PicturesOfOtherFormatsDoNotStayBehind)
{
    ASSERT_EQ(Geotrain("run small.textproto --network analytic --out r").code, 0);
    const auto figures = m_folder / "r/figures";
    const auto before = Contents(figures / "timeline.png");
    ASSERT_EQ(Geotrain("figures r --only timeline --width one-column --format svg").code, 0);
    const auto after = Contents(figures / "timeline.png");
    EXPECT_NE(after, before);
    ASSERT_EQ(Geotrain("figures r --only timeline --width one-column").code, 0);
    EXPECT_EQ(Contents(figures / "timeline.png"), after);
    fs::remove(figures / "timeline.pdf");
    ASSERT_EQ(Geotrain("figures r --only timeline --format svg").code, 0);
    EXPECT_FALSE(fs::exists(figures / "timeline.pdf")); // what is not there is not asked for
}

TEST_F(ResultsCli, LogarithmicAxesAreChosen)
{
    Compare();
    const auto hasLog = [&](const std::string& folder)
    {
        const auto script = Contents(m_folder / folder / "figures/comparison.gp");
        return script.find("set logscale x") != std::string::npos;
    };
    EXPECT_FALSE(hasLog("c")); // plain and gpipe are within a decade
    EXPECT_EQ(Geotrain("figures c --only comparison --log --format svg").code, 0);
    EXPECT_TRUE(hasLog("c"));
    EXPECT_EQ(Geotrain("figures c --only comparison --no-log --format svg").code, 0);
    EXPECT_FALSE(hasLog("c"));
    EXPECT_EQ(Geotrain("compare small.textproto --network analytic --out d --log").code, 0);
    EXPECT_TRUE(hasLog("d"));
}

TEST_F(ResultsCli, AnNs3SettingWithoutAValueTeachesHowItIsWritten)
{
    const auto error = ErrorOf("run small.textproto --ns3 MinRto");
    EXPECT_EQ(error, "--ns3: \"MinRto\" must be NAME=VALUE, such as geotrain::BulkTcp::MinRto=1s\n");
    const auto unknown = ErrorOf("run small.textproto --ns3 MinRto=1s");
    EXPECT_NE(unknown.find("the nearest are geotrain::BulkTcp::MinRto, "), std::string::npos)
        << unknown;
}

} // namespace
