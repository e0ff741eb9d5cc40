// SPDX-License-Identifier: GPL-2.0-only
// Prints results. Where stdout is closed or its disk is full, the program ends with a message that says
// why; fmt::print() would end it by an exception as soon as a buffer is full.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>

namespace geotrain
{

inline int stdoutError = 0; ///< errno of the first text that stdout did not take; 0: it took all so far

/// Prints a text to stdout, as far as that takes it.
inline void
PrintToStdout(const std::string& text)
{
    if (std::fputs(text.c_str(), stdout) < 0 && stdoutError == 0)
    {
        stdoutError = errno;
    }
}

} // namespace geotrain
