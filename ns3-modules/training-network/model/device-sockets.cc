// SPDX-License-Identifier: GPL-2.0-only
// Answers StreamSocket's questions from what bulk-tcp's sender knows of its stream.
#include "training-network/model/device-sockets.h"

#include "bulk-tcp/helper/bulk-tcp-helper.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "training-network/model/bulk-flow-state.h"
#include "units/random-stream.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/uinteger.h"

namespace ns3
{

namespace
{

class DeviceSocket : public StreamSocket
{
  public:
    explicit DeviceSocket(Ptr<BulkTcpSocket> socket)
        : m_socket(socket)
    {
    }

    Socket& Get() const override
    {
        return *m_socket;
    }

    std::uint32_t SegmentSize() const override
    {
        return m_socket->Sender()->State()->m_segmentSize;
    }

    std::uint64_t Carried() const override
    {
        return m_socket->Sender()->HighTx();
    }

    std::uint64_t Acknowledged(std::uint64_t /*written*/) const override
    {
        return m_socket->Sender()->Una();
    }

    FlowState State() const override
    {
        return FlowStateOf(*m_socket->Sender());
    }

    void SetCarriedCallback(Callback<void> carried) override
    {
        m_carried = carried;
        m_socket->SetDataSentCallback(carried.IsNull()
                                          ? MakeNullCallback<void, Ptr<Socket>, std::uint32_t>()
                                          : MakeCallback(&DeviceSocket::OnDataSent, this));
    }

  private:
    void OnDataSent(Ptr<Socket> /*socket*/, std::uint32_t /*bytes*/)
    {
        m_carried();
    }

    Ptr<BulkTcpSocket> m_socket;
    Callback<void> m_carried;
};

} // namespace

DeviceSockets::DeviceSockets(const BulkTcpOptions& options, const std::string& name)
    : m_options(options),
      m_name(name),
      m_control(FindCongestionControl(options.congestionControl))
{
    m_options.Validate();
}

std::unique_ptr<StreamSocket>
DeviceSockets::MakeSender(Ptr<Node> node, const std::string& name) const
{
    BulkTcpOptions options = m_options;
    options.synSpread = BulkTcpOptions::SynSpreadOf(name);
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper(options).CreateSocket(node);
    // The random stream is that of the same connection over light links.
    const std::int64_t stream = geotrain::StreamNumber(m_name, name);
    socket->SetAttribute("SndBufSize",
                         UintegerValue(2 * static_cast<std::uint64_t>(m_options.window.Count())));
    socket->SetCongestionControlAlgorithm(MakeCongestionControl(m_control, stream));
    return std::make_unique<DeviceSocket>(socket);
}

Ptr<Socket>
DeviceSockets::MakeListener(Ptr<Node> node, Ipv4Address address) const
{
    const Ptr<BulkTcpSocket> socket = BulkTcpHelper(m_options).CreateSocket(node);
    NS_ABORT_MSG_IF(socket->Bind(InetSocketAddress(address, 0)) != 0,
                    "no ephemeral port left on " << address);
    NS_ABORT_MSG_IF(socket->Listen() != 0, "can't listen on " << address);
    return socket;
}

} // namespace ns3
