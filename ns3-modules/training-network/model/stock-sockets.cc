// SPDX-License-Identifier: GPL-2.0-only
// Sets up ns-3's sockets. A socket's own trace tells which bytes are carried for the first time and
// which again.
#include "training-network/model/stock-sockets.h"

#include "bulk-tcp/model/bulk-tcp-options.h"
#include "bulk-tcp/model/congestion-control-types.h"
#include "units/config-error.h"
#include "units/random-stream.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <optional>
#include <set>

namespace ns3
{

namespace
{

constexpr std::uint32_t HEADER_BYTES =
    20 + 20 + 12; // bytes of IPv4, TCP, timestamp option (RFC 7323) with padding
constexpr std::int64_t LARGEST_WINDOW =
    1000000000; // bytes, a little below 2^30 (RFC 7323 section 2.3)

std::uint32_t
SegmentSizeOf(geotrain::Bytes mtu)
{
    if (mtu.Count() < 576 || mtu.Count() > 65535)
    {
        throw geotrain::ConfigError(
            "", "mtu", std::to_string(mtu.Count()), "must be 576 to 65535 bytes");
    }
    return static_cast<std::uint32_t>(mtu.Count()) - HEADER_BYTES;
}

std::uint32_t
WindowOf(geotrain::Bytes window, std::uint32_t segmentSize)
{
    if (window.Count() < segmentSize || window.Count() > LARGEST_WINDOW)
    {
        throw geotrain::ConfigError("",
                                    "window",
                                    std::to_string(window.Count()),
                                    "must be one segment (" + std::to_string(segmentSize) +
                                        " bytes) to " + std::to_string(LARGEST_WINDOW) + " bytes");
    }
    return static_cast<std::uint32_t>(window.Count());
}

/// Returns the names given to StockSockets::KeepDefault().
std::set<std::string>&
KeptDefaults()
{
    static std::set<std::string> kept;
    return kept;
}

/// Returns whether a user has set the default of an attribute, also to ns-3's own value.
bool
IsChanged(TypeId type, const std::string& attribute)
{
    for (TypeId owner = type;; owner = owner.GetParent())
    {
        if (KeptDefaults().count(owner.GetName() + "::" + attribute) > 0)
        {
            return true;
        }
        if (!owner.HasParent())
        {
            break;
        }
    }
    TypeId::AttributeInformation info;
    NS_ABORT_MSG_IF(!type.LookupAttributeByName(attribute, &info), "ns-3 has no " << attribute);
    return info.initialValue->SerializeToString(info.checker) !=
           info.originalInitialValue->SerializeToString(info.checker);
}

/// Sets what a transport asks for, or else what is usual here, but for what a user has changed.
template <typename Value, typename Asked, typename Usual>
void
SetOf(TcpSocketBase& socket,
      const std::string& attribute,
      const std::optional<Asked>& asked,
      const Usual& usual)
{
    if (asked || !IsChanged(TcpSocketBase::GetTypeId(), attribute))
    {
        socket.SetAttribute(attribute, asked ? Value(*asked) : Value(usual));
    }
}

Time
ToTime(geotrain::Duration duration)
{
    return NanoSeconds(duration.ToNanoseconds());
}

class StockSocket : public StreamSocket
{
  public:
    StockSocket(Ptr<TcpSocketBase> socket,
                Ptr<BoundedCongestionOps> control,
                std::uint32_t segmentSize)
        : m_socket(socket),
          m_control(control),
          m_segmentSize(segmentSize)
    {
        m_socket->TraceConnectWithoutContext("Tx", MakeCallback(&StockSocket::OnTransmit, this));
    }

    ~StockSocket() override
    {
        m_socket->TraceDisconnectWithoutContext("Tx", MakeCallback(&StockSocket::OnTransmit, this));
    }

    StockSocket(const StockSocket&) = delete;
    StockSocket& operator=(const StockSocket&) = delete;

    Socket& Get() const override
    {
        return *m_socket;
    }

    std::uint32_t SegmentSize() const override
    {
        return m_segmentSize;
    }

    std::uint64_t Carried() const override
    {
        return m_carried;
    }

    std::uint64_t Acknowledged(std::uint64_t written) const override
    {
        return written - m_socket->GetTxBuffer()->Size();
    }

    FlowState State() const override
    {
        const auto state = m_control->State();
        FlowState flow;
        flow.congestionWindow = geotrain::Bytes::Of(state->m_cWnd);
        flow.roundTripTime = state->m_lastRtt;
        flow.inFlight = geotrain::Bytes::Of(state->m_bytesInFlight);
        flow.retransmittedBytes = geotrain::Bytes::Of(static_cast<std::int64_t>(m_retransmitted));
        return flow;
    }

    void SetCarriedCallback(Callback<void> carried) override
    {
        m_onCarried = carried;
    }

  private:
    void OnTransmit(Ptr<const Packet> packet,
                    const TcpHeader& header,
                    Ptr<const TcpSocketBase> /*socket*/)
    {
        const std::uint32_t size = packet->GetSize();
        if (size == 0)
        {
            return;
        }
        const SequenceNumber32 first = header.GetSequenceNumber();
        if (m_carried == 0)
        {
            m_highMark = first;
        }
        const std::int32_t fresh = std::max(first + size - m_highMark, 0);
        m_carried += static_cast<std::uint32_t>(fresh);
        m_retransmitted += size - static_cast<std::uint32_t>(fresh);
        m_highMark = m_highMark + fresh;
        if (!m_onCarried.IsNull())
        {
            m_onCarried();
        }
    }

    Ptr<TcpSocketBase> m_socket;
    Ptr<BoundedCongestionOps> m_control;
    const std::uint32_t m_segmentSize;
    Callback<void> m_onCarried;
    std::uint64_t m_carried = 0;
    std::uint64_t m_retransmitted = 0; ///< bytes
    SequenceNumber32 m_highMark;       ///< the sequence number after the highest byte carried
};

} // namespace

StockSockets::StockSockets(const StockTransportOptions& options, const std::string& name)
    : m_name(name),
      m_controlType(FindCongestionControl(options.congestionControl)),
      m_window(0),
      m_segmentSize(SegmentSizeOf(options.mtu)),
      m_ecn(options.ecn),
      m_tcp(options.tcp)
{
    m_window = WindowOf(options.window, m_segmentSize);
}

void
StockSockets::KeepDefault(const std::string& name)
{
    KeptDefaults().insert(name);
}

std::unique_ptr<StreamSocket>
StockSockets::MakeSender(Ptr<Node> node, const std::string& name) const
{
    const auto socket = MakeSocket(node);
    const auto control = MakeControl(geotrain::StreamNumber(m_name, name));
    socket->SetCongestionControlAlgorithm(control);
    const auto state = control->State();
    if (!IsChanged(TcpSocketState::GetTypeId(), "MaxPacingRate"))
    {
        // ns-3's 4 Gbit/s would cap BBR; 1 Tbit/s is above any link here.
        state->m_maxPacingRate = DataRate(1000000000000);
    }
    if (m_tcp.pacing && !control->HasCongControl()) // such controls pace by themselves
    {
        state->m_pacing = *m_tcp.pacing;
    }
    SetOf<TimeValue>(*socket,
                     "ConnTimeout",
                     std::optional<Time>(),
                     Seconds(1 + BulkTcpOptions::SynSpreadOf(name)));
    socket->SetAttribute("SndBufSize", UintegerValue(m_window));
    NS_ABORT_MSG_IF(socket->Bind() != 0, "no ephemeral port left on " << node->GetId());
    return std::make_unique<StockSocket>(socket, control, m_segmentSize);
}

Ptr<Socket>
StockSockets::MakeListener(Ptr<Node> node, Ipv4Address address) const
{
    auto socket = MakeSocket(node);
    socket->SetCongestionControlAlgorithm(MakeControl(0));
    // It is always wider than the send buffer, since window scaling rounds down by less than one
    // part in 16,384.
    socket->SetAttribute("RcvBufSize", UintegerValue(m_window + m_window / 16384 + m_segmentSize));
    NS_ABORT_MSG_IF(socket->Bind(InetSocketAddress(address, 0)) != 0,
                    "no ephemeral port left on " << address);
    NS_ABORT_MSG_IF(socket->Listen() != 0, "can't listen on " << address);
    return socket;
}

Ptr<TcpSocketBase>
StockSockets::MakeSocket(Ptr<Node> node) const
{
    auto socket =
        DynamicCast<TcpSocketBase>(Socket::CreateSocket(node, TcpSocketFactory::GetTypeId()));
    NS_ABORT_MSG_IF(!socket, "node " << node->GetId() << " has no ns-3 TCP");
    socket->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    // RFC 6928; as NCCL sets it; Linux: include/net/tcp.h TCP_SYN_RETRIES, TCP_RETR2.
    SetOf<UintegerValue>(*socket, "InitialCwnd", m_tcp.initialWindow, 10);
    SetOf<BooleanValue>(*socket, "TcpNoDelay", std::optional<bool>(), true);
    SetOf<UintegerValue>(*socket, "ConnCount", std::optional<int>(), 6);
    SetOf<UintegerValue>(*socket, "DataRetries", std::optional<int>(), 15);
    SetTimers(*socket);
    if (m_tcp.delayedAckCount)
    {
        socket->SetAttribute("DelAckCount", UintegerValue(*m_tcp.delayedAckCount));
    }
    if (m_ecn)
    {
        socket->SetUseEcn(TcpSocketState::On);
    }
    return socket;
}

void
StockSockets::SetTimers(TcpSocketBase& socket) const
{
    // Linux: include/net/tcp.h TCP_DELACK_MIN, TCP_TIMEOUT_INIT, TCP_RTO_MIN.
    const auto asked = [](const std::optional<geotrain::Duration>& duration)
    { return duration ? std::optional(ToTime(*duration)) : std::nullopt; };
    SetOf<TimeValue>(socket, "DelAckTimeout", asked(m_tcp.delayedAckTimeout), MilliSeconds(40));
    SetOf<TimeValue>(socket, "ConnTimeout", std::optional<Time>(), Seconds(1));
    SetOf<TimeValue>(socket, "MinRto", asked(m_tcp.minRto), MilliSeconds(200));
    // Linux's timeout is SRTT + max(200 ms, 4 RTTVAR); ns-3's "clock granularity" is that floor.
    // Without it a delayed acknowledgement fires the timer on a path of constant delay.
    SetOf<TimeValue>(socket, "ClockGranularity", asked(m_tcp.minRto), socket.GetMinRto());
}

Ptr<BoundedCongestionOps>
StockSockets::MakeControl(std::int64_t stream) const
{
    const auto hosted = MakeCongestionControl(m_controlType, stream);
    return CreateObject<BoundedCongestionOps>(hosted, 2 * m_window);
}

} // namespace ns3
