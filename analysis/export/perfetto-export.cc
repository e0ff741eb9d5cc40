// SPDX-License-Identifier: GPL-2.0-only
#include "export/perfetto-export.h"

#include "export/perfetto-counters.h"
#include "export/perfetto-timeline.h"
#include "metrics/critical-path.h"
#include "metrics/run-tally.h"
#include "trace/enum-name.h"
#include "trace/job-view.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace geotrain
{

namespace
{

using Track = PerfettoTimeline::Track;
using Event = perfetto::protos::TrackEvent;

/// A run of more GPUs has a track per worker, whose GPUs work in step: a file would become too
/// large for a browser otherwise.
constexpr std::uint64_t mostGpuTracks = 1024;

constexpr const char* pathGroup = "Critical path of the last iteration";

/// TimelineOfJob turns the records of a job into tracks, slices and counters.
class TimelineOfJob
{
  public:
    /// `reader` gives the job's header, and must outlive this, as `timeline` must.
    TimelineOfJob(const TraceReader& reader, PerfettoTimeline& timeline)
        : m_header(reader.Header()),
          m_timeline(timeline),
          m_root(m_header.job().empty()
                     ? PerfettoTimeline::topLevel
                     : timeline.AddTrack("job " + m_header.job(), PerfettoTimeline::topLevel)),
          m_counters(m_header, timeline, m_root, reader.Job() == 0),
          m_flows(std::uint64_t{reader.Job()} << 40U)
    {
        if (m_header.workers_size() > 0)
        {
            Group("Iterations"); // the first row
            Group(pathGroup);
        }
        AddWorkers();
    }

    void Add(const trace::Record& record)
    {
        switch (record.kind_case())
        {
        case trace::Record::kGpuSpan:
            return Add(record.gpu_span());
        case trace::Record::kFillSpan:
            return Add(record.fill_span());
        case trace::Record::kBubble:
            return Add(record.bubble());
        case trace::Record::kTrainingHold:
            return Add(record.training_hold());
        case trace::Record::kMessageSpan:
            return Add(record.message_span());
        case trace::Record::kCollectiveSpan:
            return Add(record.collective_span());
        case trace::Record::kCounters:
            return Add(record.counters());
        case trace::Record::kRequest:
            return Add(record.request());
        case trace::Record::kFillJob:
            return Add(record.fill_job());
        case trace::Record::kTransferSpan:
            return Add(record.transfer_span());
        case trace::Record::kFlowSample:
            return m_counters.Add(record.flow_sample());
        case trace::Record::kLinkSample:
            return m_counters.Add(record.link_sample());
        default:
            return; // other records have no place on a timeline
        }
    }

    /// Adds the critical path of the last measured iteration that ended, if any.
    void AddCriticalPath(const RunTally& tally)
    {
        if (tally.MeasuredIterations() == 0)
        {
            return;
        }
        for (const auto& step : CriticalPath(tally.History(), tally.LastIteration()))
        {
            const auto& worker = m_header.workers(static_cast<int>(step.worker));
            auto event = m_timeline.Named(
                fmt::format(
                    "replica {} stage {}: {}", worker.replica(), worker.stage(), WhatOf(step)),
                "critical path");
            m_timeline.Annotate(event, "cause", NameOfCause(step.kind));
            m_timeline.Add({Group(pathGroup), step.startNs, step.endNs, event});
        }
    }

    void Finish()
    {
        FinishOpenWork();
        m_counters.Finish();
    }

  private:
    /// GpuRows are the tracks of a worker's GPUs. What the worker does beside computing is below
    /// the first of them, by name.
    struct GpuRows
    {
        std::vector<Track> gpus; ///< one for all of them, where there are too many
        std::map<std::string, Track> beside;
    };

    /// Work that is open at the trace's end lasts until then.
    struct OpenWork
    {
        Track track = PerfettoTimeline::topLevel;
        std::int64_t startNs = 0;
        Event event;
    };

    /// Adds a group per data centre that has workers, with its workers in the order of replica and stage.
    void AddWorkers()
    {
        std::vector<int> order(static_cast<std::size_t>(m_header.workers_size()));
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(),
                  order.end(),
                  [this](int a, int b)
                  {
                      const auto place = [this](int i)
                      {
                          const auto& worker = m_header.workers(i);
                          return std::make_tuple(worker.replica(), worker.stage(), i);
                      };
                      return place(a) < place(b);
                  });
        const auto placeOf = [this](const trace::Worker& worker)
        { return m_header.nodes(static_cast<int>(worker.node())).data_centre(); };
        std::uint64_t gpus = 0;
        std::set<std::string> places;
        for (const auto& worker : m_header.workers())
        {
            gpus += worker.gpus();
            places.insert(placeOf(worker));
        }
        const bool isInStep =
            gpus > mostGpuTracks && gpus > static_cast<std::uint64_t>(m_header.workers_size());
        std::map<std::string, Track> groups;
        for (const auto& node : m_header.nodes())
        {
            if (places.count(node.data_centre()) == 0)
            {
                continue;
            }
            auto& group = groups[node.data_centre()];
            const auto name = node.data_centre() +
                              (isInStep ? " (a track per worker, whose GPUs work in step)" : "");
            group = group == 0 ? m_timeline.AddTrack(name, m_root) : group;
        }
        m_workers.resize(order.size());
        for (const int index : order)
        {
            AddGpus(index, groups.at(placeOf(m_header.workers(index))), gpus <= mostGpuTracks);
        }
    }

    void AddGpus(int index, Track group, bool each)
    {
        const auto& worker = m_header.workers(index);
        const auto name = fmt::format("replica {} stage {}", worker.replica(), worker.stage());
        const auto& node = m_header.nodes(static_cast<int>(worker.node())).name();
        auto& rows = m_workers[static_cast<std::size_t>(index)].gpus;
        if (worker.gpus() == 1 || !each)
        {
            const auto gpus =
                worker.gpus() == 1 ? "" : fmt::format(", {} GPUs in step", worker.gpus());
            rows.push_back(m_timeline.AddTrack(fmt::format("{}{} ({})", name, gpus, node), group));
            return;
        }
        for (std::uint32_t gpu = 0; gpu < worker.gpus(); ++gpu)
        {
            rows.push_back(
                m_timeline.AddTrack(fmt::format("{} GPU {} ({})", name, gpu, node), group));
        }
    }

    /// Returns the track of this name below the worker's first GPU.
    Track Beside(std::uint32_t worker, const std::string& name)
    {
        auto& rows = m_workers[worker];
        auto& track = rows.beside[name];
        track = track == 0 ? m_timeline.AddTrack(name, rows.gpus.front()) : track;
        return track;
    }

    /// Returns the job's group with this name.
    Track Group(const std::string& name)
    {
        auto& track = m_groups[name];
        track = track == 0 ? m_timeline.AddTrack(name, m_root) : track;
        return track;
    }

    void Add(const trace::GpuSpan& span)
    {
        const bool ofIteration = span.kind() == trace::GPU_WORK_OPTIMIZER_STEP;
        const std::string name = NameOf(span.kind());
        auto event = m_timeline.Named(
            ofIteration ? name : fmt::format("{} {}", name, span.microbatch()), "training");
        m_timeline.Annotate(event, "iteration", span.iteration());
        m_timeline.Annotate(event, "stage", span.stage());
        m_timeline.Annotate(event, "microbatch", span.microbatch());
        for (const Track gpu : m_workers[span.worker()].gpus)
        {
            m_timeline.Add({gpu, span.start_ns(), span.end_ns(), event});
        }
    }

    void Add(const trace::FillSpan& span)
    {
        auto event = m_timeline.Named(NameOf(span.kind()), "filling");
        m_timeline.Annotate(event, "job", Signed(span.job()));
        m_timeline.Annotate(event, "part", span.part());
        m_timeline.Annotate(event, "useful_ns", span.useful_ns());
        m_timeline.Annotate(event, "preempted", span.preempted() ? 1 : 0);
        const auto& gpus = m_workers[span.worker()].gpus;
        if (span.kind() == trace::FILL_KIND_FILL_JOB)
        {
            const Track own = span.gpu() < gpus.size()
                                  ? gpus[span.gpu()]
                                  : Beside(span.worker(), fmt::format("GPU {}", span.gpu()));
            return m_timeline.Add({own, span.start_ns(), span.end_ns(), event});
        }
        for (const Track gpu : gpus)
        {
            m_timeline.Add({gpu, span.start_ns(), span.end_ns(), event});
        }
    }

    void Add(const trace::Bubble& bubble)
    {
        auto event = m_timeline.Named("bubble", "filling");
        m_timeline.Annotate(event, "iteration", bubble.iteration());
        m_timeline.Annotate(event, "free_memory_bytes", Signed(bubble.free_memory_bytes()));
        m_timeline.Add({Beside(bubble.worker(), "bubbles, as forecast"),
                        bubble.start_ns(),
                        bubble.start_ns() + bubble.length_ns(),
                        event});
    }

    void Add(const trace::TrainingHold& hold)
    {
        m_timeline.Add({Beside(hold.worker(), "held back by fillers"),
                        hold.ready_ns(),
                        hold.ready_ns() + hold.held_ns(),
                        m_timeline.Named("held back", "filling")});
    }

    void Add(const trace::CollectiveSpan& span)
    {
        auto event = m_timeline.Named(NameOf(span.kind()), "collective");
        m_timeline.Annotate(event, "iteration", span.iteration());
        m_timeline.Annotate(event, "stage", span.stage());
        m_timeline.Annotate(event, "bytes", Signed(span.bytes()));
        const char* lane = span.kind() == trace::COLLECTIVE_KIND_PULL         ? "pulls"
                           : span.kind() == trace::COLLECTIVE_KIND_PUSH       ? "pushes"
                           : span.kind() == trace::COLLECTIVE_KIND_ALL_TO_ALL ? "tokens"
                                                                              : "collectives";
        m_timeline.Add({Beside(span.worker(), lane), span.joined_ns(), span.ended_ns(), event});
    }

    /// A Send lasts from the message's queueing to its last byte's sending, a Receive from its
    /// first byte's arrival to its last one's.
    void Add(const trace::MessageSpan& span)
    {
        const auto flow = ++m_flows;
        auto send = MessageEvent("Send", span);
        send.add_flow_ids(flow);
        m_timeline.Add({Beside(span.sender(), "sends"), span.queued_ns(), span.sent_ns(), send});
        m_timeline.AddInside({Beside(span.sender(), "sends"),
                              span.queued_ns(),
                              span.send_start_ns(),
                              m_timeline.Named("waits for its turn", "message")});
        auto receive = MessageEvent("Receive", span);
        receive.add_terminating_flow_ids(flow);
        m_timeline.Add({Beside(span.receiver(), "receives"),
                        span.first_byte_ns(),
                        span.delivered_ns(),
                        receive});
        m_counters.Add(span);
    }

    Event MessageEvent(const char* what, const trace::MessageSpan& span)
    {
        auto event = m_timeline.Named(
            fmt::format("{} {} {}", what, NameOf(span.payload()), span.microbatch()), "message");
        m_timeline.Annotate(event, "number", Signed(span.number()));
        m_timeline.Annotate(event, "from", NodeName(span.source()));
        m_timeline.Annotate(event, "to", NodeName(span.destination()));
        m_timeline.Annotate(event, "iteration", span.iteration());
        m_timeline.Annotate(event, "bytes", Signed(span.bytes()));
        m_timeline.Annotate(event, "crosses_wan", span.crosses_wan() ? 1 : 0);
        return event;
    }

    void Add(const trace::Counters& counters)
    {
        const bool warmup = counters.iteration() < m_header.warmup_iterations();
        auto event = m_timeline.Named(
            fmt::format("iteration {}{}", counters.iteration(), warmup ? " (warm-up)" : ""),
            "iteration");
        m_timeline.Annotate(event, "wan_payload_bytes", Signed(counters.wan_payload_bytes()));
        m_timeline.Annotate(event, "retransmitted_bytes", Signed(counters.retransmitted_bytes()));
        const std::int64_t startNs = std::min(m_iterationEndNs, counters.time_ns());
        m_timeline.Add({Group("Iterations"), startNs, counters.time_ns(), event});
        m_iterationEndNs = counters.time_ns();
    }

    void Add(const trace::Request& request)
    {
        auto event = Numbered("request", request.number(), "request");
        m_timeline.Annotate(event, "outcome", NameOf(request.outcome()));
        m_timeline.Annotate(event, "prompt_tokens", request.prompt_tokens());
        m_timeline.Annotate(event, "batch", request.batch());
        m_timeline.Annotate(event, "met_objective", request.met_objective() ? 1 : 0);
        if (request.outcome() == trace::REQUEST_OUTCOME_UNFINISHED)
        {
            m_open.push_back({Below("Requests", "unfinished"), request.arrival_ns(), event});
            return;
        }
        if (request.outcome() != trace::REQUEST_OUTCOME_SERVED)
        {
            return m_timeline.Add(
                {Below("Requests", "refused"), request.arrival_ns(), request.decided_ns(), event});
        }
        const Track row = Below("Requests", "served");
        m_timeline.Add({row, request.arrival_ns(), request.delivered_ns(), event});
        m_timeline.AddInside({row,
                              request.arrival_ns(),
                              request.first_token_ns(),
                              m_timeline.Named("to first token", "request")});
        m_timeline.AddInside({row,
                              request.first_token_ns(),
                              request.delivered_ns(),
                              m_timeline.Named("KV cache transfer", "request")});
    }

    void Add(const trace::FillJob& job)
    {
        auto event = Numbered(job.model(), job.number(), "fill_job");
        m_timeline.Annotate(event, "training", job.training() ? 1 : 0);
        if (!job.refused().empty())
        {
            m_timeline.Annotate(event, "refused", job.refused());
            return m_timeline.Add(
                {Below("Fill jobs", "refused"), job.arrival_ns(), job.arrival_ns(), event});
        }
        if (job.end_ns() == 0)
        {
            m_open.push_back({Below("Fill jobs", "not ended"), job.arrival_ns(), event});
            return;
        }
        const Track row = Below("Fill jobs", "ended");
        m_timeline.Add({row, job.arrival_ns(), job.end_ns(), event});
        m_timeline.AddInside({row,
                              job.start_ns(),
                              job.end_ns(),
                              m_timeline.Named("since its first piece", "fill_job")});
    }

    void Add(const trace::TransferSpan& span)
    {
        auto event = Numbered("message", span.number(), "transfer");
        m_timeline.Annotate(event, "bytes", Signed(span.bytes()));
        m_timeline.Annotate(event, "first_byte_ns", span.first_byte_ns());
        m_timeline.Annotate(event, "sent_ns", span.sent_ns());
        m_timeline.Add({Group("Bulk messages"), span.start_ns(), span.delivered_ns(), event});
        m_counters.Add(span);
    }

    /// Returns the row `name` of one of the job's groups.
    Track Below(const std::string& group, const std::string& name)
    {
        auto& track = m_rows[{group, name}];
        track = track == 0 ? m_timeline.AddTrack(name, Group(group)) : track;
        return track;
    }

    /// Returns an event whose name only it has.
    Event Numbered(const std::string& what, std::uint64_t number, const std::string& category)
    {
        auto event = m_timeline.Named(what, category);
        event.set_name(fmt::format("{} {}", what, number));
        return event;
    }

    void FinishOpenWork()
    {
        const std::int64_t endNs = m_timeline.Latest();
        for (const auto& work : m_open)
        {
            m_timeline.Add({work.track, work.startNs, std::max(work.startNs, endNs), work.event});
        }
    }

    const std::string& NodeName(std::uint32_t node) const
    {
        return m_header.nodes(static_cast<int>(node)).name();
    }

    static std::int64_t Signed(std::uint64_t value)
    {
        return static_cast<std::int64_t>(value);
    }

    const trace::RunHeader& m_header;
    PerfettoTimeline& m_timeline;
    Track m_root; ///< of the job's tracks
    PerfettoCounters m_counters;
    std::vector<GpuRows> m_workers;
    std::map<std::string, Track> m_groups;
    std::map<std::pair<std::string, std::string>, Track> m_rows;
    std::vector<OpenWork> m_open;
    std::int64_t m_iterationEndNs = 0;
    std::uint64_t m_flows; ///< number of the last arrow; no other job has it
};

} // namespace

void
ExportPerfetto(const std::filesystem::path& trace, const std::filesystem::path& path)
{
    PerfettoTimeline timeline;
    const auto jobs = JobNames(TraceReader(trace.string()).HeaderOfRun()).size();
    for (std::uint32_t job = 0; job < jobs; ++job)
    {
        TraceReader reader(trace.string(), job);
        TimelineOfJob ofJob(reader, timeline);
        while (const auto record = reader.Next())
        {
            ofJob.Add(*record);
        }
        reader.RefuseTruncated();
        if (reader.Header().workers_size() > 0)
        {
            TraceReader again(trace.string(), job);
            ofJob.AddCriticalPath(RunTally(again));
        }
        ofJob.Finish();
    }
    timeline.Write(path);
}

} // namespace geotrain
