// SPDX-License-Identifier: GPL-2.0-only
#include "path-learning/learned-passage.h"

namespace geotrain
{

namespace
{

std::variant<PathCell, PlainPath, ParallelPath>
MakePath(const PathParameters& path, std::uint64_t seed, const std::string& name)
{
    const RandomStream draws(seed, "learned-path", name);
    if (path.network && path.network->output == WindowNetwork::Output::DelayAndLoss)
    {
        return PlainPath(path, draws, RandomStream(seed, "learned-path-loss", name));
    }
    if (!path.lanes.empty())
    {
        return ParallelPath(path, draws, RandomStream(seed, "learned-path-lane", name));
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

LanePassage
LearnedPassage::Offer(Instant now, Bytes size)
{
    if (auto* parallel = std::get_if<ParallelPath>(&m_path))
    {
        return parallel->Offer(now, size);
    }
    if (auto* plain = std::get_if<PlainPath>(&m_path))
    {
        return {0, plain->Offer(now, size)};
    }
    return {0, std::get<PathCell>(m_path).Offer(now, size)};
}

bool
LearnedPassage::DrawLoss()
{
    return m_lossShare > 0 && m_losses.Uniform() < m_lossShare;
}

bool
LearnedPassage::MayReorder() const
{
    return std::holds_alternative<ParallelPath>(m_path);
}

} // namespace geotrain
