// SPDX-License-Identifier: GPL-2.0-only
// Learns 20 drawn paths, whose cross traffic yields, of CUBIC's packets, and lets other controls run
// over the true and the learned ones: `learn` warns of the paths on which they fare otherwise.
#include "closed-loop-runs.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace geotrain
{
namespace
{

class WarnedPaths : public ClosedLoopRuns
{
  protected:
    /// Returns the flows, of three, that are within 25 % of the true throughput and 3 points of the
    /// true loss.
    int FlowsWithin(const KnownPath& path) const
    {
        int within = 0;
        for (const std::string control : {"TcpNewReno", "TcpVegas", "TcpBbr3"})
        {
            const FlowSummary truth = FlowOverTruth(path, control, "true");
            const FlowSummary learned = Flow("learned: \"ibox.pb\"", "", control, "learned");
            const double throughputError = learned.bitsPerSecond / truth.bitsPerSecond - 1;
            const double lossError = learned.lossShare - truth.lossShare;
            within += std::abs(throughputError) <= 0.25 && std::abs(lossError) <= 0.03 ? 1 : 0;
            fmt::print("{:.1f} Mbit/s, cross {:.0f} %, {}: throughput {:+.0f} %, loss {:+.1f}\n",
                       path.bitsPerSecond * 1e-6,
                       path.crossShare * 100,
                       control,
                       throughputError * 100,
                       lossError * 100);
            std::fflush(stdout);
        }
        return within;
    }
};

// Chance decides which losses a flow meets: one of the paths that are off may go without a warning,
// and half of those that are right may have one. On paths of few packets per round trip, little
// is known of cross traffic.
TEST_F(WarnedPaths, AreThoseOnWhichOtherControlsFareOtherwise)
{
    int flows = 0;
    int right = 0, rightButWarnedOf = 0;
    int wrong = 0, wrongAndWarnedOf = 0;
    for (const KnownPath& path : DrawKnownPaths(pathCount, CrossKind::Reactive))
    {
        FlowOverTruth(path, "TcpCubic", "cubic");
        const bool isWarnedOf = Learn("cubic", "ibox").isWarnedOf;
        const int within = FlowsWithin(path);
        flows += within;
        (within == 3 ? right : wrong) += 1;
        (within == 3 ? rightButWarnedOf : wrongAndWarnedOf) += isWarnedOf ? 1 : 0;
    }
    fmt::print("{} of {} flows within; of {} paths off {} warned of, of {} right {}\n",
               flows,
               3 * pathCount,
               wrong,
               wrongAndWarnedOf,
               right,
               rightButWarnedOf);
    EXPECT_GE(flows, 35);
    EXPECT_GE(wrongAndWarnedOf, wrong - 1);
    EXPECT_LE(2 * rightButWarnedOf, right);
}

} // namespace
} // namespace geotrain
