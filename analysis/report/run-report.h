// SPDX-License-Identifier: GPL-2.0-only
// Writes the report of one run: a page for a browser, a phone or a printer.
#pragma once

#include "metrics/run-tally.h"
#include "metrics/summary.h"

#include <filesystem>

namespace geotrain
{

/// Returns the summary of a run of training, or what is known of one that was killed before a
/// measured iteration ended: no metrics.
Summary SummaryAsFarAsItGoes(const RunTally& tally);

/// Writes report.html into the run's folder, from `summary` and the files that are there: the
/// scenario, the figures and run-info.json. The same files give the same bytes. Throws TraceError
/// when it can't be written.
void WriteRunReport(const Summary& summary, const std::filesystem::path& folder);

} // namespace geotrain
