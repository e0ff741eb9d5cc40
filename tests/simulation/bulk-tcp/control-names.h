// SPDX-License-Identifier: GPL-2.0-only
// Lists ns-3's congestion controls that bulk-tcp hosts and that the tests compare or torture.
#pragma once

#include <string>
#include <vector>

namespace ns3
{

inline const std::vector<std::string> hostedControls{"TcpNewReno",
                                                     "TcpLinuxReno",
                                                     "TcpCubic",
                                                     "TcpBic",
                                                     "TcpBbr",
                                                     "TcpDctcp",
                                                     "TcpHighSpeed",
                                                     "TcpHtcp",
                                                     "TcpHybla",
                                                     "TcpIllinois",
                                                     "TcpLedbat",
                                                     "TcpLp",
                                                     "TcpScalable",
                                                     "TcpVegas",
                                                     "TcpVeno",
                                                     "TcpWestwood",
                                                     "TcpYeah"};

} // namespace ns3
