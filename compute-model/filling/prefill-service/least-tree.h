// SPDX-License-Identifier: GPL-2.0-only
// Finds the least element of an array whose elements change. It is a tournament tree with O(log n)
// per change.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace geotrain
{

/// LeastTree is an array of int64 whose least element is known.
class LeastTree
{
  public:
    static constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::max();

    /// Makes `count` elements, at least 1, that all are `value`.
    LeastTree(std::size_t count, std::int64_t value)
    {
        while (m_leaves < count)
        {
            m_leaves *= 2;
        }
        m_values.assign(2 * m_leaves, nothing);
        std::fill_n(m_values.begin() + static_cast<std::ptrdiff_t>(m_leaves), count, value);
        for (std::size_t node = m_leaves - 1; node > 0; --node)
        {
            m_values[node] = LesserChild(node);
        }
    }

    std::int64_t At(std::size_t index) const
    {
        return m_values[m_leaves + index];
    }

    void Set(std::size_t index, std::int64_t value)
    {
        std::size_t node = m_leaves + index;
        m_values[node] = value;
        for (node /= 2; node > 0 && m_values[node] != LesserChild(node); node /= 2)
        {
            m_values[node] = LesserChild(node);
        }
    }

    std::int64_t Least() const
    {
        return m_values[1];
    }

    /// Returns the index of the least element; of several, the lowest.
    std::size_t IndexOfLeast() const
    {
        std::size_t node = 1;
        while (node < m_leaves)
        {
            node = 2 * node + (m_values[2 * node] == m_values[1] ? 0 : 1);
        }
        return node - m_leaves;
    }

  private:
    std::int64_t LesserChild(std::size_t node) const
    {
        return std::min(m_values[2 * node], m_values[2 * node + 1]);
    }

    std::size_t m_leaves = 1;
    std::vector<std::int64_t> m_values; ///< node i has children 2i and 2i + 1; leaves are last
};

} // namespace geotrain
