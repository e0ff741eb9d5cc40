// SPDX-License-Identifier: GPL-2.0-only
// Prepares a packet record for training: the features of its windows, what conservation of bytes says
// of their cross traffic, and chunks of windows with their packets.
#pragma once

#include "path-learning/fifo-recursion.h"
#include "path-learning/packet-trace.h"
#include "path-learning/window-features.h"

#include <cstdint>
#include <optional>
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

/// WindowTruth is what a record says of a window.
struct WindowTruth
{
    double share = 0;     ///< cross traffic over the rate, or delay over the emptying time
    double weight = 0;    ///< share of the window for which it is known; 0: unknown
    bool isLeast = false; ///< it may have been more
    bool hasLoss = false; ///< of a recorded packet
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
    std::vector<WindowFeatures::Values> inputs;

    /// By window: cross traffic while the buffer is known to have been busy. Where many packets were
    /// lost more may have come than the buffer took; where all were, at least the rate.
    std::vector<WindowTruth> crossTraffic;

    /// Returns by slot all cross traffic over the rate, as far as the record says.
    std::vector<std::optional<double>> RecordedShares(const PathParameters& path,
                                                      std::size_t slots) const;

    /// By window: mean delay beyond the propagation of what arrived.
    std::vector<WindowTruth> delays;

    /// Cuts the record into chunks of `length` windows, with an anchor every `anchorWindows`.
    std::vector<TrainingChunk>
    Chunks(std::size_t record, std::size_t length, std::size_t anchorWindows) const;

  private:
    std::size_t WindowOf(const TracedPacket& packet) const;

    const PacketTrace& m_trace;
    Duration m_window;
};

} // namespace geotrain
