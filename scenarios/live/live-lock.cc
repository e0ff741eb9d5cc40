// SPDX-License-Identifier: GPL-2.0-only
#include "live/live-lock.h"

#include "units/config-error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

std::filesystem::path
FolderOfTemporaries()
{
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error);
    if (error)
    {
        const char* value = std::getenv("TMPDIR");
        throw ConfigError("TMPDIR", "", value ? value : "", "must be a folder");
    }
    return folder;
}

} // namespace

LiveLock::LiveLock()
    : m_path(FolderOfTemporaries() / fmt::format("geotrain-live-{}.lock", getuid()))
{
    // The processes of a run that was killed hold it for some milliseconds more, or for a second on a
    // busy machine.
    for (int tries = 0; !TryLock(); ++tries)
    {
        constexpr int mostTries = 60;
        if (tries < mostTries)
        {
            usleep(50000);
            continue;
        }
        throw ConfigError(
            "live",
            "",
            "",
            "another `geotrain live` is running: wait until it ends, since both would be late");
    }
}

LiveLock::~LiveLock()
{
    std::filesystem::remove(m_path);
    close(m_file);
}

/// Returns whether the lock is held. A file that its last holder has removed meanwhile is none.
bool
LiveLock::TryLock()
{
    m_file = open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (m_file < 0)
    {
        throw ConfigError(
            m_path.string(), "", "", fmt::format("can't be made: {}", std::strerror(errno)));
    }
    struct stat locked = {};
    struct stat named = {};
    if (flock(m_file, LOCK_EX | LOCK_NB) == 0 && fstat(m_file, &locked) == 0 &&
        stat(m_path.c_str(), &named) == 0 && locked.st_ino == named.st_ino)
    {
        return true;
    }
    close(m_file);
    return false;
}

} // namespace geotrain
