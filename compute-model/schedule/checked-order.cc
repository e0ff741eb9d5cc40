// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/checked-order.h"

#include <stdexcept>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

const char*
WordOf(Kind kind)
{
    switch (kind)
    {
    case Kind::Forward:
        return "forward";
    case Kind::Backward:
        return "backward";
    case Kind::WeightGradient:
        return "weight gradient";
    case Kind::Recompute:
        return "recomputation";
    }
    return "";
}

} // namespace

std::string
NameOf(const Operation& operation, std::uint32_t stage)
{
    return std::string("the ") + WordOf(operation.kind) + " of microbatch " +
           std::to_string(operation.microbatch) + " in stage " + std::to_string(stage);
}

CheckedOrder::CheckedOrder(const ScheduleOrder& order,
                           std::uint32_t microbatches,
                           std::uint32_t pipelines)
    : m_order(order),
      m_microbatches(microbatches),
      m_pipelines(pipelines),
      m_stages(order.StageCount()),
      m_perPipeline(static_cast<std::uint32_t>(order.stages.size())),
      m_comes(std::size_t{4} * m_stages * microbatches * pipelines, false)
{
    for (std::uint32_t worker = 0; worker < WorkerCount(); ++worker)
    {
        for (const Operation& operation : OrderOf(worker))
        {
            if (operation.chunk >= ChunksOf(worker) || operation.microbatch >= m_microbatches)
            {
                Refuse(worker, operation, "names a stage or microbatch that does not exist");
            }
            const std::size_t index = Index(operation, worker);
            if (m_comes[index])
            {
                Refuse(worker, operation, "comes twice");
            }
            CheckOwnInputs(worker, operation);
            m_comes[index] = true;
        }
    }
    CheckComplete();
}

std::uint32_t
CheckedOrder::WorkerCount() const
{
    return m_perPipeline * m_pipelines;
}

std::uint32_t
CheckedOrder::PerPipeline() const
{
    return m_perPipeline;
}

std::uint32_t
CheckedOrder::PipelineOf(std::uint32_t worker) const
{
    return worker / m_perPipeline;
}

const StageOrder&
CheckedOrder::OrderOf(std::uint32_t worker) const
{
    return m_order.OfPipeline(PipelineOf(worker))[worker % m_perPipeline];
}

std::uint32_t
CheckedOrder::StageOf(std::uint32_t worker, const Operation& operation) const
{
    return m_order.StageOf(worker % m_perPipeline, operation.chunk);
}

bool
CheckedOrder::Comes(std::uint32_t pipeline,
                    Kind kind,
                    std::uint32_t stage,
                    std::uint32_t microbatch) const
{
    return m_comes[Index(pipeline, kind, stage, microbatch)];
}

std::size_t
CheckedOrder::Index(std::uint32_t pipeline,
                    Kind kind,
                    std::uint32_t stage,
                    std::uint32_t microbatch) const
{
    const std::size_t ofKind = std::size_t{4} * pipeline + static_cast<std::size_t>(kind);
    return (ofKind * m_stages + stage) * m_microbatches + microbatch;
}

std::size_t
CheckedOrder::Index(const Operation& operation, std::uint32_t worker) const
{
    return Index(
        PipelineOf(worker), operation.kind, StageOf(worker, operation), operation.microbatch);
}

std::size_t
CheckedOrder::ChunksOf(std::uint32_t worker) const
{
    const auto& stages = m_order.stagesOfWorker;
    return stages.empty() ? 1 : stages[worker % m_perPipeline].size();
}

/// Checks that a worker's own order has the forward before the backward, and that before the
/// weight gradient.
void
CheckedOrder::CheckOwnInputs(std::uint32_t worker, const Operation& operation) const
{
    Operation before = operation;
    if (operation.kind == Kind::Forward)
    {
        return;
    }
    before.kind = operation.kind == Kind::WeightGradient ? Kind::Backward : Kind::Forward;
    if (!m_comes[Index(before, worker)])
    {
        Refuse(worker,
               operation,
               "comes before " + NameOf(before, StageOf(worker, before)) + ", which it depends on");
    }
    Operation after = operation;
    after.kind = Kind::Backward;
    if (operation.kind == Kind::Recompute && m_comes[Index(after, worker)])
    {
        Refuse(worker, operation, "comes after its backward");
    }
}

void
CheckedOrder::CheckComplete() const
{
    for (std::uint32_t pipeline = 0; pipeline < m_pipelines; ++pipeline)
    {
        for (const Kind kind : {Kind::Forward, Kind::Backward})
        {
            for (std::uint32_t stage = 0; stage < m_stages; ++stage)
            {
                for (std::uint32_t microbatch = 0; microbatch < m_microbatches; ++microbatch)
                {
                    if (!Comes(pipeline, kind, stage, microbatch))
                    {
                        throw std::invalid_argument(NameOf({kind, microbatch}, stage) +
                                                    " is missing");
                    }
                }
            }
        }
    }
}

void
CheckedOrder::Refuse(std::uint32_t worker,
                     const Operation& operation,
                     const std::string& rule) const
{
    const std::uint32_t stage =
        operation.chunk < ChunksOf(worker) ? StageOf(worker, operation) : operation.chunk;
    throw std::invalid_argument("worker " + std::to_string(worker % m_perPipeline) + ": " +
                                NameOf(operation, stage) + " " + rule);
}

} // namespace geotrain
