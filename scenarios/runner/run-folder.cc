// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-folder.h"

#include "units/config-error.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* RUN_INFO = "run-info.json";

fs::path
NextFreeFolder(const std::string& name)
{
    fs::create_directories("results");
    for (int n = 1;; ++n)
    {
        const auto folder = fs::path("results") / (name + "-" + std::to_string(n));
        if (fs::create_directory(folder))
        {
            ClaimRunFolder(folder);
            return folder;
        }
    }
}

/// Returns whether a run or a comparison wrote the folder. --force removes no other folder, since
/// that could hold a user's own files.
bool
IsResult(const fs::path& folder)
{
    return fs::exists(folder / RUN_INFO);
}

/// Empties a folder of results. What makes it one goes last, so that --force still takes a folder
/// whose replacement was killed.
void
RemoveResult(const fs::path& folder)
{
    for (const auto& entry : fs::directory_iterator(folder))
    {
        if (entry.path() != folder / RUN_INFO)
        {
            fs::remove_all(entry.path());
        }
    }
    fs::remove(folder / RUN_INFO);
}

/// Returns whether nothing is in the folder, or only what a run leaves that was killed while it
/// wrote its first file.
bool
IsUnused(const fs::path& folder)
{
    const fs::directory_iterator files(folder);
    return std::all_of(fs::begin(files),
                       fs::end(files),
                       [](const fs::directory_entry& file)
                       { return file.path().filename() == "run-info.json.part"; });
}

fs::path
GivenFolder(const std::string& out, bool force)
{
    if (fs::exists(out) && !fs::is_directory(out))
    {
        throw ConfigError("--out", "", out, "must be a folder");
    }
    fs::create_directories(out);
    ClaimRunFolder(out);
    if (!IsUnused(out))
    {
        if (!force)
        {
            throw ConfigError("--out", "", out, "is not empty; --force replaces it");
        }
        if (!IsResult(out))
        {
            throw ConfigError("--out", "", out, "is no folder of results: it has no run-info.json");
        }
        RemoveResult(out);
    }
    return out;
}

} // namespace

void
ClaimRunFolder(const fs::path& folder)
{
    static std::set<fs::path> claimed; // a process may come back to its own folder
    if (!claimed.insert(fs::canonical(folder)).second)
    {
        return;
    }
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); // never closed
    constexpr int attempts = 20;
    for (int attempt = 0; file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0; ++attempt)
    {
        if (errno != EWOULDBLOCK)
        {
            return; // the file system knows no locks
        }
        if (attempt == attempts)
        {
            close(file);
            claimed.erase(fs::canonical(folder));
            throw ConfigError("--out", "", folder.string(), "is in use by another geotrain");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

fs::path
MakeRunFolder(const std::string& out, const std::string& name, bool force)
{
    try
    {
        return out.empty() ? NextFreeFolder(name) : GivenFolder(out, force);
    }
    catch (const fs::filesystem_error& error)
    {
        const auto place = out.empty() ? error.path1().string() : out;
        const std::string other = out.empty() ? "; --out names another folder" : "";
        throw ConfigError(
            "--out", "", place, "can't be made (" + error.code().message() + ")" + other);
    }
}

fs::path
ResumeRunFolder(const std::string& out)
{
    if (out.empty())
    {
        throw ConfigError(
            "--resume", "", "", "needs --out, the folder of the results to go on with");
    }
    const bool hasSomething = fs::is_directory(out) && !IsUnused(out);
    if (hasSomething && !IsResult(out))
    {
        throw ConfigError("--out", "", out, "is no folder of results: it has no run-info.json");
    }
    if (!hasSomething)
    {
        return MakeRunFolder(out, "", false);
    }
    if (fs::exists(fs::path(out) / "trace.pb"))
    {
        throw ConfigError("--resume", "", out, "holds one run and no comparison to go on with");
    }
    ClaimRunFolder(out);
    return out;
}

} // namespace geotrain
