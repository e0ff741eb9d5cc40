// SPDX-License-Identifier: GPL-2.0-only
// The child writes its verdict to a pipe that is also its stderr. A child that ends without a
// verdict was ended by the library, and what it wrote last says why.
#include "loader/library-trial.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "bulk-tcp/model/congestion-control-types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

constexpr char verdictMark = '\x01'; // what follows is the verdict, and nothing else has this letter

const std::string verdictUsable = "usable";

/// Returns the symbol as C++ writes it.
std::string
Demangled(const std::string& symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? name.get() : symbol;
}

/// Returns the reason of dlerror() without the path in front, and with a readable symbol.
std::string
ReasonOf(std::string error, const std::filesystem::path& library)
{
    const std::string path = library.string() + ": ";
    error.erase(0, error.rfind(path, 0) == 0 ? path.size() : 0);
    const std::string missing = "undefined symbol: ";
    if (error.rfind(missing, 0) != 0)
    {
        return "can't be loaded as a shared library: " + error;
    }
    const auto symbol = error.substr(missing.size());
    return fmt::format("needs the symbol {}, which neither geotrain nor its ns-3 has; was it "
                       "compiled with the headers of this ns-3?",
                       Demangled(symbol.substr(0, symbol.find_first_of(", "))));
}

/// Returns the names of all registered types.
std::set<std::string>
RegisteredNames()
{
    std::set<std::string> names;
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        names.insert(ns3::TypeId::GetRegistered(i).GetName());
    }
    return names;
}

/// Returns what is wrong with the types that are not the first `before` ones, whose names `names`
/// holds; empty where nothing is. Makes one object of each congestion control.
std::string
WhatIsWrongWithTypes(std::uint16_t before, std::set<std::string> names)
{
    bool hasControl = false;
    for (std::uint16_t i = before; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (!names.insert(type.GetName()).second)
        {
            return fmt::format("registers the TypeId {}, which exists already; its class needs "
                               "another one",
                               type.GetName());
        }
        if (type.IsChildOf(ns3::TcpCongestionOps::GetTypeId()) && type.HasConstructor())
        {
            ns3::MakeCongestionControl(type, 0);
            hasControl = true;
        }
    }
    return hasControl ? ""
                      : "holds no congestion control: it needs a class that derives from "
                        "ns3::TcpCongestionOps, whose TypeId has SetParent and AddConstructor, and "
                        "NS_OBJECT_ENSURE_REGISTERED of it";
}

/// Loads the library. Returns its fault, or verdictUsable.
std::string
Verdict(const std::filesystem::path& library)
{
    const auto before = ns3::TypeId::GetRegisteredN();
    const auto names = RegisteredNames();
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    {
        return ReasonOf(dlerror(), library);
    }
    const auto fault = WhatIsWrongWithTypes(before, names);
    return fault.empty() ? verdictUsable : fault;
}

/// Returns what the exception that is under way says.
std::string
TextOfException()
{
    try
    {
        throw;
    }
    catch (const std::exception& thrown)
    {
        return thrown.what();
    }
    catch (...)
    {
        return "an exception of another type than std::exception";
    }
}

/// Gives the verdict and ends the process.
[[noreturn]] void
Tell(const std::string& verdict)
{
    fmt::print(stderr, "{}{}", verdictMark, verdict);
    std::fflush(stderr);
    _exit(0);
}

[[noreturn]] void
TryInChild(const std::filesystem::path& library)
{
    // An exception that no function above the initialisers can catch ends here too.
    std::set_terminate(
        []
        {
            if (std::current_exception())
            {
                Tell("throws an exception when it is loaded: " + TextOfException());
            }
            _exit(1);
        });
    try
    {
        Tell(Verdict(library));
    }
    catch (...)
    {
        Tell("throws an exception when it is loaded: " + TextOfException());
    }
}

std::string
ReadToEnd(int pipe)
{
    std::string text;
    char buffer[4096];
    for (ssize_t size = 1; size > 0;)
    {
        size = read(pipe, buffer, sizeof(buffer));
        text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    }
    return text;
}

/// Returns the end of a text in one line.
std::string
LastWords(const std::string& text)
{
    constexpr std::size_t most = 300;
    std::string line;
    for (const char letter : text.substr(text.size() - std::min(text.size(), most)))
    {
        const bool isPrintable = letter >= ' ' && letter != '\x7f';
        line += isPrintable ? letter : ' ';
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Returns what the end of a child without a verdict says.
std::string
EndWithoutVerdict(int status, const std::string& output)
{
    const auto how = WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                         : fmt::format("with exit code {}", WEXITSTATUS(status));
    const auto words = LastWords(output);
    return "ends the program when it is loaded, " + how + (words.empty() ? "" : ": " + words);
}

} // namespace

std::string
WhyNotUsable(const std::filesystem::path& library)
{
    // A static library registers only types that the program uses.
    ns3::BulkTcpAttributes();
    ns3::AllCongestionControls();
    int ends[2] = {};
    if (pipe(ends) != 0)
    {
        throw std::runtime_error("no pipe can be made");
    }
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
    {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        TryInChild(library);
    }
    close(ends[1]);
    const auto output = child > 0 ? ReadToEnd(ends[0]) : "";
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
    {
        throw std::runtime_error("no process can be started");
    }
    const auto mark = output.rfind(verdictMark);
    const auto verdict =
        mark == output.npos ? EndWithoutVerdict(status, output) : output.substr(mark + 1);
    return verdict == verdictUsable ? "" : verdict;
}

} // namespace geotrain
