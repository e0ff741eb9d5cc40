// SPDX-License-Identifier: GPL-2.0-only
// The limit is one of address space, of which what is mapped but not in memory is left out: libraries,
// stacks and a sanitizer's shadow.
#include "loader/machine-memory.h"

#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <execinfo.h>
#include <fstream>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Returns the limit of a control group; the greatest number where it has none.
std::int64_t
LimitOfGroup(const std::string& path)
{
    std::ifstream file(path);
    std::int64_t limit = 0;
    return file >> limit && limit > 0 ? limit : INT64_MAX;
}

/// Returns the memory that this process may use.
std::int64_t
UsableBytes()
{
    std::int64_t memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
    // Version 2 and version 1 of control groups.
    memory = std::min(memory, LimitOfGroup("/sys/fs/cgroup/memory.max"));
    memory = std::min(memory, LimitOfGroup("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    rlimit space = {};
    const bool isLimited = getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_max != RLIM_INFINITY;
    return isLimited ? std::min(memory, static_cast<std::int64_t>(space.rlim_max)) : memory;
}

/// Returns the bytes that are mapped and not in memory.
rlim_t
UnusedMappings()
{
    std::ifstream file("/proc/self/statm");
    rlim_t mapped = 0;
    rlim_t resident = 0;
    file >> mapped >> resident;
    return (mapped - resident) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

Bytes
DefaultMemoryLimit()
{
    constexpr double shareOfMachine = 0.8;
    return Bytes::Of(
        static_cast<std::int64_t>(shareOfMachine * static_cast<double>(UsableBytes())));
}

Bytes
MemoryLimitOf(const scenario::Run& run)
{
    return run.has_memory_limit() ? ParseBytes(run.memory_limit()) : DefaultMemoryLimit();
}

MemoryLimit::MemoryLimit(Bytes limit)
{
    // Loads what glibc needs to pass an error through std::call_once, since without memory it can't be loaded.
    void* frame = nullptr;
    backtrace(&frame, 1);
    getrlimit(RLIMIT_AS, &m_before);
    const rlim_t wanted = UnusedMappings() + static_cast<rlim_t>(limit.Count());
    const rlimit kept{std::min(wanted, m_before.rlim_cur), m_before.rlim_max};
    setrlimit(RLIMIT_AS, &kept);
}

MemoryLimit::~MemoryLimit()
{
    setrlimit(RLIMIT_AS, &m_before);
}

void
FailForMemory(Bytes limit, const std::string& file, const std::string& field)
{
    throw ConfigError(file,
                      field,
                      "",
                      fmt::format("more than {:.4g} MB of memory are needed, which is the limit "
                                  "(default: 80 % of the machine's memory, or of `ulimit -v`)",
                                  static_cast<double>(limit.Count()) * 1e-6));
}

} // namespace geotrain
