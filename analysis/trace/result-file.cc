#include "trace/result-file.h"

#include "trace/trace-error.h"

#include <fstream>

namespace geotrain
{

void
WriteIntoPlace(const std::filesystem::path& path,
               const std::function<void(const std::filesystem::path&)>& write)
{
    std::filesystem::path beside = path;
    beside += ".part";
    std::error_code failure;
    try
    {
        write(beside);
    }
    catch (...)
    {
        std::filesystem::remove(beside, failure);
        throw;
    }
    std::filesystem::rename(beside, path, failure);
    if (failure)
    {
        throw TraceError(path.string(), "cannot be written (" + failure.message() + ")");
    }
}

void
WriteIntoPlace(const std::filesystem::path& path, const std::string& text)
{
    WriteIntoPlace(path, [&](const std::filesystem::path& beside) {
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
