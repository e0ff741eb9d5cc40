// SPDX-License-Identifier: GPL-2.0-only
// Runs a scenario of bulk messages, with changes, in a folder that is gone afterwards.
#pragma once

#include "scenario-runs.h"
#include "small-scenario.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace geotrain
{

/// A scenario over 100 Mbit/s and 20 ms there and back, a bandwidth-delay product of 250 kB. The
/// window is 2 BDP, which the queue holds.
inline constexpr const char* bulkScenario = R"(
name: "bulk"
data_center { name: "near" nodes: 1 nic_rate: "1Gbps" intra_delay: "0" }
data_center { name: "far" nodes: 1 nic_rate: "1Gbps" intra_delay: "0" }
wan_link { from: "near" to: "far" rate: "100Mbps" delay: "10ms" queue: "4bdp" }
transport { bearer: EXPRESS congestion_control: "TcpNewReno" window: "500kB" }
transfer { size: "2MB" messages: 5 }
)";

class TransferFolder : public testing::Test
{
  protected:
    Summary RunBulk(const std::vector<std::string>& sets, const std::string& more = "")
    {
        m_run = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(m_run);
        return RunIn(m_run, LoadText(bulkScenario + more, sets));
    }

    /// Returns the trace of the last run.
    std::string Trace() const
    {
        return Contents(m_run / "trace.pb");
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_run;
    int m_runs = 0;
};

} // namespace geotrain
