// SPDX-License-Identifier: GPL-2.0-only
// Memory that a process shares with the children that it forks.
#pragma once

#include <cerrno>
#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <type_traits>

namespace ns3
{

/// A SharedArray holds values that begin as zeros. The values of one writer may be read while it
/// writes: a reader then sees some of them earlier than others.
template <typename Value>
class SharedArray
{
  public:
    static_assert(std::is_trivially_destructible_v<Value>);

    /// Throws std::system_error where the memory is not to be had.
    explicit SharedArray(std::size_t size)
        : m_bytes(size * sizeof(Value))
    {
        void* memory = mmap(
            nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
        {
            throw std::system_error(errno, std::generic_category(), "shared memory");
        }
        m_values = static_cast<Value*>(memory);
    }

    ~SharedArray()
    {
        munmap(m_values, m_bytes);
    }

    SharedArray(const SharedArray&) = delete;
    SharedArray& operator=(const SharedArray&) = delete;

    Value* Data() const
    {
        return m_values;
    }

    Value& operator[](std::size_t number) const
    {
        return m_values[number];
    }

  private:
    std::size_t m_bytes;
    Value* m_values;
};

} // namespace ns3
