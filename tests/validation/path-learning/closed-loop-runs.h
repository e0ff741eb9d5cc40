// SPDX-License-Identifier: GPL-2.0-only
// Runs congestion controls over known paths and over what was learned of them, by the program as a
// user runs it, and summarises the packets of each run.
#pragma once

#include "known-path.h"
#include "program-test.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace geotrain
{

/// FlowSummary is what a flow got of a path.
struct FlowSummary
{
    double bitsPerSecond = 0;
    double delayMean = 0; ///< s, one way
    double delayP95 = 0;  ///< s, one way
    double lossShare = 0;
};

/// FlowErrors are relative errors of the throughput, the mean delay and its 95th percentile.
using FlowErrors = std::array<double, 3>;

/// Returns the errors of `learned` against `truth`.
FlowErrors ErrorsOf(const FlowSummary& learned, const FlowSummary& truth);

/// Returns the medians, error by error.
FlowErrors MedianErrors(std::vector<FlowErrors> errors);

/// LearnedFacts are what a model says of its path.
struct LearnedFacts
{
    double bitsPerSecond = 0;
    double propagationSeconds = 0;
    double bufferBytes = 0;
    bool isWarnedOf = false; ///< of cross traffic that yields
};

/// ClosedLoopRuns is the fixture.
class ClosedLoopRuns : public ProgramTest
{
  protected:
    static constexpr int flowSeconds = 20;
    static constexpr int pathCount = 20;
    std::string m_preset = "LINUX_FQ"; ///< of the hosts, which are a user's by default

    /// Runs a flow over the true path, whose random cross traffic is that of `seed`.
    FlowSummary FlowOverTruth(const KnownPath& path,
                              const std::string& control,
                              const std::string& out,
                              std::uint64_t seed = 1) const;

    /// Runs a flow over the link; `packets-1.csv` is then in the folder `out`.
    FlowSummary Flow(const std::string& link,
                     const std::string& crossTraffic,
                     const std::string& control,
                     const std::string& out,
                     std::uint64_t seed = 1) const;

    /// Learns `model` of the packets in folder `of`, into the file `model`.pb.
    LearnedFacts Learn(const std::string& of, const std::string& model) const;
};

/// The controls that no model has seen.
std::vector<std::string> UnseenControls();

} // namespace geotrain
