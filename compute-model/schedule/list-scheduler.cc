// SPDX-License-Identifier: GPL-2.0-only
#include "schedule/list-scheduler.h"

#include "schedule/message-way.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>

namespace geotrain
{

namespace
{

using Kind = Operation::Kind;

/// Stage is a virtual stage: what has been started there, and when inputs come. Times are
/// nanoseconds.
struct Stage
{
    StageTiming timing;
    Hop hop; ///< to the next stage
    std::uint32_t worker = 0;
    std::uint32_t chunk = 0;
    std::uint32_t forwards = 0;
    std::uint32_t backwards = 0;
    std::uint32_t weights = 0;
    std::vector<std::int64_t> activationAt; ///< by microbatch
    std::vector<std::int64_t> gradientAt;
    MessageWay down; ///< to the next stage
    MessageWay up;   ///< to the stage before
};

struct ListWorker
{
    std::vector<std::uint32_t> stages; ///< in the order of the chunks
    std::int64_t free = 0;
    std::uint32_t held = 0;      ///< activations
    bool backwardIsNext = false; ///< whose turn it is where they alternate
    StageOrder order;
};

class ListScheduler
{
  public:
    ListScheduler(const ScheduleRequest& request,
                  const std::vector<std::vector<std::uint32_t>>& stagesOfWorker,
                  const ListRules& rules)
        : m_rules(rules),
          m_microbatches(request.microbatches)
    {
        m_order.stages.resize(request.stages);
        m_order.stagesOfWorker = stagesOfWorker;
        m_order.activationCap.assign(request.stages, rules.cap);
        m_workers.resize(request.stages);
        const auto homes = HomesOf(m_order);
        m_stages.resize(homes.size());
        for (std::uint32_t index = 0; index < homes.size(); ++index)
        {
            Stage& stage = m_stages[index];
            stage.timing = request.times.Stage(index);
            stage.worker = homes[index].worker;
            stage.chunk = homes[index].chunk;
            const bool isCrossed =
                index + 1 < homes.size() && homes[index + 1].worker != stage.worker;
            stage.hop = isCrossed ? request.times.HopAfter(index) : Hop();
            stage.activationAt.assign(m_microbatches, index == 0 ? 0 : unknownTime);
            stage.gradientAt.assign(m_microbatches, unknownTime);
        }
        std::size_t mostStages = 1;
        for (std::uint32_t worker = 0; worker < request.stages; ++worker)
        {
            const std::size_t chunks = stagesOfWorker.empty() ? 1 : stagesOfWorker[worker].size();
            mostStages = std::max(mostStages, chunks);
            for (std::uint32_t chunk = 0; chunk < chunks; ++chunk)
            {
                m_workers[worker].stages.push_back(m_order.StageOf(worker, chunk));
            }
        }
        m_mostUnderWay = rules.cap / static_cast<std::uint32_t>(mostStages);
        if (m_mostUnderWay == 0)
        {
            throw std::invalid_argument("a memory cap of " + std::to_string(rules.cap) +
                                        " holds no microbatch in " + std::to_string(mostStages) +
                                        " virtual stages");
        }
    }

    ScheduleOrder Run()
    {
        Wake(0, m_stages.front().worker);
        while (!m_wakeUps.empty())
        {
            const auto [at, worker] = m_wakeUps.top();
            m_wakeUps.pop();
            if (m_workers[worker].free <= at)
            {
                Dispatch(worker, at);
            }
        }
        for (std::size_t worker = 0; worker < m_workers.size(); ++worker)
        {
            m_order.stages[worker] = std::move(m_workers[worker].order);
        }
        return std::move(m_order);
    }

  private:
    void Wake(std::int64_t at, std::uint32_t worker)
    {
        m_wakeUps.push({at, worker});
    }

    /// Returns the stage whose next forward's input is here and fits; later chunks first.
    std::optional<std::uint32_t> ReadyForward(const ListWorker& worker, std::int64_t now) const
    {
        for (auto index = worker.stages.rbegin(); index != worker.stages.rend(); ++index)
        {
            const Stage& stage = m_stages[*index];
            if (stage.forwards == m_microbatches ||
                stage.activationAt[stage.forwards] == unknownTime ||
                stage.activationAt[stage.forwards] > now)
            {
                continue;
            }
            if (*index > 0 || stage.forwards - stage.backwards < m_mostUnderWay)
            {
                return *index;
            }
        }
        return std::nullopt;
    }

    std::optional<std::uint32_t> ReadyBackward(const ListWorker& worker, std::int64_t now) const
    {
        for (const std::uint32_t index : worker.stages)
        {
            const Stage& stage = m_stages[index];
            if (stage.backwards < stage.forwards &&
                stage.gradientAt[stage.backwards] != unknownTime &&
                stage.gradientAt[stage.backwards] <= now)
            {
                return index;
            }
        }
        return std::nullopt;
    }

    std::optional<std::uint32_t> ReadyWeight(const ListWorker& worker) const
    {
        for (auto index = worker.stages.rbegin(); index != worker.stages.rend(); ++index)
        {
            if (m_stages[*index].weights < m_stages[*index].backwards)
            {
                return *index;
            }
        }
        return std::nullopt;
    }

    bool HasRoom(const ListWorker& worker) const
    {
        return worker.held < m_rules.cap;
    }

    /// Returns when the next input that is under way comes; `unknownTime` if none is.
    std::int64_t NextInput(const ListWorker& worker) const
    {
        std::int64_t next = unknownTime;
        const auto consider = [&next](std::int64_t at)
        { next = at != unknownTime && (next == unknownTime || at < next) ? at : next; };
        for (const std::uint32_t index : worker.stages)
        {
            const Stage& stage = m_stages[index];
            if (stage.forwards < m_microbatches && HasRoom(worker))
            {
                consider(stage.activationAt[stage.forwards]);
            }
            if (stage.backwards < stage.forwards)
            {
                consider(stage.gradientAt[stage.backwards]);
            }
        }
        return next;
    }

    void Dispatch(std::uint32_t index, std::int64_t now)
    {
        ListWorker& worker = m_workers[index];
        const auto backward = ReadyBackward(worker, now);
        const auto forward = ReadyForward(worker, now);
        const bool hasRoom = HasRoom(worker);
        const bool takesForward =
            forward && hasRoom && (!backward || (m_rules.alternates && !worker.backwardIsNext));
        if (takesForward)
        {
            RunForward(index, *forward, now);
        }
        else if (backward)
        {
            RunBackward(index, *backward, now);
        }
        else
        {
            RunWeightIfUseful(index, forward.has_value(), now);
        }
    }

    /// Runs a weight gradient where it frees the room for which a forward waits, or fits into the
    /// gap.
    void RunWeightIfUseful(std::uint32_t index, bool forwardWaits, std::int64_t now)
    {
        const auto weight = ReadyWeight(m_workers[index]);
        if (weight && (forwardWaits || WeightFits(m_workers[index], *weight, now)))
        {
            RunWeight(index, *weight, now);
        }
    }

    bool WeightFits(const ListWorker& worker, std::uint32_t stage, std::int64_t now) const
    {
        const std::int64_t next = NextInput(worker);
        const double time =
            static_cast<double>(m_stages[stage].timing.backwardWeight.ToNanoseconds());
        return next == unknownTime || next < now ||
               static_cast<double>(next - now) >= time * (1 - m_rules.overrun);
    }

    void Occupy(std::uint32_t index, Duration time, std::int64_t now, const Operation& operation)
    {
        ListWorker& worker = m_workers[index];
        worker.free = now + time.ToNanoseconds();
        worker.order.push_back(operation);
        Wake(worker.free, index);
    }

    void RunForward(std::uint32_t index, std::uint32_t stageIndex, std::int64_t now)
    {
        Stage& stage = m_stages[stageIndex];
        const std::uint32_t microbatch = stage.forwards++;
        Occupy(index, stage.timing.forward, now, {Kind::Forward, microbatch, stage.chunk});
        m_workers[index].backwardIsNext = true;
        ++m_workers[index].held;
        const std::int64_t end = m_workers[index].free;
        if (stageIndex + 1 == m_stages.size())
        {
            stage.gradientAt[microbatch] = end;
            return;
        }
        const std::int64_t at = stage.down.Carry(end, stage.hop);
        m_stages[stageIndex + 1].activationAt[microbatch] = at;
        Wake(at, m_stages[stageIndex + 1].worker);
    }

    void RunBackward(std::uint32_t index, std::uint32_t stageIndex, std::int64_t now)
    {
        Stage& stage = m_stages[stageIndex];
        const std::uint32_t microbatch = stage.backwards++;
        const Duration time = stage.timing.recompute + stage.timing.backwardInput;
        Occupy(index, time, now, {Kind::Backward, microbatch, stage.chunk});
        m_workers[index].backwardIsNext = false;
        if (stageIndex == 0)
        {
            return;
        }
        const std::int64_t at = stage.up.Carry(m_workers[index].free, m_stages[stageIndex - 1].hop);
        m_stages[stageIndex - 1].gradientAt[microbatch] = at;
        Wake(at, m_stages[stageIndex - 1].worker);
    }

    void RunWeight(std::uint32_t index, std::uint32_t stageIndex, std::int64_t now)
    {
        Stage& stage = m_stages[stageIndex];
        Occupy(index,
               stage.timing.backwardWeight,
               now,
               {Kind::WeightGradient, stage.weights++, stage.chunk});
        --m_workers[index].held;
    }

    using WakeUp = std::pair<std::int64_t, std::uint32_t>; ///< ns, worker

    ListRules m_rules;
    std::uint32_t m_microbatches;
    std::uint32_t m_mostUnderWay = 1;
    ScheduleOrder m_order;
    std::vector<Stage> m_stages;
    std::vector<ListWorker> m_workers;
    std::priority_queue<WakeUp, std::vector<WakeUp>, std::greater<WakeUp>> m_wakeUps;
};

} // namespace

ScheduleOrder
ScheduleByList(const ScheduleRequest& request,
               const std::vector<std::vector<std::uint32_t>>& stagesOfWorker,
               const ListRules& rules)
{
    return ListScheduler(request, stagesOfWorker, rules).Run();
}

} // namespace geotrain
