// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-file.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace geotrain
{

ResultFile::ResultFile(std::filesystem::path path)
    : m_path(std::move(path)),
      m_beside(m_path)
{
    m_beside += ".part";
    // What a killed run left goes, and so does a link, through which a file elsewhere would be written.
    std::error_code ignored;
    if (!std::filesystem::is_directory(std::filesystem::symlink_status(m_beside, ignored)))
    {
        std::filesystem::remove(m_beside, ignored);
    }
}

ResultFile::~ResultFile()
{
    std::error_code ignored;
    std::filesystem::remove(m_beside, ignored);
}

const std::filesystem::path&
ResultFile::Beside() const
{
    return m_beside;
}

void
ResultFile::MoveIntoPlace()
{
    std::error_code failure;
    std::filesystem::rename(m_beside, m_path, failure);
    if (failure)
    {
        throw TraceError(m_path.string(), "cannot be written (" + failure.message() + ")");
    }
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
