#include "execution/network.h"

#include "execution/ring-collectives.h"
#include "execution/striping.h"

#include <utility>

namespace geotrain
{

Network::Network()
    : m_striping(std::make_unique<Striping>(*this)),
      m_ring(std::make_unique<RingCollectives>(*this))
{
}

Network::~Network() = default;

void
Network::JoinCollective(const CollectiveRequest& request,
                        std::uint32_t member,
                        CollectiveCallback callback)
{
    m_ring->Join(request, member, std::move(callback));
}

void
Network::SendStriped(NodeIndex source, NodeIndex destination, Bytes size, TransferCallback callback)
{
    m_striping->Send(source, destination, size, std::move(callback));
}

void
Network::SetChunkSize(Bytes size)
{
    m_chunkSize = size;
}

Bytes
Network::ChunkSize() const
{
    return m_chunkSize;
}

Bytes
Network::PartSize(NodeIndex /*source*/,
                  NodeIndex /*relay*/,
                  NodeIndex /*destination*/,
                  Bytes /*size*/) const
{
    return m_chunkSize;
}

void
Network::SetNodeLocalRate(BitRate rate)
{
    m_nodeLocalRate = rate;
}

BitRate
Network::NodeLocalRate() const
{
    return m_nodeLocalRate;
}

} // namespace geotrain
