// SPDX-License-Identifier: GPL-2.0-only
#include "wan/value-checks.h"

#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <utility>

namespace geotrain
{

ValueChecks::ValueChecks(std::string file, std::string prefix)
    : m_file(std::move(file)),
      m_prefix(std::move(prefix))
{
}

void
ValueChecks::Require(bool holds,
                     const std::string& field,
                     const std::string& value,
                     const std::string& rule) const
{
    if (!holds)
    {
        throw ConfigError(m_file, m_prefix + field, value, rule);
    }
}

void
ValueChecks::CheckRate(const std::string& field, BitRate rate) const
{
    Require(rate.ToBitsPerSecond() > 0 && !(maxWanRate < rate),
            field,
            Format(rate),
            "must be > 0 and <= 100 Tbit/s");
}

void
ValueChecks::CheckDelay(const std::string& field, Duration delay) const
{
    Require(delay >= Duration() && delay <= maxWanDelay,
            field,
            Format(delay),
            "must be >= 0 and <= 10 s");
}

void
ValueChecks::CheckQueue(const std::string& field, const WanQueueSize& queue) const
{
    const bool isProducts = queue.unit == WanQueueSize::Unit::BandwidthDelayProducts;
    const double least = isProducts ? 0 : 1;
    const double most = isProducts ? 1000 : static_cast<double>(maxWanQueue.Count());
    Require(queue.value > 0 && queue.value >= least && queue.value <= most,
            field,
            std::to_string(queue.value),
            "must be > 0 and <= 1000 bandwidth-delay products, or 1 to 1e12 packets or bytes");
}

} // namespace geotrain
