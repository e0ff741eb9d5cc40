// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-file.h"

#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace geotrain
{
namespace
{

namespace fs = std::filesystem;

std::string
TextOf(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ResultFile, IsWrittenThroughNoLinkThatStandsInItsPlace)
{
    const TemporaryFolder folder;
    const fs::path other = folder.Path() / "other";
    std::ofstream(other) << "precious";
    for (const char* link : {"report.html", "report.html.part"})
    {
        fs::create_symlink(other, folder.Path() / link);
    }
    WriteIntoPlace(folder.Path() / "report.html", "report");
    EXPECT_EQ(TextOf(other), "precious");
    EXPECT_EQ(TextOf(folder.Path() / "report.html"), "report");
    EXPECT_FALSE(fs::is_symlink(folder.Path() / "report.html"));
    EXPECT_TRUE(fs::is_symlink(folder.Path() / "report.html.part")); // it is somebody else's
}

TEST(ResultFile, HasNoNameUntilItIsWritten)
{
    const TemporaryFolder folder;
    {
        const ResultFile half(folder.Path() / "a.csv");
        std::ofstream(half.Beside()) << "half of it";
        EXPECT_TRUE(fs::is_empty(folder.Path())); // and so a kill leaves nothing
    }
    EXPECT_TRUE(fs::is_empty(folder.Path()));
    WriteIntoPlace(folder.Path() / "a.csv", "all");
    WriteIntoPlace(folder.Path() / "a.csv", "all of it");
    EXPECT_EQ(TextOf(folder.Path() / "a.csv"), "all of it");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.Path()), {}), 1);
}

TEST(ResultFile, IsListedInTheRecordOfItsFolder)
{
    const TemporaryFolder folder;
    fs::create_directory(folder.Path() / "r");
    {
        const ResultRecord record(folder.Path() / "r");
        WriteIntoPlace(folder.Path() / "r/a.csv", "a");
        WriteIntoPlace(folder.Path() / "outside.csv", "a");
        RecordInPlace(folder.Path() / "r/./trace.pb");
        fs::create_symlink("elsewhere", folder.Path() / "r/link");
        EXPECT_THROW(RecordInPlace(folder.Path() / "r/link"), TraceError);
    }
    WriteIntoPlace(folder.Path() / "r/b.csv", "b");
    EXPECT_EQ(TextOf(ResultRecord::In(folder.Path() / "r")), "a.csv\ntrace.pb\n");
}

TEST(ResultFolder, IsNotMadeWhereALinkIs)
{
    const TemporaryFolder folder;
    fs::create_directory_symlink(folder.Path(), folder.Path() / "figures");
    EXPECT_THROW(MakeResultFolder(folder.Path() / "figures"), TraceError);
    EXPECT_NO_THROW(MakeResultFolder(folder.Path() / "a/b"));
}

} // namespace
} // namespace geotrain
