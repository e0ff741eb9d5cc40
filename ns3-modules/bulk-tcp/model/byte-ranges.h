// SPDX-License-Identifier: GPL-2.0-only
// Defines a set of bytes of a stream as sorted, disjoint, non-adjacent runs. An operation takes
// O(log runs), and amortised O(1) per run that it joins.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace ns3
{

/// ByteRanges is such a set.
class ByteRanges
{
  public:
    using Range = std::pair<std::uint64_t, std::uint64_t>; ///< [first, second)

    /// Adds [begin, end) and calls `added(from, to)` for each part that is new, in order. Returns
    /// the run that holds the range afterwards. `begin` must be below `end`.
    template <typename Added>
    Range Insert(std::uint64_t begin, std::uint64_t end, Added added)
    {
        std::uint64_t missing = begin;
        auto next = m_runs.upper_bound(begin);
        if (next != m_runs.begin() && std::prev(next)->second >= begin)
        {
            --next;
            missing = next->second;
            if (missing >= end)
            {
                return *next;
            }
            const auto after = std::next(next);
            if (after == m_runs.end() || after->first > end)
            {
                added(missing, end); // the usual case: the run grows in its place
                next->second = end;
                return *next;
            }
            begin = next->first;
        }
        while (next != m_runs.end() && next->first <= end)
        {
            if (missing < next->first)
            {
                added(missing, next->first);
            }
            missing = next->second;
            next = m_runs.erase(next);
        }
        if (missing < end)
        {
            added(missing, end);
        }
        const Range run{begin, missing < end ? end : missing};
        m_runs.emplace_hint(next, run);
        return run;
    }

    /// Removes everything below `offset`.
    void EraseBelow(std::uint64_t offset)
    {
        while (!m_runs.empty() && m_runs.begin()->first < offset)
        {
            const std::uint64_t end = m_runs.begin()->second;
            m_runs.erase(m_runs.begin());
            if (end > offset)
            {
                m_runs.emplace_hint(m_runs.begin(), offset, end);
            }
        }
    }

    /// Returns the run that holds the byte at `offset`, if there is one.
    std::optional<Range> Find(std::uint64_t offset) const
    {
        auto next = m_runs.upper_bound(offset);
        if (next == m_runs.begin() || (--next)->second <= offset)
        {
            return std::nullopt;
        }
        return *next;
    }

    /// Returns the lowest run. The set must not be empty.
    Range First() const
    {
        return *m_runs.begin();
    }

    bool Empty() const
    {
        return m_runs.empty();
    }

  private:
    std::map<std::uint64_t, std::uint64_t> m_runs; ///< end by begin
};

} // namespace ns3
