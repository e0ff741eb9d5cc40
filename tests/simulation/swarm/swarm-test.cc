// SPDX-License-Identifier: GPL-2.0-only
// Runs a swarm of random scenarios through the program. Each ends within a bound, with exit code 0, 1
// or 2 and, unless it is 0, with a reason; a second run gives the same bytes. The program checks the
// conservation of bytes itself (exit code 3). GEOTRAIN_SWARM_FIRST and GEOTRAIN_SWARM_COUNT select
// seeds; 1 to 10 are the default, and the slow test takes 300.
#include "program-test.h"
#include "swarm-scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

namespace
{

namespace fs = std::filesystem;
using geotrain::Contents;

/// Seconds of wall time for one run; the scenarios take tenths of a second.
constexpr const char* bound = "120s";

class Swarm : public geotrain::ProgramTest
{
  protected:
    static std::uint64_t Setting(const char* name, std::uint64_t otherwise)
    {
        const char* text = std::getenv(name);
        return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
    }

    Outcome Run(const std::string& folder) const
    {
        return Geotrain(std::string("run swarm.textproto --quiet --force --wall-deadline ") +
                        bound + " --out " + folder);
    }

    /// Returns the message of a run without the name of its folder.
    static std::string MessageOf(const Outcome& run, const std::string& folder)
    {
        auto text = run.error;
        const auto place = text.find("figures " + folder);
        return place == text.npos ? text : text.erase(place, ("figures " + folder).size());
    }

    /// Runs the scenario of a seed twice. Returns the exit code.
    int RunTwice(std::uint64_t seed) const
    {
        const auto text = geotrain::SwarmScenario(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + text);
        Write("swarm.textproto", text);
        const auto first = Run("first");
        const auto second = Run("second");
        EXPECT_LE(first.code, 2) << first.error;
        EXPECT_TRUE(first.code == 0 || !first.error.empty()) << "no reason";
        EXPECT_EQ(first.error.find("wall-clock"), std::string::npos) << "did not end in time";
        EXPECT_EQ(first.code, second.code);
        EXPECT_EQ(MessageOf(first, "first"), MessageOf(second, "second"));
        EXPECT_TRUE(Unpacked(m_folder / "first/trace.pb") == Unpacked(m_folder / "second/trace.pb"))
            << "the trace differs";
        for (const auto* name : {"scenario.textproto", "summary.csv"})
        {
            EXPECT_EQ(fs::exists(m_folder / "first" / name),
                      fs::exists(m_folder / "second" / name));
            EXPECT_TRUE(Contents(m_folder / "first" / name) == Contents(m_folder / "second" / name))
                << name << " differs";
        }
        fs::remove_all(m_folder / "first");
        fs::remove_all(m_folder / "second");
        return first.code;
    }
};

TEST_F(Swarm, RandomScenariosEndWithAReasonAndRepeatThemselves)
{
    const auto first = Setting("GEOTRAIN_SWARM_FIRST", 1);
    const auto count = Setting("GEOTRAIN_SWARM_COUNT", 10);
    std::map<int, int> codes;
    for (std::uint64_t seed = first; seed < first + count; ++seed)
    {
        std::cout << "seed " << seed << ": " << std::flush;
        const int code = RunTwice(seed);
        std::cout << "exit " << code << std::endl;
        ++codes[code];
    }
    // A swarm of refused scenarios would test nothing.
    EXPECT_GE(2 * codes[0], static_cast<int>(count));
}

} // namespace
