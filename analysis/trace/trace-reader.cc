// SPDX-License-Identifier: GPL-2.0-only
#include "trace/trace-reader.h"

#include "trace/job-view.h"
#include "trace/trace-check.h"
#include "trace/trace-error.h"
#include "trace/trace-writer.h"

#include <google/protobuf/stubs/logging.h>

namespace geotrain
{

namespace
{
/// Largest record that is read; it guards against huge length prefixes. A RunHeader with 100,000
/// nodes is smaller.
constexpr std::uint32_t maxRecordBytes = 16 * 1024 * 1024;
} // namespace

TraceReader::TraceReader(const std::string& path, std::uint32_t job)
    : m_path(path),
      m_job(job),
      m_source(path)
{
    const auto first = ReadRecord();
    if (!first)
    {
        Refuse("ends before its run header");
    }
    if (!first->has_run_header())
    {
        Refuse("must begin with a run header");
    }
    m_run = first->run_header();
    if (m_run.format_version() != traceFormatVersion)
    {
        Refuse("has format_version " + std::to_string(m_run.format_version()) + ", must be " +
               std::to_string(traceFormatVersion));
    }
    RefuseBroken(BrokenRule(m_run));
    const auto jobs = static_cast<std::uint32_t>(JobNames(m_run).size());
    for (std::uint32_t number = 0; number < jobs; ++number)
    {
        m_jobs.push_back(HeaderOfJob(m_run, number));
    }
    if (m_job >= jobs)
    {
        Refuse("has no job number " + std::to_string(m_job));
    }
}

const trace::RunHeader&
TraceReader::Header() const
{
    return m_jobs[m_job];
}

const trace::RunHeader&
TraceReader::HeaderOfRun() const
{
    return m_run;
}

std::uint32_t
TraceReader::Job() const
{
    return m_job;
}

const trace::RunEnd&
TraceReader::EndOfRun() const
{
    return m_end;
}

std::optional<trace::Record>
TraceReader::Next()
{
    while (auto record = ReadRecord())
    {
        Check(*record);
        if (IsOfRun(*record) || record->job() == m_job)
        {
            record->clear_job();
            if (record->has_run_end())
            {
                m_end = record->run_end();
                *record->mutable_run_end() = EndOfJob(m_end, m_job);
            }
            return record;
        }
    }
    return std::nullopt;
}

TraceReader::End
TraceReader::Ending() const
{
    return m_ending;
}

void
TraceReader::RefuseTruncated() const
{
    if (m_ending == End::Truncated)
    {
        Refuse("is truncated: it must end at the end of a record");
    }
}

const std::string&
TraceReader::Path() const
{
    return m_path;
}

std::optional<trace::Record>
TraceReader::ReadRecord()
{
    const auto length = ReadLength();
    if (!length)
    {
        return std::nullopt;
    }
    m_buffer.resize(*length);
    if (m_source.Read(m_buffer.data(), *length) < *length)
    {
        m_ending = End::Truncated;
        return std::nullopt;
    }
    const google::protobuf::LogSilencer silencer; // the TraceError below replaces Protobuf's log
    trace::Record record;
    if (!record.ParseFromString(m_buffer) || record.kind_case() == trace::Record::KIND_NOT_SET)
    {
        Refuse("holds a record that is not one of a trace");
    }
    return record;
}

/// Reads the length of a record. At the end of the stream it sets m_ending and returns nullopt.
std::optional<std::uint32_t>
TraceReader::ReadLength()
{
    std::uint32_t length = 0;
    for (unsigned shift = 0; length <= maxRecordBytes && shift < 28; shift += 7)
    {
        char byte = 0;
        if (m_source.Read(&byte, 1) == 0)
        {
            const bool whole = shift == 0 &&
                               (m_source.Ending() == GzipSource::End::Whole) == m_endSeen &&
                               m_source.Ending() != GzipSource::End::Cut;
            m_ending = !whole ? End::Truncated : m_endSeen ? End::Complete : End::Unfinished;
            return std::nullopt;
        }
        length |= (static_cast<std::uint32_t>(byte) & 0x7f) << shift;
        if ((byte & 0x80) == 0)
        {
            if (length > 0 && length <= maxRecordBytes)
            {
                return length;
            }
            break;
        }
    }
    Refuse("holds a record of more than " + std::to_string(maxRecordBytes) + " bytes or of none");
}

void
TraceReader::Check(const trace::Record& record)
{
    if (record.has_run_header())
    {
        Refuse("must hold one run header only");
    }
    if (m_endSeen)
    {
        Refuse("must hold nothing after its run end");
    }
    m_endSeen = record.has_run_end();
    if (record.job() >= m_jobs.size())
    {
        Refuse("record.job: must be a job of the run header");
    }
    RefuseBroken(BrokenRule(m_jobs[record.job()], record));
}

void
TraceReader::RefuseBroken(const std::string& rule) const
{
    if (!rule.empty())
    {
        Refuse(rule);
    }
}

void
TraceReader::Refuse(const std::string& rule) const
{
    throw TraceError(m_path, rule);
}

} // namespace geotrain
