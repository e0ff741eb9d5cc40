// SPDX-License-Identifier: GPL-2.0-only
#include "trace/result-file.h"

#include "trace/trace-error.h"

#include <fstream>
#include <utility>

namespace geotrain
{

ResultFile::ResultFile(std::filesystem::path path)
    : m_path(std::move(path)),
      m_beside(m_path)
{
    m_beside += ".part";
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
                       std::ofstream file(beside, std::ios::binary | std::ios::trunc);
                       file << text;
                       file.close();
                       if (!file)
                       {
                           throw TraceError(path.string(), "cannot be written");
                       }
                   });
}

} // namespace geotrain
