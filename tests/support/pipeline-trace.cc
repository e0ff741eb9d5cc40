// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline-trace.h"

#include "trace/trace-writer.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

constexpr std::uint64_t messageBytes = 33554432;

class PipelineSimulation
{
  public:
    explicit PipelineSimulation(const PipelineSetup& setup)
        : m_setup(setup)
    {
    }

    std::vector<trace::Record> Run()
    {
        std::int64_t startNs = 0;
        const std::uint32_t iterations = m_setup.warmupIterations + m_setup.measuredIterations;
        for (std::uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            startNs = RunIteration(iteration, startNs);
        }
        std::stable_sort(m_timed.begin(),
                         m_timed.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<trace::Record> records{Header()};
        for (auto& [timeNs, record] : m_timed)
        {
            records.push_back(std::move(record));
        }
        records.emplace_back();
        records.back().mutable_run_end()->set_simulated_time_ns(startNs);
        records.back().mutable_run_end()->set_finished(true);
        return records;
    }

  private:
    std::string DataCentreOf(std::uint32_t stage) const
    {
        const auto& names = m_setup.dataCentres;
        return names.empty() ? "dc" + std::to_string(stage)
                             : names[stage * names.size() / m_setup.stages];
    }

    trace::Record Header() const
    {
        trace::Record record;
        auto& header = *record.mutable_run_header();
        header.set_scenario("synthetic");
        header.set_network(m_setup.network);
        header.set_without_packets(m_setup.withoutPackets);
        header.set_schedule(m_setup.gpipe ? "gpipe" : "1f1b");
        header.set_sharing("spatial");
        header.set_congestion_control("TcpCubic");
        header.set_wan_capacity_bps(80e9);
        header.set_warmup_iterations(m_setup.warmupIterations);
        header.set_measured_iterations(m_setup.measuredIterations);
        header.set_model_flops_per_iteration(1e15);
        header.set_stages(m_setup.stages);
        header.set_replicas(m_setup.replicas);
        header.set_microbatches(m_setup.microbatches);
        for (std::uint32_t stage = 0; stage < m_setup.stages; ++stage)
        {
            for (std::uint32_t replica = 0; replica < m_setup.replicas; ++replica)
            {
                auto& node = *header.add_nodes();
                node.set_name(DataCentreOf(stage) + "-" + std::to_string(header.nodes_size()));
                node.set_data_centre(DataCentreOf(stage));
                node.set_nic_rate_bps(100e9);
            }
        }
        for (std::uint32_t replica = 0; replica < m_setup.replicas; ++replica)
        {
            for (std::uint32_t stage = 0; stage < m_setup.stages; ++stage)
            {
                auto& worker = *header.add_workers();
                worker.set_node(stage * m_setup.replicas + replica);
                worker.set_replica(replica);
                worker.set_stage(stage);
                worker.set_gpus(1);
                worker.set_peak_flops_per_gpu(312e12);
            }
        }
        return record;
    }

    /// Returns pairs (backward?, microbatch) in the order in which `stage` does them.
    std::vector<std::pair<bool, std::uint32_t>> Order(std::uint32_t stage) const
    {
        const std::uint32_t m = m_setup.microbatches;
        const std::uint32_t warmUp = m_setup.gpipe ? m : std::min(m, m_setup.stages - stage);
        std::vector<std::pair<bool, std::uint32_t>> order;
        std::uint32_t forward = 0;
        while (forward < warmUp)
        {
            order.emplace_back(false, forward++);
        }
        for (std::uint32_t backward = 0; backward < m; ++backward)
        {
            order.emplace_back(true, backward);
            if (forward < m)
            {
                order.emplace_back(false, forward++);
            }
        }
        return order;
    }

    /// Runs an iteration and returns when it has ended.
    std::int64_t RunIteration(std::uint32_t iteration, std::int64_t startNs)
    {
        std::int64_t endNs = startNs;
        for (std::uint32_t replica = 0; replica < m_setup.replicas; ++replica)
        {
            // A replica lags a little behind the one before, so that their rows differ.
            endNs = std::max(endNs, RunReplica(iteration, replica, startNs + 3000000 * replica));
        }
        trace::Record record;
        auto& counters = *record.mutable_counters();
        counters.set_time_ns(endNs);
        counters.set_iteration(iteration);
        counters.set_wan_payload_bytes(m_wanBytes);
        counters.set_wan_wire_bytes(m_wanBytes + m_wanBytes / 50);
        counters.set_retransmitted_bytes(m_wanBytes / 1000);
        counters.set_wan_packets(m_wanBytes / 8948);
        counters.set_intra_dc_packets(m_wanBytes / 17000);
        Add(endNs, record);
        return endNs;
    }

    std::int64_t RunReplica(std::uint32_t iteration, std::uint32_t replica, std::int64_t startNs)
    {
        const std::uint32_t p = m_setup.stages;
        std::vector<std::size_t> next(p, 0);
        std::vector<std::int64_t> freeNs(p, startNs);
        std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, std::int64_t> endedNs;
        bool progress = true;
        while (progress)
        {
            progress = false;
            for (std::uint32_t stage = 0; stage < p; ++stage)
            {
                const auto order = Order(stage);
                if (next[stage] == order.size())
                {
                    continue;
                }
                const auto [backward, microbatch] = order[next[stage]];
                const bool fed = backward ? stage + 1 == p : stage == 0;
                const std::uint32_t feeder = backward ? stage + 1 : stage - 1;
                const auto input = endedNs.find({backward, feeder, microbatch});
                if (!fed && input == endedNs.end())
                {
                    continue;
                }
                std::int64_t readyNs = freeNs[stage];
                if (!fed)
                {
                    readyNs = std::max(readyNs, input->second + m_setup.hopNs);
                    AddMessage(
                        iteration, replica, feeder, stage, backward, microbatch, input->second);
                }
                const auto [outputNs, doneNs] =
                    Compute(iteration, replica * p + stage, stage, backward, microbatch, readyNs);
                endedNs[{backward, stage, microbatch}] = outputNs;
                freeNs[stage] = doneNs;
                ++next[stage];
                progress = true;
            }
        }
        std::int64_t lastNs = startNs;
        for (std::uint32_t stage = 0; stage < p; ++stage)
        {
            lastNs = std::max(lastNs,
                              EndIteration(iteration, replica * p + stage, stage, freeNs[stage]));
        }
        return lastNs;
    }

    /// Computes and returns when the output is there, and when the worker is free again.
    std::pair<std::int64_t, std::int64_t> Compute(std::uint32_t iteration,
                                                  std::uint32_t worker,
                                                  std::uint32_t stage,
                                                  bool backward,
                                                  std::uint32_t microbatch,
                                                  std::int64_t startNs)
    {
        const auto span = [&](trace::GpuWork kind, std::int64_t fromNs, std::int64_t lengthNs)
        {
            AddSpan(worker, iteration, kind, stage, microbatch, fromNs, fromNs + lengthNs);
            return fromNs + lengthNs;
        };
        if (!backward)
        {
            const auto endNs = span(trace::GPU_WORK_FORWARD, startNs, m_setup.forwardNs);
            return {endNs, endNs};
        }
        const auto readyNs = m_setup.recompute
                                 ? span(trace::GPU_WORK_RECOMPUTE, startNs, m_setup.forwardNs)
                                 : startNs;
        const auto outputNs = span(trace::GPU_WORK_BACKWARD, readyNs, m_setup.backwardNs);
        const auto doneNs = m_setup.splitBackward
                                ? span(trace::GPU_WORK_WEIGHT_GRADIENT, outputNs, m_setup.weightNs)
                                : outputNs;
        return {outputNs, doneNs};
    }

    std::int64_t EndIteration(std::uint32_t iteration,
                              std::uint32_t worker,
                              std::uint32_t stage,
                              std::int64_t lastBackwardNs)
    {
        const std::int64_t reducedNs = lastBackwardNs + m_setup.allReduceNs;
        trace::Record record;
        auto& collective = *record.mutable_collective_span();
        collective.set_worker(worker);
        collective.set_iteration(iteration);
        collective.set_kind(trace::COLLECTIVE_KIND_ALL_REDUCE);
        collective.set_stage(stage);
        collective.set_joined_ns(lastBackwardNs);
        collective.set_ended_ns(reducedNs);
        collective.set_bytes(1000000000);
        Add(reducedNs, record);
        const std::int64_t endNs = reducedNs + m_setup.optimizerNs;
        AddSpan(worker, iteration, trace::GPU_WORK_OPTIMIZER_STEP, stage, 0, reducedNs, endNs);
        return endNs;
    }

    void AddSpan(std::uint32_t worker,
                 std::uint32_t iteration,
                 trace::GpuWork kind,
                 std::uint32_t stage,
                 std::uint32_t microbatch,
                 std::int64_t startNs,
                 std::int64_t endNs)
    {
        trace::Record record;
        auto& span = *record.mutable_gpu_span();
        span.set_worker(worker);
        span.set_iteration(iteration);
        span.set_kind(kind);
        span.set_stage(stage);
        span.set_microbatch(microbatch);
        span.set_start_ns(startNs);
        span.set_end_ns(endNs);
        Add(endNs, record);
    }

    void AddMessage(std::uint32_t iteration,
                    std::uint32_t replica,
                    std::uint32_t from,
                    std::uint32_t to,
                    bool backward,
                    std::uint32_t microbatch,
                    std::int64_t sentNs)
    {
        const bool crosses = DataCentreOf(from) != DataCentreOf(to);
        trace::Record record;
        auto& message = *record.mutable_message_span();
        message.set_number(++m_messages);
        message.set_iteration(iteration);
        message.set_sender(replica * m_setup.stages + from);
        message.set_receiver(replica * m_setup.stages + to);
        message.set_source(from * m_setup.replicas + replica);
        message.set_destination(to * m_setup.replicas + replica);
        message.set_payload(backward ? trace::PAYLOAD_GRADIENT : trace::PAYLOAD_ACTIVATION);
        message.set_stage(from);
        message.set_microbatch(microbatch);
        message.set_bytes(messageBytes);
        message.set_crosses_wan(crosses);
        message.set_queued_ns(sentNs);
        message.set_send_start_ns(sentNs);
        message.set_first_byte_ns(sentNs + m_setup.hopNs / 3);
        message.set_sent_ns(sentNs + 2 * m_setup.hopNs / 3);
        message.set_delivered_ns(sentNs + m_setup.hopNs);
        Add(message.delivered_ns(), record);
        if (crosses)
        {
            m_wanBytes += messageBytes;
            AddSamples(message);
        }
    }

    /// Adds ten samples of the WAN link and of the flow while the message is on its way.
    void AddSamples(const trace::MessageSpan& message)
    {
        if (!m_setup.linkSamples)
        {
            return;
        }
        const std::int64_t intervalNs = (message.sent_ns() - message.queued_ns()) / 10;
        for (int i = 1; i <= 10 && intervalNs > 0; ++i)
        {
            const std::int64_t timeNs = message.queued_ns() + i * intervalNs;
            const std::uint64_t bits =
                messageBytes * 8 * static_cast<std::uint64_t>(i) / 55; // a ramp
            trace::Record record;
            auto& link = *record.mutable_link_sample();
            link.set_time_ns(timeNs);
            link.set_link(DataCentreOf(message.source() / m_setup.replicas) + " -> " +
                          DataCentreOf(message.destination() / m_setup.replicas));
            link.set_link_class(trace::LINK_CLASS_WAN);
            link.set_utilization(static_cast<double>(bits) /
                                 (20.0 * static_cast<double>(intervalNs)));
            link.set_interval_ns(intervalNs);
            link.set_bits(bits);
            Add(timeNs, record);
            trace::Record flow;
            auto& sample = *flow.mutable_flow_sample();
            sample.set_time_ns(timeNs);
            sample.set_source(message.source());
            sample.set_destination(message.destination());
            sample.set_cwnd_bytes(1500000);
            sample.set_rtt_ns(40000000);
            sample.set_in_flight_bytes(1400000);
            Add(timeNs, flow);
        }
    }

    void Add(std::int64_t timeNs, const trace::Record& record)
    {
        m_timed.emplace_back(timeNs, record);
    }

    const PipelineSetup& m_setup;
    std::vector<std::pair<std::int64_t, trace::Record>> m_timed;
    std::uint64_t m_messages = 0;
    std::uint64_t m_wanBytes = 0;
};

/// Adds `by` to the numbers of the nodes of a message or a flow.
void
MoveNodes(trace::Record& record, std::uint32_t by)
{
    const auto move = [by](auto& between)
    {
        between.set_source(between.source() + by);
        between.set_destination(between.destination() + by);
    };
    if (record.has_message_span())
    {
        move(*record.mutable_message_span());
    }
    else if (record.has_flow_sample())
    {
        move(*record.mutable_flow_sample());
    }
}

} // namespace

std::vector<trace::Record>
PipelineTrace(const PipelineSetup& setup)
{
    return PipelineSimulation(setup).Run();
}

std::vector<trace::Record>
TraceOfJobs(const std::vector<std::pair<std::string, PipelineSetup>>& jobs)
{
    std::vector<trace::Record> records(1);
    auto& run = *records.front().mutable_run_header();
    trace::RunEnd end;
    std::vector<std::vector<trace::Record>> ofJobs;
    for (const auto& [name, setup] : jobs)
    {
        auto& own = ofJobs.emplace_back(PipelineTrace(setup));
        auto header = own.front().run_header();
        const auto firstNode = static_cast<std::uint32_t>(run.nodes_size());
        for (auto& worker : *header.mutable_workers())
        {
            worker.set_node(firstNode + worker.node());
        }
        for (auto& record : own)
        {
            MoveNodes(record, firstNode);
        }
        run.mutable_nodes()->MergeFrom(header.nodes());
        run.set_scenario(header.scenario());
        run.set_network(header.network());
        run.set_congestion_control(header.congestion_control());
        run.set_wan_capacity_bps(header.wan_capacity_bps());
        header.clear_nodes();
        header.clear_scenario();
        header.clear_network();
        header.clear_congestion_control();
        header.clear_wan_capacity_bps();
        header.set_job(name);
        *run.add_jobs() = header;
        const auto endNs = own.back().run_end().simulated_time_ns();
        *end.add_jobs() = own.back().run_end();
        end.set_simulated_time_ns(std::max(end.simulated_time_ns(), endNs));
    }
    end.set_finished(true);
    for (std::size_t index = 1, left = ofJobs.size(); left > 0; ++index)
    {
        left = 0;
        for (std::uint32_t job = 0; job < ofJobs.size(); ++job)
        {
            if (index + 1 < ofJobs[job].size())
            {
                records.push_back(ofJobs[job][index]);
                records.back().set_job(job);
                ++left;
            }
        }
    }
    *records.emplace_back().mutable_run_end() = end;
    return records;
}

void
WriteTrace(const std::string& path, const std::vector<trace::Record>& records)
{
    TraceWriter writer(path, records.front().run_header());
    for (std::size_t index = 1; index < records.size(); ++index)
    {
        if (records[index].has_run_end())
        {
            writer.Finish(records[index].run_end());
            return;
        }
        writer.Write(records[index]);
    }
}

} // namespace geotrain
