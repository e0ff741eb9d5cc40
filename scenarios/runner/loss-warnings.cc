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

/// Returns megabytes; two digits of what is less than 0.1 MB, since a single packet may be all.
std::string
Shown(Bytes bytes)
{
    const double megabytes = Megabytes(bytes);
    return megabytes < 0.1 ? fmt::format("{:.2g}", megabytes) : fmt::format("{:.1f}", megabytes);
}

} // namespace

std::vector<std::string>
WarningsOfLosses(const Network& network)
{
    const NetworkCounters counters = network.Counters();
    std::vector<std::string> warnings;
    if (!network.Kind().hasPackets && counters.retransmittedBytes > Bytes())
    {
        warnings.push_back(fmt::format(
            "the {} network lost {} MB in all iterations, to which its windows respond by a model",
            network.Kind().name,
            Shown(counters.retransmittedBytes)));
    }
    return warnings;
}

WarmUpLosses::WarmUpLosses(const Network& network,
                           std::uint32_t warmUpIterations,
                           std::uint32_t measuredIterations)
    : m_network(network),
      m_warmUp(warmUpIterations),
      m_measured(measuredIterations)
{
}

void
WarmUpLosses::IterationEnded(std::uint32_t iteration, Instant /*end*/)
{
    const Bytes sentAgain = m_network.Counters().retransmittedBytes;
    if (iteration + 1 == m_warmUp)
    {
        m_inWarmUp = sentAgain;
    }
    if (iteration + 1 <= m_warmUp + m_measured)
    {
        m_inAll = sentAgain;
        m_ended = iteration + 1;
    }
}

std::optional<std::string>
WarmUpLosses::Warning(std::uint32_t repeated) const
{
    const Bytes measured = m_inAll - m_inWarmUp;
    const std::uint32_t iterations = m_measured - repeated;
    if (!m_network.Kind().hasPackets || m_ended < m_warmUp + iterations ||
        m_inWarmUp.Count() * iterations <= 2 * measured.Count() * m_warmUp)
    {
        return std::nullopt;
    }
    return fmt::format("{} MB were sent again in warm-up iterations, {} MB in the measured ones, "
                       "which retransmitted_bytes counts alone: windows may still recover from the "
                       "losses before, which more warm-up iterations would show",
                       Shown(m_inWarmUp),
                       Shown(measured));
}

} // namespace geotrain
