// SPDX-License-Identifier: GPL-2.0-only
// Keeps work within the memory that it may take. Without a limit in the scenario that depends on the
// machine, but nothing that a run writes does.
#pragma once

#include "loader/schema-types.h"
#include "units/bytes.h"

#include <new>
#include <string>
#include <sys/resource.h>

namespace geotrain
{

/// Returns 80 % of the memory that this process may use: the machine's, or less where its control
/// group or the shell (ulimit -v) sets a limit.
Bytes DefaultMemoryLimit();

/// Returns run.memory_limit; unset: DefaultMemoryLimit().
Bytes MemoryLimitOf(const scenario::Run& run);

/// A MemoryLimit makes allocations fail that would take the process beyond a limit, for as long as it
/// lives. What is in memory already counts.
class MemoryLimit
{
  public:
    explicit MemoryLimit(Bytes limit);
    ~MemoryLimit();
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

  private:
    rlimit m_before = {};
};

/// Throws the ConfigError of work that needs more than `limit`. It names `file` and `field`.
[[noreturn]] void
FailForMemory(Bytes limit, const std::string& file, const std::string& field);

/// Returns what `work` does. Throws FailForMemory()'s error where it needs more memory than `limit`.
template <typename Work>
auto
WithinMemory(Bytes limit, const std::string& file, const std::string& field, Work work)
{
    try
    {
        const MemoryLimit kept(limit);
        return work();
    }
    catch (const std::bad_alloc&)
    {
        FailForMemory(limit, file, field);
    }
}

} // namespace geotrain
