// SPDX-License-Identifier: GPL-2.0-only
// Runs files through a fuzz target without libFuzzer: every file that is named, or lies in a folder
// that is named, once, in the order of their names. A finding ends the program as it would end the
// fuzzer.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

std::set<std::filesystem::path>
FilesOf(const std::filesystem::path& path)
{
    if (!std::filesystem::is_directory(path))
    {
        return {path};
    }
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path))
    {
        if (entry.is_regular_file())
        {
            files.insert(entry.path());
        }
    }
    return files;
}

void
Replay(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
    {
        throw std::runtime_error("cannot read " + file.string());
    }
    const std::string content{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::cout << file.string() << std::endl;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
}

} // namespace

int
main(int argc, char** argv)
{
    try
    {
        std::size_t replayed = 0;
        for (int i = 1; i < argc; ++i)
        {
            for (const auto& file : FilesOf(argv[i]))
            {
                Replay(file);
                ++replayed;
            }
        }
        std::cout << replayed << " inputs replayed" << std::endl;
        return replayed > 0 ? 0 : 1; // an empty corpus tests nothing
    }
    catch (const std::exception& finding)
    {
        std::cerr << "finding: " << finding.what() << std::endl;
        return 1;
    }
}
