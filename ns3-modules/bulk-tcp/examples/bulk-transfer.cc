// SPDX-License-Identifier: GPL-2.0-only
// Sends one message over one light link, with any congestion control, and prints how long it took.
//
//    near   --- 1 Gbit/s, 20 ms, queue of one bandwidth-delay product --->   far
//
// Half of the round trip is the link's, half is that of the same link back.
#include "bulk-tcp/helper/express-path-helper.h"

#include <ns3/command-line.h>
#include <ns3/simulator.h>

#include <iostream>

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
    link.name = "link";
    link.rate = geotrain::BitRate::GigabitsPerSecond(1);
    link.delay = geotrain::Duration::Milliseconds(20);
    link.queue = ns3::QueueLimit::OfBytes(link.rate.In(geotrain::Duration::Milliseconds(40)));
    link.lossRate = loss;

    ns3::ExpressPathHelper path;
    path.AddLink(link);
    path.Build();
    ns3::BulkTcpOptions options;
    options.congestionControl = control;
    const auto flow = path.AddFlow(options);
    path.Sender(flow).Send(1, bytes);
    ns3::Simulator::Run();
    path.CheckConservation();

    const double seconds = static_cast<double>(path.Log().deliveredNs.at(0)) * 1e-9;
    std::cout << control << ": " << seconds << " s, "
              << static_cast<double>(bytes) * 8e-6 / seconds << " Mbit/s\n";
    ns3::Simulator::Destroy();
    return 0;
}
