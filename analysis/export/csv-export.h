// SPDX-License-Identifier: GPL-2.0-only
// Exports traces as tables: a CSV file per kind of record, with columns named as the fields of
// trace.proto, whose last word is the unit. Columns such as `worker_name` and `source_name` explain
// the ids beside them. The tables of a comparison have the columns `variant` and `seed`.
// Where a run has jobs, `of_job` tells whose a row is; it is empty for what is of the whole run.
#pragma once

#include "trace/result-folder.h"

#include <filesystem>
#include <vector>

namespace geotrain
{

/// Reads the traces of `runs` and writes run.csv, nodes.csv, workers.csv, summary.csv, and a file
/// for each other kind of record of which there are any, such as gpu_spans.csv and run_end.csv,
/// into `folder`, which must exist. Removes tables of an earlier export that would be empty now.
/// Returns the files. Throws TraceError when a trace is damaged or truncated, or a file can't be
/// written.
std::vector<std::filesystem::path> ExportCsv(const std::vector<ResultRun>& runs,
                                             const std::filesystem::path& folder);

} // namespace geotrain
