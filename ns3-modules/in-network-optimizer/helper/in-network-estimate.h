// SPDX-License-Identifier: GPL-2.0-only
// Estimates an iteration of model-in-network data parallelism without packets and events: when each
// layer enters and leaves each step, layer by layer (a max-plus recurrence). A transfer takes its
// packets at the slowest link's rate, or at a window a loop of heartbeats, and the loop once more.
// A device that steps share takes no more layers than all their bytes allow. It knows no loss, and
// one aggregating path: a switch or a tree of them.
#pragma once

#include "in-network-optimizer/helper/in-network-training.h"

namespace ns3
{

/// A TransferEstimate is what moving a layer costs.
struct TransferEstimate
{
    double bytesPerSecond; ///< of payload
    double loopSeconds;    ///< from the last packet to its acknowledgement at the sender

    double Seconds(std::int64_t bytes) const
    {
        return static_cast<double>(bytes) / bytesPerSecond + loopSeconds;
    }
};

/// Estimates the streams of `settings` between workers and a server.
TransferEstimate EstimateTransfer(const InNetworkClusterSettings& settings);

/// Estimates InNetworkTraining's IterationTime() of three iterations or more. The settings have been
/// checked; there is one server, whose threads are a step's, and switches add.
geotrain::Duration EstimateIteration(const InNetworkClusterSettings& settings,
                                     const std::vector<TrainingLayer>& layers,
                                     std::uint32_t pullsAhead = 2);

/// Returns the payload that a worker's NIC moves for parameters of `bytes`, one way, if every layer
/// is gathered twice and its gradients are scattered once in a ring of `workers` (ZeRO-3).
double RingZero3Bytes(double bytes, std::uint32_t workers);

/// Returns the algorithm bandwidth of a ring all-reduce at `linkRate` a direction: B N / (2 (N - 1)).
double RingAllReduceRate(double linkRate, std::uint32_t workers);

} // namespace ns3
