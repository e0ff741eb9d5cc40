// SPDX-License-Identifier: GPL-2.0-only
// Writes folders of results as `run` and `compare` leave them, from traces of a training on one GPU
// or of bulk messages that never ran. Their metrics follow from the few numbers given.
#pragma once

#include "metrics/summary.h"
#include "pipeline-trace.h"
#include "trace/trace-reader.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace geotrain
{

using EditHeader = std::function<void(trace::RunHeader&)>;

inline void
WriteText(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

inline trace::Record
WarningRecord(const std::string& text, bool untrusted = false)
{
    trace::Record record;
    record.mutable_warning()->set_text(text);
    record.mutable_warning()->set_untrusted(untrusted);
    return record;
}

/// Returns the trace of one GPU that computes a microbatch and the optimiser's step without a pause,
/// in one iteration of `seconds`, which must be more than 0.05.
inline std::vector<trace::Record>
OneGpuTrace(double seconds, const EditHeader& edit = {})
{
    PipelineSetup setup;
    setup.stages = 1;
    setup.replicas = 1;
    setup.microbatches = 1;
    setup.recompute = false;
    setup.linkSamples = false;
    setup.allReduceNs = 0;
    setup.forwardNs = std::llround(seconds * 1e9) - setup.backwardNs - setup.optimizerNs;
    auto records = PipelineTrace(setup);
    if (edit)
    {
        edit(*records.front().mutable_run_header());
    }
    return records;
}

/// Returns the trace of `seconds.size()` bulk messages of 1 MB over 1 Gbit/s, one after another.
inline std::vector<trace::Record>
MessagesTrace(const std::vector<double>& seconds, const EditHeader& edit = {})
{
    std::vector<trace::Record> records(1);
    auto& header = *records.front().mutable_run_header();
    header.set_scenario("messages");
    header.set_network("packet");
    header.set_congestion_control("TcpCubic");
    header.add_nodes()->set_data_centre("a");
    header.add_nodes()->set_data_centre("b");
    header.set_wan_capacity_bps(1e9);
    auto& transfers = *header.mutable_transfers();
    transfers.set_destination(1);
    transfers.set_bytes(1000000);
    transfers.set_messages(static_cast<std::uint32_t>(seconds.size()));
    transfers.set_connections(1);
    if (edit)
    {
        edit(header);
    }
    std::int64_t at = 0;
    for (std::size_t i = 0; i < seconds.size(); ++i)
    {
        records.emplace_back();
        auto& span = *records.back().mutable_transfer_span();
        span.set_number(i + 1);
        span.set_bytes(1000000);
        span.set_start_ns(at);
        span.set_first_byte_ns(at);
        span.set_sent_ns(at);
        at += std::llround(seconds[i] * 1e9);
        span.set_delivered_ns(at);
    }
    records.emplace_back();
    records.back().mutable_run_end()->set_simulated_time_ns(at);
    records.back().mutable_run_end()->set_finished(true);
    return records;
}

/// Writes a run's trace.pb and summary.csv, and returns the summary.
inline Summary
WriteRun(const std::filesystem::path& folder, const std::vector<trace::Record>& records)
{
    std::filesystem::create_directories(folder);
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    auto summary = Summarize(reader);
    WriteSummaryCsv(summary, folder / "summary.csv");
    return summary;
}

} // namespace geotrain
