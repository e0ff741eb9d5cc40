// A FIFO without an allocation a packet: Boost's circular buffer, doubled when it is full. (std::deque takes and
// returns a chunk of memory every few packets.)
#pragma once

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3
{

template <typename T>
class GrowingRing
{
  public:
    void PushBack(T value)
    {
        if (m_ring.full())
        {
            m_ring.set_capacity(std::max<std::size_t>(16, 2 * m_ring.capacity()));
        }
        m_ring.push_back(std::move(value));
    }

    /// The ring must not be empty.
    T PopFront()
    {
        T value = std::move(m_ring.front());
        m_ring.pop_front();
        return value;
    }

    const T& Front() const
    {
        return m_ring.front();
    }

    bool Empty() const
    {
        return m_ring.empty();
    }

    std::size_t Size() const
    {
        return m_ring.size();
    }

  private:
    boost::circular_buffer<T> m_ring;
};

} // namespace ns3
