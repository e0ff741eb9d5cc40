// SPDX-License-Identifier: GPL-2.0-only
// Random numbers without shared state. A stream's number is a hash of the run's seed and of the
// names of its component and entity. So adding a component shifts nobody else's draws. Sources:
// FNV-1a (Fowler, Noll, Vo); SplitMix64 (Steele et al., OOPSLA'14).
#pragma once

#include <cstdint>
#include <string_view>

namespace geotrain
{

/// Returns the stable number of the stream `component`/`entity`. It is positive, below 2^62 and the
/// same in every build.
std::int64_t StreamNumber(std::string_view component, std::string_view entity);

/// A RandomStream draws numbers that depend on the seed and its two names only.
class RandomStream
{
  public:
    RandomStream(std::uint64_t seed, std::string_view component, std::string_view entity);

    /// Draws uniformly from the open interval (0, 1).
    double Uniform();

    /// Draws from the standard normal distribution (Box-Muller, two uniform draws per value).
    double Normal();

  private:
    std::uint64_t m_state;
};

} // namespace geotrain
