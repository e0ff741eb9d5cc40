// SPDX-License-Identifier: GPL-2.0-only
// Names the files by which the ranks of a sweep talk, in the folder `sweep` of the results. Each is
// written beside and moved into place, or made by one rank alone, also on a network's file system.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace geotrain
{

/// SweepTimes are how often a rank says that it lives, and how long one that doesn't is waited for. A
/// rank of the same machine whose process is gone is not waited for. Rank 0 loads all variants before it
/// begins.
struct SweepTimes
{
    std::chrono::milliseconds beat{2000};
    std::chrono::milliseconds patience{120000};
    std::chrono::milliseconds arrival{600000}; ///< how long rank 0 may take to begin
};

/// SweepFiles are the files of a sweep. Jobs are numbered over all comparisons of the program.
class SweepFiles
{
  public:
    explicit SweepFiles(const std::filesystem::path& results)
        : m_folder(results / "sweep")
    {
    }

    const std::filesystem::path& Folder() const
    {
        return m_folder;
    }

    /// Rank 0's: how many jobs a rank makes at once, and LaunchOfSweep(). It is there while rank 0 lives,
    /// and rewritten with each of its beats.
    std::filesystem::path Lead() const
    {
        return m_folder / "lead";
    }

    /// Made by each other rank once it has seen rank 0's.
    std::filesystem::path Greeting(const std::string& process) const
    {
        return m_folder / ("hello-" + process);
    }

    /// Returns how many ranks have greeted.
    std::size_t Greetings() const;

    std::filesystem::path Offer(std::uint64_t job) const
    {
        return Of("job", job);
    }

    /// Made by the one rank that makes the job, which rewrites it with each beat: a SweepProcess.
    std::filesystem::path Taken(std::uint64_t job) const
    {
        return Of("taken", job);
    }

    /// The exit code of a job.
    std::filesystem::path Ended(std::uint64_t job) const
    {
        return Of("ended", job);
    }

  private:
    std::filesystem::path Of(const char* what, std::uint64_t job) const
    {
        return m_folder / (std::string(what) + "-" + std::to_string(job));
    }

    std::filesystem::path m_folder;
};

/// Returns this process as text: its machine and its number.
std::string ThisSweepProcess();

/// Returns what tells this launch of ranks from others, by the launcher's environment; empty where that
/// has nothing.
std::string LaunchOfSweep();

/// Returns whether `process`, as ThisSweepProcess() wrote it, is one of this machine that is gone.
bool IsGoneHere(const std::string& process);

/// Makes a file that nobody else has made. Returns false where somebody has.
bool MakeAlone(const std::filesystem::path& path, const std::string& text);

/// Writes a file beside and moves it into place; nothing where its folder is gone.
void WriteSweepFile(const std::filesystem::path& path, const std::string& text);

/// Returns a file's text; nothing where it is not there.
std::optional<std::string> ReadSweepFile(const std::filesystem::path& path);

/// A SweepPulse watches a file that a living process rewrites.
class SweepPulse
{
  public:
    /// Returns whether the file has not changed for `patience`, or is not there any more.
    bool HasStopped(const std::filesystem::path& path, std::chrono::milliseconds patience);

  private:
    std::optional<std::filesystem::file_time_type> m_seen;
    std::chrono::steady_clock::time_point m_since;
};

} // namespace geotrain
