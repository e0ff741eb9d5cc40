// SPDX-License-Identifier: GPL-2.0-only
// Makes a folder for one test, which is deleted with it, and reads files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <stdlib.h>

namespace geotrain
{

inline std::string
Contents(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class TemporaryFolder
{
  public:
    TemporaryFolder()
    {
        std::string pattern = ::testing::TempDir() + "/geotrain-XXXXXX";
        m_path = mkdtemp(pattern.data());
    }

    ~TemporaryFolder()
    {
        std::filesystem::remove_all(m_path);
    }

    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const
    {
        return m_path / name;
    }

    const std::filesystem::path& Path() const
    {
        return m_path;
    }

  private:
    std::filesystem::path m_path;
};

} // namespace geotrain
