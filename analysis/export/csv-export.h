// SPDX-License-Identifier: GPL-2.0-only
// Exports a trace as tables: a CSV file per kind of record, with columns named as the fields of
// trace.proto.
#pragma once

#include "trace/trace-reader.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Reads `reader` to its end and writes run.csv, nodes.csv, workers.csv, and a file for each other
/// kind of record, such as gpu_spans.csv and run_end.csv, into `folder`, which must exist. Returns
/// the files. Throws TraceError when the trace is damaged or truncated, or a file can't be written.
std::vector<std::filesystem::path> ExportCsv(TraceReader& reader,
                                             const std::filesystem::path& folder);

} // namespace geotrain
