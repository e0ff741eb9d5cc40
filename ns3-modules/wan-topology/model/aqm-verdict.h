// SPDX-License-Identifier: GPL-2.0-only
// Defines what an active queue management decides for a packet.
#pragma once

namespace ns3
{

/// AqmVerdict is the decision for one packet.
enum class AqmVerdict
{
    Pass,
    Mark, ///< congestion experienced (RFC 3168)
    Drop
};

} // namespace ns3
