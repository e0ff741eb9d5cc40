// SPDX-License-Identifier: GPL-2.0-only
// Defines a queue for the packets that a link or a cap holds.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace ns3
{

/// A BlockFifo is a queue in blocks that are given back: its memory is what it holds, and one block. An
/// item stays at its place until it is taken out.
template <typename T>
class BlockFifo
{
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    BlockFifo() = default;
    BlockFifo(const BlockFifo&) = delete;
    BlockFifo& operator=(const BlockFifo&) = delete;

    ~BlockFifo()
    {
        while (m_first)
        {
            delete std::exchange(m_first, m_first->next);
        }
    }

    bool Empty() const
    {
        return m_front == m_back;
    }

    /// Adds an item and returns its place, for its value.
    T& AddBack()
    {
        if (m_back == m_backEnd)
        {
            AddBlock();
        }
        return *m_back++;
    }

    /// Returns the oldest item; there must be one.
    const T& Front() const
    {
        return *m_front;
    }

    /// Returns the item behind the oldest; null: there is none.
    const T* Second() const
    {
        if (m_front + 1 == m_back)
        {
            return nullptr;
        }
        return m_front + 1 == m_frontEnd ? m_first->next->items.data() : m_front + 1;
    }

    /// Takes the oldest item out; there must be one.
    void PopFront()
    {
        ++m_front;
        if (m_front == m_back)
        {
            m_front = m_back = m_first->items.data(); // it is in the caches
        }
        else if (m_front == m_frontEnd)
        {
            DropBlock();
        }
        // So that a queue larger than the caches costs little more.
        constexpr std::size_t cacheLine = 64; // bytes
        const auto* ahead = reinterpret_cast<const char*>(m_front + 2);
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + cacheLine);
    }

  private:
    static constexpr std::size_t s_blockSize = 64; // items

    struct Block
    {
        std::array<T, s_blockSize> items;
        Block* next;
    };

    // These two are rare, and would make each call of the above longer.

    [[gnu::noinline]] void AddBlock()
    {
        auto* block = new Block; // its items have no value yet
        block->next = nullptr;
        m_back = block->items.data();
        m_backEnd = m_back + s_blockSize;
        if (m_first)
        {
            m_last->next = block;
        }
        else
        {
            m_first = block;
            m_front = m_back;
            m_frontEnd = m_backEnd;
        }
        m_last = block;
    }

    [[gnu::noinline]] void DropBlock()
    {
        delete std::exchange(m_first, m_first->next);
        m_front = m_first->items.data();
        m_frontEnd = m_front + s_blockSize;
    }

    T* m_front = nullptr;
    T* m_back = nullptr;     ///< place of the next item
    T* m_frontEnd = nullptr; ///< of the first block; then the same of the last one
    T* m_backEnd = nullptr;
    Block* m_first = nullptr;
    Block* m_last = nullptr;
};

} // namespace ns3
