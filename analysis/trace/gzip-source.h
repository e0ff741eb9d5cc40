// SPDX-License-Identifier: GPL-2.0-only
// Reads a gzip file as a stream of bytes and tells how it ended. It uses zlib directly, since
// Protobuf's GzipInputStream takes a cut file for a whole one. Sources: RFC 1952, and RFC 1951
// section 3.2.4 for the empty stored block of a flush.
#pragma once

#include <zlib.h>

#include <array>
#include <cstddef>
#include <fstream>
#include <string>

namespace geotrain
{

/// GzipSource decompresses one file.
class GzipSource
{
  public:
    /// End says how the stream ended.
    enum class End
    {
        Open,       ///< not at the end yet
        Whole,      ///< after the gzip trailer, whose checksum and length hold
        FlushPoint, ///< at a byte-aligned block boundary, as a flush leaves it
        Cut         ///< anywhere else
    };

    /// Opens the file. Throws TraceError when `path` can't be read, is empty or is no gzip stream.
    explicit GzipSource(const std::string& path);
    ~GzipSource();
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;

    /// Reads `size` decompressed bytes into `target`, or fewer at the end, and returns how many.
    /// Throws TraceError when the stream is damaged or goes on after its trailer.
    std::size_t Read(char* target, std::size_t size);

    /// Returns how the stream ended; Open while Read() has not reached the end.
    End Ending() const;

  private:
    bool Refill();
    void Inflate();

    std::string m_path;
    std::ifstream m_file;
    z_stream m_stream{};
    std::array<unsigned char, 65536> m_input;
    End m_ending = End::Open;
};

} // namespace geotrain
