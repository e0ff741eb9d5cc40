// SPDX-License-Identifier: GPL-2.0-only
// Makes traces of pipelines that never ran: 1F1B or GPipe by a small list simulation with fixed
// durations and a delay per hop, and one stage per data centre. They have bubbles of real shapes,
// but model nothing.
#pragma once

#include "schema/trace.pb.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

struct PipelineSetup
{
    std::uint32_t stages = 3;
    std::uint32_t replicas = 4;
    std::uint32_t microbatches = 16;
    std::uint32_t warmupIterations = 0;
    std::uint32_t measuredIterations = 1;
    bool gpipe = false;
    bool splitBackward = false; ///< a weight gradient of its own after each backward
    bool recompute = true;
    bool linkSamples = true;
    std::string network = "packet";
    bool withoutPackets = false;
    std::vector<std::string>
        dataCentres; ///< stages are spread over them; empty: dc0, dc1, ... by stage
    std::int64_t forwardNs = 20000000;
    std::int64_t backwardNs = 40000000;
    std::int64_t weightNs = 10000000;
    std::int64_t optimizerNs = 5000000;
    std::int64_t hopNs = 60000000;
    std::int64_t allReduceNs = 100000000;
};

/// Returns the header, the records in the order of their ends, and the run's end.
std::vector<trace::Record> PipelineTrace(const PipelineSetup& setup);

/// Returns the trace of a run of several jobs, by name: each has nodes of its own, and the records of all
/// take turns.
std::vector<trace::Record>
TraceOfJobs(const std::vector<std::pair<std::string, PipelineSetup>>& jobs);

/// Writes `records` with a TraceWriter; a last RunEnd finishes the file.
void WriteTrace(const std::string& path, const std::vector<trace::Record>& records);

} // namespace geotrain
