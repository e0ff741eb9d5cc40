// SPDX-License-Identifier: GPL-2.0-only
// Tests the limit that work keeps to.
#include "loader/machine-memory.h"
#include "units/config-error.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace geotrain
{

namespace
{

std::size_t
Allocate(std::size_t bytes)
{
    const std::vector<char> memory(bytes, 'x');
    return memory.size();
}

TEST(MemoryLimit, WorkThatNeedsMoreEndsWithFileFieldAndLimit)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer ends the program where memory lacks";
#endif
    const auto within = [](std::int64_t limit)
    {
        return WithinMemory(
            Bytes::Of(limit), "a.textproto", "run.memory_limit", [] { return Allocate(400000000); });
    };
    try
    {
        within(300000000);
        FAIL();
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()).rfind(
                      "a.textproto: run.memory_limit: more than 300 MB of memory are needed", 0),
                  0U)
            << error.what();
    }
    EXPECT_EQ(within(600000000), 400000000U);
    EXPECT_EQ(Allocate(400000000), 400000000U); // the limit has ended
}

// What is in memory before counts; a limit within another one can't lift it.
TEST(MemoryLimit, CountsWhatIsThereAndKeepsToTheLowerOfTwo)
{
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer ends the program where memory lacks";
#endif
    const std::vector<char> before(200000000, 'x');
    const auto work = [] { return Allocate(200000000); };
    EXPECT_THROW(WithinMemory(Bytes::Of(300000000), "", "", work), ConfigError);
    EXPECT_THROW(WithinMemory(Bytes::Of(300000000),
                              "",
                              "",
                              [&work]
                              { return WithinMemory(Bytes::Of(900000000), "", "", work); }),
                 ConfigError);
}

} // namespace

} // namespace geotrain
