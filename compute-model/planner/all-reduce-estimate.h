// SPDX-License-Identifier: GPL-2.0-only
// Estimates by formula the all-reduce of a worker's gradients over all replicas, for the estimate of
// a plan.
#pragma once

#include "execution/collective-algorithm.h"
#include "training-plan/cluster-ways.h"
#include "training-plan/training-plan.h"

#include <cstdint>
#include <functional>

namespace geotrain
{

/// An AllReduceEstimate belongs to one plan. Times are in seconds, sizes in bits.
class AllReduceEstimate
{
  public:
    /// All must outlive this.
    AllReduceEstimate(const TrainingPlan& plan, const Cluster& cluster, const ClusterWays& ways);

    /// Returns the time of the all-reduce of a worker's `bits` in a data centre. Where replicas are
    /// across data centres, all stages have theirs at once, of `meanBits` on average; otherwise each
    /// has it by itself.
    double Seconds(std::uint32_t dataCenter, double bits, double meanBits) const;

    /// Returns the time of the all-reduce of tied embeddings between the first and the last stage of
    /// each pipeline, which are in data centres `first` and `last`.
    double TiedSeconds(std::uint32_t first, std::uint32_t last, double bits) const;

  private:
    /// Returns the payload bit/s of each worker of a crowd from one data centre to another.
    using RateOfEach =
        std::function<double(std::uint32_t from, std::uint32_t to, const Crowd& crowd)>;

    double Fastest(const std::function<double(const CollectiveAlgorithm&)>& timeOf) const;
    double Half(const CollectiveAlgorithm& algorithm, std::uint32_t dataCenter, double bits) const;
    double Hierarchical(std::uint32_t dataCenter, double bits, double meanBits) const;
    NodeDealing DealingIn(std::uint32_t dataCenter) const;
    double InsideStep(const TrainingPlan::Host& host, double piece, double meanPiece) const;
    double AcrossStep(const TrainingPlan::Host& host,
                      std::uint32_t to,
                      double piece,
                      double meanPiece) const;
    double FlatRing(double bits, double meanBits) const;
    double
    FlatSteps(const CollectiveAlgorithm& algorithm, double bits, double meanBits) const;
    double RingAcross(double bits, std::uint32_t stages, const RateOfEach& rateOfEach) const;

    const TrainingPlan& m_plan;
    const Cluster& m_cluster;
    const ClusterWays& m_ways;
    const double m_nodeLocalRate; ///< bit/s between two GPUs of a node
};

} // namespace geotrain
