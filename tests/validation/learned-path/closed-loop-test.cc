// SPDX-License-Identifier: GPL-2.0-only
// Learns 20 drawn paths of CUBIC's packets, lets controls that no model has seen run over the true
// and over the learned paths, and holds one against the other. Prints a row per path, model and
// control, and the medians.
#include "closed-loop-runs.h"

#include <fmt/format.h>

#include <cmath>

namespace geotrain
{
namespace
{

constexpr const char* allControls = "all";

/// StudyOutcome is what is known of a model after all paths.
struct StudyOutcome
{
    std::map<std::string, std::vector<FlowErrors>> errors; ///< by control, and of all controls
    int recovered = 0; ///< paths whose rate is within 2 % and whose propagation within 1 ms
};

class ClosedLoopStudy : public ClosedLoopRuns
{
  protected:
    /// Runs all paths; the model "seed" is the true path with other random cross traffic, the error
    /// below which no model of the same statistics gets.
    void RunStudy(CrossKind crossKind, const std::vector<std::string>& models)
    {
        int number = 0;
        for (const KnownPath& path : DrawKnownPaths(pathCount, crossKind))
        {
            ++number;
            FlowOverTruth(path, "TcpCubic", "cubic");
            for (const std::string& model : models)
            {
                const LearnedFacts facts = Learn("cubic", model);
                const double rateError = facts.bitsPerSecond / path.bitsPerSecond - 1;
                const double delayError = facts.propagationSeconds - path.delaySeconds;
                m_outcomes[model].recovered +=
                    std::abs(rateError) <= 0.02 && std::abs(delayError) <= 1e-3 ? 1 : 0;
                fmt::print(
                    "path {}: {:.2f} Mbit/s, {:.1f} ms, {:.0f} kB, cross {:.0f} %: {} has rate "
                    "{:+.1f} %, propagation {:+.2f} ms, buffer {:+.1f} %\n",
                    number,
                    path.bitsPerSecond * 1e-6,
                    path.delaySeconds * 1e3,
                    path.BufferBytes() * 1e-3,
                    path.crossShare * 100,
                    model,
                    rateError * 100,
                    delayError * 1e3,
                    (facts.bufferBytes / path.BufferBytes() - 1) * 100);
            }
            for (const std::string& control : UnseenControls())
            {
                RunControl(path, number, control, models);
            }
        }
        PrintMedians();
    }

    /// Returns the medians over paths and controls.
    FlowErrors MediansOf(const std::string& model) const
    {
        return MedianErrors(m_outcomes.at(model).errors.at(allControls));
    }

    std::map<std::string, StudyOutcome> m_outcomes; ///< by model

  private:
    void RunControl(const KnownPath& path,
                    int number,
                    const std::string& control,
                    const std::vector<std::string>& models)
    {
        const FlowSummary truth = FlowOverTruth(path, control, "true");
        Note(number, "seed", control, truth, FlowOverTruth(path, control, "seed", 2));
        for (const std::string& model : models)
        {
            Note(number,
                 model,
                 control,
                 truth,
                 Flow("learned: \"" + model + ".pb\"", "", control, "learned"));
        }
    }

    void Note(int number,
              const std::string& model,
              const std::string& control,
              const FlowSummary& truth,
              const FlowSummary& learned)
    {
        m_outcomes[model].errors[control].push_back(ErrorsOf(learned, truth));
        m_outcomes[model].errors[allControls].push_back(ErrorsOf(learned, truth));
        fmt::print(
            "path {} {} {}: {:.3f} Mbit/s (true {:.3f}), mean {:.1f} ms ({:.1f}), p95 {:.1f} ms "
            "({:.1f})\n",
            number,
            model,
            control,
            learned.bitsPerSecond * 1e-6,
            truth.bitsPerSecond * 1e-6,
            learned.delayMean * 1e3,
            truth.delayMean * 1e3,
            learned.delayP95 * 1e3,
            truth.delayP95 * 1e3);
        std::fflush(stdout);
    }

    void PrintMedians() const
    {
        for (const auto& [model, outcome] : m_outcomes)
        {
            for (const auto& [control, errors] : outcome.errors)
            {
                const FlowErrors medians = MedianErrors(errors);
                fmt::print("| {} | {} | {:.1f} % | {:.1f} % | {:.1f} % |\n",
                           model,
                           control,
                           medians[0] * 100,
                           medians[1] * 100,
                           medians[2] * 100);
            }
            fmt::print("{}: {} of {} paths recovered\n", model, outcome.recovered, pathCount);
        }
    }
};

// RBU's buffer empties at the true rate whatever the control; iBoxNet's at what CUBIC got of it at best.
// The limits of 5, 5 and 10 % are above what another seed of the cross traffic makes of the true path.
TEST_F(ClosedLoopStudy, SteadyCrossTraffic)
{
    RunStudy(CrossKind::Steady, {"ibox", "rbu", "lstm"});
    EXPECT_GE(m_outcomes["rbu"].recovered, 18);
    const FlowErrors rbu = MediansOf("rbu");
    const FlowErrors limits{0.05, 0.05, 0.10};
    for (std::size_t i = 0; i < rbu.size(); ++i)
    {
        EXPECT_LT(rbu[i], limits[i]) << i;
        EXPECT_LT(rbu[i], MediansOf("ibox")[i]) << i;
        EXPECT_LT(rbu[i], MediansOf("lstm")[i]) << i;
    }
}

// Files of a TCP yield to who asks more, and no model knows of them but by what CUBIC saw.
TEST_F(ClosedLoopStudy, ReactiveCrossTraffic)
{
    RunStudy(CrossKind::Reactive, {"ibox", "rbu", "lstm"});
    const FlowErrors rbu = MediansOf("rbu");
    for (std::size_t i = 0; i < rbu.size(); ++i)
    {
        EXPECT_LT(rbu[i], MediansOf("ibox")[i]) << i;
    }
}

} // namespace
} // namespace geotrain
