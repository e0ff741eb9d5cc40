// SPDX-License-Identifier: GPL-2.0-only
#include "runner/flow-sizes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace geotrain
{

namespace
{

/// SizeShare says that `share` of the flows have at most `bytes`.
struct SizeShare
{
    double bytes;
    double share;
};

constexpr SizeShare webSearch[] = {{0, 0},
                                   {10e3, 0.15},
                                   {20e3, 0.2},
                                   {30e3, 0.3},
                                   {50e3, 0.4},
                                   {80e3, 0.53},
                                   {200e3, 0.6},
                                   {1e6, 0.7},
                                   {2e6, 0.8},
                                   {5e6, 0.9},
                                   {10e6, 0.97},
                                   {30e6, 1}};

constexpr double webSearchMean = 1711250; ///< sum of (a + b) / 2 x (F(b) - F(a))

} // namespace

Bytes
DrawWebSearchSize(Bytes mean, RandomStream& random)
{
    const double share = random.Uniform();
    const auto* const upper =
        std::find_if(std::begin(webSearch) + 1,
                     std::end(webSearch) - 1,
                     [share](const SizeShare& point) { return point.share >= share; });
    const SizeShare& lower = *(upper - 1);
    const double part = (share - lower.share) / (upper->share - lower.share);
    const double bytes = lower.bytes + part * (upper->bytes - lower.bytes);
    const double scaled = bytes * static_cast<double>(mean.Count()) / webSearchMean;
    return Bytes::Of(std::max<std::int64_t>(1, std::llround(scaled)));
}

DrawnSizes::DrawnSizes(const TransferFlow& flow, std::uint64_t seed)
    : m_flow(flow),
      m_random(seed, "flow-sizes", flow.name)
{
}

Bytes
DrawnSizes::Next()
{
    return m_flow.sizes == FlowSizes::WebSearch ? DrawWebSearchSize(m_flow.size, m_random)
                                                : m_flow.size;
}

} // namespace geotrain
