// SPDX-License-Identifier: GPL-2.0-only
// Shows a line on stderr that says what is being done and for how long already, while nothing is
// known of how far it is. It shows nothing where stderr is no terminal. A signal that ends the program
// meanwhile says what it has cut short, on a terminal or not.
#pragma once

#include "cli/interrupt-line.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace geotrain
{

/// WaitingLine is such a line, drawn by a thread of its own: the work needs no callbacks.
class WaitingLine
{
  public:
    /// With `quiet` nothing is shown, but for what a signal has cut short.
    explicit WaitingLine(bool quiet);

    /// Removes the line. What is printed later begins on a line of its own.
    ~WaitingLine();

    WaitingLine(const WaitingLine&) = delete;
    WaitingLine& operator=(const WaitingLine&) = delete;

    /// Says what is done from now on: "checking three-dc-gpt".
    void Show(const std::string& what);

  private:
    void DrawUntilEnd();

    InterruptLine m_interrupt;

    std::mutex m_mutex; ///< of what follows
    std::condition_variable m_changed;
    std::string m_what;
    bool m_isOver = false;
    std::thread m_drawer; ///< none where nothing is shown
};

} // namespace geotrain
