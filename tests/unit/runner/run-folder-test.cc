// SPDX-License-Identifier: GPL-2.0-only
// Checks what a kill in the middle of a replacement leaves of a folder of results.
#include "runner/run-folder.h"

#include "units/config-error.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

std::ptrdiff_t
EntriesIn(const fs::path& folder)
{
    return std::distance(fs::directory_iterator(folder), {});
}

/// Makes a folder of results with many files, whose removal takes a while.
void
FillWithResults(const fs::path& folder, int files)
{
    fs::create_directories(folder);
    std::ofstream info(folder / "run-info.json");
    info << "{\"files\": {";
    for (int file = 0; file < files; ++file)
    {
        info << (file == 0 ? "" : ",") << '"' << file << "\": 0";
    }
    info << "}}";
    info.close();
    for (int file = 0; file < files; ++file)
    {
        std::ofstream(folder / std::to_string(file)).flush();
    }
}

TEST(RunFolder, IsRefusedWhileAnotherProcessWritesIntoIt)
{
    const auto folder = fs::path(testing::TempDir()) / ("claimed-" + std::to_string(getpid()));
    const pid_t process = fork();
    if (process == 0)
    {
        MakeRunFolder(folder.string(), "", false);
        FillWithResults(folder, 1);
        pause();
    }
    while (!fs::exists(folder / "0"))
    {
    }
    const auto refusal = [&folder](bool force)
    {
        try
        {
            return (force ? MakeRunFolder(folder.string(), "", true)
                          : ResumeRunFolder(folder.string()))
                .string();
        }
        catch (const ConfigError& error)
        {
            return std::string(error.what());
        }
    };
    const auto expected = "--out: \"" + folder.string() + "\" is in use by another geotrain";
    EXPECT_EQ(refusal(true), expected);
    EXPECT_EQ(refusal(false), expected);
    EXPECT_EQ(EntriesIn(folder), 2);
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    EXPECT_EQ(refusal(false), folder.string());
    EXPECT_EQ(refusal(true), folder.string()); // it is this process's own now
    fs::remove_all(folder);
}

TEST(RunFolder, StillCanBeReplacedAfterAKilledReplacement)
{
    constexpr int files = 1000;
    const auto folder = fs::path(testing::TempDir()) / ("run-folder-" + std::to_string(getpid()));
    int cutShort = 0;
    for (int attempt = 0; attempt < 12; ++attempt)
    {
        FillWithResults(folder, files);
        const pid_t process = fork();
        if (process == 0)
        {
            MakeRunFolder(folder.string(), "", true);
            _exit(0);
        }
        while (EntriesIn(folder) > files * (11 - attempt) / 12)
        {
        }
        kill(process, SIGKILL);
        int status = 0;
        waitpid(process, &status, 0);
        const bool isCutShort = !fs::is_empty(folder);
        cutShort += isCutShort ? 1 : 0;
        EXPECT_TRUE(!isCutShort || fs::exists(folder / "run-info.json"));
        EXPECT_EQ(MakeRunFolder(folder.string(), "", true), folder);
        EXPECT_TRUE(fs::is_empty(folder));
    }
    EXPECT_GT(cutShort, 0) << "no replacement was cut short";
    fs::remove_all(folder);
}

} // namespace

} // namespace geotrain
