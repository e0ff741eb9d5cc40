// SPDX-License-Identifier: GPL-2.0-only
// Builds a small tree for tests: workers with values of their own, one or two levels of switches
// and an end point in the server's place, with impaired links, and with a filter on what leaves
// each worker.
#pragma once

#include "in-network-optimizer/model/aggregation-end-point.h"
#include "in-network-optimizer/model/aggregation-switch.h"
#include "units/random-stream.h"
#include "wan-topology/model/light-link.h"

#include <gtest/gtest.h>

#include <ns3/simulator.h>

#include <deque>
#include <map>
#include <memory>
#include <string>

namespace ns3
{

/// RandomValues are a worker's integers: a hash of the worker and the sequence number (the finaliser
/// of SplitMix64, Steele et al., OOPSLA'14).
class RandomValues : public PayloadValues
{
  public:
    explicit RandomValues(std::uint64_t worker)
        : m_worker(worker)
    {
    }

    geotrain::AggregationSlots::Lanes At(std::int64_t sequence) const override
    {
        geotrain::AggregationSlots::Lanes lanes;
        std::uint64_t place = (m_worker << 40) + (static_cast<std::uint64_t>(sequence) << 2);
        for (std::int32_t& lane : lanes)
        {
            std::uint64_t hash = ++place * 0x9e3779b97f4a7c15u;
            hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
            hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
            lane = static_cast<std::int32_t>(static_cast<std::uint32_t>(hash >> 32));
        }
        return lanes;
    }

  private:
    std::uint64_t m_worker;
};

/// RecordingSink counts what comes, by sequence number.
class RecordingSink : public PayloadSink
{
  public:
    struct Entry
    {
        int times = 0;
        geotrain::AggregationSlots::Lanes lanes{};
    };

    void Take(std::int64_t sequence,
              geotrain::Bytes length,
              const geotrain::AggregationSlots::Lanes& lanes) override
    {
        Entry& entry = entries[sequence];
        ++entry.times;
        entry.lanes = lanes;
        bytes += length;
    }

    std::map<std::int64_t, Entry> entries;
    geotrain::Bytes bytes;
};

/// WorkerFilter loses the first data packet of one sequence number, and has a share of the others
/// arrive once more, up to 2 ms later.
class WorkerFilter : public PacketElement
{
  public:
    WorkerFilter(PacketElement& next, std::uint64_t seed, const std::string& name)
        : m_next(next),
          m_random(seed, "worker-filter", name)
    {
    }

    void Receive(const PacketRecord& record) override
    {
        if (record.kind == PacketRecord::Kind::Data &&
            static_cast<std::int64_t>(record.offset) == lost)
        {
            lost = -1;
            return;
        }
        if (m_random.Uniform() < lateCopies)
        {
            const auto delay = static_cast<std::uint64_t>(2e6 * m_random.Uniform());
            Simulator::Schedule(NanoSeconds(delay), [this, record] { m_next.Receive(record); });
        }
        m_next.Receive(record);
    }

    std::int64_t lost = -1;
    double lateCopies = 0;

  private:
    PacketElement& m_next;
    geotrain::RandomStream m_random;
};

/// AggregationTree has `leaves` switches below one root; one leaf is the root itself.
class AggregationTree
{
  public:
    AggregationTree(const geotrain::AggregationSettings& settings,
                    std::uint32_t workers,
                    std::uint32_t leaves,
                    const geotrain::LinkImpairments& impairments,
                    std::uint64_t seed)
        : m_impairments(impairments),
          m_seed(seed),
          m_parameters(1000)
    {
        for (std::uint32_t end = 0; end <= workers; ++end)
        {
            m_pacers.emplace_back(geotrain::BitRate::GigabitsPerSecond(100), settings.Burst());
        }
        const bool isTree = leaves > 1;
        root = std::make_unique<AggregationSwitch>(settings, isTree ? leaves : workers, 1);
        PacketElement& down = Link("server down", root->Above());
        server = std::make_unique<AggregationEndPoint>(
            settings, StreamPort{{0, 0}, m_pacers[0], down}, 1, m_parameters);
        server->Receiver().SetSink(sums);
        root->ConnectUp(0, Link("server up", *server), 0);
        for (std::uint32_t leaf = 0; isTree && leaf < leaves; ++leaf)
        {
            const std::uint32_t count = workers / leaves + (leaf < workers % leaves ? 1 : 0);
            AddLeaf(settings, leaf, count);
        }
        if (!isTree)
        {
            AddWorkers(settings, *root, workers);
        }
    }

    std::unique_ptr<AggregationSwitch> root;
    std::vector<std::unique_ptr<AggregationSwitch>> leafSwitches;
    std::unique_ptr<AggregationEndPoint> server;
    std::vector<std::unique_ptr<AggregationEndPoint>> workerEnds;
    std::vector<std::unique_ptr<WorkerFilter>> filters;
    std::vector<std::unique_ptr<RandomValues>> values;
    std::vector<std::unique_ptr<RecordingSink>> received; ///< by worker
    RecordingSink sums;

    const RandomValues& Parameters() const
    {
        return m_parameters;
    }

    /// Returns the plain sum of the workers' packets `sequence`, modulo 2^32.
    geotrain::AggregationSlots::Lanes PlainSum(std::int64_t sequence) const
    {
        geotrain::AggregationSlots::Lanes sum{};
        for (const auto& worker : values)
        {
            const geotrain::AggregationSlots::Lanes lanes = worker->At(sequence);
            for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            {
                sum[lane] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum[lane]) +
                                                      static_cast<std::uint32_t>(lanes[lane]));
            }
        }
        return sum;
    }

  private:
    PacketElement& Link(const std::string& name, PacketElement& next)
    {
        LinkModel::Settings link;
        static_cast<geotrain::LinkImpairments&>(link) = m_impairments;
        link.rate = geotrain::BitRate::GigabitsPerSecond(100);
        link.delay = geotrain::Duration::Microseconds(1);
        link.name = name;
        link.seed = m_seed;
        m_links.push_back(std::make_unique<LightLink>(link, next));
        return *m_links.back();
    }

    void AddLeaf(const geotrain::AggregationSettings& settings,
                 std::uint32_t leaf,
                 std::uint32_t workers)
    {
        leafSwitches.push_back(std::make_unique<AggregationSwitch>(settings, workers, 1));
        AggregationSwitch& below = *leafSwitches.back();
        const std::string name = "leaf " + std::to_string(leaf);
        below.ConnectUp(0, Link(name + " up", root->Below()), leaf);
        root->AddChild(Link(name + " down", below.Above()));
        AddWorkers(settings, below, workers);
    }

    void AddWorkers(const geotrain::AggregationSettings& settings,
                    AggregationSwitch& above,
                    std::uint32_t workers)
    {
        for (std::uint32_t child = 0; child < workers; ++child)
        {
            const std::string name = "worker " + std::to_string(workerEnds.size());
            values.push_back(std::make_unique<RandomValues>(values.size()));
            received.push_back(std::make_unique<RecordingSink>());
            filters.push_back(
                std::make_unique<WorkerFilter>(Link(name + " up", above.Below()), m_seed, name));
            const StreamPort port{{0, child}, m_pacers[workerEnds.size() + 1], *filters.back()};
            workerEnds.push_back(
                std::make_unique<AggregationEndPoint>(settings, port, 1, *values.back()));
            workerEnds.back()->Receiver().SetSink(*received.back());
            above.AddChild(Link(name + " down", *workerEnds.back()));
        }
    }

    geotrain::LinkImpairments m_impairments;
    std::uint64_t m_seed;
    std::deque<NicPacer> m_pacers; ///< of the server, then of each worker
    RandomValues m_parameters;
    std::vector<std::unique_ptr<LightLink>> m_links;
};

} // namespace ns3
