// SPDX-License-Identifier: GPL-2.0-only
#include "loader/read-scenario.h"

#include "loader/field-path.h"
#include "loader/field-rules.h"
#include "schema/scenario.pb.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace geotrain
{

namespace
{

using scenario::Scenario;

/// Loads the libraries of run.load, and adds those of `text`. The resolved scenario has absolute
/// paths, since it is read again from other folders.
std::vector<ControlLibrary>
LoadLibraries(scenario::Run& run, const ScenarioText& text)
{
    std::vector<ControlLibrary> libraries;
    const auto add = [&libraries](const ControlLibrary& library)
    {
        const auto isSame = [&library](const auto& one) { return one.sha256 == library.sha256; };
        if (std::none_of(libraries.begin(), libraries.end(), isSame))
        {
            libraries.push_back(library);
        }
    };
    for (int i = 0; i < run.load_size(); ++i)
    {
        const auto field = "run.load[" + std::to_string(i) + "]";
        add(LoadControlLibrary(run.load(i), field, {text.file, text.folder}));
    }
    for (const auto& path : text.libraries)
    {
        add(LoadControlLibrary(path, "", {"--load", ""}));
    }
    run.clear_load();
    for (const auto& library : libraries)
    {
        run.add_load(library.path.string());
    }
    return libraries;
}

/// Returns the lines at the top of the text that begin with `#`.
std::string
HeadComment(const std::string& text)
{
    std::size_t end = 0;
    while (end < text.size() && text[end] == '#')
    {
        const auto line = text.find('\n', end);
        end = line == std::string::npos ? text.size() : line + 1;
    }
    auto comment = text.substr(0, end);
    comment += comment.empty() || comment.back() == '\n' ? "" : "\n";
    return comment;
}

} // namespace

Scenario
ReadScenario(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    auto scenario = ParseScenario(text.text, text.file);
    for (const auto& assignment : assignments)
    {
        const auto [path, value] = SplitAssignment(assignment.text, assignment.from, "");
        SetField(scenario, path, value, assignment.from);
        scenario.clear_expected(); // holds for the scenario as it is written
    }
    return scenario;
}

void
CheckAssignments(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    ReadScenario(text, assignments);
}

std::string
NameOf(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    return scenario.has_name() ? scenario.name() : std::filesystem::path(text.file).stem().string();
}

std::int64_t
SeedOf(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto run = ReadScenario(text, assignments).run();
    Scenario defaults;
    ApplyFieldRules(*defaults.mutable_run(), text.file);
    return run.has_seed() ? run.seed() : defaults.run().seed();
}

std::vector<bool>
AsksForFastest(const ScenarioText& text, const std::vector<Assignment>& assignments)
{
    const auto scenario = ReadScenario(text, assignments);
    const auto asks = [](const auto& job)
    { return job.schedule().fallback() == scenario::FASTEST; };
    std::vector<bool> jobs;
    std::transform(scenario.job().begin(), scenario.job().end(), std::back_inserter(jobs), asks);
    return jobs.empty() ? std::vector<bool>{asks(scenario)} : jobs;
}

std::string
ResolvedText(const Provenance& provenance)
{
    const auto& comment = provenance.headComment;
    return comment + (comment.empty() ? "" : "\n") + PrintScenario(*provenance.resolved);
}

Scenario&
ReadInto(Provenance& provenance,
         const ScenarioText& text,
         const std::vector<Assignment>& assignments)
{
    const auto scenario = std::make_shared<Scenario>(ReadScenario(text, assignments));
    provenance.file = text.file;
    provenance.resolved = scenario;
    provenance.headComment = HeadComment(text.text);
    provenance.libraries = LoadLibraries(*scenario->mutable_run(), text);
    return *scenario;
}

} // namespace geotrain
