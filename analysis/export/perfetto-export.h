// SPDX-License-Identifier: GPL-2.0-only
// Exports a trace as a timeline for ui.perfetto.dev and chrome://tracing: Chrome's Trace Event
// Format as JSON. It has a process per data centre and a thread per worker, with the worker's
// collectives beside it. Messages are asynchronous spans with a row per node pair. Counters show
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
