// SPDX-License-Identifier: GPL-2.0-only
// The fixture of the tests that run the geotrain program end to end: a folder with a small scenario.
#pragma once

#include "program-test.h"

#include <algorithm>
#include <string>

namespace geotrain
{

class Cli : public ProgramTest
{
  protected:
    void SetUp() override
    {
        WriteSmall();
    }

    static int Lines(const std::string& text)
    {
        return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    }
};

} // namespace geotrain
