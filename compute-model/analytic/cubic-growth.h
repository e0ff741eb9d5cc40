// SPDX-License-Identifier: GPL-2.0-only
// How many acknowledged segments TcpCubic of ns-3 3.37 wants for one more segment of window, before
// any loss (RFC 8312, section 4.1, at most 20): its epoch begins where slow start ends.
#pragma once

#include "units/duration.h"

#include <optional>

namespace geotrain
{

class CubicGrowth
{
  public:
    void Begin(Instant now, double segments);
    void Forget();

    /// Begins where it has not yet. `leastRoundTrip` in ns.
    double SegmentsForOneMore(Instant now, double segments, double leastRoundTrip);

    void MoveBack(Duration by);

  private:
    std::optional<Instant> m_start;
    double m_origin = 0; ///< segments
};

} // namespace geotrain
