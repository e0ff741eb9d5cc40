// SPDX-License-Identifier: GPL-2.0-only
// ACK clocking (Jacobson, Congestion avoidance and control, section 1): what is sent answers
// acknowledgements that came over a while, and is spread over that while as they are.
#pragma once

#include "units/duration.h"

#include <algorithm>
#include <cstdint>

namespace geotrain
{

struct AckClock
{
    Instant since;
    Instant until;
    std::int64_t bytes = 0; ///< that the acknowledgements allow
    std::int64_t sent = 0;  ///< of these

    /// When the acknowledgement came that the byte after `byte` more answers.
    Instant At(std::int64_t byte) const
    {
        if (bytes <= 0)
        {
            return since;
        }
        const double share =
            std::min(1.0, static_cast<double>(sent + byte) / static_cast<double>(bytes));
        const auto length = static_cast<double>((until - since).ToNanoseconds());
        return since + Duration::Nanoseconds(static_cast<std::int64_t>(share * length));
    }
};

} // namespace geotrain
