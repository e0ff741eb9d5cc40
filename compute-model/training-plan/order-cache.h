// SPDX-License-Identifier: GPL-2.0-only
// Keeps orders that plans of one search share: between screening and simulation of a plan, flat and
// hierarchical all-reduce, and kinds of sharing inside one data centre. An order depends on its
// request alone, so that results are the same without a cache.
#pragma once

#include "schedule/schedule-catalogue.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// An OrderCache keeps orders by their requests. Any number of threads may use it.
class OrderCache
{
  public:
    /// Returns MakeSchedule()'s order, which is made once for equal requests as long as there is
    /// room.
    std::shared_ptr<const ScheduleOrder> Of(const ScheduleEntry& schedule,
                                            const ScheduleRequest& request);

  private:
    using Key = std::pair<std::string, std::vector<std::int64_t>>;

    std::mutex m_mutex;
    std::map<Key, std::shared_ptr<const ScheduleOrder>> m_orders;
    std::uint64_t m_operations = 0; ///< operations of all orders that are kept
};

} // namespace geotrain
