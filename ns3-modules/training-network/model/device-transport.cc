#include "training-network/model/device-transport.h"

#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "training-network/model/device-sender.h"
#include "units/random-stream.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

namespace ns3
{

DeviceTransport::DeviceTransport(std::vector<TransportNode> nodes, const BulkTcpOptions& options)
    : StreamTransport(std::move(nodes)),
      m_options(options),
      m_control(FindCongestionControl(options.congestionControl))
{
    m_options.Validate();
}

std::unique_ptr<StreamSender>
DeviceTransport::MakeSender(const Opening& opening, TransportObserver& observer)
{
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper(m_options).CreateSocket(opening.node);
    // The stream of the express bearer's connection.
    const std::int64_t stream = geotrain::StreamNumber("bulk-transport", opening.name);
    socket->SetAttribute("SndBufSize",
                         UintegerValue(2 * static_cast<std::uint64_t>(m_options.window.Count())));
    socket->SetCongestionControlAlgorithm(MakeCongestionControl(m_control, stream));
    return std::make_unique<DeviceSender>(opening.number, socket, opening.remote, observer);
}

Ptr<Socket>
DeviceTransport::MakeListener(const TransportNode& node)
{
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper(m_options).CreateSocket(node.node);
    NS_ABORT_MSG_IF(socket->Bind(InetSocketAddress(node.address, 0)) != 0,
                    "no ephemeral port left on " << node.address);
    NS_ABORT_MSG_IF(socket->Listen() != 0, "can't listen on " << node.address);
    return socket;
}

} // namespace ns3
