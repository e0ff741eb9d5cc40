// SPDX-License-Identifier: GPL-2.0-only
// Writes the events of an executor into the trace.
#pragma once

#include "execution/execution-observer.h"
#include "runner/crossing-times.h"
#include "trace/record-sink.h"
#include "wan/wan-topology.h"

#include <functional>
#include <optional>
#include <vector>

namespace geotrain
{

/// Returns counters as a trace has them, without a time.
trace::Counters CountersOf(const NetworkCounters& carried);

/// RecordedNodes say where the nodes of a job are, by the job's numbers.
struct RecordedNodes
{
    std::vector<NodeIndex> inTestbed;      ///< number in the testbed
    std::vector<std::uint32_t> dataCenter; ///< that the node is in
};

/// TraceRecorder observes an executor and writes a record of each event.
class TraceRecorder : public ExecutionObserver
{
  public:
    /// `writer` and `network` must outlive the recorder. `crossings` says what messages between data
    /// centres take at least; unset: unknown.
    TraceRecorder(RecordSink& writer,
                  Network& network,
                  RecordedNodes nodes,
                  std::optional<CrossingTimes> crossings = std::nullopt);

    void InstructionEnded(WorkerIndex worker,
                          std::uint32_t iteration,
                          const Instruction& instruction,
                          Instant start,
                          Instant end) override;
    void MessageDelivered(const Message& message, const MessageTimes& times) override;
    void CollectiveEnded(WorkerIndex worker,
                         std::uint32_t iteration,
                         const Instruction& instruction,
                         Instant joined,
                         Instant ended) override;
    void IterationEnded(std::uint32_t iteration, Instant end) override;

    /// Sets what changes the network's counters into those of the run.
    void SetCounters(std::function<NetworkCounters(NetworkCounters)> change);

  private:
    RecordSink& m_writer;
    Network& m_network;
    RecordedNodes m_nodes;
    std::optional<CrossingTimes> m_crossings;
    std::function<NetworkCounters(NetworkCounters)> m_change; ///< may be empty
};

} // namespace geotrain
