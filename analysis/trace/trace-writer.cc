// SPDX-License-Identifier: GPL-2.0-only
#include "trace/trace-writer.h"

#include "trace/result-file.h"
#include "trace/trace-check.h"
#include "trace/trace-error.h"

#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/delimited_message_util.h>

#include <cerrno>
#include <utility>

namespace geotrain
{

namespace
{
/// Some hundreds of records. The flush points make the files of runs 1 % larger, a quarter of these
/// bytes 4 %.
constexpr std::int64_t flushBytes = 16000;

/// Returns the fastest compression level. zlib's default makes files 7 % smaller, but takes a fifth
/// of the time of a run of a million requests.
google::protobuf::io::GzipOutputStream::Options
Compression()
{
    google::protobuf::io::GzipOutputStream::Options options;
    options.compression_level = 1;
    return options;
}

} // namespace

TraceWriter::TraceWriter(const std::string& path, trace::RunHeader header)
    : m_path(path),
      m_sink(&m_compressed),
      m_gzip(std::make_unique<google::protobuf::io::GzipOutputStream>(&m_sink, Compression()))
{
    RecordInPlace(path);
    m_file.open(path, std::ios::binary | std::ios::trunc);
    if (!m_file)
    {
        throw WriteFailure(m_path);
    }
    header.set_format_version(traceFormatVersion);
    trace::Record record;
    *record.mutable_run_header() = std::move(header);
    CheckHeader(record);
    Append(record);
    Flush();
}

TraceWriter::~TraceWriter()
{
    if (!m_gzip)
    {
        return;
    }
    try
    {
        Flush();
    }
    catch (const TraceError&)
    {
        // A destructor must not throw; what reached the file before stays readable.
    }
    m_gzip.reset(); // ends the gzip stream in memory only: the file has no end, as after a kill
}

void
TraceWriter::Write(const trace::Record& record)
{
    if (!m_gzip || record.has_run_header() || record.has_run_end())
    {
        throw std::logic_error("TraceWriter: a trace has one header and one end");
    }
    Append(record);
    if (m_gzip->ByteCount() - m_flushedBytes >= flushBytes)
    {
        Flush();
    }
}

void
TraceWriter::Finish(const trace::RunEnd& end)
{
    if (!m_gzip)
    {
        throw std::logic_error("TraceWriter: a trace has one header and one end");
    }
    trace::Record record;
    *record.mutable_run_end() = end;
    Append(record);
    const bool closed = m_gzip->Close();
    m_gzip.reset();
    if (!closed)
    {
        throw TraceError(m_path, "cannot be compressed");
    }
    Drain();
    m_file.close();
    if (!m_file)
    {
        throw WriteFailure(m_path);
    }
}

void
TraceWriter::Flush()
{
    m_gzip->Flush();
    m_flushedBytes = m_gzip->ByteCount();
    Drain();
}

/// Throws TraceError where the reader would refuse the header, so that a run fails at its start.
void
TraceWriter::CheckHeader(const trace::Record& record) const
{
    const std::string rule = BrokenRule(record.run_header());
    if (!rule.empty())
    {
        throw TraceError(m_path, rule);
    }
    const google::protobuf::LogSilencer silencer;
    if (trace::Record copy; !copy.ParseFromString(record.SerializeAsString()))
    {
        throw TraceError(m_path, "run_header: names must be UTF-8");
    }
}

void
TraceWriter::Append(const trace::Record& record)
{
    if (!google::protobuf::util::SerializeDelimitedToZeroCopyStream(record, m_gzip.get()))
    {
        throw TraceError(m_path, "cannot be compressed");
    }
}

void
TraceWriter::Drain()
{
    errno = 0;
    m_file.write(m_compressed.data(), static_cast<std::streamsize>(m_compressed.size()));
    m_file.flush();
    m_compressed.clear();
    if (!m_file)
    {
        throw WriteFailure(m_path);
    }
}

} // namespace geotrain
