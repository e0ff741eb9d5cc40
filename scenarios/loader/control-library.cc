// SPDX-License-Identifier: GPL-2.0-only
#include "loader/control-library.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "bulk-tcp/model/congestion-control-types.h"

#include <algorithm>
#include <dlfcn.h>
#include <list>
#include <sha2.h>
#include <stdexcept>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

/// Returns the libraries of this process, whose TypeIds ns-3 keeps for the whole process too. The
/// places of its elements stay.
std::list<ControlLibrary>&
Libraries()
{
    static std::list<ControlLibrary> libraries;
    return libraries;
}

std::vector<std::string>
NamesOfControls()
{
    std::vector<std::string> names;
    for (const auto& type : ns3::AllCongestionControls())
    {
        names.push_back(type.GetName());
    }
    return names;
}

/// Loads a library. Returns the names of the congestion controls that it adds.
std::vector<std::string>
Open(const fs::path& path)
{
    ns3::BulkTcpAttributes(); // a static library registers only types that the program uses
    const auto before = NamesOfControls();
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    {
        throw std::runtime_error(dlerror());
    }
    auto names = NamesOfControls();
    const auto isOld = [&before](const std::string& name)
    { return std::find(before.begin(), before.end(), name) != before.end(); };
    names.erase(std::remove_if(names.begin(), names.end(), isOld), names.end());
    if (names.empty())
    {
        throw std::runtime_error(
            "it adds no congestion control; one derives from ns3::TcpCongestionOps, and its TypeId "
            "has a new name, SetParent and AddConstructor");
    }
    return names;
}

} // namespace

const ControlLibrary&
LoadControlLibrary(const std::string& written, const std::string& field, const ScenarioFile& file)
{
    std::error_code error;
    const auto path = (fs::current_path() / file.folder / written).lexically_normal();
    if (!fs::is_regular_file(path, error))
    {
        file.Fail(field, written, "is no file; it was looked for at " + path.string());
    }
    const auto sha256 = Sha256Of(path);
    if (sha256.empty())
    {
        file.Fail(field, written, "can't be read");
    }
    auto& libraries = Libraries();
    const auto loaded = std::find_if(libraries.begin(),
                                     libraries.end(),
                                     [&sha256](const auto& one) { return one.sha256 == sha256; });
    if (loaded != libraries.end())
    {
        return *loaded;
    }
    const auto isOther = [&path](const auto& one) { return one.path == path; };
    if (std::any_of(libraries.begin(), libraries.end(), isOther))
    {
        file.Fail(field, written, "has changed since this program loaded it");
    }
    try
    {
        libraries.push_back({path, sha256, Open(path)});
    }
    catch (const std::runtime_error& refused)
    {
        file.Fail(field, written, std::string("can't be loaded: ") + refused.what());
    }
    return libraries.back();
}

std::vector<std::string>
LoadControlLibraries(const std::vector<std::string>& options)
{
    std::vector<std::string> paths;
    for (const auto& option : options)
    {
        paths.push_back(LoadControlLibrary(option, "", {"--load", ""}).path.string());
    }
    return paths;
}

std::vector<ControlLibrary>
LoadedLibraries()
{
    return {Libraries().begin(), Libraries().end()};
}

std::string
Sha256Of(const fs::path& file)
{
    char digits[SHA256_DIGEST_STRING_LENGTH] = {};
    return SHA256File(file.c_str(), digits) == nullptr ? "" : digits;
}

} // namespace geotrain
