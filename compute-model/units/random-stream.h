// Random numbers without shared state. A stream's number is a hash of the run's seed and the names of its
// component and entity, so that adding a component shifts nobody else's draws. (FNV-1a, Fowler/Noll/Vo;
// SplitMix64, Steele et al., OOPSLA'14.)
#pragma once

#include <cstdint>
#include <string_view>

namespace geotrain
{

/// The stable number of the stream `component`/`entity`: positive, below 2^62, the same in every build.
std::int64_t StreamNumber(std::string_view component, std::string_view entity);

class RandomStream
{
  public:
    RandomStream(std::uint64_t seed, std::string_view component, std::string_view entity);

    /// Uniform in (0, 1).
    double Uniform();

    /// Standard normal (Box-Muller; two uniform draws a value).
    double Normal();

  private:
    std::uint64_t m_state;
};

} // namespace geotrain
