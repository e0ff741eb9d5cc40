// SPDX-License-Identifier: GPL-2.0-only
#include "loader/machine-memory.h"

#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

constexpr double shareOfMachine = 0.8;

// Bytes per microbatch of a virtual stage of a replica: its instructions, messages and what the
// schedule remembers of it.
constexpr double bytesPerMicrobatch = 600;

/// Returns the limit of a control group; the greatest number where it has none.
std::int64_t
LimitOfGroup(const std::string& path)
{
    std::ifstream file(path);
    std::int64_t limit = 0;
    return file >> limit && limit > 0 ? limit : INT64_MAX;
}

} // namespace

std::string
MemoryText(double bytes)
{
    return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes * 1e-6)
                       : fmt::format("{:.3g} GB", bytes * 1e-9);
}

Bytes
UsableMemory()
{
    std::int64_t memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
    // Version 2 and version 1 of control groups.
    memory = std::min(memory, LimitOfGroup("/sys/fs/cgroup/memory.max"));
    memory = std::min(memory, LimitOfGroup("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    rlimit space = {};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
    {
        memory = static_cast<std::int64_t>(
            std::min<std::uint64_t>(static_cast<std::uint64_t>(memory), space.rlim_cur));
    }
    return Bytes::Of(memory);
}

Bytes
DefaultMemoryLimit()
{
    return Bytes::Of(
        static_cast<std::int64_t>(shareOfMachine * static_cast<double>(UsableMemory().Count())));
}

Bytes
MemoryLimitOf(const scenario::Run& run)
{
    return run.has_memory_limit() ? ParseBytes(run.memory_limit()) : DefaultMemoryLimit();
}

void
MemoryEstimate::Add(MemoryUse use)
{
    m_uses.push_back(std::move(use));
}

double
MemoryEstimate::Bytes() const
{
    double sum = baseBytes;
    for (const auto& use : m_uses)
    {
        sum += use.bytes;
    }
    return sum;
}

MemoryUse
MemoryEstimate::Largest() const
{
    const auto largest =
        std::max_element(m_uses.begin(),
                         m_uses.end(),
                         [](const MemoryUse& a, const MemoryUse& b) { return a.bytes < b.bytes; });
    return largest == m_uses.end() || largest->bytes < baseBytes
               ? MemoryUse{baseBytes, "the program itself", "run.memory_limit", ""}
               : *largest;
}

std::string
MemoryEstimate::Sentence(geotrain::Bytes limit) const
{
    const auto largest = Largest();
    return fmt::format("needs about {} of memory, {} of it for {}, and may use {}",
                       MemoryText(Bytes()),
                       MemoryText(largest.bytes),
                       largest.what,
                       MemoryText(static_cast<double>(limit.Count())));
}

void
MemoryEstimate::RefuseAbove(geotrain::Bytes limit,
                            const std::string& file,
                            const std::string& limitIs) const
{
    if (Bytes() > static_cast<double>(limit.Count()))
    {
        const auto largest = Largest();
        throw ConfigError(file,
                          largest.field,
                          largest.field == "run.memory_limit" ? Format(limit) : largest.value,
                          Sentence(limit) + " (" + limitIs + ")");
    }
}

MemoryUse
MemoryOfMicrobatches(const scenario::Scenario& scenario, double virtualStages)
{
    const auto replicas = static_cast<double>(scenario.parallelism().data_parallel());
    const auto microbatches = static_cast<double>(scenario.model().microbatches());
    MemoryUse use;
    use.bytes = bytesPerMicrobatch * virtualStages * replicas * microbatches;
    use.what = fmt::format("{:.0f} microbatches on {:.0f} stages of {:.0f} replicas",
                           microbatches,
                           virtualStages,
                           replicas);
    use.field = microbatches >= replicas ? "model.microbatches" : "parallelism.data_parallel";
    use.value = fmt::format("{:.0f}", std::max(microbatches, replicas));
    return use;
}

} // namespace geotrain
