// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/optimizer-server.h"

namespace ns3
{

namespace
{

/// Without a switch that speaks for them, all workers acknowledge to the server.
std::uint32_t
AcknowledgersOf(const geotrain::InNetworkClusterSettings& settings)
{
    const bool isEach = settings.aggregation.acknowledgement ==
                        geotrain::AggregationSettings::Acknowledgement::EachPacket;
    return isEach ? settings.workers : 1;
}

} // namespace

OptimizerServer::OptimizerServer(const geotrain::InNetworkClusterSettings& settings,
                                 FlowNumber number,
                                 const PatternValues& sums,
                                 PacketElement& out)
    : m_sums(sums),
      m_pacer(settings.serverRate, settings.aggregation.Burst()),
      m_endPoint(settings.aggregation,
                 {{number, 0}, m_pacer, out},
                 AcknowledgersOf(settings),
                 m_parameters),
      m_pipeline(m_clock, settings.server, m_endPoint)
{
    m_endPoint.Receiver().SetSink(m_sums);
}

AggregationEndPoint&
OptimizerServer::EndPoint()
{
    return m_endPoint;
}

geotrain::LayerPipeline&
OptimizerServer::Pipeline()
{
    return m_pipeline;
}

} // namespace ns3
