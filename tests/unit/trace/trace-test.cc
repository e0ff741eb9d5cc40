// SPDX-License-Identifier: GPL-2.0-only
// Tests reading a trace from a file that is whole, left by a killed run, cut, or of another kind.
#include "pipeline-trace.h"
#include "temporary-folder.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"
#include "trace/trace-writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{
namespace
{

void
Put(const std::filesystem::path& path, const std::string& contents)
{
    std::ofstream(path, std::ios::binary) << contents;
}

trace::RunHeader
SmallHeader()
{
    PipelineSetup setup;
    setup.stages = 2;
    setup.replicas = 1;
    return PipelineTrace(setup).front().run_header();
}

/// Makes a trace of about 500 bytes of file.
std::vector<trace::Record>
SmallTrace()
{
    PipelineSetup setup;
    setup.stages = 2;
    setup.replicas = 1;
    setup.microbatches = 2;
    setup.linkSamples = false;
    return PipelineTrace(setup);
}

trace::Record
WarningRecord(const std::string& text)
{
    trace::Record record;
    record.mutable_warning()->set_text(text);
    return record;
}

/// Reads to the end and returns how many records came after the header.
std::size_t
ReadAll(TraceReader& reader)
{
    std::size_t count = 0;
    while (reader.Next())
    {
        ++count;
    }
    return count;
}

void
ExpectRefused(const std::filesystem::path& path, const std::string& rule)
{
    try
    {
        TraceReader reader(path.string());
        ReadAll(reader);
        FAIL() << "no error; the rule is: " << rule;
    }
    catch (const TraceError& error)
    {
        EXPECT_EQ(error.what(), path.string() + ": " + rule);
    }
}

/// Makes a gzip stream of raw bytes, as TraceWriter would never write it.
void
PutGzip(const std::filesystem::path& path, const std::string& raw)
{
    std::string compressed;
    {
        google::protobuf::io::StringOutputStream sink(&compressed);
        google::protobuf::io::GzipOutputStream gzip(&sink);
        void* target = nullptr;
        int size = 0;
        std::size_t done = 0;
        while (done < raw.size() && gzip.Next(&target, &size))
        {
            const std::size_t part = std::min(raw.size() - done, static_cast<std::size_t>(size));
            std::copy_n(raw.data() + done, part, static_cast<char*>(target));
            gzip.BackUp(size - static_cast<int>(part));
            done += part;
        }
    }
    Put(path, compressed);
}

std::string
Delimited(const trace::Record& record)
{
    const std::string bytes = record.SerializeAsString();
    std::string length;
    for (std::size_t rest = bytes.size();; rest >>= 7)
    {
        length += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        if (rest <= 0x7f)
        {
            return length + bytes;
        }
    }
}

std::string
DelimitedHeader(const std::function<void(trace::RunHeader&)>& change)
{
    trace::Record record;
    *record.mutable_run_header() = SmallHeader();
    record.mutable_run_header()->set_format_version(traceFormatVersion);
    change(*record.mutable_run_header());
    return Delimited(record);
}

/// Returns the output of zcat for a file.
std::string
Zcat(const std::filesystem::path& path)
{
    std::string output;
    FILE* pipe = popen(("zcat -f '" + path.string() + "' 2>/dev/null").c_str(), "r");
    char buffer[4096];
    for (std::size_t size = 0; (size = fread(buffer, 1, sizeof(buffer), pipe)) > 0;)
    {
        output.append(buffer, size);
    }
    pclose(pipe);
    return output;
}

trace::Record
HeaderRecord(const TraceReader& reader)
{
    trace::Record record;
    *record.mutable_run_header() = reader.Header();
    return record;
}

TEST(Trace, ReadsBackWhatWasWritten)
{
    const TemporaryFolder folder;
    const auto records = PipelineTrace({});
    WriteTrace((folder / "trace.pb").string(), records);
    TraceReader reader((folder / "trace.pb").string());
    EXPECT_EQ(reader.Header().scenario(), "synthetic");
    EXPECT_EQ(reader.Ending(), TraceReader::End::Open);
    for (std::size_t index = 1; index < records.size(); ++index)
    {
        const auto record = reader.Next();
        ASSERT_TRUE(record);
        EXPECT_EQ(record->SerializeAsString(), records[index].SerializeAsString());
    }
    EXPECT_FALSE(reader.Next());
    EXPECT_EQ(reader.Ending(), TraceReader::End::Complete);
}

TEST(Trace, DecompressedBytesDoNotDependOnFlushes)
{
    const TemporaryFolder folder;
    const auto records = PipelineTrace({});
    WriteTrace((folder / "one.pb").string(), records);
    {
        TraceWriter writer((folder / "two.pb").string(), records.front().run_header());
        for (std::size_t index = 1; index + 1 < records.size(); ++index)
        {
            writer.Write(records[index]);
            writer.Flush();
        }
        writer.Finish(records.back().run_end());
    }
    EXPECT_NE(Contents(folder / "one.pb"), Contents(folder / "two.pb"));
    EXPECT_EQ(Zcat(folder / "one.pb"), Zcat(folder / "two.pb"));
    EXPECT_GT(Zcat(folder / "one.pb").size(), 100000u);
}

// A run on a loaded machine takes longer over the same records.
TEST(Trace, BytesDoNotDependOnTheWallClock)
{
    const TemporaryFolder folder;
    const auto records = PipelineTrace({});
    for (const bool pauses : {false, true})
    {
        TraceWriter writer((folder / (pauses ? "slow.pb" : "fast.pb")).string(),
                           records.front().run_header());
        for (std::size_t index = 1; index + 1 < records.size(); ++index)
        {
            if (pauses && index == records.size() / 2)
            {
                std::this_thread::sleep_for(std::chrono::milliseconds(1100));
            }
            writer.Write(records[index]);
        }
        writer.Finish(records.back().run_end());
    }
    EXPECT_EQ(Contents(folder / "fast.pb"), Contents(folder / "slow.pb"));
}

TEST(Trace, OfAKilledProcessEndsAtARecord)
{
    const TemporaryFolder folder;
    const std::string path = (folder / "trace.pb").string();
    const auto records = PipelineTrace({});
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0)
    {
        TraceWriter writer(path, records.front().run_header());
        // Many flushes, and a rest that is lost.
        std::int64_t bytes = 0;
        std::size_t count = 0;
        while (bytes < 900000)
        {
            const auto& record = records[1 + count++ % (records.size() - 2)];
            writer.Write(record);
            bytes += static_cast<std::int64_t>(record.ByteSizeLong()) + 1;
        }
        [[maybe_unused]] const auto told = write(ready[1], &count, sizeof(count));
        pause();
    }
    std::size_t written = 0;
    ASSERT_EQ(read(ready[0], &written, sizeof(written)), static_cast<ssize_t>(sizeof(written)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);

    TraceReader reader(path);
    const std::size_t kept = ReadAll(reader);
    EXPECT_EQ(reader.Ending(), TraceReader::End::Unfinished);
    // At most 16 kB of 900 kB are lost, 1.8 %; records differ in size: 3 %.
    EXPECT_GE(kept, written * 97 / 100);
    EXPECT_LE(kept, written);
}

TEST(Trace, WithoutFinishIsUnfinishedAndLosesNothing)
{
    const TemporaryFolder folder;
    {
        TraceWriter writer((folder / "trace.pb").string(), SmallHeader());
        writer.Write(WarningRecord("one"));
        writer.Write(WarningRecord("two"));
    }
    TraceReader reader((folder / "trace.pb").string());
    EXPECT_EQ(ReadAll(reader), 2u);
    EXPECT_EQ(reader.Ending(), TraceReader::End::Unfinished);
}

TEST(Trace, OfARunThatJustStartedHasItsHeader)
{
    const TemporaryFolder folder;
    const TraceWriter writer((folder / "trace.pb").string(), SmallHeader());
    TraceReader reader((folder / "trace.pb").string());
    EXPECT_EQ(reader.Header().replicas(), 1u);
    EXPECT_EQ(ReadAll(reader), 0u);
    EXPECT_EQ(reader.Ending(), TraceReader::End::Unfinished);
}

// A cut anywhere but at the flush point (one here, after the header) is told from a whole or a
// killed trace.
TEST(Trace, CutAnywhereIsTruncated)
{
    const TemporaryFolder folder;
    WriteTrace((folder / "whole.pb").string(), SmallTrace());
    const std::string whole = Contents(folder / "whole.pb");
    std::size_t unfinished = 0;
    for (std::size_t size = 1; size < whole.size(); size += 3)
    {
        Put(folder / "cut.pb", whole.substr(0, size));
        try
        {
            TraceReader reader((folder / "cut.pb").string());
            ReadAll(reader);
            EXPECT_NE(reader.Ending(), TraceReader::End::Complete) << size;
            unfinished += reader.Ending() == TraceReader::End::Unfinished ? 1 : 0;
        }
        catch (const TraceError& error) // cut inside the header
        {
            EXPECT_NE(std::string(error.what()).find("ends before its run header"),
                      std::string::npos)
                << error.what();
        }
    }
    EXPECT_LE(unfinished, 1u);
}

// A bit that a flush pads with has no meaning: such a trace reads back the same. All others are
// refused.
TEST(Trace, DamagedByteNeverGivesOtherRecords)
{
    const TemporaryFolder folder;
    WriteTrace((folder / "whole.pb").string(), SmallTrace());
    const std::string whole = Contents(folder / "whole.pb");
    const std::string records = Zcat(folder / "whole.pb");
    std::size_t refused = 0;
    for (std::size_t at = 10; at < whole.size();
         at += 3) // the first 10 are gzip's header: RFC 1952
    {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        Put(folder / "damaged.pb", damaged);
        try
        {
            TraceReader reader((folder / "damaged.pb").string());
            std::string read = Delimited(HeaderRecord(reader));
            while (const auto record = reader.Next())
            {
                read += Delimited(*record);
            }
            EXPECT_TRUE(reader.Ending() == TraceReader::End::Truncated || read == records) << at;
        }
        catch (const TraceError&)
        {
            ++refused;
        }
    }
    EXPECT_GT(refused, whole.size() * 9 / 10 / 3);
}

TEST(Trace, MissingFileIsRefused)
{
    const TemporaryFolder folder;
    ExpectRefused(folder / "missing.pb", "cannot be read");
}

TEST(Trace, FolderIsRefused)
{
    const TemporaryFolder folder;
    EXPECT_THROW(TraceReader(folder.Path().string()), TraceError);
}

TEST(Trace, EmptyFileIsRefused)
{
    const TemporaryFolder folder;
    Put(folder / "trace.pb", "");
    ExpectRefused(folder / "trace.pb", "is empty");
}

TEST(Trace, TextIsRefused)
{
    const TemporaryFolder folder;
    Put(folder / "trace.pb", "name: \"three-dc-gpt\"\n");
    ExpectRefused(folder / "trace.pb", "must be a gzip stream");
}

TEST(Trace, GzipOfSomethingElseIsRefused)
{
    const TemporaryFolder folder;
    PutGzip(folder / "trace.pb",
            "Lorem ipsum dolor sit amet, consectetur adipiscing elit. " + std::string(200, 'x'));
    EXPECT_THROW(TraceReader((folder / "trace.pb").string()), TraceError);
}

TEST(Trace, HugeLengthIsRefusedWithoutAllocating)
{
    const TemporaryFolder folder;
    PutGzip(folder / "trace.pb", "\xff\xff\xff\xff\x07");
    ExpectRefused(folder / "trace.pb", "holds a record of more than 16777216 bytes or of none");
}

TEST(Trace, OtherVersionIsRefused)
{
    const TemporaryFolder folder;
    PutGzip(folder / "trace.pb",
            DelimitedHeader([](auto& header) { header.set_format_version(2); }));
    ExpectRefused(folder / "trace.pb", "has format_version 2, must be 1");
}

TEST(Trace, FirstRecordMustBeTheHeader)
{
    const TemporaryFolder folder;
    PutGzip(folder / "trace.pb", Delimited(WarningRecord("first")));
    ExpectRefused(folder / "trace.pb", "must begin with a run header");
}

TEST(Trace, SecondHeaderIsRefused)
{
    const TemporaryFolder folder;
    const std::string header = DelimitedHeader([](auto&) {});
    PutGzip(folder / "trace.pb", header + header);
    ExpectRefused(folder / "trace.pb", "must hold one run header only");
}

TEST(Trace, RecordAfterTheEndIsRefused)
{
    const TemporaryFolder folder;
    trace::Record end;
    end.mutable_run_end()->set_finished(true);
    PutGzip(folder / "trace.pb", DelimitedHeader([](auto&) {}) + Delimited(end) + Delimited(end));
    ExpectRefused(folder / "trace.pb", "must hold nothing after its run end");
}

TEST(Trace, EndThatRepeatsAllIterationsIsRefused)
{
    const TemporaryFolder folder;
    trace::Record end;
    end.mutable_run_end()->set_repeated_iterations(5);
    PutGzip(folder / "trace.pb",
            DelimitedHeader([](auto& header) { header.set_measured_iterations(5); }) +
                Delimited(end));
    ExpectRefused(folder / "trace.pb",
                  "run_end.repeated_iterations: must be fewer than the measured ones");
}

TEST(Trace, SpanOfAnUnknownWorkerIsRefused)
{
    const TemporaryFolder folder;
    trace::Record record;
    record.mutable_gpu_span()->set_worker(2); // there are workers 0 and 1
    record.mutable_gpu_span()->set_kind(trace::GPU_WORK_FORWARD);
    PutGzip(folder / "trace.pb", DelimitedHeader([](auto&) {}) + Delimited(record));
    ExpectRefused(folder / "trace.pb", "gpu_span.worker: must be a worker of the run header");
}

TEST(Trace, SpanThatEndsBeforeItStartsIsRefused)
{
    const TemporaryFolder folder;
    trace::Record record;
    record.mutable_gpu_span()->set_kind(trace::GPU_WORK_FORWARD);
    record.mutable_gpu_span()->set_start_ns(2);
    record.mutable_gpu_span()->set_end_ns(1);
    PutGzip(folder / "trace.pb", DelimitedHeader([](auto&) {}) + Delimited(record));
    ExpectRefused(folder / "trace.pb", "gpu_span: start_ns, end_ns must be in order");
}

TEST(Trace, HeaderWithoutGpusIsRefused)
{
    const TemporaryFolder folder;
    PutGzip(folder / "trace.pb",
            DelimitedHeader([](auto& header) { header.mutable_workers(1)->set_gpus(0); }));
    ExpectRefused(folder / "trace.pb", "run_header.workers.gpus: must be > 0");
}

TEST(Trace, PlaceThatCannotBeWrittenIsNamed)
{
    const TemporaryFolder folder;
    EXPECT_THROW(TraceWriter((folder / "missing/trace.pb").string(), SmallHeader()), TraceError);
}

TEST(Trace, WriterRefusesANameThatIsNotUtf8)
{
    const TemporaryFolder folder;
    auto header = SmallHeader();
    header.mutable_nodes(0)->set_data_centre("\xff");
    EXPECT_THROW(TraceWriter((folder / "trace.pb").string(), header), TraceError);
}

TEST(Trace, WriterTakesOneHeaderAndOneEnd)
{
    const TemporaryFolder folder;
    TraceWriter writer((folder / "trace.pb").string(), SmallHeader());
    trace::Record end;
    end.mutable_run_end();
    EXPECT_THROW(writer.Write(end), std::logic_error);
    writer.Finish(end.run_end());
    EXPECT_THROW(writer.Write(WarningRecord("late")), std::logic_error);
    EXPECT_THROW(writer.Finish(end.run_end()), std::logic_error);
}

} // namespace
} // namespace geotrain
