// SPDX-License-Identifier: GPL-2.0-only
#include "wan-topology/model/queue-limit.h"

#include "wan/queue-bytes.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

using geotrain::Bytes;

QueueLimit
QueueLimit::Packets(std::int64_t count)
{
    QueueLimit limit;
    limit.packets = count;
    return limit;
}

QueueLimit
QueueLimit::OfBytes(Bytes size)
{
    QueueLimit limit;
    limit.bytes = size;
    return limit;
}

QueueLimit
ResolveQueue(const geotrain::WanQueueSize& size,
             geotrain::BitRate rate,
             geotrain::Duration roundTrip,
             Bytes mtu)
{
    if (size.unit == geotrain::WanQueueSize::Unit::Packets)
    {
        return QueueLimit::Packets(std::max<std::int64_t>(1, std::llround(size.value)));
    }
    return QueueLimit::OfBytes(geotrain::QueueBytes(size, rate, roundTrip, mtu));
}

} // namespace ns3
