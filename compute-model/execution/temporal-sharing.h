// SPDX-License-Identifier: GPL-2.0-only
// Temporal sharing of WAN bandwidth in a DP-cell (Atlas, arXiv 2411.14458). The C pipelines of a
// cell, on C different nodes per stage, take turns. The holder of a turn scatters its message over
// the intra-DC network, all C node pairs carry a part of it over the WAN, and the C nodes of the
// receiving stage gather it. Serialisation falls by C, propagation doesn't.
//
// The paper leaves these points open:
// - A message is scattered as soon as it is ready, so that the scatter of the next holder overlaps.
// - Its parts cut through: each goes on as soon as it arrives.
// - A turn covers the WAN phase only. It ends when the message's last byte has been sent for the
//   first time, so that retransmissions may overlap with the next turn.
// - Turns are given by ready time, ties by pipeline. Passing a turn to another pipeline costs
//   `passLatency`.
// - Each cell has one queue of turns per directed pair of data centres. A message inside one data
//   centre takes no turn: it goes spatially.
#pragma once

#include "execution/message-carrier.h"
#include "execution/spatial-sharing.h"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace geotrain
{

/// A CellLayout says where the pipelines of the cells are. Worker w is stage w % stages of pipeline
/// w / stages. Cell c has the pipelines c * cellSize to (c + 1) * cellSize - 1.
struct CellLayout
{
    std::uint32_t stages = 0;
    std::uint32_t cellSize = 1;
    std::vector<NodeIndex> nodeOfWorker;
    std::vector<std::uint32_t> dataCenterOfNode;
};

/// TemporalSharing is the carrier whose pipelines take turns on the WAN.
class TemporalSharing : public MessageCarrier
{
  public:
    /// Throws std::invalid_argument if cellSize doesn't divide the pipelines, or if two pipelines
    /// of a cell have a stage on the same node. `layer` must outlive this.
    TemporalSharing(MessageLayer& layer, CellLayout layout, Duration passLatency);

    /// Cancels what is on the way.
    ~TemporalSharing() override;
    TemporalSharing(const TemporalSharing&) = delete;
    TemporalSharing& operator=(const TemporalSharing&) = delete;

    Handle Send(const Message& message, Callback callback) override;

    /// Cancels a message. If it has its turn, it passes the turn on.
    void Cancel(Handle message) override;

  private:
    /// The legs that a part of a message goes, one after another: to the node that sends it over
    /// the WAN, over the WAN, and to the message's destination.
    enum class Leg
    {
        Scatter,
        Wan,
        Gather
    };

    struct Part;
    struct Crossing;
    struct TurnQueue;
    using CrossingPointer = std::shared_ptr<Crossing>;

    void CheckCells() const;
    std::uint32_t PipelineOf(WorkerIndex worker) const;
    NodeIndex PeerNode(WorkerIndex worker, std::uint32_t lane) const;
    Bytes PartSizeOf(const Message& message) const;
    CrossingPointer MakeCrossing(const Message& message, Callback callback) const;

    void StartLeg(const CrossingPointer& crossing, std::size_t part, Leg leg);
    void
    OnEvent(const CrossingPointer& crossing, std::size_t part, Leg leg, const TransferEvent& event);
    void OnWanEvent(Crossing& crossing, const TransferEvent& event);
    void EndLeg(const CrossingPointer& crossing, std::size_t part, Leg leg);

    void Enqueue(TurnQueue& queue, const CrossingPointer& crossing);
    void ScheduleTurn(TurnQueue& queue);
    Instant NextTurn(const TurnQueue& queue) const;
    void GiveTurn(TurnQueue& queue);
    void PassTurn(TurnQueue& queue, Instant at);
    Callback Leave(Handle handle);

    MessageLayer& m_layer;
    CellLayout m_layout;
    Duration m_passLatency;
    SpatialSharing m_spatial;
    Slots<CrossingPointer> m_crossings;
    // The key is cell, sending data centre and receiving data centre.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::unique_ptr<TurnQueue>>
        m_queues;
};

} // namespace geotrain
