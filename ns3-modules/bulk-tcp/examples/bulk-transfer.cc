// SPDX-License-Identifier: GPL-2.0-only
// Sends one message over one light link, with any congestion control, and prints how long it took.
//
//    near   --- 1 Gbit/s, 20 ms, queue of one bandwidth-delay product --->   far
//
// Half of the round trip is the link's, half is that of the same link back.
#include "bulk-tcp/helper/express-flows.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "units/random-stream.h"
#include "wan-topology/model/light-link.h"

#include <ns3/command-line.h>
#include <ns3/simulator.h>

#include <iostream>

namespace
{

/// Notes when the message is there.
class Receipt : public ns3::BulkReceiverEvents
{
  public:
    void OnDelivered(std::uint64_t /*message*/) override
    {
        seconds = static_cast<double>(ns3::NowNs()) * 1e-9;
    }

    double seconds = 0;
};

} // namespace

int
main(int argc, char** argv)
{
    std::string control = "TcpCubic";
    std::uint64_t bytes = 100000000;
    double loss = 0;
    ns3::CommandLine command(__FILE__);
    command.AddValue("control", "congestion control, a TypeId", control);
    command.AddValue("bytes", "size of the message", bytes);
    command.AddValue("loss", "share of packets that the link loses", loss);
    command.Parse(argc, argv);

    ns3::LinkModel::Settings link;
    link.name = "link>";
    link.rate = geotrain::BitRate::GigabitsPerSecond(1);
    link.delay = geotrain::Duration::Milliseconds(20);
    link.queue = ns3::QueueLimit::OfBytes(link.rate.In(geotrain::Duration::Milliseconds(40)));
    link.lossRate = loss;

    ns3::ExpressFlows flows(2);
    ns3::LightLink forward(link, flows.Host(1));
    link.name = "link<";
    ns3::LightLink backward(link, flows.Host(0));
    ns3::BulkTcpOptions options;
    options.congestionControl = control;
    ns3::BulkSenderEvents sent; // nobody asks
    Receipt receipt;
    flows.Open(0,
               {{0, 1}, forward, backward},
               options,
               ns3::MakeCongestionControl(ns3::FindCongestionControl(control),
                                          geotrain::StreamNumber("bulk-tcp", "1/0")),
               {sent, receipt});
    flows.Sender(0).Send(1, bytes);
    ns3::Simulator::Run();
    flows.CheckConservation();

    std::cout << control << ": " << receipt.seconds << " s, "
              << static_cast<double>(bytes) * 8e-6 / receipt.seconds << " Mbit/s\n";
    ns3::Simulator::Destroy();
    return 0;
}
