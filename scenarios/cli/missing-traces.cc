// SPDX-License-Identifier: GPL-2.0-only
#include "cli/missing-traces.h"

#include "cli/terminal-width.h"
#include "comparison/text-table.h"
#include "runner/stderr-text.h"
#include "trace/result-folder.h"
#include "units/config-error.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns where the reason stands for which a run failed; empty where it is not known.
std::string
ReasonOf(const MissingTrace& missing)
{
    const auto messages = missing.trace.parent_path() / "messages.txt";
    return fs::exists(messages) ? "; " + messages.string() + " says why" : "";
}

} // namespace

void
TellOfMissingTraces(const fs::path& folder)
{
    for (const auto& missing : MissingTracesIn(folder))
    {
        const auto sentence = fmt::format("warning: {}{}: figures and tables leave {} out",
                                          missing.why,
                                          ReasonOf(missing),
                                          missing.run);
        PrintToStderr("{}", Paragraph(sentence, TableColumns(STDERR_FILENO)));
    }
}

void
RefuseWithoutTraces(const std::string& verb, const fs::path& folder)
{
    const auto missing = MissingTracesIn(folder);
    const bool isRun = fs::exists(folder / "scenario.textproto");
    const auto trace = (folder / "trace.pb").string();
    const auto rule = !missing.empty() ? "holds no trace that can be read: " + missing.front().why +
                                             ReasonOf(missing.front())
                      : isRun ? "holds no trace: " + trace + " is not there"
                              : "must be a folder that run or compare wrote";
    throw ConfigError(verb, "", folder.string(), rule);
}

} // namespace geotrain
