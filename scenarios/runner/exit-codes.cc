// SPDX-License-Identifier: GPL-2.0-only
#include "runner/exit-codes.h"

#include "runner/unfinished-run.h"
#include "trace/trace-error.h"
#include "units/config-error.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

namespace geotrain
{

namespace
{

const char* const outOfMemory = "out of memory: the input is too large for this machine";

/// Returns whether std::terminate was called for want of memory, where nobody could catch that.
bool
EndsForMemory()
{
    try
    {
        if (std::current_exception())
        {
            throw;
        }
    }
    catch (const std::bad_alloc&)
    {
        return true;
    }
    catch (...)
    {
        return false;
    }
    return false;
}

} // namespace

WorkOutcome
OutcomeOf(const std::function<int()>& work)
{
    try
    {
        return {work(), ""};
    }
    catch (const ConfigError& error)
    {
        return {exitInput, error.what()};
    }
    catch (const TraceError& error)
    {
        return {exitInput, error.what()};
    }
    catch (const UnfinishedRun& error)
    {
        return {exitUnfinished, error.what()};
    }
    catch (const std::filesystem::filesystem_error& error)
    {
        return {exitInput, error.path1().string() + ": " + error.code().message()};
    }
    catch (const std::bad_alloc&)
    {
        return {exitInput, outOfMemory};
    }
    catch (const std::exception& error)
    {
        return {exitInternal, std::string("internal error: ") + error.what()};
    }
}

int
ExitCodeOf(const std::function<int()>& work)
{
    const auto outcome = OutcomeOf(work);
    if (!outcome.error.empty())
    {
        std::fprintf(stderr, "%s\n", outcome.error.c_str());
    }
    return outcome.code;
}

void
ExitOnTerminate(std::function<void()> report)
{
    static std::function<void()> atEnd;
    atEnd = std::move(report);
    std::set_terminate(
        []
        {
            if (EndsForMemory())
            {
                std::fprintf(stderr, "%s\n", outOfMemory);
                std::_Exit(exitInput);
            }
            std::fprintf(stderr, "an internal check failed\n");
            if (atEnd)
            {
                atEnd();
            }
            std::fflush(nullptr);
            std::_Exit(exitInternal);
        });
}

} // namespace geotrain
