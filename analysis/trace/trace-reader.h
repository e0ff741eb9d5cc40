// SPDX-License-Identifier: GPL-2.0-only
// Reads a trace record by record, as one of its jobs sees it, and keeps one record in memory. A damaged
// or foreign file never gives wrong records: reading ends as Truncated or throws TraceError.
#pragma once

#include "schema/trace.pb.h"
#include "trace/gzip-source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace geotrain
{

/// TraceReader reads one trace from its beginning to its end.
class TraceReader
{
  public:
    /// End says how the trace ended.
    enum class End
    {
        Open,       ///< not at the end yet
        Complete,   ///< the run wrote its RunEnd
        Unfinished, ///< stops at a flush point without RunEnd: the run was killed or still goes
        Truncated   ///< stops in the middle: bytes of the file are missing
    };

    /// Opens a trace for the view of job number `job` (see job-view.h), and reads its header. Throws
    /// TraceError, as Next() does, when the file can't be read, is empty, is no gzip stream, is
    /// damaged, holds no trace of this format, or has no such job.
    explicit TraceReader(const std::string& path, std::uint32_t job = 0);

    /// Returns the header of the job as if it ran alone.
    const trace::RunHeader& Header() const;

    /// Returns the header of the run as it is written.
    const trace::RunHeader& HeaderOfRun() const;

    std::uint32_t Job() const;

    /// Returns the end of the run as it is written; an empty one until Next() has returned it.
    const trace::RunEnd& EndOfRun() const;

    /// Returns the next record in the view after the header, the job's RunEnd included; nullopt at any
    /// kind of end.
    std::optional<trace::Record> Next();

    /// Returns how the trace ended; Open until Next() has returned nullopt.
    End Ending() const;

    /// Throws TraceError when the trace ended as Truncated. Users that need the whole trace must
    /// call it at the end.
    void RefuseTruncated() const;

    const std::string& Path() const;

  private:
    std::optional<trace::Record> ReadRecord();
    std::optional<std::uint32_t> ReadLength();
    void Check(const trace::Record& record);
    void RefuseBroken(const std::string& rule) const;
    [[noreturn]] void Refuse(const std::string& rule) const;

    std::string m_path;
    std::uint32_t m_job;
    GzipSource m_source;
    trace::RunHeader m_run;
    std::vector<trace::RunHeader> m_jobs; ///< as if they ran alone, by number
    trace::RunEnd m_end;
    std::string m_buffer;
    bool m_endSeen = false;
    End m_ending = End::Open;
};

} // namespace geotrain
