// SPDX-License-Identifier: GPL-2.0-only
// Feeds any bytes to the trace reader and to everything that reads whole traces. An input that
// begins as a gzip stream is taken as a file, and any other one as the records inside, so that the
// fuzzer need not learn to compress.
#include "metrics/summary.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"

#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace
{

std::string
Compressed(const std::string& records)
{
    std::string compressed;
    google::protobuf::io::StringOutputStream sink(&compressed);
    google::protobuf::io::GzipOutputStream gzip(&sink);
    google::protobuf::io::ArrayInputStream source(records.data(), static_cast<int>(records.size()));
    const void* part = nullptr;
    int size = 0;
    while (source.Next(&part, &size))
    {
        void* target = nullptr;
        int room = 0;
        gzip.Next(&target, &room);
        const int taken = std::min(size, room);
        std::memcpy(target, part, static_cast<std::size_t>(taken));
        gzip.BackUp(room - taken);
        source.BackUp(size - taken);
    }
    gzip.Close();
    return compressed;
}

/// A file in memory that holds `contents`; made once, since the fuzzer runs this millions of times.
std::string
PathOf(const std::string& contents)
{
    static const int file = memfd_create("trace", 0);
    const auto size = static_cast<ssize_t>(contents.size());
    if (ftruncate(file, 0) != 0 || pwrite(file, contents.data(), contents.size(), 0) != size)
    {
        std::abort();
    }
    return "/proc/self/fd/" + std::to_string(file);
}

void
SummarizeFile(const std::string& path)
{
    geotrain::TraceReader reader(path);
    const auto summary = geotrain::Summarize(reader);
    double shares = 0;
    for (const char* share : {"total_utilization",
                              "idle_fill_drain",
                              "idle_wan",
                              "idle_forward_backward",
                              "idle_imbalance",
                              "idle_local",
                              "idle_all_reduce"})
    {
        shares += summary.Find(share).value();
    }
    if (!(std::abs(shares - 1) < 1e-9))
    {
        std::abort();
    }
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string input(reinterpret_cast<const char*>(data), size);
    const bool isFile = input.compare(0, 2, "\x1f\x8b") == 0;
    try
    {
        SummarizeFile(PathOf(isFile ? input : Compressed(input)));
    }
    catch (const geotrain::TraceError&)
    {
    }
    return 0;
}
