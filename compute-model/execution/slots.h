// SPDX-License-Identifier: GPL-2.0-only
// A table of things in progress, each with a handle that no other thing of the table ever has.
// Adding, finding and taking cost the same however many there are. The handle of something that was
// taken finds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace geotrain
{

/// Slots is a table whose entries are found by handle.
template <typename Value>
class Slots
{
  public:
    using Handle = std::uint64_t; ///< never 0

    /// Adds an entry and returns its handle.
    Handle Add(Value value)
    {
        if (m_free.empty())
        {
            m_free.push_back(static_cast<std::uint32_t>(m_slots.size()));
            m_slots.emplace_back();
        }
        const std::uint32_t index = m_free.back();
        m_free.pop_back();
        m_slots[index].value = std::move(value);
        m_slots[index].isUsed = true;
        return (Handle{m_slots[index].generation} << 32) | index;
    }

    /// Returns nullptr where the entry was taken. The pointer stays valid until then.
    Value* Find(Handle handle)
    {
        const auto index = static_cast<std::uint32_t>(handle);
        const bool isThere = index < m_slots.size() && m_slots[index].isUsed &&
                             m_slots[index].generation == handle >> 32;
        return isThere ? &m_slots[index].value : nullptr;
    }

    /// Removes an entry, which must be there, and returns its value.
    Value Take(Handle handle)
    {
        Slot& slot = m_slots[static_cast<std::uint32_t>(handle)];
        Value value = std::move(slot.value);
        slot.value = Value();
        slot.isUsed = false;
        ++slot.generation;
        m_free.push_back(static_cast<std::uint32_t>(handle));
        return value;
    }

    std::size_t Count() const
    {
        return m_slots.size() - m_free.size();
    }

    /// Returns the handles of all entries, in no meaningful order.
    std::vector<Handle> Handles() const
    {
        std::vector<Handle> handles;
        for (std::uint32_t index = 0; index < m_slots.size(); ++index)
        {
            if (m_slots[index].isUsed)
            {
                handles.push_back((Handle{m_slots[index].generation} << 32) | index);
            }
        }
        return handles;
    }

  private:
    struct Slot
    {
        Value value;
        std::uint32_t generation = 1;
        bool isUsed = false;
    };

    std::deque<Slot> m_slots; ///< a deque: what Find() returned stays where it is while others come
    std::vector<std::uint32_t> m_free;
};

} // namespace geotrain
