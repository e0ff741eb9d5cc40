// SPDX-License-Identifier: GPL-2.0-only
// Estimates an iteration of model-in-network data parallelism without packets and events: when each
// layer enters and leaves each step, layer by layer (a max-plus recurrence). A transfer takes its
// packets at the slowest link's rate, or at a window a loop of heartbeats, and the loop once more.
// A device that steps share takes no more layers than all their bytes allow. It knows no loss, and
// one aggregating path: a switch or a tree of them.
#pragma once

#include "in-network-optimizer/helper/heartbeat-phase.h"
#include "in-network-optimizer/helper/in-network-training.h"
#include "in-network-optimizer/helper/transfer-estimate.h"

#include <array>

namespace ns3
{

/// A TransferTimes follows the layers of a stream, each of which is sent when the one before has been
/// acknowledged.
class TransferTimes
{
  public:
    /// Ends are when the receivers have a layer, and when its sender knows.
    struct Ends
    {
        double received;
        double acknowledged;
    };

    explicit TransferTimes(const TransferEstimate& estimate);

    /// Sends a layer that the sender has at `given` into buffers that the receivers have at `posted`.
    Ends Send(std::int64_t bytes, double given, double posted);

  private:
    const TransferEstimate m_estimate;
    HeartbeatPhase m_heartbeats;
};

/// A ServerEstimate follows a server's layers through its six steps. The settings must outlive it.
class ServerEstimate
{
  public:
    ServerEstimate(const InNetworkClusterSettings& settings, std::size_t layers);

    /// Takes the next layer to the workers, whose last one asked at `posted`, and returns when they
    /// have it. An update of it has been taken before.
    double Pull(std::size_t layer, std::int64_t parameters, double posted);

    /// Takes the gradients that the last worker gave at `posted`, of the layer that was pulled last.
    /// Returns when the server has them.
    double Push(std::size_t layer, std::int64_t parameters, double posted);

    /// Begins Pull() and returns when the server's push can start. EndPull() comes before the next.
    double BeginPull(std::size_t layer, std::int64_t parameters);

    /// Ends the pull that has begun: all ends have acknowledged it at `at`.
    void EndPull(double at);

    /// Returns when the server has room for the gradients of the next Push(), if all ends have
    /// acknowledged that layer's parameters.
    double BeginPush() const;

    /// Ends a push whose gradients the server has at `at`.
    void EndPush(std::size_t layer, std::int64_t parameters, double at);

    /// Returns when the last update of all layers was written.
    double Updated() const;

  private:
    static constexpr std::size_t s_steps = OptimizerServerSettings::s_steps;

    /// StepEnds are the times at which one layer enters and ends each step of the server.
    struct StepEnds
    {
        std::array<double, s_steps> enter{};
        std::array<double, s_steps> end{};
    };

    double LeftBy(std::size_t step) const;
    void EnterAt(StepEnds& ends, std::size_t step, double enter, double end) const;
    void Enter(StepEnds& ends, std::size_t step, double seconds, double spacing) const;

    const InNetworkClusterSettings& m_settings;
    TransferTimes m_pulls;
    TransferTimes m_pushes;
    std::vector<double> m_updated; ///< by layer: when its last update was written
    StepEnds m_pull;               ///< of the pull that has begun
    StepEnds m_lastPull;
    StepEnds m_lastPush;
    double m_pushed = 0; ///< when the server's last push ended
    double m_pulled = 0; ///< when its last pull ended
};

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
