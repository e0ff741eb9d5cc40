// SPDX-License-Identifier: GPL-2.0-only
#include "wan/value-checks.h"

#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <utility>

namespace geotrain
{

ValueChecks::ValueChecks(std::string file)
    : m_file(std::move(file))
{
}

void
ValueChecks::Refuse(const std::string& field,
                    const std::string& value,
                    const std::string& rule) const
{
    throw ConfigError(m_file, field, value, rule);
}

void
ValueChecks::CheckRate(const std::string& field, BitRate rate) const
{
    if (rate.ToBitsPerSecond() <= 0 || maxWanRate < rate)
    {
        Refuse(field, Format(rate), "must be > 0 and <= 100 Tbit/s");
    }
}

void
ValueChecks::CheckDelay(const std::string& field, Duration delay) const
{
    if (delay < Duration() || delay > maxWanDelay)
    {
        Refuse(field, Format(delay), "must be >= 0 and <= 10 s");
    }
}

void
ValueChecks::CheckQueue(const std::string& field, const WanQueueSize& queue) const
{
    const double least = queue.unit == WanQueueSize::Unit::BandwidthDelayProducts ? 0 : 1;
    const double most = queue.unit == WanQueueSize::Unit::BandwidthDelayProducts
                            ? 1000
                            : static_cast<double>(maxWanQueue.Count());
    if (!(queue.value > 0 && queue.value >= least && queue.value <= most))
    {
        Refuse(field,
               std::to_string(queue.value),
               "must be > 0 and <= 1000 bandwidth-delay products, or 1 to 1e12 packets or bytes");
    }
}

} // namespace geotrain
