// SPDX-License-Identifier: GPL-2.0-only
#include "runner/earlier-run.h"

#include "trace/trace-error.h"
#include "trace/trace-reader.h"
#include "units/config-error.h"
#include "units/csv-cells.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

[[noreturn]] void
RefuseFolder(const fs::path& folder, const std::string& rule)
{
    throw ConfigError("--again", "", folder.string(), rule);
}

std::string
BytesOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        throw TraceError(path.string(), "can't be read");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

bool
IsRun(const fs::path& folder)
{
    return fs::exists(folder / "trace.pb") && fs::exists(folder / "scenario.textproto");
}

/// Refuses a folder without a run. Where it holds a comparison, the error names one of its runs.
void
RequireRun(const fs::path& folder)
{
    if (IsRun(folder))
    {
        return;
    }
    std::vector<std::string> runs;
    if (fs::exists(folder / "comparison.csv"))
    {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
        {
            const auto parent = entry.path().parent_path();
            if (entry.path().filename() == "summary.csv" && IsRun(parent))
            {
                runs.push_back(parent.string());
            }
        }
    }
    std::sort(runs.begin(), runs.end());
    RefuseFolder(folder,
                 runs.empty()
                     ? fs::exists(folder / "scenario.textproto")
                           ? "holds no trace: " + (folder / "trace.pb").string() + " is not there"
                           : "must be a folder that run wrote"
                     : "is a comparison; --again takes one of its runs, such as " + runs.front());
}

/// Returns what run-info.json says of a run that ended.
RecordedRun
RecordOf(const fs::path& folder)
{
    auto run = ReadRunInfo(folder);
    if (!run)
    {
        RefuseFolder(folder, "has no run-info.json that can be read");
    }
    if (!run->hasEnded || !fs::exists(folder / "summary.csv"))
    {
        RefuseFolder(folder,
                     "holds a run that did not finish, so that there is nothing to compare");
    }
    if (fs::exists(folder / "live.json"))
    {
        RefuseFolder(
            folder,
            "holds a live run, which gives other bytes each time; `geotrain live` runs its "
            "scenario.textproto again");
    }
    if (run->lacksDefaults)
    {
        RefuseFolder(folder, "does not hold the defaults of ns-3 that its --ns3 set");
    }
    return *run;
}

bool
HaveSameBytes(const fs::path& first, const fs::path& second)
{
    GzipSource sources[] = {GzipSource(first.string()), GzipSource(second.string())};
    std::vector<char> buffers[] = {std::vector<char>(1 << 16), std::vector<char>(1 << 16)};
    while (true)
    {
        const auto size = sources[0].Read(buffers[0].data(), buffers[0].size());
        const auto other = sources[1].Read(buffers[1].data(), buffers[1].size());
        if (size != other || !std::equal(buffers[0].begin(),
                                         buffers[0].begin() + static_cast<std::ptrdiff_t>(size),
                                         buffers[1].begin()))
        {
            return false;
        }
        if (size == 0)
        {
            return true;
        }
    }
}

/// Throws TraceError for a trace that was cut since its run ended.
void
RequireWhole(const fs::path& trace)
{
    TraceReader reader(trace.string());
    bool hasEnd = false;
    while (const auto record = reader.Next())
    {
        hasEnd = record->has_run_end();
    }
    if (!hasEnd)
    {
        throw TraceError(trace.string(), "is truncated: it lacks the end of its run");
    }
}

/// Returns the value and the unit by metric and job.
std::map<std::string, std::string>
MetricsOf(const fs::path& summary)
{
    std::map<std::string, std::string> metrics;
    std::ifstream file(summary);
    std::string line;
    std::getline(file, line); // the header
    while (std::getline(file, line))
    {
        auto cells = CsvCells(line);
        cells.resize(4); // summaries of older versions have no jobs
        const auto job = cells[3].empty() ? "" : " of job " + cells[3];
        metrics[cells[0] + job] = cells[1] + (cells[2].empty() ? "" : " ") + cells[2];
    }
    return metrics;
}

std::vector<std::string>
DifferentMetrics(const fs::path& earlier, const fs::path& now)
{
    const auto before = MetricsOf(earlier);
    auto after = MetricsOf(now);
    std::vector<std::string> differences;
    for (const auto& [name, value] : before)
    {
        if (after[name] != value)
        {
            differences.push_back(name + ": " + value + ", now " +
                                  (after[name].empty() ? "none" : after[name]));
        }
        after.erase(name);
    }
    for (const auto& [name, value] : after)
    {
        differences.push_back(name + ": none, now " + value);
    }
    return differences;
}

} // namespace

EarlierRun
ReadEarlierRun(const fs::path& folder)
{
    RequireRun(folder);
    const auto record = RecordOf(folder);
    EarlierRun run;
    run.text = ReadScenarioText((folder / "scenario.textproto").string());
    const TraceReader trace((folder / "trace.pb").string());
    run.options.variant = {trace.Header().variant(), trace.Header().variant_title()};
    run.options.ns3Defaults = record.environment.ns3Defaults;
    run.libraries = record.environment.libraries;
    run.versions = record.versions;
    return run;
}

RunDifference
DifferenceOf(const fs::path& earlier, const fs::path& now)
{
    RunDifference difference;
    difference.trace = !HaveSameBytes(earlier / "trace.pb", now / "trace.pb");
    if (difference.trace)
    {
        RequireWhole(earlier / "trace.pb");
    }
    difference.summary = BytesOf(earlier / "summary.csv") != BytesOf(now / "summary.csv");
    if (difference.summary)
    {
        difference.metrics = DifferentMetrics(earlier / "summary.csv", now / "summary.csv");
    }
    return difference;
}

} // namespace geotrain
