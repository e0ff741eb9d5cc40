// SPDX-License-Identifier: GPL-2.0-only
// The ranges of rates, delays and queues that every part of a WAN shares.
#pragma once

#include "wan/wan-queue-size.h"

#include "units/bytes.h"
#include "units/duration.h"

#include <string>

namespace geotrain
{

const BitRate maxWanRate = BitRate::GigabitsPerSecond(100000);
const Duration maxWanDelay = Duration::Milliseconds(10000);
const Bytes maxWanQueue = Bytes::Of(1000000000000);
/// Policer counts billionths of a bit in 64 bits.
const Bytes maxPolicerBurst = Bytes::Of(1000000000);

/// ValueChecks throw ConfigError that names `file`, the field after `prefix`, its value and the
/// rule.
class ValueChecks
{
  public:
    explicit ValueChecks(std::string file, std::string prefix = "");

    void Require(bool holds,
                 const std::string& field,
                 const std::string& value,
                 const std::string& rule) const;

    void CheckRate(const std::string& field, BitRate rate) const;
    void CheckDelay(const std::string& field, Duration delay) const;
    void CheckQueue(const std::string& field, const WanQueueSize& queue) const;

  private:
    std::string m_file;
    std::string m_prefix;
};

} // namespace geotrain
