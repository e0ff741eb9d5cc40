// SPDX-License-Identifier: GPL-2.0-only
#include "export/perfetto-export.h"

#include "export/enum-name.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>

namespace geotrain
{

namespace
{

using Json = nlohmann::ordered_json;

double
Microseconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e3;
}

/// EventFile writes one event per line, so that a trace of any length needs no memory.
class EventFile
{
  public:
    explicit EventFile(const std::filesystem::path& path)
        : m_file(path, std::ios::binary | std::ios::trunc)
    {
        m_file << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
    }

    void Add(const Json& event)
    {
        m_file << (m_first ? "\n" : ",\n")
               << event.dump(-1, ' ', false, Json::error_handler_t::replace);
        m_first = false;
    }

    /// Returns false when something could not be written.
    bool Finish()
    {
        m_file << "\n]}\n";
        m_file.close();
        return static_cast<bool>(m_file);
    }

  private:
    std::ofstream m_file;
    bool m_first = true;
};

/// PerfettoTimeline turns the records of one trace into events.
class PerfettoTimeline
{
  public:
    PerfettoTimeline(const trace::RunHeader& header, EventFile& file)
        : m_header(header),
          m_file(file)
    {
        for (const auto& node : header.nodes())
        {
            const int number = static_cast<int>(m_processes.size()) + 1;
            if (m_processes.try_emplace(node.data_centre(), number).second)
            {
                Name("process_name", number, 0, node.data_centre());
            }
        }
        m_messages = static_cast<int>(m_processes.size()) + 1;
        m_network = m_messages + 1;
        Name("process_name", m_messages, 0, "Messages");
        Name("process_name", m_network, 0, "Network");
        for (int index = 0; index < header.workers_size(); ++index)
        {
            const auto& worker = header.workers(index);
            Name("thread_name",
                 ProcessOf(index),
                 index + 1,
                 fmt::format("replica {} stage {} ({})",
                             worker.replica(),
                             worker.stage(),
                             NodeName(worker.node())));
        }
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
        case trace::Record::kMessageSpan:
            return Add(record.message_span());
        case trace::Record::kCollectiveSpan:
            return Add(record.collective_span());
        case trace::Record::kFlowSample:
            return Add(record.flow_sample());
        case trace::Record::kLinkSample:
            return Add(record.link_sample());
        default:
            return; // other records have no place on a timeline
        }
    }

  private:
    void Add(const trace::GpuSpan& span)
    {
        const auto& kind = *trace::GpuWork_descriptor()->FindValueByNumber(span.kind());
        m_file.Add({{"ph", "X"},
                    {"name", NameOf(kind)},
                    {"cat", "gpu"},
                    {"pid", ProcessOf(static_cast<int>(span.worker()))},
                    {"tid", span.worker() + 1},
                    {"ts", Microseconds(span.start_ns())},
                    {"dur", Microseconds(span.end_ns() - span.start_ns())},
                    {"args",
                     {{"iteration", span.iteration()},
                      {"stage", span.stage()},
                      {"microbatch", span.microbatch()}}}});
    }

    void Add(const trace::FillSpan& span)
    {
        const auto& kind = *trace::FillKind_descriptor()->FindValueByNumber(span.kind());
        const int worker = static_cast<int>(span.worker());
        m_file.Add({{"ph", "X"},
                    {"name", NameOf(kind)},
                    {"cat", "fill"},
                    {"pid", ProcessOf(worker)},
                    {"tid", ThreadOf(worker, span.gpu())},
                    {"ts", Microseconds(span.start_ns())},
                    {"dur", Microseconds(span.end_ns() - span.start_ns())},
                    {"args",
                     {{"job", span.job()},
                      {"part", span.part()},
                      {"useful_us", Microseconds(span.useful_ns())},
                      {"preempted", span.preempted()}}}});
    }

    void Add(const trace::Bubble& bubble)
    {
        AddAsync({ProcessOf(static_cast<int>(bubble.worker())),
                  "bubble",
                  fmt::format("bubbles of worker {}", bubble.worker()),
                  fmt::format("b{}", ++m_bubbles)},
                 bubble.start_ns(),
                 bubble.start_ns() + bubble.length_ns(),
                 {{"iteration", bubble.iteration()},
                  {"worker", bubble.worker()},
                  {"free_memory_bytes", bubble.free_memory_bytes()}});
    }

    void Add(const trace::CollectiveSpan& span)
    {
        const auto& kind = *trace::CollectiveKind_descriptor()->FindValueByNumber(span.kind());
        const Json arguments = {
            {"iteration", span.iteration()}, {"worker", span.worker()}, {"bytes", span.bytes()}};
        AddAsync({ProcessOf(static_cast<int>(span.worker())),
                  "collective",
                  fmt::format("{} worker {}", NameOf(kind), span.worker()),
                  fmt::format("c{}", ++m_collectives)},
                 span.joined_ns(),
                 span.ended_ns(),
                 arguments);
    }

    void Add(const trace::MessageSpan& span)
    {
        const auto& payload = *trace::Payload_descriptor()->FindValueByNumber(span.payload());
        const Json arguments = {{"payload", NameOf(payload)},
                                {"iteration", span.iteration()},
                                {"microbatch", span.microbatch()},
                                {"bytes", span.bytes()},
                                {"crosses_wan", span.crosses_wan()},
                                {"send_start_us", Microseconds(span.send_start_ns())},
                                {"first_byte_us", Microseconds(span.first_byte_ns())},
                                {"sent_us", Microseconds(span.sent_ns())}};
        AddAsync({m_messages,
                  "message",
                  Pair(span.source(), span.destination()),
                  fmt::format("m{}", span.number())},
                 span.queued_ns(),
                 span.delivered_ns(),
                 arguments);
    }

    void Add(const trace::FlowSample& sample)
    {
        const std::string flow =
            fmt::format("{} #{}", Pair(sample.source(), sample.destination()), sample.connection());
        AddCounter("cwnd_bytes " + flow, sample.time_ns(), sample.cwnd_bytes());
        AddCounter("in_flight_bytes " + flow, sample.time_ns(), sample.in_flight_bytes());
        AddCounter("rtt_us " + flow, sample.time_ns(), Microseconds(sample.rtt_ns()));
    }

    void Add(const trace::LinkSample& sample)
    {
        AddCounter("utilization " + sample.link(), sample.time_ns(), sample.utilization());
        AddCounter("queue_bytes " + sample.link(), sample.time_ns(), sample.queue_bytes());
    }

    /// An AsyncRow says where an asynchronous span is drawn.
    struct AsyncRow
    {
        int process = 0;
        const char* category = "";
        std::string name;
        std::string id; ///< name of the span
    };

    /// Writes a span on a row of its own name, beside the threads of its process.
    void
    AddAsync(const AsyncRow& row, std::int64_t startNs, std::int64_t endNs, const Json& arguments)
    {
        Json event = {{"ph", "b"},
                      {"name", row.name},
                      {"cat", row.category},
                      {"id", row.id},
                      {"pid", row.process},
                      {"tid", 0},
                      {"ts", Microseconds(startNs)},
                      {"args", arguments}};
        m_file.Add(event);
        event["ph"] = "e";
        event["ts"] = Microseconds(endNs);
        event.erase("args");
        m_file.Add(event);
    }

    template <typename Value>
    void AddCounter(const std::string& name, std::int64_t timeNs, Value value)
    {
        m_file.Add({{"ph", "C"},
                    {"name", name},
                    {"pid", m_network},
                    {"ts", Microseconds(timeNs)},
                    {"args", {{"value", value}}}});
    }

    void Name(const char* what, int process, std::int64_t thread, const std::string& name)
    {
        m_file.Add({{"ph", "M"},
                    {"name", what},
                    {"pid", process},
                    {"tid", thread},
                    {"args", {{"name", name}}}});
    }

    const std::string& NodeName(std::uint32_t node) const
    {
        return m_header.nodes(static_cast<int>(node)).name();
    }

    std::string Pair(std::uint32_t source, std::uint32_t destination) const
    {
        return NodeName(source) + " -> " + NodeName(destination);
    }

    /// Returns the thread of a GPU. A worker's first GPU has the worker's thread; each other GPU
    /// gets a thread of its own when a filler first uses it.
    std::int64_t ThreadOf(int worker, std::int64_t gpu)
    {
        const std::int64_t thread = worker + 1 + gpu * m_header.workers_size();
        if (gpu > 0 && m_gpuThreads.insert(thread).second)
        {
            const auto& of = m_header.workers(worker);
            Name("thread_name",
                 ProcessOf(worker),
                 thread,
                 fmt::format("replica {} stage {}, GPU {}", of.replica(), of.stage(), gpu));
        }
        return thread;
    }

    int ProcessOf(int worker) const
    {
        const auto node = static_cast<int>(m_header.workers(worker).node());
        return m_processes.at(m_header.nodes(node).data_centre());
    }

    const trace::RunHeader& m_header;
    EventFile& m_file;
    std::map<std::string, int> m_processes; ///< by data centre, from 1
    std::set<std::int64_t>
        m_gpuThreads;   ///< threads with a name so far, of GPUs other than a worker's first
    int m_messages = 0; ///< process of the messages
    int m_network = 0;  ///< process of the counters
    std::uint64_t m_collectives = 0;
    std::uint64_t m_bubbles = 0;
};

} // namespace

void
ExportPerfetto(TraceReader& reader, const std::filesystem::path& path)
{
    WriteIntoPlace(path,
                   [&](const std::filesystem::path& beside)
                   {
                       EventFile file(beside);
                       PerfettoTimeline timeline(reader.Header(), file);
                       while (const auto record = reader.Next())
                       {
                           timeline.Add(*record);
                       }
                       reader.RefuseTruncated();
                       if (!file.Finish())
                       {
                           throw WriteFailure(path);
                       }
                   });
}

} // namespace geotrain
