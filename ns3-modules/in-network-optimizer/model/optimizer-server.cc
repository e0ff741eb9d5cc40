// SPDX-License-Identifier: GPL-2.0-only
#include "in-network-optimizer/model/optimizer-server.h"

#include <utility>

namespace ns3
{

using geotrain::Bytes;

OptimizerServer::OptimizerServer(const geotrain::OptimizerServerSettings& settings,
                                 const geotrain::AggregationSettings& aggregation,
                                 FlowNumber number,
                                 const PatternValues& sums,
                                 std::uint32_t acknowledgers,
                                 geotrain::BitRate nic,
                                 PacketElement& out)
    : m_sums(sums),
      m_pacer(nic, aggregation.Burst()),
      m_endPoint(aggregation, {number, 0}, acknowledgers, m_pacer, out, m_parameters),
      m_pipeline(
          m_clock,
          settings,
          [this](Bytes length, std::function<void()> done)
          { m_endPoint.Push(length, std::move(done)); },
          [this](Bytes length, std::function<void()> done)
          { m_endPoint.Pull(length, std::move(done)); })
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
