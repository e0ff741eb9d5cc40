// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>

namespace geotrain
{

/// UnfinishedRun is thrown where a simulation stops with work undone. The text says who waits for
/// what.
class UnfinishedRun : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

} // namespace geotrain
