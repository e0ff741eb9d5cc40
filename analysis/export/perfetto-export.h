// SPDX-License-Identifier: GPL-2.0-only
// Exports a trace as the timeline that ui.perfetto.dev and chrome://tracing open: Chrome's Trace
// Event Format as JSON. There is a process per data centre with a thread per worker and its
// collectives beside. Messages are asynchronous spans, a row per node pair. Counters show
// congestion windows, round-trip times and links. Times are microseconds.
#pragma once

#include "trace/trace-reader.h"

#include <filesystem>

namespace geotrain
{

/// Reads `reader` to its end and writes the file `path`. Throws TraceError when the trace is
/// damaged or truncated, or the file can't be written.
void ExportPerfetto(TraceReader& reader, const std::filesystem::path& path);

} // namespace geotrain
