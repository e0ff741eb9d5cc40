// SPDX-License-Identifier: GPL-2.0-only
// Compares transfers over HeapSimulatorImpl with those over ns-3's DefaultSimulatorImpl. Their links
// are of no site, so that both order simultaneous events by when they were scheduled.
#include "express-path-helper.h"

#include <gtest/gtest.h>

#include <ns3/global-value.h>
#include <ns3/string.h>

#include <string>
#include <vector>

namespace ns3
{

namespace
{

/// Returns the results of a transfer over a lossy path that others share.
std::vector<std::int64_t>
TransferUnder(const std::string& implementation)
{
    GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
    LinkModel::Settings link;
    link.rate = geotrain::BitRate::GigabitsPerSecond(1);
    link.delay = geotrain::Duration::Milliseconds(5);
    link.lossRate = 1e-3;
    link.name = "heap";
    ExpressPathHelper path;
    path.AddLink(link);
    path.AddLink(link);
    path.Build();
    std::vector<std::int64_t> result;
    for (FlowNumber flow = 0; flow < 4; ++flow)
    {
        path.Sender(path.AddFlow(BulkTcpOptions())).Send(flow, 5000000);
    }
    Simulator::Run();
    result = path.Log().deliveredNs;
    for (FlowNumber flow = 0; flow < 4; ++flow)
    {
        const BulkSender::Counters& counters = path.Sender(flow).GetCounters();
        result.push_back(static_cast<std::int64_t>(counters.dataPackets));
        result.push_back(static_cast<std::int64_t>(counters.retransmittedPackets));
    }
    result.push_back(static_cast<std::int64_t>(Simulator::GetEventCount()));
    Simulator::Destroy();
    return result;
}

TEST(EventLoop, TransferOverALossyPathIsTheSameInEveryCount)
{
    EXPECT_EQ(TransferUnder("geotrain::HeapSimulatorImpl"),
              TransferUnder("ns3::DefaultSimulatorImpl"));
}

} // namespace

} // namespace ns3
