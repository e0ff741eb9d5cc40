// SPDX-License-Identifier: GPL-2.0-only
#include "units/random-stream.h"

#include <cmath>

namespace geotrain
{

namespace
{

std::uint64_t
Fnv1a(std::uint64_t hash, std::string_view text)
{
    for (const char c : text)
    {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

std::uint64_t
SplitMix64(std::uint64_t& state)
{
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

std::uint64_t
Hash(std::string_view component, std::string_view entity)
{
    const std::uint64_t basis = 0xcbf29ce484222325ULL;
    return Fnv1a(Fnv1a(Fnv1a(basis, component), "/"), entity);
}

} // namespace

std::int64_t
StreamNumber(std::string_view component, std::string_view entity)
{
    return static_cast<std::int64_t>(Hash(component, entity) >> 2);
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view component, std::string_view entity)
    : m_state(Hash(component, entity))
{
    m_state ^= SplitMix64(seed);
}

double
RandomStream::Uniform()
{
    return (static_cast<double>(SplitMix64(m_state) >> 11) + 0.5) * 0x1p-53;
}

double
RandomStream::Normal()
{
    constexpr double twoPi = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return radius * std::cos(twoPi * Uniform());
}

} // namespace geotrain
