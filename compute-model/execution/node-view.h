// SPDX-License-Identifier: GPL-2.0-only
// Shows one job among several the network that they share. The job counts its own nodes from 0, and
// the view maps them to nodes of that network. Time and links are the shared network's. Connections are
// the job's own, also where another job has the same nodes: jobs are processes of their own.
// Counters of payload are the job's own; all others hold what all jobs have carried.
#pragma once

#include "execution/network.h"

#include <vector>

namespace geotrain
{

/// A NodeView is a Network over some nodes of another one.
class NodeView : public Network
{
  public:
    /// Maps node i of the job, which is in dataCenters[i], to nodes[i] of `shared`, which must outlive
    /// the view. owners[i] has the connections of the job's own owner i. Throws std::invalid_argument where
    /// a node comes twice or has no data centre.
    NodeView(Network& shared,
             std::vector<NodeIndex> nodes,
             std::vector<std::uint32_t> dataCenters,
             std::vector<OwnerIndex> owners = {0});

    const NetworkKind& Kind() const override;
    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;
    void Prepare(const std::vector<WarmUp>& pairs) override;
    NetworkCounters Counters() const override;
    bool SpreadsMessages(NodeIndex source, NodeIndex destination) const override;
    Bytes
    PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const override;
    Bytes LeastChunk(NodeIndex source, NodeIndex destination) const override;

  private:
    Network& m_shared;
    std::vector<NodeIndex> m_nodes;
    std::vector<std::uint32_t> m_dataCenters;
    std::vector<OwnerIndex> m_owners;
    Bytes m_wanPayload;     ///< delivered between data centres
    Bytes m_intraDcPayload; ///< delivered inside a data centre
};

} // namespace geotrain
