// SPDX-License-Identifier: GPL-2.0-only
// Exports a trace as tables: a CSV file per kind of record, with columns named as the fields of
// trace.proto.
#pragma once

#include "trace/trace-reader.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Reads `reader` to its end and writes run.csv, nodes.csv, workers.csv, gpu_spans.csv,
/// message_spans.csv, collective_spans.csv, flow_samples.csv, link_samples.csv, counters.csv,
/// warnings.csv and run_end.csv into `folder`, which exists. Returns the files. Throws TraceError
/// when the trace is damaged or truncated, or a file can't be written.
std::vector<std::filesystem::path> ExportCsv(TraceReader& reader,
                                             const std::filesystem::path& folder);

} // namespace geotrain
