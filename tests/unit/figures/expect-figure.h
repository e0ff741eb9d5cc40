// SPDX-License-Identifier: GPL-2.0-only
// What every figure consists of, for tests of what is drawn.
#pragma once

#include "temporary-folder.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace geotrain
{

constexpr std::size_t filesOfFigure = 5; // PNG, PDF, SVG, CSV, gnuplot script

/// Expects the files of a figure, each of the right kind.
inline void
ExpectFigure(const std::filesystem::path& stem)
{
    EXPECT_EQ(Contents(stem.string() + ".png").substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(Contents(stem.string() + ".pdf").substr(0, 5), "%PDF-");
    EXPECT_EQ(Contents(stem.string() + ".svg").substr(0, 5), "<?xml");
    EXPECT_NE(Contents(stem.string() + ".csv").find('\n'), std::string::npos);
    EXPECT_EQ(Contents(stem.string() + ".gp").substr(0, 1), "#");
}

} // namespace geotrain
