// SPDX-License-Identifier: GPL-2.0-only
// Writes a trace directly into its file: length-delimited Records in one gzip stream. Compressed
// bytes reach the file only at flush points, which are record boundaries, so that a run that is
// killed between two flushes leaves a readable prefix. The bytes of the records decide when to
// flush, and not the wall clock, so that equal records make equal files.
#pragma once

#include "schema/trace.pb.h"
#include "trace/record-sink.h"

#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>

namespace geotrain
{

/// Version of the format that this build writes and reads.
constexpr std::uint32_t traceFormatVersion = 1;

/// TraceWriter writes one trace.
class TraceWriter : public RecordSink
{
  public:
    /// Creates or empties the file `path`, sets the header's format_version and writes the header.
    /// Throws TraceError when the header breaks a rule of trace-check.h. This and every other call
    /// throws TraceError when the file can't be written.
    TraceWriter(const std::string& path, trace::RunHeader header);

    /// Closes the file. Without Finish(), it stays readable as the trace of an unfinished run.
    ~TraceWriter() override;

    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    const std::string& Path() const
    {
        return m_path;
    }

    /// Writes any record but a RunHeader or a RunEnd. It flushes after each 16 kB of records.
    void Write(const trace::Record& record) override;

    /// Writes the last record and closes the file.
    void Finish(const trace::RunEnd& end);

    /// Passes everything written so far to the file.
    void Flush();

  private:
    void CheckHeader(const trace::Record& record) const;
    void Append(const trace::Record& record);
    void Drain();

    std::string m_path;
    std::ofstream m_file;
    std::string m_compressed; ///< compressed bytes that are not in the file yet
    google::protobuf::io::StringOutputStream m_sink;
    std::unique_ptr<google::protobuf::io::GzipOutputStream> m_gzip;
    std::int64_t m_flushedBytes = 0; ///< bytes of records at the last flush
};

} // namespace geotrain
