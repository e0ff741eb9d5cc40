// SPDX-License-Identifier: GPL-2.0-only
// Holds the kernel's TCP over the live WAN against bulk-tcp and ns-3's sockets in simulation: medians
// of five cold transfers over 48 paths and a congestion control, and means of them over three seeds.
// Prints a row a path. Cells in which this machine did not keep up count for nothing, and too many of
// them skip the test.
#include "program-test.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace geotrain
{

namespace
{

/// A KernelCell is a path.
struct KernelCell
{
    int megabits;         ///< a second
    int roundTripMs;
    const char* loss;
    const char* queue;

    /// Returns what about 1.5 s of one flow carry, in kB: at the rate, or where loss limits, at
    /// 1.22 segments / (RTT sqrt(p)) (RFC 5348's simple form).
    int Kilobytes() const
    {
        const double p = std::max(std::stod(loss), 1e-9);
        const double response = 1.22 * 1448 * 8 / (roundTripMs * 1e-3 * std::sqrt(p));
        const double rate = std::min(megabits * 1e6, 2 * response);
        return std::max(200, static_cast<int>(rate * 1.5 / 8 / 1000));
    }
};

std::vector<KernelCell>
KernelCells()
{
    std::vector<KernelCell> cells;
    for (const int megabits : {50, 400})
    {
        for (const int roundTripMs : {10, 40, 100})
        {
            for (const char* loss : {"0", "1e-4", "1e-3", "1e-2"})
            {
                for (const char* queue : {"0.25bdp", "1bdp"})
                {
                    cells.push_back({megabits, roundTripMs, loss, queue});
                }
            }
        }
    }
    return cells;
}

/// KernelControl is a congestion control of the kernel and of ours, and what is claimed of it.
struct KernelControl
{
    const char* name;
    const char* ours;
    const char* ns3;      ///< name in ns-3
    const char* settings; ///< of ours, where the kernel departs from the RFC
    double tolerance;
};

// Linux without sch_fq.
constexpr const char* NO_FQ = "--set transport.pacing=NONE";

class KernelComparison : public ProgramTest, public testing::WithParamInterface<KernelControl>
{
  protected:
    /// Returns the mean of the seeds' medians in seconds; none where a run has no valid one.
    std::optional<double>
    Mean(const std::string& verb, const KernelCell& cell, const std::string& more)
    {
        constexpr int seeds = 3;
        double sum = 0;
        for (int seed = 1; seed <= seeds; ++seed)
        {
            const auto median = Median(verb, cell, fmt::format("{} --set run.seed={}", more, seed));
            if (!median)
            {
                return std::nullopt;
            }
            sum += *median;
        }
        return sum / seeds;
    }

    std::string m_error; ///< of the last run

  private:
    /// Returns the median completion time in seconds; none where the run has no valid one.
    std::optional<double> Median(const std::string& verb, const KernelCell& cell, const std::string& more)
    {
        const auto outcome = Geotrain(fmt::format(
            "{} kernel-tcp --json --quiet --force --out {} --set wan_link[0].rate={}Mbps "
            "--set wan_link[0].delay={}us --set wan_link[0].loss={} --set wan_link[0].queue={} "
            "--set transfer.size={}kB {}",
            verb,
            verb,
            cell.megabits,
            cell.roundTripMs * 500,
            cell.loss,
            cell.queue,
            cell.Kilobytes(),
            more));
        m_error = outcome.error;
        if (outcome.code != 0)
        {
            return std::nullopt;
        }
        return nlohmann::json::parse(outcome.out)["completion_time_p50_s"].get<double>();
    }
};

TEST_P(KernelComparison, MediansAgree)
{
    const auto& control = GetParam();
    int cells = 0;
    int within = 0;
    int late = 0;
    for (const auto& cell : KernelCells())
    {
        const auto live =
            Mean("live",
                 cell,
                 fmt::format("--set transport.congestion_control={} {}", control.ours, NO_FQ));
        if (!live)
        {
            if (m_error.find("did not keep up") == std::string::npos)
            {
                GTEST_SKIP() << m_error;
            }
            ++late;
            continue;
        }
        const auto ours =
            Mean("run",
                 cell,
                 fmt::format(
                     "--set transport.congestion_control={} {}", control.ours, control.settings));
        ASSERT_TRUE(ours) << m_error;
        const auto stock =
            Mean("run",
                 cell,
                 fmt::format("--set transport.congestion_control={} --set transport.bearer=STOCK",
                             control.ns3));
        const double error = *ours / *live - 1;
        ++cells;
        within += std::abs(error) <= control.tolerance ? 1 : 0;
        fmt::print("| {} | {} Mbit/s | {} ms | {} | {} | {} kB | {:.3f} | {:.3f} ({:+.0f} %) | {} |\n",
                   control.name,
                   cell.megabits,
                   cell.roundTripMs,
                   cell.loss,
                   cell.queue,
                   cell.Kilobytes(),
                   *live,
                   *ours,
                   100 * error,
                   stock ? fmt::format("{:.3f} ({:+.0f} %)", *stock, 100 * (*stock / *live - 1))
                         : "-");
        std::fflush(stdout);
    }
    fmt::print("{}: {} of {} cells within {:.0f} %, {} not in time\n",
               control.name,
               within,
               cells,
               100 * control.tolerance,
               late);
    if (2 * late > cells)
    {
        GTEST_SKIP() << "this machine could not keep up in most cells";
    }
    EXPECT_GE(within, 0.9 * cells);
}

// What a Linux host without sch_fq does, where RFC 9406 and RFC 9438 say otherwise, and what the
// machine adds to times: the live WAN's departures are 0.04 to 0.07 ms late at the median.
constexpr const char* AS_LINUX = "--set transport.preset=LINUX "
                                 "--set 'wan_link[0].jitter={mean: \"50us\" deviation: \"50us\"}'";

INSTANTIATE_TEST_SUITE_P(
    Controls,
    KernelComparison,
    testing::Values(KernelControl{"CUBIC", "TcpCubic", "ns3::TcpCubic", AS_LINUX, 0.1},
                    KernelControl{"Reno", "TcpLinuxReno", "TcpLinuxReno", AS_LINUX, 0.1},
                    KernelControl{"BBR", "TcpBbr", "TcpBbr", "", 0.1}),
    [](const auto& control) { return std::string(control.param.name); });

} // namespace
} // namespace geotrain
