// What an active queue management says of a packet.
#pragma once

namespace ns3
{

enum class AqmVerdict
{
    Pass,
    Mark, ///< congestion experienced (RFC 3168)
    Drop
};

} // namespace ns3
