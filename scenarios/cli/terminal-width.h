// SPDX-License-Identifier: GPL-2.0-only
// Tells how wide a line for people may be.
#pragma once

#include <cstddef>
#include <unistd.h>

namespace geotrain
{

/// Returns the columns of the terminal behind a file descriptor; 80 where it is none, or does not say.
std::size_t TerminalColumns(int file);

/// Returns the columns that a table or a sentence may take on a file descriptor: those that the
/// environment variable COLUMNS asks for, or those of the terminal. They are at least 60, which a
/// table with names and three numbers needs.
std::size_t TableColumns(int file = STDOUT_FILENO);

} // namespace geotrain
