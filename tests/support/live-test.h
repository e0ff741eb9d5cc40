// SPDX-License-Identifier: GPL-2.0-only
// Runs `geotrain live` for a test as a user does.
#pragma once

#include "program-test.h"

#include <nlohmann/json.hpp>

#include <string>

namespace geotrain
{

/// LiveTest is a folder with a scenario, in which the program runs.
class LiveTest : public ProgramTest
{
  protected:
    /// Writes t.textproto: two nodes, 50 Mbit/s, a round trip of 20 ms, and two messages of 2 MB.
    void WriteTransfer(const std::string& more = "") const
    {
        Write("t.textproto", R"(
data_center { name: "a" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "b" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "a" to: "b" rate: "50Mbps" delay: "10ms" queue: "1bdp" }
transport { window: "2MB" connections: 1 }
transfer { from: "a" to: "b" size: "2MB" messages: 2 }
)" + more);
    }

    Outcome RunLive(const std::string& arguments) const
    {
        return Geotrain("live " + arguments);
    }

    static bool LacksRights(const Outcome& outcome)
    {
        return outcome.error.find("allows no namespaces") != std::string::npos;
    }

    nlohmann::json Json(const std::string& name) const
    {
        return nlohmann::json::parse(Contents(m_folder / name));
    }
};

} // namespace geotrain
