// SPDX-License-Identifier: GPL-2.0-only
#include "runner/exit-codes.h"

#include "runner/run.h"
#include "trace/trace-error.h"
#include "units/config-error.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace geotrain
{

namespace
{

int
Report(const char* message, int code)
{
    std::fprintf(stderr, "%s\n", message);
    return code;
}

} // namespace

int
ExitCodeOf(const std::function<int()>& work)
{
    try
    {
        return work();
    }
    catch (const ConfigError& error)
    {
        return Report(error.what(), exitInput);
    }
    catch (const TraceError& error)
    {
        return Report(error.what(), exitInput);
    }
    catch (const UnfinishedRun& error)
    {
        return Report(error.what(), exitUnfinished);
    }
    catch (const std::bad_alloc&)
    {
        return Report("out of memory: the input is too large for this machine", exitInput);
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "internal error: ");
        return Report(error.what(), exitInternal);
    }
}

void
ExitOnTerminate()
{
    std::set_terminate(
        []
        {
            std::fprintf(stderr, "an internal check failed\n");
            std::fflush(nullptr);
            std::_Exit(exitInternal);
        });
}

} // namespace geotrain
