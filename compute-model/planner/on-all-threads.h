// SPDX-License-Identifier: GPL-2.0-only
// Shares work out to threads. What is made doesn't depend on their number, as long as the work on a
// slot depends on nothing that another one makes.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace geotrain
{

/// Calls `work` once for each slot below `slots`, in about this order, and `report` with the share of
/// slots that are done, from the calling thread alone. Rethrows what the first failed slot threw.
template <typename Work, typename Report>
void
OnAllThreads(unsigned count, std::size_t slots, Work work, Report report)
{
    std::vector<std::exception_ptr> failures(slots);
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    const auto caller = std::this_thread::get_id();
    const auto loop = [&]
    {
        for (std::size_t slot = next++; slot < slots; slot = next++)
        {
            try
            {
                work(slot);
            }
            catch (...)
            {
                failures[slot] = std::current_exception();
            }
            const double share = static_cast<double>(++done) / static_cast<double>(slots);
            if (std::this_thread::get_id() == caller)
            {
                report(share);
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned thread = 1; thread < count; ++thread)
    {
        threads.emplace_back(loop);
    }
    loop();
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    for (const auto& failure : failures)
    {
        if (failure)
        {
            std::rethrow_exception(failure);
        }
    }
}

} // namespace geotrain
