// Runs a scenario of bulk messages, with changes, in a folder that is gone afterwards.
#pragma once

#include "runner/run.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace geotrain
{

/// 100 Mbit/s and 20 ms there and back: a bandwidth-delay product of 250 kB. The window is 2 BDP, which the queue holds.
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
    void SetUp() override
    {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::path(testing::TempDir()) /
                   (std::string("geotrain-transfer-") + info->name());
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    Summary RunBulk(const std::vector<std::string>& sets, const std::string& more = "")
    {
        std::vector<Assignment> assignments;
        for (const auto& set : sets)
        {
            assignments.push_back({set, "--set"});
        }
        const ScenarioText text{"bulk.textproto", ".", bulkScenario + more};
        m_run = m_folder / std::to_string(m_runs++);
        std::filesystem::create_directories(m_run);
        RunOptions options;
        options.folder = m_run;
        return geotrain::Run(LoadScenario(text, assignments), options);
    }

    /// Of the last run.
    std::string Trace() const
    {
        std::ifstream file(m_run / "trace.pb", std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    std::filesystem::path m_folder;
    std::filesystem::path m_run;
    int m_runs = 0;
};

} // namespace geotrain
