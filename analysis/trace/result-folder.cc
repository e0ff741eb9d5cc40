// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-folder.h"

#include "trace/trace-error.h"
#include "trace/trace-reader.h"

#include <algorithm>
#include <fstream>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

const std::string seedPrefix = "seed-";

/// Returns the first cell of a line of CSV, without its quotes.
std::string
FirstCell(const std::string& line)
{
    if (line.rfind('"', 0) != 0)
    {
        return line.substr(0, line.find(','));
    }
    std::string cell;
    for (std::size_t i = 1; i < line.size() && (line[i] != '"' || line[i + 1] == '"'); ++i)
    {
        cell += line[i];
        i += line[i] == '"' ? 1 : 0;
    }
    return cell;
}

/// Returns the names of the folders in `folder` by length and then by letters, so that seed-2
/// stands before seed-10.
std::vector<std::string>
FoldersIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        if (entry.is_directory() && !entry.is_symlink()) // which may lead to another's results
        {
            names.push_back(entry.path().filename().string());
        }
    }
    std::sort(names.begin(),
              names.end(),
              [](const std::string& a, const std::string& b)
              { return std::make_tuple(a.size(), a) < std::make_tuple(b.size(), b); });
    return names;
}

/// Returns where the runs of one variant are: in its own folder, or in one per seed.
std::vector<ResultRun>
PlacesOf(const fs::path& comparison, const std::string& variant)
{
    const auto folder = comparison / variant;
    std::vector<ResultRun> places;
    if (!IsRunFolder(folder) && fs::is_directory(folder))
    {
        for (const auto& name : FoldersIn(folder))
        {
            if (name.rfind(seedPrefix, 0) == 0)
            {
                places.push_back({folder / name, variant, name.substr(seedPrefix.size())});
            }
        }
    }
    return places.empty() ? std::vector<ResultRun>{{folder, variant, ""}} : places;
}

/// Returns the runs of one variant that left a trace.
std::vector<ResultRun>
RunsOf(const fs::path& comparison, const std::string& variant)
{
    std::vector<ResultRun> runs;
    for (auto& run : PlacesOf(comparison, variant))
    {
        if (IsRunFolder(run.folder))
        {
            runs.push_back(std::move(run));
        }
    }
    return runs;
}

/// Returns the variants of a comparison that have a folder.
std::vector<std::string>
VariantsIn(const fs::path& comparison)
{
    std::vector<std::string> variants;
    for (const auto& name : VariantsListedIn(comparison))
    {
        if (fs::is_directory(fs::symlink_status(comparison / name)))
        {
            variants.push_back(name);
        }
    }
    auto others = FoldersIn(comparison);
    std::sort(others.begin(), others.end());
    for (const auto& name : others)
    {
        const bool known = std::find(variants.begin(), variants.end(), name) != variants.end();
        if (!known && !RunsOf(comparison, name).empty())
        {
            variants.push_back(name);
        }
    }
    return variants;
}

/// Takes away the runs of variants whose traces can't be read.
std::vector<ResultRun>
WithoutLost(std::vector<ResultRun> runs)
{
    const auto isLost = [](const ResultRun& run)
    { return !run.variant.empty() && !WhyNoTrace(run.folder).empty(); };
    runs.erase(std::remove_if(runs.begin(), runs.end(), isLost), runs.end());
    return runs;
}

} // namespace

bool
IsRunFolder(const fs::path& folder)
{
    return fs::exists(folder / "trace.pb");
}

std::string
WhyNoTrace(const fs::path& runFolder)
{
    const auto trace = (runFolder / "trace.pb").string();
    if (!fs::exists(trace))
    {
        return trace + " is not there";
    }
    try
    {
        const TraceReader reader(trace);
        return "";
    }
    catch (const TraceError& error)
    {
        return error.what();
    }
}

std::vector<ResultRun>
ReadableRunsIn(const fs::path& folder)
{
    return WithoutLost(RunsIn(folder));
}

std::vector<ResultRun>
ReadableRunsOf(const fs::path& variantFolder)
{
    return WithoutLost(PlacesOf(variantFolder.parent_path(), variantFolder.filename().string()));
}

std::vector<std::string>
VariantsListedIn(const fs::path& comparison)
{
    std::vector<std::string> variants;
    std::ifstream table(comparison / "comparison.csv");
    std::string line;
    std::getline(table, line); // the heads of the columns
    while (std::getline(table, line))
    {
        const auto name = FirstCell(line);
        const bool isInside = fs::path(name).filename() == name && name != "..";
        if (!name.empty() && isInside &&
            std::find(variants.begin(), variants.end(), name) == variants.end())
        {
            variants.push_back(name);
        }
    }
    return variants;
}

std::vector<MissingTrace>
MissingTracesIn(const fs::path& folder)
{
    std::vector<MissingTrace> missing;
    const auto variants =
        IsRunFolder(folder) ? std::vector<std::string>{} : VariantsListedIn(folder);
    for (const auto& variant : variants)
    {
        for (const auto& place : PlacesOf(folder, variant))
        {
            const auto why = WhyNoTrace(place.folder);
            if (!why.empty())
            {
                missing.push_back(
                    {place.folder / "trace.pb",
                     variant + (place.seed.empty() ? "" : "/" + seedPrefix + place.seed),
                     why});
            }
        }
    }
    return missing;
}

std::vector<ResultRun>
RunsIn(const fs::path& folder)
{
    if (IsRunFolder(folder))
    {
        return {{folder, "", ""}};
    }
    std::vector<ResultRun> runs;
    for (const auto& variant : VariantsIn(folder))
    {
        const auto ofVariant = RunsOf(folder, variant);
        runs.insert(runs.end(), ofVariant.begin(), ofVariant.end());
    }
    return runs;
}

} // namespace geotrain
