// SPDX-License-Identifier: GPL-2.0-only
// Prepares a packet record for training: the features of its windows, what conservation of bytes says
// of their cross traffic, and chunks of windows with their packets.
#pragma once

#include "learned-path/model/fifo-recursion.h"
#include "learned-path/model/packet-trace.h"
#include "wan-topology/model/window-features.h"

#include <cstdint>
#include <vector>

namespace geotrain
{

/// TrainingChunk is a run of windows of one record.
struct TrainingChunk
{
    std::size_t record;      ///< number of the record
    std::size_t firstWindow; ///< in the record
    std::size_t windows;
    FifoRecursion recursion;                  ///< times from the beginning of the first window
    std::vector<std::int64_t> windowOfPacket; ///< from 0
    std::vector<double> delays;               ///< s; 0 for lost packets
    std::vector<double> losses;               ///< 1: lost
    std::vector<double> weights;              ///< 0: an anchor or before the first one, else 1
};

/// TrainingRecord is one record.
class TrainingRecord
{
  public:
    TrainingRecord(const PacketTrace& trace, Duration window);

    std::size_t Windows() const;

    /// Computes features and cross traffic as they are with these parameters.
    void Describe(const PathParameters& path);

    /// Features that the network has seen before each window; those of an empty window for the first.
    std::vector<ns3::WindowFeatures::Values> inputs;

    /// By window: cross traffic over the rate, where the buffer was busy and nothing was lost, or mean
    /// delay beyond the propagation over the buffer's emptying time, where something arrived; -1 where
    /// it is unknown.
    std::vector<double> crossShares;
    std::vector<double> delayShares;

    /// Cuts the record into chunks of `length` windows, with an anchor every `anchorWindows`.
    std::vector<TrainingChunk>
    Chunks(std::size_t record, std::size_t length, std::size_t anchorWindows) const;

  private:
    std::size_t WindowOf(const TracedPacket& packet) const;

    const PacketTrace& m_trace;
    Duration m_window;
};

} // namespace geotrain
