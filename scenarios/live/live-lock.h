// SPDX-License-Identifier: GPL-2.0-only
// Keeps a user's second live run out, which would take the cores of the first.
#pragma once

#include <filesystem>

namespace geotrain
{

/// A LiveLock is held by the only live run of a user. Its file is in the folder of temporary files.
class LiveLock
{
  public:
    /// Throws ConfigError where another run holds it, or its file can't be made.
    LiveLock();
    ~LiveLock();
    LiveLock(const LiveLock&) = delete;
    LiveLock& operator=(const LiveLock&) = delete;

  private:
    bool TryLock();

    const std::filesystem::path m_path;
    int m_file = -1;
};

} // namespace geotrain
