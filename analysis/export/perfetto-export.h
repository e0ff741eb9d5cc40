// A trace as the timeline that ui.perfetto.dev and chrome://tracing open: Chrome's Trace Event
// Format as JSON. A process a data centre with a thread a worker, its collectives beside; messages
// as asynchronous spans, a row a node pair; counters for congestion windows, round-trip times and
// links. Times are microseconds.
#pragma once

#include "trace/trace-reader.h"

#include <filesystem>

namespace geotrain
{

/// Reads `reader` to its end and writes the file `path`. Throws TraceError when the trace is
/// damaged or truncated, or the file can't be written.
void ExportPerfetto(TraceReader& reader, const std::filesystem::path& path);

} // namespace geotrain
