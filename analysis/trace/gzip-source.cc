// SPDX-License-Identifier: GPL-2.0-only
#include "trace/gzip-source.h"

#include "trace/trace-error.h"

#include <algorithm>
#include <new>

namespace geotrain
{

namespace
{
constexpr int gzipOnly = 16 + MAX_WBITS; // zlib.h, inflateInit2: a gzip header is required
constexpr int blockBoundary = 128;       // zlib.h, data_type after inflate; low bits: unused bits
} // namespace

GzipSource::GzipSource(const std::string& path)
    : m_path(path),
      m_file(path, std::ios::binary)
{
    if (!m_file)
    {
        throw TraceError(m_path, "cannot be read");
    }
    m_file.peek(); // a folder opens, but can't be read
    if (m_file.bad())
    {
        throw TraceError(m_path, "cannot be read");
    }
    if (!Refill())
    {
        throw TraceError(m_path, "is empty");
    }
    constexpr unsigned char magic[] = {0x1f, 0x8b, 0x08}; // RFC 1952 section 2.3.1
    const std::size_t known = std::min<std::size_t>(m_stream.avail_in, sizeof(magic));
    if (!std::equal(magic, magic + known, m_input.data()))
    {
        throw TraceError(m_path, "must be a gzip stream");
    }
    if (inflateInit2(&m_stream, gzipOnly) != Z_OK)
    {
        throw std::bad_alloc();
    }
}

GzipSource::~GzipSource()
{
    inflateEnd(&m_stream);
}

std::size_t
GzipSource::Read(char* target, std::size_t size)
{
    m_stream.next_out = reinterpret_cast<unsigned char*>(target);
    m_stream.avail_out = static_cast<uInt>(size);
    while (m_stream.avail_out > 0 && m_ending == End::Open)
    {
        Inflate();
    }
    return size - m_stream.avail_out;
}

GzipSource::End
GzipSource::Ending() const
{
    return m_ending;
}

bool
GzipSource::Refill()
{
    m_file.read(reinterpret_cast<char*>(m_input.data()), m_input.size());
    m_stream.next_in = m_input.data();
    m_stream.avail_in = static_cast<uInt>(m_file.gcount());
    return m_stream.avail_in > 0;
}

void
GzipSource::Inflate()
{
    if (m_stream.avail_in == 0 && !Refill())
    {
        m_ending = m_stream.data_type == blockBoundary ? End::FlushPoint : End::Cut;
        return;
    }
    const int result = inflate(&m_stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
    {
        if (m_stream.avail_in > 0 || Refill())
        {
            throw TraceError(m_path, "must end with its gzip stream");
        }
        m_ending = End::Whole;
    }
    else if (result != Z_OK && result != Z_BUF_ERROR)
    {
        throw TraceError(m_path, "is damaged: its gzip stream does not decompress");
    }
}

} // namespace geotrain
