// SPDX-License-Identifier: GPL-2.0-only
// Finds the runs in a folder of results: one, or those of a comparison with a folder per variant
// and, with several seeds, a folder per seed inside.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace geotrain
{

/// A ResultRun is the folder of one run.
struct ResultRun
{
    std::filesystem::path folder;
    std::string variant; ///< name of the variant's folder; empty for a run by itself
    std::string seed;    ///< number of the seed's folder; empty where there is none
};

/// Returns whether `folder` holds one run, finished or not.
bool IsRunFolder(const std::filesystem::path& folder);

/// Returns the runs in `folder` that left a trace, by variant and seed. Variants come in the order
/// of comparison.csv, or, of a comparison that was killed, in the order of their names.
std::vector<ResultRun> RunsIn(const std::filesystem::path& folder);

/// Returns those of RunsIn() whose traces can be read; a folder of one run is returned as it is.
std::vector<ResultRun> ReadableRunsIn(const std::filesystem::path& folder);

/// Returns the runs of one variant whose traces can be read: that in its folder, or one per seed
/// inside.
std::vector<ResultRun> ReadableRunsOf(const std::filesystem::path& variantFolder);

/// Returns the variants of a comparison's table comparison.csv, each once: their jobs have rows
/// too. A name that leads out of the folder is none.
std::vector<std::string> VariantsListedIn(const std::filesystem::path& comparison);

/// Returns why the trace of a run's folder can't be read, with its path: "c/a/trace.pb is not there".
/// Empty where it can be, as far as its header.
std::string WhyNoTrace(const std::filesystem::path& runFolder);

/// A MissingTrace is a trace that a comparison should have.
struct MissingTrace
{
    std::filesystem::path trace;
    std::string run; ///< variant, or variant and folder of the seed: "a", "a/seed-2"
    std::string why; ///< of WhyNoTrace()
};

/// Returns what ReadableRunsIn() leaves out: variants of comparison.csv and folders of seeds without a trace
/// that can be read. A folder of one run lacks nothing.
std::vector<MissingTrace> MissingTracesIn(const std::filesystem::path& folder);

} // namespace geotrain
