// SPDX-License-Identifier: GPL-2.0-only
// Says how much memory a run may take, and refuses what would take more. Without a limit in the
// scenario it depends on the machine, but nothing that a run writes does.
#pragma once

#include "loader/schema-types.h"
#include "units/bytes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace geotrain
{

/// Returns the memory that this process may use: the machine's, or less where its control group or
/// the shell (ulimit -v) sets a limit.
Bytes UsableMemory();

/// Returns 80 % of UsableMemory().
Bytes DefaultMemoryLimit();

/// Returns run.memory_limit; unset: 80 % of UsableMemory().
Bytes MemoryLimitOf(const scenario::Run& run);

/// Returns a number of bytes in GB, or below one in MB: "26 MB".
std::string MemoryText(double bytes);

/// A MemoryUse is what one thing in a run is estimated to take.
struct MemoryUse
{
    double bytes = 0;
    std::string what;  ///< in words, with its number: "2000 connections"
    std::string field; ///< path of the field that sets its number
    std::string value; ///< value of that field
};

/// A MemoryEstimate is what a run is estimated to take at its peak. The figures behind it were
/// measured in release builds on x86-64; README.md says how, and how far they are off.
class MemoryEstimate
{
  public:
    /// A process that does nothing.
    static constexpr double baseBytes = 26e6;

    void Add(MemoryUse use);

    /// Returns the sum.
    double Bytes() const;

    /// Returns what takes most. Where that is the process itself, it names run.memory_limit, since
    /// no other field makes a run smaller.
    MemoryUse Largest() const;

    /// Throws a ConfigError that names `file` and the field of what takes most where more than
    /// `limit` is needed. `limitIs` says what sets the limit.
    void RefuseAbove(geotrain::Bytes limit,
                     const std::string& file,
                     const std::string& limitIs =
                         "run.memory_limit; default: 80 % of the machine's memory") const;

    /// Says what is needed, of what, and what may be used.
    std::string Sentence(geotrain::Bytes limit) const;

  private:
    std::vector<MemoryUse> m_uses;
};

/// Returns what the streams of a run take, by its number of microbatches over all virtual stages and
/// replicas. They are most of what `check` itself takes.
MemoryUse MemoryOfMicrobatches(const scenario::Scenario& scenario, double virtualStages);

} // namespace geotrain
