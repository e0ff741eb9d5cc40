// SPDX-License-Identifier: GPL-2.0-only
#include "topology-import/rate-trace.h"

#include "units/config-error.h"
#include "units/csv-cells.h"
#include "units/quantity-parser.h"
#include "wan/value-checks.h"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

namespace geotrain
{

namespace
{

constexpr std::size_t mostRates = 100000;
constexpr std::int64_t windowMs = 100;
constexpr std::int64_t opportunityBits = 8 * 1500; // Mahimahi's
constexpr double mostSeconds = 1e9;
const Duration constantPeriod = Duration::Milliseconds(1000); // of a file with a single rate

/// TraceReader reads one file.
class TraceReader
{
  public:
    TraceReader(const std::string& text, const std::string& file)
        : m_file(file)
    {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
        {
            line.erase(line.find_last_not_of(" \t\r") + 1);
            m_lines.push_back(line);
        }
        while (!m_lines.empty() && m_lines.back().empty())
        {
            m_lines.pop_back();
        }
    }

    RateSchedule Read()
    {
        if (m_lines.empty())
        {
            throw ConfigError(m_file, "", "", "is empty: a trace must have at least one line");
        }
        const auto& first = m_lines.front();
        const bool isCsv = std::any_of(
            first.begin(), first.end(), [](unsigned char letter) { return std::isalpha(letter); });
        RateSchedule schedule = isCsv ? OfCsv() : OfOpportunities();
        if (schedule.MeanRate() == BitRate())
        {
            throw ConfigError(m_file, "", "", "must have a rate above 0 somewhere");
        }
        return schedule;
    }

  private:
    [[noreturn]] void Fail(std::size_t line, const std::string& rule) const
    {
        throw ConfigError(fmt::format("{}:{}", m_file, line + 1), "", m_lines[line], rule);
    }

    void LimitRates(std::size_t line, std::size_t rates) const
    {
        if (rates > mostRates)
        {
            Fail(line, fmt::format("is beyond the {} rates that a trace may have", mostRates));
        }
    }

    RateSchedule OfOpportunities() const
    {
        std::vector<std::int64_t> counts(1);
        std::int64_t lastMs = 0;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            const std::string& line = m_lines[i];
            std::int64_t atMs = 0;
            const auto [rest, error] =
                std::from_chars(line.data(), line.data() + line.size(), atMs);
            if (error != std::errc{} || rest != line.data() + line.size() || atMs < 0)
            {
                Fail(i, "must be a time in whole milliseconds, 0 or more");
            }
            if (atMs < lastMs)
            {
                Fail(i, "must not be before the line before it");
            }
            lastMs = atMs;
            // What is sent at the end of a window belongs to it.
            const auto window =
                static_cast<std::size_t>(std::max<std::int64_t>(atMs - 1, 0)) / windowMs;
            LimitRates(i, window + 1);
            counts.resize(std::max(counts.size(), window + 1));
            ++counts[window];
        }
        if (lastMs == 0)
        {
            Fail(m_lines.size() - 1, "must be later than 0: the trace begins again then");
        }
        RateSchedule schedule;
        schedule.period = Duration::Milliseconds(lastMs);
        for (std::size_t window = 0; window < counts.size(); ++window)
        {
            const std::int64_t beginMs = static_cast<std::int64_t>(window) * windowMs;
            const std::int64_t lengthMs = std::min(windowMs, lastMs - beginMs);
            schedule.steps.push_back(
                {Duration::Milliseconds(beginMs),
                 BitRate::BitsPerSecond(counts[window] * opportunityBits * 1000 / lengthMs)});
        }
        return schedule;
    }

    /// Returns a line's cells without blanks around them.
    std::vector<std::string> CellsOf(std::size_t line) const
    {
        std::vector<std::string> cells = CsvCells(m_lines[line]);
        for (std::string& cell : cells)
        {
            boost::trim(cell);
        }
        return cells;
    }

    double NumberIn(std::size_t line, const std::string& cell, const std::string& rule) const
    {
        double value = 0;
        const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc{} || rest != cell.data() + cell.size() || !(value >= 0))
        {
            Fail(line, rule);
        }
        return value;
    }

    /// Returns what a number in the column of rates stands for in bit/s; 0: a text with a unit.
    double UnitOfRates() const
    {
        static const std::map<std::string, double> units{{"t_s,rate", 0},
                                                         {"t_s,rate_bps", 1},
                                                         {"t_s,rate_kbps", 1e3},
                                                         {"t_s,rate_mbps", 1e6},
                                                         {"t_s,rate_gbps", 1e9}};
        const auto found =
            units.find(boost::to_lower_copy(fmt::format("{}", fmt::join(CellsOf(0), ","))));
        if (found == units.end())
        {
            Fail(0,
                 "must be times in ms (Mahimahi), or begin with t_s,rate or t_s,rate_bps, _kbps, "
                 "_mbps or _gbps");
        }
        return found->second;
    }

    BitRate RateIn(std::size_t line, const std::string& cell, double unit) const
    {
        BitRate rate;
        try
        {
            rate = unit > 0
                       ? BitRate::BitsPerSecond(std::llround(std::min(
                             1e18, unit * NumberIn(line, cell, "must have a rate of 0 or more"))))
                       : ParseBitRate(cell);
        }
        catch (const std::invalid_argument& error)
        {
            Fail(line, fmt::format("has a rate that {}", error.what()));
        }
        if (rate < BitRate() || maxWanRate < rate)
        {
            Fail(line, "must have a rate of 0 or more, and of at most 100 Tbps");
        }
        return rate;
    }

    RateSchedule OfCsv() const
    {
        const double unit = UnitOfRates();
        RateSchedule schedule;
        double begin = 0;
        for (std::size_t i = 1; i < m_lines.size(); ++i)
        {
            const std::vector<std::string> cells = CellsOf(i);
            if (cells.size() != 2)
            {
                Fail(i, "must have the two cells of the first line");
            }
            const double seconds =
                NumberIn(i, cells[0], "must begin with a time of 0 or more in s");
            begin = i == 1 ? seconds : begin;
            const Duration at = Duration::Seconds(std::min(seconds - begin, mostSeconds));
            if (i > 1 && at <= schedule.steps.back().at)
            {
                Fail(i, "must be later than the row before it");
            }
            if (cells[1].empty() && i > 1 && i + 1 == m_lines.size())
            {
                schedule.period = at;
                return schedule;
            }
            schedule.steps.push_back({at, RateIn(i, cells[1], unit)});
            LimitRates(i, schedule.steps.size());
        }
        if (schedule.steps.empty())
        {
            Fail(0, "must be followed by rows");
        }
        const auto& last = schedule.steps.back();
        schedule.period = schedule.steps.size() == 1
                              ? constantPeriod
                              : last.at + (last.at - schedule.steps[schedule.steps.size() - 2].at);
        return schedule;
    }

    std::string m_file;
    std::vector<std::string> m_lines;
};

} // namespace

RateSchedule
ParseRateTrace(const std::string& text, const std::string& file)
{
    return TraceReader(text, file).Read();
}

std::vector<std::string>
RateTraceLines(const RateSchedule& schedule)
{
    std::vector<std::string> lines{"t_s,rate"};
    for (const RateStep& step : schedule.steps)
    {
        lines.push_back(fmt::format("{},{}", step.at.ToSeconds(), Format(step.rate)));
    }
    lines.push_back(fmt::format("{},", schedule.period.ToSeconds()));
    return lines;
}

} // namespace geotrain
