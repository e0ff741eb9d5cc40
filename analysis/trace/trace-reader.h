// SPDX-License-Identifier: GPL-2.0-only
// Reads a trace record by record and keeps one record in memory. A damaged or foreign file never
// gives wrong records: reading ends as Truncated or throws TraceError.
#pragma once

#include "schema/trace.pb.h"
#include "trace/gzip-source.h"

#include <cstdint>
#include <optional>
#include <string>

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

    /// Opens a trace and reads its header. Throws TraceError, as Next() does, when the file can't
    /// be read, is empty, is no gzip stream, is damaged, or holds no trace of this format.
    explicit TraceReader(const std::string& path);

    const trace::RunHeader& Header() const;

    /// Returns the next record after the header, the RunEnd included; nullopt at any kind of end.
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
    void CheckOrder(const trace::Record& record);
    void RefuseBroken(const std::string& rule) const;
    [[noreturn]] void Refuse(const std::string& rule) const;

    std::string m_path;
    GzipSource m_source;
    trace::RunHeader m_header;
    std::string m_buffer;
    bool m_endSeen = false;
    End m_ending = End::Open;
};

} // namespace geotrain
