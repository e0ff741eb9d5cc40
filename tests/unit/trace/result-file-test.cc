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
    EXPECT_FALSE(fs::exists(fs::symlink_status(folder.Path() / "report.html.part")));
}

TEST(ResultFile, TakesThePlaceOfWhatAKilledRunLeft)
{
    const TemporaryFolder folder;
    std::ofstream(folder.Path() / "a.csv.part") << "half of it";
    WriteIntoPlace(folder.Path() / "a.csv", "all");
    EXPECT_EQ(TextOf(folder.Path() / "a.csv"), "all");
    EXPECT_FALSE(fs::exists(folder.Path() / "a.csv.part"));
}

} // namespace
} // namespace geotrain
