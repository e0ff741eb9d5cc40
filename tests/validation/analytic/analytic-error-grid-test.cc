// The whole grid: the error's median is below 3 % and the worst below 10 %, but for turns on paths of 2 and 10 ms, whose
// bound is what was measured. Prints the table of the network's page.
#include "network-comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace geotrain
{
namespace
{

using Sharing = NetworkCase::Sharing;

std::vector<NetworkCase>
Grid(bool isWarm)
{
    std::vector<NetworkCase> grid;
    for (const std::int64_t roundTrip : {2, 10, 40, 100})
    {
        for (const std::int64_t megabytes : {1, 4, 16})
        {
            for (const std::uint32_t connections : {1u, 8u, 20u})
            {
                for (const Sharing sharing : {Sharing::Alone, Sharing::Spatial, Sharing::Temporal})
                {
                    grid.push_back({roundTrip, megabytes, connections, sharing, isWarm});
                }
            }
        }
    }
    return grid;
}

/// Turns on a short path take longer over packets; why is not known.
bool
IsKnownToMiss(const NetworkCase& networkCase)
{
    return networkCase.sharing == Sharing::Temporal && networkCase.roundTripMilliseconds <= 10;
}

class Errors
{
  public:
    void Add(double error)
    {
        m_errors.push_back(std::abs(error));
        std::sort(m_errors.begin(), m_errors.end());
    }

    double Median() const
    {
        return m_errors.at(m_errors.size() / 2);
    }

    double Worst() const
    {
        return m_errors.back();
    }

    void Print(const char* name) const
    {
        std::printf("%s: median %.2f %%, worst %.2f %% of %zu\n",
                    name,
                    100 * Median(),
                    100 * Worst(),
                    m_errors.size());
    }

  private:
    std::vector<double> m_errors;
};

void
CheckGrid(bool isWarm)
{
    Errors all;
    Errors within;
    Errors missed;
    for (const auto& networkCase : Grid(isWarm))
    {
        const auto times = Compare(networkCase);
        std::printf("%-60s %9.4f s %9.4f s %+6.2f %%%s\n",
                    networkCase.Name().c_str(),
                    times.packets,
                    times.analytic,
                    100 * times.Error(),
                    times.drops > 0 ? " (loses packets: not counted)" : "");
        std::fflush(stdout);
        if (times.drops == 0)
        {
            all.Add(times.Error());
            (IsKnownToMiss(networkCase) ? missed : within).Add(times.Error());
        }
    }
    all.Print("all");
    within.Print("but turns at 2 and 10 ms");
    missed.Print("turns at 2 and 10 ms");
    EXPECT_LT(all.Median(), 0.03);
    EXPECT_LT(within.Worst(), 0.10);
    EXPECT_LT(missed.Worst(), 0.25);
}

TEST(AnalyticErrorGrid, WarmConnections)
{
    CheckGrid(true);
}

TEST(AnalyticErrorGrid, ColdConnections)
{
    CheckGrid(false);
}

} // namespace
} // namespace geotrain
