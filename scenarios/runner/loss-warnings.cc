// SPDX-License-Identifier: GPL-2.0-only
#include "runner/loss-warnings.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

double
Megabytes(Bytes bytes)
{
    return static_cast<double>(bytes.Count()) / 1e6;
}

} // namespace

std::vector<std::string>
WarningsOfLosses(const Network& network, Bytes portQueue)
{
    const NetworkCounters counters = network.Counters();
    std::vector<std::string> warnings;
    if (!network.Kind().hasPackets && counters.retransmittedBytes > Bytes())
    {
        // Two digits of what is less than 0.1 MB, since a single packet may be all.
        const double lost = Megabytes(counters.retransmittedBytes);
        warnings.push_back(fmt::format(
            "the {} network lost {} MB in all iterations, to which its windows respond by a model",
            network.Kind().name,
            lost < 0.1 ? fmt::format("{:.2g}", lost) : fmt::format("{:.1f}", lost)));
    }
    if (counters.beyondPort > Bytes())
    {
        warnings.push_back(
            fmt::format("nodes are sent more than their NICs take, and {:.3g} MB would wait at a "
                        "port that holds "
                        "{:.3g} MB: packets are lost there, which the {} network does not show",
                        Megabytes(counters.beyondPort + portQueue),
                        Megabytes(portQueue),
                        network.Kind().name));
    }
    return warnings;
}

} // namespace geotrain
