// SPDX-License-Identifier: GPL-2.0-only
// Models how the server of LuWu takes layers through its six steps: read the parameters, push them,
// pull the gradients, read the optimiser's states, Adam, write back. A step takes what its slowest
// device takes: SSD by direction, memory, CPU. Devices serve steps chunk by chunk. The network's
// steps take what the network takes; their memory traffic goes before that of the others and never
// waits. It ignores caches, NUMA and the file system. Packets and the estimate have the same one.
#pragma once

#include "execution/clock.h"
#include "in-network/stream-end.h"
#include "units/transmission-clock.h"

#include <array>
#include <deque>
#include <functional>

namespace geotrain
{

/// OptimizerServerSettings describe the machine of LuWu's server; rates are its own.
struct OptimizerServerSettings
{
    /// Threads says how the CPU's threads are dealt out.
    enum class Threads
    {
        StepCentric, ///< each step has threads of its own and one layer at a time
        LayerCentric ///< a group of threads takes one layer through all steps
    };

    static constexpr std::size_t s_steps = 6;

    Threads threads = Threads::StepCentric;
    std::uint32_t threadCount = 104; ///< of 2 Xeon 5320
    std::array<std::uint32_t, s_steps> stepThreads{1, 1, 1, 1, 32, 1};
    std::uint32_t layerThreads = 32;
    /// SSD a direction: 12 of them as built (26 GB/s).
    BitRate ssd = BitRate::GigabitsPerSecond(26 * 8);
    BitRate memory = BitRate::GigabitsPerSecond(375 * 8);
    double flopsPerSecond = 1.83e12; ///< CPU with all its threads

    /// Returns the layers that are in flight at most.
    std::size_t LayersInFlight() const;

    /// Throws ConfigError that names the field below `path` where a rule is broken. `nic` is the
    /// rate of the server's link a direction, whose traffic the memory has to carry.
    void Check(BitRate nic, const char* path = "in_network") const;
};

/// LayerPipeline takes layers through the steps, in the order in which they are added.
class LayerPipeline
{
  public:
    enum Step : std::uint8_t
    {
        ReadParameters,
        Push,
        Pull,
        ReadStates,
        Adam,
        WriteBack
    };

    struct Counters
    {
        std::int64_t ssdReadBytes = 0;
        std::int64_t ssdWriteBytes = 0;
        std::int64_t memoryBytes = 0; ///< bytes read and written
        std::int64_t flops = 0;
        std::size_t mostInFlight = 0; ///< most layers in the server at once
        std::int64_t chunks = 0;
        std::int64_t layers = 0; ///< layers that went through
    };

    /// `clock` and `network`, the server's end of its streams, outlive the pipeline.
    LayerPipeline(Clock& clock, const OptimizerServerSettings& settings, StreamEnd& network);
    ~LayerPipeline();
    LayerPipeline(const LayerPipeline&) = delete;
    LayerPipeline& operator=(const LayerPipeline&) = delete;

    /// Adds a layer of `parameters`. In forward it goes through the first two steps. A layer is read
    /// again only when its last update has been written.
    void Add(std::size_t layer, std::int64_t parameters, bool isBackward);

    /// Calls `through` whenever a layer is through.
    void OnThrough(std::function<void(bool isBackward)> through);

    bool IsWorking() const; ///< whether a step other than the network's is at work
    std::size_t Unfinished() const;
    const Counters& GetCounters() const;

  private:
    struct Task
    {
        std::size_t layer;
        std::int64_t parameters;
        bool isBackward;
        int step = -1; ///< step that it is in or was in last; -1: none yet
        bool isAtWork = false;
        std::int64_t left = 0; ///< parameters that the step has not begun yet
        Instant chunkEnd = Instant::Never();

        int LastStep() const
        {
            return isBackward ? WriteBack : Push;
        }

        bool IsThrough() const
        {
            return step > LastStep();
        }

        /// Returns whether it takes up a place of the server. Between push and pull it does not,
        /// where steps have threads of their own: it is the workers' turn.
        bool IsInside(OptimizerServerSettings::Threads threads) const
        {
            return step >= 0 && !IsThrough() &&
                   (isAtWork || step != Push ||
                    threads == OptimizerServerSettings::Threads::LayerCentric);
        }
    };

    void Advance();
    bool AdvanceOnce();
    bool MayEnter(std::size_t place, int step) const;
    bool IsInOrder(std::size_t place, int step) const;
    bool HasThreads(int step) const;
    void Enter(Task& task);
    void NextChunk(Task& task);
    void AwaitChunk(Instant end);
    void EndChunks();
    void UseNetwork(Task& task);
    Instant EndOfChunk(int step, std::int64_t parameters);
    void EndStep(Task& task);

    Clock& m_clock;
    const OptimizerServerSettings m_settings;
    StreamEnd& m_network;
    std::function<void(bool)> m_through;
    TransmissionClock m_ssdRead;
    TransmissionClock m_ssdWrite;
    TransmissionClock m_memory;
    std::deque<Task> m_tasks;             ///< those that are not through
    Instant m_nextEnd = Instant::Never(); ///< of a chunk
    Clock::EventNumber m_event = 0;       ///< at m_nextEnd
    bool m_isAdvancing = false;
    Counters m_counters;
};

} // namespace geotrain
