// SPDX-License-Identifier: GPL-2.0-only
// Models a token bucket that drops what exceeds a rate (RFC 2697's committed bucket alone), as a
// function of time. Tokens are counted in billionths of a bit, so that rounding never adds up.
#pragma once

#include "units/bytes.h"
#include "units/duration.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/// Policer is one token bucket.
class Policer
{
  public:
    /// The bucket starts full. `rate` and `burst` (up to 1 GB) must be positive.
    Policer(geotrain::BitRate rate, geotrain::Bytes burst)
        : m_rate(rate),
          m_burst(burst.Count() * s_tokensPerByte),
          m_tokens(m_burst)
    {
    }

    /// Returns whether a packet of `size` may pass at `now`, which never goes back.
    bool Conforms(geotrain::Instant now, geotrain::Bytes size)
    {
        Refill(now);
        return size.Count() * s_tokensPerByte <= m_tokens;
    }

    /// Takes the tokens of a packet that conforms.
    void Take(geotrain::Bytes size)
    {
        m_tokens -= size.Count() * s_tokensPerByte;
    }

  private:
    static constexpr std::int64_t s_tokensPerByte = 8LL * 1000000000;

    void Refill(geotrain::Instant now)
    {
        const auto earned = static_cast<geotrain::WideInteger>(now.ToNanoseconds() - m_refilledNs) *
                            m_rate.ToBitsPerSecond();
        const auto room = static_cast<geotrain::WideInteger>(m_burst - m_tokens);
        m_tokens += static_cast<std::int64_t>(std::min(earned, room));
        m_refilledNs = now.ToNanoseconds();
    }

    geotrain::BitRate m_rate;
    std::int64_t m_burst;
    std::int64_t m_tokens;
    std::int64_t m_refilledNs = 0;
};

} // namespace ns3
