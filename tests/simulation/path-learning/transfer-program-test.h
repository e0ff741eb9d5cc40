// SPDX-License-Identifier: GPL-2.0-only
// A fixture that runs the program on one CUBIC flow over a link, recorded or learned.
#pragma once

#include "program-test.h"

#include <string>

namespace geotrain
{

class TransferProgramTest : public ProgramTest
{
  protected:
    /// Writes a scenario of one CUBIC flow for ten seconds; `link` is the link's fields.
    void
    WriteTransfer(const std::string& name, const std::string& link, const std::string& more) const
    {
        Write(name,
              R"(
data_center { name: "a" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "1Gbps" }
data_center { name: "b" nodes: 1 gpus_per_node: 1 gpu: "A100-80" nic_rate: "1Gbps" }
wan_link { from: "a" to: "b" )" +
                  link + R"( }
transport { congestion_control: "TcpCubic" }
transfer { duration: "10s" }
)" + more);
    }

    /// Returns a metric of a run's summary, or -1 where it is not there.
    double Metric(const std::string& folder, const std::string& name) const
    {
        const std::string summary = Contents(m_folder / folder / "summary.csv");
        const auto at = summary.find("\n" + name + ",");
        return at == std::string::npos ? -1 : std::stod(summary.substr(at + name.size() + 2));
    }
};

} // namespace geotrain
