// SPDX-License-Identifier: GPL-2.0-only
// Writes one worker's instructions: what an operation of its order computes, receives and sends,
// and the collectives of its gradients. Its caller, the flushed or the unflushed order, decides
// which operation comes when.
#pragma once

#include "execution/execution-plan.h"
#include "schedule/stream-inputs.h"

#include <map>
#include <set>
#include <utility>

namespace geotrain
{

/// A Pipeline is what the writers of all workers share.
struct Pipeline
{
    const StreamInputs& inputs;
    std::vector<StageHome> homes; ///< by virtual stage
    std::uint32_t microbatches = 0;
};

/// A StreamWriter writes the stream of one worker.
class StreamWriter
{
  public:
    /// Writes for the worker at `position` in the pipeline of `replica`. `pipeline` must outlive
    /// the writer.
    StreamWriter(const Pipeline& pipeline, std::uint32_t replica, std::uint32_t position);

    /// Sets the iteration of all that is written from here on, where a stream holds several.
    void SetIteration(std::uint32_t iteration);

    /// Writes an operation. `completes` says that it completes the gradients of its stage, which
    /// are then all-reduced over the replicas.
    void Write(const Operation& operation, bool completes);

    /// Writes both as one block, which starts when both inputs are here; the block's time is shared
    /// out as their own times are.
    void WriteOverlapped(const Operation& forward, const Operation& backward, bool completes);

    /// Writes the all-reduce of tied embeddings between a pipeline's first and last stage.
    void AllReduceTied();
    /// Writes the optimiser's step over all of the worker's stages.
    void Update();

    /// Returns the stream that was written.
    InstructionStream Take();

  private:
    using Key = std::pair<std::uint32_t, std::uint32_t>; ///< chunk, microbatch

    std::uint32_t Stage(std::uint32_t chunk) const;
    void Recompute(const Operation& operation);
    Duration BackwardTime(const Operation& operation) const;
    std::int64_t BucketsOf(Bytes gradients) const;
    void ComputeInBuckets(InstructionKind kind,
                          const Operation& operation,
                          Duration time,
                          bool completes);
    void ComputeForward(const Operation& operation, Duration time);
    void ComputeWithExchanges(InstructionKind kind,
                              const Operation& operation,
                              Duration duration,
                              std::int64_t exchanges);
    std::int64_t ExchangesOf(InstructionKind kind, std::uint32_t chunk) const;
    std::uint32_t ExpertGroup(bool ofGradients) const;
    void
    Compute(InstructionKind kind, std::uint32_t chunk, std::uint32_t microbatch, Duration duration);
    void ReceiveInput(const Operation& operation);
    void SendOutput(const Operation& operation);
    void Exchange(InstructionKind kind,
                  Payload payload,
                  const Operation& operation,
                  std::uint32_t peerStage);
    void Join(InstructionKind collective, std::uint32_t chunk, std::uint32_t group, Bytes size);

    const Pipeline& m_pipeline;
    const StreamInputs& m_inputs;
    std::uint32_t m_replica;
    std::uint32_t m_position;        ///< the worker's place in its pipeline
    std::set<Key> m_split;           ///< backwards whose weight gradient is apart
    std::set<Key> m_recomputesAhead; ///< backwards that have a Recompute of their own
    std::uint32_t m_iteration = 0;
    InstructionStream m_stream;
};

} // namespace geotrain
