#include "training-network/model/stock-transport.h"

#include "training-network/model/stock-sender.h"
#include "units/random-stream.h"

namespace ns3
{

StockTransport::StockTransport(std::vector<TransportNode> nodes,
                               const StockTransportOptions& options)
    : StreamTransport(std::move(nodes)),
      m_sockets(options)
{
}

std::unique_ptr<StreamSender>
StockTransport::MakeSender(const Opening& opening, TransportObserver& observer)
{
    const std::int64_t stream = geotrain::StreamNumber("stock-transport", opening.name);
    return std::make_unique<StockSender>(opening.number,
                                         m_sockets,
                                         m_sockets.MakeSender(opening.node, stream),
                                         opening.remote,
                                         observer);
}

Ptr<Socket>
StockTransport::MakeListener(const TransportNode& node)
{
    return m_sockets.MakeListener(node.node, node.address);
}

} // namespace ns3
