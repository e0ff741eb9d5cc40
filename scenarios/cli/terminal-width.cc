// SPDX-License-Identifier: GPL-2.0-only
#include "cli/terminal-width.h"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace geotrain
{

std::size_t
TerminalColumns(int file)
{
    winsize size = {};
    const bool isKnown = ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : 80;
}

std::size_t
TableColumns(int file)
{
    constexpr std::size_t least = 60;
    const char* wanted = std::getenv("COLUMNS");
    const long columns = wanted == nullptr ? 0 : std::atol(wanted);
    return std::max(least, columns > 0 ? static_cast<std::size_t>(columns) : TerminalColumns(file));
}

} // namespace geotrain
