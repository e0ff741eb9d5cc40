// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/learned-passage.h"

namespace geotrain
{

namespace
{

std::variant<PathCell, PlainPath>
MakePath(const PathParameters& path, std::uint64_t seed, const std::string& name)
{
    const RandomStream draws(seed, "learned-path", name);
    if (path.network && path.network->output == WindowNetwork::Output::DelayAndLoss)
    {
        return PlainPath(path, draws, RandomStream(seed, "learned-path-loss", name));
    }
    return PathCell(path, draws);
}

} // namespace

LearnedPassage::LearnedPassage(const PathParameters& path,
                               std::uint64_t seed,
                               const std::string& name)
    : m_path(MakePath(path, seed, name)),
      m_lossShare(path.lossShare),
      m_losses(seed, "learned-path-wire", name)
{
}

std::optional<Duration>
LearnedPassage::Offer(Instant now, Bytes size)
{
    return std::visit([&](auto& path) { return path.Offer(now, size); }, m_path);
}

bool
LearnedPassage::DrawLoss()
{
    return m_lossShare > 0 && m_losses.Uniform() < m_lossShare;
}

} // namespace geotrain
