// SPDX-License-Identifier: GPL-2.0-only
// A first-in-first-out queue that keeps its memory. It is Boost's circular buffer, doubled when it
// is full. std::deque takes and returns a block of memory every few items, which costs more than
// what a simulator does with one item.
#pragma once

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace geotrain
{

/// GrowingRing is a queue whose memory grows with its largest size and never shrinks.
template <typename T>
class GrowingRing
{
  public:
    void PushBack(T value)
    {
        if (m_ring.full())
        {
            m_ring.set_capacity(std::max<std::size_t>(8, 2 * m_ring.capacity()));
        }
        m_ring.push_back(std::move(value));
    }

    /// Takes the oldest item. The ring must not be empty; the same holds for Front and Back.
    T PopFront()
    {
        T value = std::move(m_ring.front());
        m_ring.pop_front();
        return value;
    }

    void DropFront()
    {
        m_ring.pop_front();
    }

    const T& Front() const
    {
        return m_ring.front();
    }

    T& Front()
    {
        return m_ring.front();
    }

    const T& Back() const
    {
        return m_ring.back();
    }

    T& Back()
    {
        return m_ring.back();
    }

    bool Empty() const
    {
        return m_ring.empty();
    }

    std::size_t Size() const
    {
        return m_ring.size();
    }

    /// Iterates from the oldest item to the youngest.
    auto begin() const
    {
        return m_ring.begin();
    }

    auto end() const
    {
        return m_ring.end();
    }

  private:
    boost::circular_buffer<T> m_ring;
};

} // namespace geotrain
