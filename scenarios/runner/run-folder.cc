// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run-folder.h"

#include "runner/result-list.h"
#include "runner/stderr-text.h"
#include "units/config-error.h"

#include <fmt/ranges.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <pwd.h>
#include <set>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

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

/// Returns whether a run or a comparison wrote the folder.
bool
IsResult(const fs::path& folder)
{
    return fs::exists(folder / RUN_INFO);
}

/// Returns whether `place` is the folder `folder`, or one above it. Both are canonical.
bool
IsAtOrAbove(const fs::path& place, const fs::path& folder)
{
    const auto way = folder.lexically_relative(place);
    return !way.empty() && *way.begin() != "..";
}

/// Throws ConfigError for a folder in which much more than results is at stake, whatever its list says.
void
RefuseToEmpty(const fs::path& out)
{
    const auto place = fs::canonical(out);
    const auto refuse = [&out](const std::string& what)
    { throw ConfigError("--out", "", out.string(), what + ": --force does not empty it"); };
    if (IsAtOrAbove(place, fs::current_path()))
    {
        refuse("is the working directory, or above it");
    }
    const passwd* user = getpwuid(getuid());
    for (const char* home : {std::getenv("HOME"), user == nullptr ? nullptr : user->pw_dir})
    {
        if (home != nullptr && IsAtOrAbove(place, fs::weakly_canonical(home)))
        {
            refuse("is a home, or above one");
        }
    }
    if (fs::exists(place / ".git"))
    {
        refuse("is the root of a repository");
    }
}

/// Says on stderr what else than results a folder holds.
void
TellOfKept(const fs::path& folder)
{
    constexpr std::size_t most = 5;
    std::set<std::string> kept;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied))
    {
        if (entry.is_symlink() || !entry.is_directory() || fs::is_empty(entry))
        {
            kept.insert(entry.path().lexically_relative(folder));
        }
    }
    const auto more = kept.size() - std::min(kept.size(), most);
    kept.erase(std::next(kept.begin(), static_cast<std::ptrdiff_t>(kept.size() - more)),
               kept.end());
    if (!kept.empty())
    {
        PrintToStderr("geotrain: {} keeps what geotrain did not write: {}{}\n",
                      folder.string(),
                      fmt::join(kept, ", "),
                      more == 0 ? "" : fmt::format(", and {} more", more));
    }
}

/// Removes an earlier folder's results, for --force.
void
Empty(const fs::path& out)
{
    if (!IsResult(out))
    {
        throw ConfigError(
            "--out", "", out.string(), "is no folder of results: it has no run-info.json");
    }
    RefuseToEmpty(out);
    if (ResultListOf(out).is_null())
    {
        throw ConfigError(
            "--out",
            "",
            out.string(),
            "has no list of what geotrain wrote in its run-info.json: remove it yourself");
    }
    RemoveResults(out);
    TellOfKept(out);
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
    if (!fs::is_empty(out))
    {
        if (!force)
        {
            throw ConfigError("--out", "", out, "is not empty; --force replaces it");
        }
        Empty(out);
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
    const bool hasSomething = fs::is_directory(out) && !fs::is_empty(out);
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
