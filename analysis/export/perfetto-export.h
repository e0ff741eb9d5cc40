// SPDX-License-Identifier: GPL-2.0-only
// Exports a trace as a timeline for ui.perfetto.dev, in Perfetto's own format. A group per data
// centre has a track per GPU, with slices of its work, and below it what its worker sends, receives
// and waits for; an arrow leads from each Send to its Receive. Links and connections have a track
// each, with counters. Requests, fill jobs and bulk messages are slices that overlap. Of a run with
// jobs, each job has a group for what is its own.
#pragma once

#include <filesystem>

namespace geotrain
{

/// Reads `trace` and writes the file `path`. Throws TraceError when the trace is damaged or
/// truncated, or the file can't be written.
void ExportPerfetto(const std::filesystem::path& trace, const std::filesystem::path& path);

} // namespace geotrain
