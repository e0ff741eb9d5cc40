// SPDX-License-Identifier: GPL-2.0-only
// Tests in which runs iterations may repeat each other, and what the others are told.
#include "small-scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{
namespace
{

/// Returns the error of the small scenario with run.repeat 1 % and the changes `sets`.
std::string
ErrorWith(std::vector<std::string> sets)
{
    sets.emplace_back("run.repeat=1%");
    return ErrorOfSmall(sets);
}

const std::string rule = "small.textproto: run.repeat: \"0.01\" must not be set";

TEST(RepetitionRules, LetATrainingRepeatItselfOnBothNetworks)
{
    EXPECT_EQ(LoadSmall({"run.repeat=1%"}).run.repeat, 0.01);
    EXPECT_EQ(LoadSmall({"run.repeat=1%", "run.network=ANALYTIC"}).run.repeat, 0.01);
    EXPECT_EQ(LoadSmall().run.repeat, 0);
    EXPECT_FALSE(LoadSmall().provenance.resolved->run().has_repeat());
}

TEST(RepetitionRules, BoundTheTolerance)
{
    EXPECT_EQ(ErrorOfSmall({"run.repeat=11%"}),
              "small.textproto: run.repeat: \"0.11\" must be <= 0.1");
}

TEST(RepetitionRules, RefuseWhatIsDrawnAtRandom)
{
    EXPECT_EQ(ErrorWith({"wan_link[0].loss=0.001", "run.compute_jitter=0.1"}),
              rule + ": each iteration draws anew: packet losses, compute times");
    EXPECT_EQ(ErrorWith({"transport.congestion_control=TcpBbr3"}),
              rule + ": each iteration draws anew: BBR's probing");
    EXPECT_EQ(ErrorOfSmall({"wan_link[0].loss=0.001", "run.repeat=0"}), "");
}

TEST(RepetitionRules, RefuseLinksThatChange)
{
    const std::string changes = rule + ": a link has outages or rates that change";
    const std::string line = "wan_link[0].rate_trace_back_line=";
    EXPECT_EQ(ErrorWith({"wan_link[0].outage[0].begin=1s", "wan_link[0].outage[0].end=2s"}),
              changes);
    EXPECT_EQ(ErrorWith({line + "[\"t_s,rate\", \"0,1Gbps\", \"1,2Gbps\"]"}),
              changes);
}

TEST(RepetitionRules, RefuseIterationsThatOverlap)
{
    EXPECT_EQ(ErrorWith({"schedule.name=pipedream-2bw"}),
              rule + ": iterations overlap in a schedule without flush");
}

TEST(RepetitionRules, RefuseWhatRunsBesideTheTraining)
{
    EXPECT_EQ(ErrorWith({"inference.model=llama3-8b"}), rule + " with inference");
}

} // namespace
} // namespace geotrain
