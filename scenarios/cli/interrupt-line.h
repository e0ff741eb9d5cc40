// SPDX-License-Identifier: GPL-2.0-only
// Says what SIGINT or SIGTERM has cut short, where nothing is simulated yet: scenarios are loaded, or
// plans are searched. The signal then ends the program, which shells call exit code 130 or 143.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>

namespace geotrain
{

/// InterruptLine prints such a line for as long as it lives. There is one at a time.
class InterruptLine
{
  public:
    InterruptLine();

    /// Puts the earlier handlers of both signals back.
    ~InterruptLine();

    InterruptLine(const InterruptLine&) = delete;
    InterruptLine& operator=(const InterruptLine&) = delete;

    /// Says what is done from now on: "checking three-dc-gpt".
    void Show(const std::string& what);

    /// Makes the signal remove a folder that holds nothing but run-info.json.
    void Discard(const std::filesystem::path& folder);

  private:
    struct sigaction m_interrupt = {};
    struct sigaction m_terminate = {};
};

} // namespace geotrain
