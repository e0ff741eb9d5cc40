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
constexpr const char* otherHour = "seed"; ///< the true path with other random cross traffic

/// StudyOutcome is what is known of a model after all paths.
struct StudyOutcome
{
    /// By control, and of all controls, against the true path with the recorded cross traffic.
    std::map<std::string, std::vector<FlowErrors>> errors;
    /// The same against the true path with cross traffic of another seed, as at another hour.
    std::map<std::string, std::vector<FlowErrors>> laterErrors;
    int recovered = 0; ///< paths whose rate is within 2 % and whose propagation within 1 ms
};

class ClosedLoopStudy : public ClosedLoopRuns
{
  protected:
    /// Runs all paths. The true path at another hour stands among the models: below its error no
    /// model of the same statistics gets.
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

    /// Returns the medians over paths, of one control or of all.
    FlowErrors MediansOf(const std::string& model, const std::string& control = allControls) const
    {
        return MedianErrors(m_outcomes.at(model).errors.at(control));
    }

    std::map<std::string, StudyOutcome> m_outcomes; ///< by model

  private:
    void RunControl(const KnownPath& path,
                    int number,
                    const std::string& control,
                    const std::vector<std::string>& models)
    {
        const FlowSummary truth = FlowOverTruth(path, control, "true");
        const FlowSummary later = FlowOverTruth(path, control, "later", 2);
        Note(number, otherHour, control, truth, later, later);
        for (const std::string& model : models)
        {
            Note(number,
                 model,
                 control,
                 truth,
                 later,
                 Flow("learned: \"" + model + ".pb\"", "", control, "learned"));
        }
    }

    void Note(int number,
              const std::string& model,
              const std::string& control,
              const FlowSummary& truth,
              const FlowSummary& later,
              const FlowSummary& learned)
    {
        StudyOutcome& outcome = m_outcomes[model];
        for (const std::string& group : {control, std::string(allControls)})
        {
            outcome.errors[group].push_back(ErrorsOf(learned, truth));
            outcome.laterErrors[group].push_back(ErrorsOf(learned, later));
        }
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
                const FlowErrors later = MedianErrors(outcome.laterErrors.at(control));
                fmt::print("| {} | {} | {:.1f}, {:.1f}, {:.1f} % | {:.1f}, {:.1f}, {:.1f} % |\n",
                           model,
                           control,
                           medians[0] * 100,
                           medians[1] * 100,
                           medians[2] * 100,
                           later[0] * 100,
                           later[1] * 100,
                           later[2] * 100);
            }
            fmt::print("{}: {} of {} paths recovered\n", model, outcome.recovered, pathCount);
        }
    }
};

// Both buffers empty at the true rate and repeat the recorded hour's cross traffic, RBU packet by packet
// and iBoxNet by 100 ms, so that bursts don't fill its buffer. Hosts are LINUX, which sends in bursts as
// the senders of recorded logs do; those of LINUX_FQ show less of the difference.
TEST_F(ClosedLoopStudy, SteadyCrossTraffic)
{
    m_preset = "LINUX";
    RunStudy(CrossKind::Steady, {"ibox", "rbu", "lstm"});
    EXPECT_GE(m_outcomes["rbu"].recovered, 18);
    const FlowErrors limits{0.05, 0.05, 0.10};
    for (const std::string& control : UnseenControls())
    {
        const FlowErrors rbu = MediansOf("rbu", control);
        for (std::size_t i = 0; i < rbu.size(); ++i)
        {
            EXPECT_LT(rbu[i], limits[i]) << control << i;
            EXPECT_LT(rbu[i], MediansOf("lstm", control)[i]) << control << i;
            EXPECT_LT(rbu[i], MediansOf("ibox", control)[i]) << control << i;
        }
    }
}

// Files over a TCP yield to who asks for more, and so do the paths' own connections. What came while
// the recorded buffer was idle is unknown, and chance decides which losses a flow meets, so that
// single flows are farther off. The true path at another hour is off by 34 % over all controls, which
// the models stay below.
TEST_F(ClosedLoopStudy, ReactiveCrossTraffic)
{
    RunStudy(CrossKind::Reactive, {"ibox", "rbu"});
    EXPECT_GE(m_outcomes["rbu"].recovered, 18);
    for (const std::string model : {"ibox", "rbu"})
    {
        for (const std::string& control : UnseenControls())
        {
            EXPECT_LT(MediansOf(model, control)[0], 0.25) << control;
        }
        EXPECT_LT(MediansOf(model)[0], MediansOf(otherHour)[0]) << model;
    }
}

} // namespace
} // namespace geotrain
