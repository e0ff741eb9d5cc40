// SPDX-License-Identifier: GPL-2.0-only
// ACK clocking (Jacobson, Congestion avoidance and control, section 1): data that answers
// acknowledgements is spread over the time in which these came.
#pragma once

#include "units/duration.h"

#include <algorithm>
#include <cstdint>

namespace geotrain
{

/// An AckClock spreads what is sent over the times of the acknowledgements that allow it.
struct AckClock
{
    Instant since;          ///< when the first acknowledgement came
    Instant until;          ///< when the last acknowledgement came
    std::int64_t bytes = 0; ///< bytes that the acknowledgements allow
    std::int64_t sent = 0;  ///< bytes of these that were sent

    /// Returns when the acknowledgement came that allows the byte `byte` bytes after those sent.
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
