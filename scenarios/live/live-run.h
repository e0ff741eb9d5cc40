// SPDX-License-Identifier: GPL-2.0-only
// Runs a scenario on a live WAN: real frames between network namespaces, by the wall clock. The
// scenario's iterations or transfers run over the kernel's TCP, and the user's own programs run in
// the nodes.
#pragma once

#include "live-wan/model/live-wan-report.h"
#include "live/node-programs.h"
#include "runner/run.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// LiveOptions say what runs on a live WAN.
struct LiveOptions
{
    RunOptions run;
    bool runsScenario = true;            ///< the iterations or transfers of the scenario
    std::vector<NodeProgram> programs;   ///< the last of them leads
    std::optional<std::uint32_t> shell;  ///< node
    bool holds = false;                  ///< until Ctrl-C
    std::vector<std::uint32_t> captures; ///< nodes whose frames are recorded
    std::function<void()> onReady;       ///< called once frames are carried; may be empty
};

/// A LiveResult is what a live run gave.
struct LiveResult
{
    std::string unfinished;         ///< why it ended early; empty where it did not
    std::optional<Summary> summary; ///< of the scenario
    std::vector<NodeProgram> programs;
    ns3::LiveWanReport report;
    ns3::Lateness timers; ///< of the executor's events, such as the end of a computation
    ns3::Lateness agents; ///< of what agents and executor tell each other
    double seconds = 0;   ///< of carrying frames
    int shellCode = 0;

    /// Returns why the result is not to be trusted; empty where it is.
    std::string Doubt() const;
};

/// Checks what a live WAN can't do, with or without the scenario's iterations. Throws ConfigError.
void RequireLive(const Experiment& scenario, bool runsScenario);

/// Runs it in the namespaces of this process (StartApart). Throws as Run() does, but for
/// UnfinishedRun, whose reason is in the result.
LiveResult RunLiveScenario(const Experiment& scenario, const LiveOptions& options);

} // namespace geotrain
