// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/dualpipe-v.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

class DualPipeWorker
{
  public:
    DualPipeWorker(std::uint32_t workers, std::uint32_t microbatches, std::uint32_t worker)
        : m_workers(workers),
          m_microbatches(microbatches),
          m_worker(worker)
    {
    }

    /// Writes the eight phases of the published order; nF0 means n forwards of chunk 0, and so on.
    StageOrder Write()
    {
        const std::uint32_t below = m_workers - 1 - m_worker;
        Times(2 * below, [this] { Forward(0); });
        Times(m_worker + 1,
              [this]
              {
                  Forward(0);
                  Forward(1);
              });
        Times(below,
              [this]
              {
                  Backward(1, true);
                  WeightGradient();
                  Forward(1);
              });
        SteadyState();
        Times(below,
              [this]
              {
                  Backward(1, false);
                  Overlapped(1, 0);
              });
        CoolDown();
        Times(below,
              [this]
              {
                  WeightGradient();
                  Backward(0, true);
              });
        while (!m_weightsLeft.empty())
        {
            WeightGradient();
        }
        return std::move(m_order);
    }

  private:
    template <typename Step>
    static void Times(std::uint32_t count, Step step)
    {
        for (std::uint32_t index = 0; index < count; ++index)
        {
            step();
        }
    }

    void SteadyState()
    {
        const std::uint32_t rounds = m_microbatches - 2 * m_workers + m_worker + 1;
        for (std::uint32_t round = 0; round < rounds; ++round)
        {
            if (round == 0 && m_worker + 1 == m_workers)
            {
                // The last worker's first pair stays apart: its backward would wait for the
                // forward's hop.
                Forward(0);
                Backward(1, false);
            }
            else
            {
                Overlapped(0, 1);
            }
            Overlapped(1, 0);
        }
    }

    /// Writes the cool-down; the second half of its backwards leaves weight gradients for later.
    void CoolDown()
    {
        const std::uint32_t pairs = m_worker + 1;
        bool splits = false;
        for (std::uint32_t pair = 0; pair < pairs; ++pair)
        {
            splits = splits || (pair == pairs / 2 && m_worker % 2 == 1);
            Backward(1, splits);
            splits = splits || (pair == pairs / 2 && m_worker % 2 == 0);
            Backward(0, splits);
        }
    }

    void Forward(std::uint32_t chunk)
    {
        m_order.push_back({Kind::Forward, m_forwards[chunk]++, chunk});
    }

    void Backward(std::uint32_t chunk, bool splits)
    {
        m_order.push_back({Kind::Backward, m_backwards[chunk]++, chunk});
        if (splits)
        {
            m_weightsLeft.push_back(m_order.back());
        }
    }

    void WeightGradient()
    {
        Operation weight = m_weightsLeft.front();
        m_weightsLeft.pop_front();
        weight.kind = Kind::WeightGradient;
        m_order.push_back(weight);
    }

    void Overlapped(std::uint32_t forwardChunk, std::uint32_t backwardChunk)
    {
        Forward(forwardChunk);
        m_order.back().overlapsNext = true;
        Backward(backwardChunk, false);
    }

    std::uint32_t m_workers;
    std::uint32_t m_microbatches;
    std::uint32_t m_worker;
    std::uint32_t m_forwards[2] = {0, 0};
    std::uint32_t m_backwards[2] = {0, 0};
    std::deque<Operation> m_weightsLeft;
    StageOrder m_order;
};

std::uint32_t
DualPipeVActivations(std::uint32_t, const ScheduleShape& shape)
{
    return 2 * shape.stages + 1;
}

} // namespace

ScheduleOrder
DualPipeV(const ScheduleRequest& request)
{
    ScheduleOrder schedule;
    schedule.stagesOfWorker = WaveStages(request.stages);
    schedule.activationCap.assign(request.stages, DualPipeVActivations(0, request));
    for (std::uint32_t worker = 0; worker < request.stages; ++worker)
    {
        schedule.stages.push_back(
            DualPipeWorker(request.stages, request.microbatches, worker).Write());
    }
    return schedule;
}

ScheduleEntry
DualPipeVEntry()
{
    ScheduleEntry entry;
    entry.name = "dualpipe-v";
    entry.description =
        "two chunks a worker down and up, overlapped forward and backward blocks; m >= 2p";
    entry.source = "DeepSeek-AI, DualPipe, 2025; DeepSeek-V3, arXiv 2412.19437, section 3.2.1";
    entry.make = &DualPipeV;
    entry.mostActivations = &DualPipeVActivations;
    entry.refuse = [](const ScheduleShape& shape)
    {
        return std::string(shape.microbatches < 2 * shape.stages
                               ? "needs at least two microbatches per pipeline stage"
                               : "");
    };
    entry.layout = StageLayout::Wave;
    entry.plannedVirtualStages = 2;
    entry.splitsBackward = true;
    entry.overlapsBlocks = true;
    return entry;
}

} // namespace geotrain
