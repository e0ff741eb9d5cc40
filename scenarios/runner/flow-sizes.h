// SPDX-License-Identifier: GPL-2.0-only
// Draws the sizes of a flow's messages. The web-search distribution is that of figure 4 of DCTCP
// (Alizadeh et al., SIGCOMM'10) at the points that pFabric (SIGCOMM'13, figure 4a) and the traffic
// generators of the field use, linear between them.
#pragma once

#include "loader/flow-section.h"
#include "units/random-stream.h"

namespace geotrain
{

/// Draws a size, at least a byte, with one uniform draw. Their mean is `mean`.
Bytes DrawWebSearchSize(Bytes mean, RandomStream& random);

/// DrawnSizes draws the sizes of one flow's messages.
class DrawnSizes
{
  public:
    /// `flow` outlives this.
    DrawnSizes(const TransferFlow& flow, std::uint64_t seed);

    Bytes Next();

  private:
    const TransferFlow& m_flow;
    RandomStream m_random;
};

} // namespace geotrain
