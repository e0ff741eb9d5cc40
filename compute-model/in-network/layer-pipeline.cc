// SPDX-License-Identifier: GPL-2.0-only
#include "in-network/layer-pipeline.h"

#include "in-network/setting-check.h"
#include "units/quantity-parser.h"

#include <algorithm>
#include <utility>

namespace geotrain
{

namespace
{

/// StepCost is what a step costs a parameter: bytes of each device, and FLOP.
struct StepCost
{
    std::int64_t ssdRead;
    std::int64_t ssdWrite;
    std::int64_t memory;
    std::int64_t flops;
};

// bf16 parameters and gradients (2 bytes each); states are a master copy and two moments (4 each).
// What is written back is the states and the bf16 parameters. The sums are those of LuWu: 60 bytes
// of memory traffic, 14 bytes from and to the SSD and 17 FLOP a parameter in backward.
constexpr std::array<StepCost, OptimizerServerSettings::s_steps> stepCosts{
    {{2, 0, 2, 0}, {0, 0, 2, 0}, {0, 0, 2, 0}, {12, 0, 12, 0}, {0, 0, 28, 17}, {0, 14, 14, 0}}};

// A chunk is small beside a layer and large beside an event.
constexpr std::int64_t leastChunk = 1 << 20; // parameters
constexpr std::int64_t chunksPerLayer = 64;

std::int64_t
ChunkOf(std::int64_t parameters)
{
    return std::max(leastChunk, (parameters + chunksPerLayer - 1) / chunksPerLayer);
}

Instant
Send(TransmissionClock& device, Instant now, std::int64_t bytes)
{
    constexpr std::int64_t most = 100000000; // that the device takes at once
    Instant end = now;
    for (; bytes > 0; bytes -= most)
    {
        end = device.Send(now, Bytes::Of(std::min(bytes, most)));
    }
    return end;
}

} // namespace

std::size_t
OptimizerServerSettings::LayersInFlight() const
{
    return threads == Threads::StepCentric ? s_steps : threadCount / layerThreads;
}

void
OptimizerServerSettings::Check(BitRate nic, const char* path) const
{
    const auto least = BitRate::BitsPerSecond(2 * nic.ToBitsPerSecond());
    SettingCheck(path).Require(!(memory < least),
                               "memory_rate",
                               Format(memory),
                               "must carry the two directions of a server's link, " +
                                   Format(least));
}

LayerPipeline::LayerPipeline(Clock& clock,
                             const OptimizerServerSettings& settings,
                             StreamEnd& network)
    : m_clock(clock),
      m_settings(settings),
      m_network(network),
      m_ssdRead(settings.ssd),
      m_ssdWrite(settings.ssd),
      m_memory(settings.memory)
{
}

LayerPipeline::~LayerPipeline()
{
    m_clock.Cancel(m_event);
}

void
LayerPipeline::Add(std::size_t layer, std::int64_t parameters, bool isBackward)
{
    Task task{};
    task.layer = layer;
    task.parameters = parameters;
    task.isBackward = isBackward;
    m_tasks.push_back(task);
    Advance();
}

void
LayerPipeline::Advance()
{
    if (m_isAdvancing)
    {
        return; // the loop below looks again
    }
    m_isAdvancing = true;
    while (AdvanceOnce())
    {
    }
    m_isAdvancing = false;
}

bool
LayerPipeline::AdvanceOnce()
{
    for (std::size_t place = 0; place < m_tasks.size(); ++place)
    {
        Task& task = m_tasks[place];
        if (task.isAtWork || task.IsThrough())
        {
            continue;
        }
        if (MayEnter(place, task.step + 1))
        {
            ++task.step;
            Enter(task);
            return true;
        }
        if (task.step < 0)
        {
            return false; // nor may those behind it
        }
    }
    return false;
}

bool
LayerPipeline::MayEnter(std::size_t place, int step) const
{
    if (!IsInOrder(place, step))
    {
        return false;
    }
    const bool isNew = step == ReadParameters;
    if (m_settings.threads == OptimizerServerSettings::Threads::LayerCentric)
    {
        const auto inside =
            std::count_if(m_tasks.begin(),
                          m_tasks.end(),
                          [](const Task& task) {
                              return task.IsInside(OptimizerServerSettings::Threads::LayerCentric);
                          });
        return !isNew || static_cast<std::size_t>(inside) < m_settings.LayersInFlight();
    }
    return HasThreads(step);
}

bool
LayerPipeline::IsInOrder(std::size_t place, int step) const
{
    const Task& task = m_tasks[place];
    return std::all_of(m_tasks.begin(),
                       m_tasks.begin() + static_cast<std::ptrdiff_t>(place),
                       [&task, step](const Task& earlier)
                       {
                           const bool isUpdated = step != ReadParameters || !earlier.isBackward ||
                                                  earlier.layer != task.layer ||
                                                  earlier.IsThrough();
                           return isUpdated && (earlier.step >= step || earlier.LastStep() < step);
                       });
}

bool
LayerPipeline::HasThreads(int step) const
{
    return std::none_of(m_tasks.begin(),
                        m_tasks.end(),
                        [step](const Task& task) {
                            return task.step == step &&
                                   task.IsInside(OptimizerServerSettings::Threads::StepCentric);
                        });
}

void
LayerPipeline::Enter(Task& task)
{
    task.isAtWork = true;
    task.left = task.parameters;
    const auto inside = static_cast<std::size_t>(
        std::count_if(m_tasks.begin(),
                      m_tasks.end(),
                      [this](const Task& other) { return other.IsInside(m_settings.threads); }));
    m_counters.mostInFlight = std::max(m_counters.mostInFlight, inside);
    if (task.step == Push || task.step == Pull)
    {
        UseNetwork(task);
        return;
    }
    NextChunk(task);
}

void
LayerPipeline::UseNetwork(Task& task)
{
    EndOfChunk(task.step, std::exchange(task.left, 0));
    // A deque keeps its elements where they are when others come or go at its ends.
    const auto transfer = task.step == Push ? &StreamEnd::Push : &StreamEnd::Pull;
    (m_network.*transfer)(Bytes::Of(2 * task.parameters), [this, &task] { EndStep(task); });
}

void
LayerPipeline::NextChunk(Task& task)
{
    if (task.left == 0)
    {
        EndStep(task);
        return;
    }
    const std::int64_t parameters = std::min(task.left, ChunkOf(task.parameters));
    task.left -= parameters;
    ++m_counters.chunks;
    task.chunkEnd = EndOfChunk(task.step, parameters);
    AwaitChunk(task.chunkEnd);
}

/// Makes EndChunks() come at `end` if it doesn't come before.
void
LayerPipeline::AwaitChunk(Instant end)
{
    if (end < m_nextEnd)
    {
        m_clock.Cancel(m_event);
        m_nextEnd = end;
        m_event = m_clock.Schedule(end, [this] { EndChunks(); });
    }
}

void
LayerPipeline::EndChunks()
{
    m_nextEnd = Instant::Never();
    const auto earlier = [](const Task& a, const Task& b) { return a.chunkEnd < b.chunkEnd; };
    auto next = std::min_element(m_tasks.begin(), m_tasks.end(), earlier);
    while (next != m_tasks.end() && next->chunkEnd <= m_clock.Now())
    {
        next->chunkEnd = Instant::Never();
        NextChunk(*next);
        next = std::min_element(m_tasks.begin(), m_tasks.end(), earlier);
    }
    if (next != m_tasks.end())
    {
        AwaitChunk(next->chunkEnd);
    }
}

Instant
LayerPipeline::EndOfChunk(int step, std::int64_t parameters)
{
    const auto number = static_cast<std::size_t>(step);
    const StepCost& cost = stepCosts[number];
    const Instant now = m_clock.Now();
    Instant end = Send(m_memory, now, cost.memory * parameters);
    end = std::max(end, Send(m_ssdRead, now, cost.ssdRead * parameters));
    end = std::max(end, Send(m_ssdWrite, now, cost.ssdWrite * parameters));
    m_counters.memoryBytes += cost.memory * parameters;
    m_counters.ssdReadBytes += cost.ssdRead * parameters;
    m_counters.ssdWriteBytes += cost.ssdWrite * parameters;
    if (cost.flops > 0)
    {
        const bool isStep = m_settings.threads == OptimizerServerSettings::Threads::StepCentric;
        const double share =
            static_cast<double>(isStep ? m_settings.stepThreads[number] : m_settings.layerThreads) /
            m_settings.threadCount;
        const auto flops = static_cast<double>(cost.flops * parameters);
        end = std::max(end, now + Duration::Seconds(flops / (m_settings.flopsPerSecond * share)));
        m_counters.flops += cost.flops * parameters;
    }
    return end;
}

void
LayerPipeline::EndStep(Task& task)
{
    task.isAtWork = false;
    if (task.step == task.LastStep())
    {
        ++m_counters.layers;
        ++task.step; // it is through
        if (m_through)
        {
            m_through(task.isBackward);
        }
    }
    while (!m_tasks.empty() && m_tasks.front().IsThrough())
    {
        m_tasks.pop_front();
    }
    Advance();
}

void
LayerPipeline::OnThrough(std::function<void(bool isBackward)> through)
{
    m_through = std::move(through);
}

bool
LayerPipeline::IsWorking() const
{
    return std::any_of(m_tasks.begin(),
                       m_tasks.end(),
                       [](const Task& task)
                       { return task.isAtWork && task.step != Push && task.step != Pull; });
}

std::size_t
LayerPipeline::Unfinished() const
{
    return m_tasks.size();
}

const LayerPipeline::Counters&
LayerPipeline::GetCounters() const
{
    return m_counters;
}

} // namespace geotrain
