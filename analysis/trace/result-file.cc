// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// The file of the record in use; empty where there is none.
fs::path&
RecordInUse()
{
    static fs::path record;
    return record;
}

} // namespace

ResultFile::ResultFile(fs::path path)
    : m_path(std::move(path))
{
    constexpr mode_t mode = 0666;
    const auto folder = m_path.has_parent_path() ? m_path.parent_path() : fs::path(".");
    m_file = open(folder.c_str(), O_TMPFILE | O_RDWR, mode); // children write to it too
    if (m_file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
    {
        m_part = UnusedName( // for file systems that have no files without a name
            [this](const char* name)
            {
                m_file = open(name, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, mode);
                return m_file >= 0;
            });
    }
    if (m_file < 0)
    {
        throw WriteFailure(m_path);
    }
    m_beside = "/dev/fd/" + std::to_string(m_file);
}

ResultFile::~ResultFile()
{
    if (!m_part.empty())
    {
        unlink(m_part.c_str());
    }
    close(m_file);
}

const fs::path&
ResultFile::Beside() const
{
    return m_beside;
}

/// Returns the first name beside the final one that `take` takes; empty, with errno set, where none can
/// be taken. `take` fails with EEXIST for a name that is in use.
fs::path
ResultFile::UnusedName(const std::function<bool(const char*)>& take) const
{
    for (int n = 0;; ++n)
    {
        const auto name =
            m_path.string() + "." + std::to_string(getpid()) + "-" + std::to_string(n) + ".part";
        if (take(name.c_str()))
        {
            return name;
        }
        if (errno != EEXIST)
        {
            return {};
        }
    }
}

void
ResultFile::MoveIntoPlace()
{
    RecordResult(m_path);
    if (m_part.empty())
    {
        m_part = UnusedName(
            [this](const char* name)
            { return linkat(AT_FDCWD, m_beside.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0; });
    }
    if (m_part.empty() || rename(m_part.c_str(), m_path.c_str()) != 0)
    {
        throw WriteFailure(m_path);
    }
    m_part.clear();
}

ResultRecord::ResultRecord(const fs::path& folder)
    : m_before(std::exchange(RecordInUse(), In(fs::absolute(folder).lexically_normal())))
{
}

ResultRecord::~ResultRecord()
{
    RecordInUse() = m_before;
}

fs::path
ResultRecord::In(const fs::path& folder)
{
    return folder / "run-info.json.files";
}

void
RecordResult(const fs::path& path)
{
    const auto& record = RecordInUse();
    const auto there =
        fs::absolute(path).lexically_normal().lexically_relative(record.parent_path());
    if (record.empty() || there.empty() || *there.begin() == "..")
    {
        return;
    }
    const auto line = there.string() + "\n";
    const int file = open(record.c_str(), O_CREAT | O_APPEND | O_NOFOLLOW | O_WRONLY, 0666);
    const bool isWritten =
        file >= 0 && write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    const int reason = errno;
    close(file);
    errno = reason;
    if (!isWritten)
    {
        throw WriteFailure(record);
    }
}

void
RecordInPlace(const fs::path& path)
{
    if (fs::is_symlink(fs::symlink_status(path)))
    {
        throw TraceError(path.string(), "is a symbolic link, through which no results are written");
    }
    RecordResult(path);
}

void
MakeResultFolder(const fs::path& folder)
{
    if (fs::is_symlink(fs::symlink_status(folder)))
    {
        throw TraceError(folder.string(),
                         "is a symbolic link, through which no results are written");
    }
    fs::create_directories(folder);
}

TraceError
WriteFailure(const std::filesystem::path& path)
{
    const int reason = errno;
    const auto why = std::generic_category().message(reason);
    return {path.string(), "cannot be written" + (reason == 0 ? "" : " (" + why + ")")};
}

void
WriteIntoPlace(const std::filesystem::path& path,
               const std::function<void(const std::filesystem::path&)>& write)
{
    ResultFile result(path);
    write(result.Beside());
    result.MoveIntoPlace();
}

void
WriteIntoPlace(const std::filesystem::path& path, const std::string& text)
{
    WriteIntoPlace(path,
                   [&](const std::filesystem::path& beside)
                   {
                       errno = 0;
                       std::ofstream file(beside, std::ios::binary | std::ios::trunc);
                       file << text;
                       file.close();
                       if (!file)
                       {
                           throw WriteFailure(path);
                       }
                   });
}

} // namespace geotrain
