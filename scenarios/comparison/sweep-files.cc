// SPDX-License-Identifier: GPL-2.0-only
#include "comparison/sweep-files.h"

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace geotrain
{

namespace fs = std::filesystem;

namespace
{

std::string
HostName()
{
    std::array<char, HOST_NAME_MAX + 1> name = {};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

} // namespace

std::string
ThisSweepProcess()
{
    return HostName() + " " + std::to_string(getpid());
}

std::string
LaunchOfSweep()
{
    std::string launch;
    for (const char* variable : {"PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID"})
    {
        const char* text = std::getenv(variable);
        launch += text == nullptr ? "" : std::string("/") + text;
    }
    return launch;
}

std::size_t
SweepFiles::Greetings() const
{
    std::size_t greetings = 0;
    std::error_code gone;
    for (const auto& file : fs::directory_iterator(m_folder, gone))
    {
        greetings += file.path().filename().string().rfind("hello-", 0) == 0 ? 1 : 0;
    }
    return greetings;
}

bool
IsGoneHere(const std::string& process)
{
    std::istringstream words(process);
    std::string host;
    pid_t number = 0;
    words >> host >> number;
    return number > 0 && host == HostName() && kill(number, 0) != 0 && errno == ESRCH;
}

bool
MakeAlone(const fs::path& path, const std::string& text)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0)
    {
        return false;
    }
    const bool isWritten = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    return isWritten;
}

void
WriteSweepFile(const fs::path& path, const std::string& text)
{
    const fs::path beside = path.string() + "." + std::to_string(getpid());
    std::ofstream(beside, std::ios::binary) << text;
    std::error_code gone;
    fs::rename(beside, path, gone);
}

std::optional<std::string>
ReadSweepFile(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return file ? std::optional(std::string{std::istreambuf_iterator<char>(file), {}})
                : std::nullopt;
}

bool
SweepPulse::HasStopped(const fs::path& path, std::chrono::milliseconds patience)
{
    std::error_code missing;
    const auto time = fs::last_write_time(path, missing);
    const auto now = std::chrono::steady_clock::now();
    if (missing)
    {
        return m_seen.has_value();
    }
    if (!m_seen || *m_seen != time)
    {
        m_seen = time;
        m_since = now;
    }
    return now - m_since > patience;
}

} // namespace geotrain
