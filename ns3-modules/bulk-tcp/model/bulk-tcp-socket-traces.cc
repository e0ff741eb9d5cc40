// SPDX-License-Identifier: GPL-2.0-only
#include "bulk-tcp/model/bulk-tcp-socket-traces.h"

#include <ns3/trace-source-accessor.h>

#include <string>
#include <type_traits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(BulkTcpSocketTraces);

TypeId
BulkTcpSocketTraces::GetTypeId()
{
    static TypeId id =
        TypeId("geotrain::BulkTcpSocketTraces")
            .SetParent<Socket>()
            .SetGroupName("BulkTcp")
            .AddTraceSource("CongestionWindow",
                            "The congestion window, in bytes.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_congestionWindow),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("SlowStartThreshold",
                            "The slow start threshold, in bytes.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_slowStartThreshold),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("BytesInFlight",
                            "The sender's estimate of what is on the way.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_bytesInFlight),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("RTT",
                            "The last round-trip time measured.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_rtt),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("CongState",
                            "The state of congestion control.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_congState),
                            "ns3::TcpSocketState::TcpCongStatesTracedValueCallback")
            .AddTraceSource("RTO",
                            "The retransmission timeout, backed off.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_rto),
                            "ns3::TracedValueCallback::Time")
            .AddTraceSource("NextTxSequence",
                            "The next sequence number to send, counted from 1.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_nextSequence),
                            "ns3::SequenceNumber32TracedValueCallback")
            .AddTraceSource("HighestSequence",
                            "The highest sequence number ever sent, counted from 1.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_highestSequence),
                            "ns3::SequenceNumber32TracedValueCallback")
            .AddTraceSource("PacingRate",
                            "The rate that data is paced by.",
                            MakeTraceSourceAccessor(&BulkTcpSocketTraces::m_pacingRate),
                            "ns3::TracedValueCallback::DataRate");
    return id;
}

void
BulkTcpSocketTraces::Follow(Ptr<TcpSocketState> state)
{
    const auto connect = [&state](const std::string& name, auto& trace)
    {
        using Trace = std::remove_reference_t<decltype(trace)>;
        state->TraceConnectWithoutContext(name, MakeCallback(&Trace::operator(), &trace));
    };
    connect("CongestionWindow", m_congestionWindow);
    connect("SlowStartThreshold", m_slowStartThreshold);
    connect("BytesInFlight", m_bytesInFlight);
    connect("RTT", m_rtt);
    connect("CongState", m_congState);
    connect("NextTxSequence", m_nextSequence);
    connect("HighestSequence", m_highestSequence);
    connect("PacingRate", m_pacingRate);
}

} // namespace ns3
