// SPDX-License-Identifier: GPL-2.0-only
// What an executor tells those who watch it: trace writers, metrics, bubble fillers.
#pragma once

#include "execution/instruction.h"
#include "execution/network.h"

namespace geotrain
{

/// A pipeline message: an activation or a gradient of one microbatch, from worker to worker.
struct Message
{
    std::uint64_t number = 0; ///< in the order of sending, from 1
    std::uint32_t iteration = 0;
    WorkerIndex sender = 0;
    WorkerIndex receiver = 0;
    NodeIndex source = 0;
    NodeIndex destination = 0;
    Payload payload = Payload::Activation;
    std::uint32_t stage = 0; ///< of the sender
    std::uint32_t microbatch = 0;
    Bytes size;
};

struct MessageTimes
{
    Instant queued;    ///< handed over by the sender
    Instant sendStart; ///< given to the network: under temporal sharing, when its turn began
    Instant firstByte; ///< first payload byte at the receiving side
    Instant sent;      ///< last payload byte on the wire for the first time
    Instant delivered; ///< whole at the receiver
};

class ExecutionObserver
{
  public:
    virtual ~ExecutionObserver() = default;

    virtual void InstructionStarted(WorkerIndex /*worker*/,
                                    std::uint32_t /*iteration*/,
                                    const Instruction& /*instruction*/,
                                    Instant /*start*/)
    {
    }

    /// A compute instruction has ended. Receive and OptimizerStep waits show as gaps between these.
    virtual void InstructionEnded(WorkerIndex /*worker*/,
                                  std::uint32_t /*iteration*/,
                                  const Instruction& /*instruction*/,
                                  Instant /*start*/,
                                  Instant /*end*/)
    {
    }

    /// A worker has come to a Bubble of its stream that has a length: idle time is forecast here.
    virtual void BubbleReached(WorkerIndex /*worker*/,
                               std::uint32_t /*iteration*/,
                               const Instruction& /*bubble*/,
                               Instant /*now*/)
    {
    }

    virtual void MessageDelivered(const Message& /*message*/, const MessageTimes& /*times*/)
    {
    }

    /// `worker` joined a collective at `joined` and had its result at `ended`.
    virtual void CollectiveEnded(WorkerIndex /*worker*/,
                                 std::uint32_t /*iteration*/,
                                 const Instruction& /*instruction*/,
                                 Instant /*joined*/,
                                 Instant /*ended*/)
    {
    }

    /// What was in progress of the iteration, and of later ones, has come to nothing: every worker
    /// will begin the iteration again.
    virtual void IterationAborted(std::uint32_t /*iteration*/, Instant /*at*/)
    {
    }

    /// Every worker has ended the iteration's last instruction.
    virtual void IterationEnded(std::uint32_t /*iteration*/, Instant /*end*/)
    {
    }
};

} // namespace geotrain
