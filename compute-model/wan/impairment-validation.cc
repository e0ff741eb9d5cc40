// SPDX-License-Identifier: GPL-2.0-only
#include "wan/impairment-validation.h"

#include "wan/queue-validation.h"
#include "wan/value-checks.h"

#include "units/quantity-parser.h"

#include <fmt/format.h>

namespace geotrain
{

namespace
{

const Duration maxTime = Duration::Seconds(360000000); // 100,000 h, as a run's deadline

class ImpairmentValidator : private ValueChecks
{
  public:
    ImpairmentValidator(const LinkImpairments& link,
                        const std::string& file,
                        const std::string& prefix)
        : ValueChecks(file, prefix),
          m_link(link),
          m_file(file),
          m_prefix(prefix)
    {
    }

    void Run(Bytes mtu) const
    {
        Require(m_link.lossRate >= 0 && m_link.lossRate < 1,
                "loss",
                m_link.lossRate,
                "must be >= 0 and < 1");
        ValidateQueues(m_link, m_file, m_prefix);
        CheckPolicer(mtu);
        CheckBurstLoss();
        CheckJitter();
        Require(m_link.duplication >= 0 && m_link.duplication < 1,
                "duplication",
                m_link.duplication,
                "must be >= 0 and < 1");
        CheckRateSteps();
        CheckOutages();
    }

  private:
    using ValueChecks::Require;

    void Require(bool holds, const std::string& field, double value, const std::string& rule) const
    {
        Require(holds, field, fmt::format("{}", value), rule);
    }

    void
    Require(bool holds, const std::string& field, Duration value, const std::string& rule) const
    {
        Require(holds, field, Format(value), rule);
    }

    void CheckPolicer(Bytes mtu) const
    {
        if (m_link.policer)
        {
            CheckRate("policer.rate", m_link.policer->rate);
            const Bytes burst = m_link.policer->burst;
            Require(mtu <= burst && burst <= maxPolicerBurst,
                    "policer.burst",
                    Format(burst),
                    "must be >= the MTU, " + Format(mtu) + ", and <= 1 GB");
        }
    }

    void CheckBurstLoss() const
    {
        if (!m_link.burstLoss)
        {
            return;
        }
        const BurstLossSettings& burst = *m_link.burstLoss;
        const std::string from0to1 = "must be >= 0 and <= 1";
        Require(burst.enter >= 0 && burst.enter <= 1, "burst_loss.enter", burst.enter, from0to1);
        Require(burst.leave > 0 && burst.leave <= 1,
                "burst_loss.leave",
                burst.leave,
                "must be > 0 and <= 1");
        Require(burst.loss >= 0 && burst.loss <= 1, "burst_loss.loss", burst.loss, from0to1);
    }

    void CheckJitter() const
    {
        if (m_link.jitter)
        {
            CheckDelay("jitter.mean", m_link.jitter->mean);
            CheckDelay("jitter.deviation", m_link.jitter->deviation);
        }
    }

    void CheckRateSteps() const
    {
        Duration last = Duration::Nanoseconds(-1);
        for (std::size_t i = 0; i < m_link.rates.steps.size(); ++i)
        {
            const Duration at = m_link.rates.steps[i].at;
            Require(at > last && at >= Duration() && at <= maxTime,
                    fmt::format("rate_step[{}].at", i),
                    at,
                    "must be >= 0, later than the step before it, and <= 100000 h");
            if (m_link.rates.period == Duration()) // a repeating one may rest at 0
            {
                CheckRate(fmt::format("rate_step[{}].rate", i), m_link.rates.steps[i].rate);
            }
            last = at;
        }
    }

    void CheckOutages() const
    {
        Duration last;
        for (std::size_t i = 0; i < m_link.outages.size(); ++i)
        {
            const Outage& outage = m_link.outages[i];
            const std::string field = fmt::format("outage[{}]", i);
            Require(outage.begin >= last,
                    field + ".begin",
                    outage.begin,
                    "must be >= 0, and not before the end of the outage before it");
            Require(outage.end > outage.begin && outage.end <= maxTime,
                    field + ".end",
                    outage.end,
                    "must be later than begin, and <= 100000 h");
            last = outage.end;
        }
    }

    const LinkImpairments& m_link;
    const std::string& m_file;
    const std::string& m_prefix;
};

} // namespace

void
ValidateImpairments(const LinkImpairments& link,
                    Bytes mtu,
                    const std::string& file,
                    const std::string& prefix)
{
    ImpairmentValidator(link, file, prefix).Run(mtu);
}

} // namespace geotrain
