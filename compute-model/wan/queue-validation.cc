// SPDX-License-Identifier: GPL-2.0-only
#include "wan/queue-validation.h"

#include "wan/value-checks.h"

#include "units/quantity-parser.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

class QueueValidator : private ValueChecks
{
  public:
    QueueValidator(const QueueKinds& queues, const std::string& file, const std::string& prefix)
        : ValueChecks(file, prefix),
          m_queues(queues)
    {
    }

    void Run() const
    {
        const std::vector<std::string> names = m_queues.Names();
        Require(names.size() < 2,
                names.empty() ? "" : names.back(),
                "",
                names.empty()
                    ? ""
                    : "must not be there with " + names.front() + ": a link has one queue");
        CheckRed();
        if (m_queues.coDel)
        {
            CheckCoDel("codel", *m_queues.coDel);
        }
        CheckStep();
        CheckPie();
        if (m_queues.fqCoDel)
        {
            CheckCoDel("fq_codel", m_queues.fqCoDel->coDel);
            CheckFqCoDel(*m_queues.fqCoDel);
        }
        if (m_queues.dualPi2)
        {
            CheckDualPi2(*m_queues.dualPi2);
        }
    }

  private:
    using ValueChecks::Require;

    void Require(bool holds, const std::string& field, double value, const std::string& rule) const
    {
        Require(holds, field, fmt::format("{}", value), rule);
    }

    void CheckTime(const std::string& field, Duration time, Duration least) const
    {
        Require(time >= least && time <= maxWanDelay,
                field,
                Format(time),
                "must be >= " + Format(least) + " and <= 10 s");
    }

    void CheckRed() const
    {
        if (!m_queues.red)
        {
            return;
        }
        const RedSettings& red = *m_queues.red;
        CheckQueue("red.min_threshold", red.minThreshold);
        CheckQueue("red.max_threshold", red.maxThreshold);
        Require(red.minThreshold.unit == red.maxThreshold.unit &&
                    red.minThreshold.value < red.maxThreshold.value,
                "red.max_threshold",
                red.maxThreshold.value,
                "must be more than min_threshold, and of the same unit");
        Require(red.maxProbability > 0 && red.maxProbability <= 1,
                "red.max_probability",
                red.maxProbability,
                "must be > 0 and <= 1");
        Require(
            red.weight > 0 && red.weight <= 1, "red.weight", red.weight, "must be > 0 and <= 1");
    }

    void CheckCoDel(const std::string& field, const CoDelSettings& coDel) const
    {
        CheckTime(field + ".target", coDel.target, tick);
        Require(coDel.interval >= coDel.target && coDel.interval <= maxWanDelay,
                field + ".interval",
                Format(coDel.interval),
                "must be >= target, " + Format(coDel.target) + ", and <= 10 s");
    }

    void CheckStep() const
    {
        if (!m_queues.step)
        {
            return;
        }
        const StepSettings& step = *m_queues.step;
        Require(step.time.has_value() != step.size.has_value(),
                "step",
                "",
                "must have either time or size");
        if (step.time)
        {
            CheckTime("step.time", *step.time, tick);
        }
        else
        {
            CheckQueue("step.size", *step.size);
        }
    }

    void CheckFqCoDel(const FqCoDelSettings& queue) const
    {
        Require(queue.flows >= 1 && queue.flows <= 65536,
                "fq_codel.flows",
                static_cast<double>(queue.flows),
                "must be >= 1 and <= 65536");
        Require(Bytes() <= queue.quantum && queue.quantum <= Bytes::Of(1000000),
                "fq_codel.quantum",
                Format(queue.quantum),
                "must be > 0 and <= 1 MB");
        if (queue.ceThreshold)
        {
            CheckTime("fq_codel.ce_threshold", *queue.ceThreshold, tick);
        }
    }

    void CheckPie() const
    {
        if (!m_queues.pie)
        {
            return;
        }
        const PieSettings& pie = *m_queues.pie;
        CheckTime("pie.target", pie.target, tick);
        CheckTime("pie.t_update", pie.update, Duration::Microseconds(10));
        CheckTime("pie.max_burst", pie.maxBurst, Duration());
        const std::string to1000 = "must be >= 0 and <= 1000";
        Require(pie.alpha >= 0 && pie.alpha <= 1000, "pie.alpha", pie.alpha, to1000);
        Require(pie.beta >= 0 && pie.beta <= 1000, "pie.beta", pie.beta, to1000);
        Require(pie.markProbability >= 0 && pie.markProbability <= 1,
                "pie.mark_ecnth",
                pie.markProbability,
                "must be >= 0 and <= 1");
    }

    void CheckDualPi2(const DualPi2Settings& dual) const
    {
        CheckTime("dualpi2.target", dual.target, Duration::Microseconds(10));
        CheckTime("dualpi2.max_rtt", dual.maxRtt, Duration::Microseconds(100));
        CheckTime("dualpi2.threshold", dual.threshold, tick);
        CheckTime("dualpi2.ramp", dual.ramp, Duration());
        CheckTime("dualpi2.time_shift", dual.timeShift, Duration());
        Require(dual.coupling > 0 && dual.coupling <= 100,
                "dualpi2.coupling",
                dual.coupling,
                "must be > 0 and <= 100");
        Require(dual.classicShare >= 0 && dual.classicShare <= 1,
                "dualpi2.classic_share",
                dual.classicShare,
                "must be >= 0 and <= 1");
    }

    const Duration tick = Duration::Nanoseconds(1);
    const QueueKinds& m_queues;
};

} // namespace

std::vector<std::string>
QueueKinds::Names() const
{
    std::vector<std::string> names;
    for (const auto& [isThere, name] : {std::pair(red.has_value(), "red"),
                                        std::pair(coDel.has_value(), "codel"),
                                        std::pair(step.has_value(), "step"),
                                        std::pair(pie.has_value(), "pie"),
                                        std::pair(fqCoDel.has_value(), "fq_codel"),
                                        std::pair(dualPi2.has_value(), "dualpi2")})
    {
        if (isThere)
        {
            names.emplace_back(name);
        }
    }
    return names;
}

void
ValidateQueues(const QueueKinds& queues, const std::string& file, const std::string& prefix)
{
    QueueValidator(queues, file, prefix).Run();
}

} // namespace geotrain
