// SPDX-License-Identifier: GPL-2.0-only
// Checks that an order is one that workers can follow, and says which operations come in it. Workers
// are counted through the pipelines of a DP-cell.
#pragma once

#include "schedule/schedule-order.h"

#include <string>
#include <vector>

namespace geotrain
{

/// Returns a text such as "the forward of microbatch 2 in stage 1".
std::string NameOf(const Operation& operation, std::uint32_t stage);

/// A CheckedOrder is an order whose workers have all operations, each once and behind its own inputs.
class CheckedOrder
{
  public:
    /// Throws std::invalid_argument that names the operation that comes twice, is missing, does not
    /// exist or comes before what it needs from its own worker. `order` must outlive this.
    CheckedOrder(const ScheduleOrder& order, std::uint32_t microbatches, std::uint32_t pipelines);

    std::uint32_t WorkerCount() const;

    /// Returns the number of workers of one pipeline.
    std::uint32_t PerPipeline() const;

    std::uint32_t PipelineOf(std::uint32_t worker) const;
    const StageOrder& OrderOf(std::uint32_t worker) const;
    std::uint32_t StageOf(std::uint32_t worker, const Operation& operation) const;

    /// Returns whether the order has such an operation.
    bool Comes(std::uint32_t pipeline,
               Operation::Kind kind,
               std::uint32_t stage,
               std::uint32_t microbatch) const;

    /// Throws std::invalid_argument that names a worker, its operation, and the rule that this breaks.
    [[noreturn]] void
    Refuse(std::uint32_t worker, const Operation& operation, const std::string& rule) const;

  private:
    std::size_t Index(std::uint32_t pipeline,
                      Operation::Kind kind,
                      std::uint32_t stage,
                      std::uint32_t microbatch) const;
    std::size_t Index(const Operation& operation, std::uint32_t worker) const;
    std::size_t ChunksOf(std::uint32_t worker) const;
    void CheckOwnInputs(std::uint32_t worker, const Operation& operation) const;
    void CheckComplete() const;

    const ScheduleOrder& m_order;
    std::uint32_t m_microbatches;
    std::uint32_t m_pipelines;
    std::uint32_t m_stages; ///< virtual stages of a pipeline
    std::uint32_t m_perPipeline;
    std::vector<bool> m_comes;
};

} // namespace geotrain
