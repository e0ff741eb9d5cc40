// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/layer-pattern.h"

#include <algorithm>
#include <cctype>

namespace geotrain
{

namespace
{

using Layers = std::vector<bool>; ///< true: with experts

/// PatternReader walks over sums and products of lists.
class PatternReader
{
  public:
    explicit PatternReader(const std::string& text)
    {
        std::copy_if(text.begin(),
                     text.end(),
                     std::back_inserter(m_text),
                     [](unsigned char c) { return std::isspace(c) == 0; });
    }

    std::optional<Layers> Read()
    {
        const auto layers = Sum(0);
        return m_isBroken || m_at != m_text.size() ? std::nullopt : std::optional<Layers>(layers);
    }

  private:
    bool Take(char c)
    {
        const bool isThere = m_at < m_text.size() && m_text[m_at] == c;
        m_at += isThere ? 1 : 0;
        return isThere;
    }

    std::uint32_t Number()
    {
        std::uint32_t number = 0;
        const auto begin = m_at;
        while (m_at < m_text.size() && m_at < begin + 5 &&
               std::isdigit(static_cast<unsigned char>(m_text[m_at])) != 0)
        {
            number = 10 * number + static_cast<std::uint32_t>(m_text[m_at++] - '0');
        }
        m_isBroken = m_isBroken || m_at == begin;
        return number;
    }

    Layers Sum(int depth)
    {
        Layers sum = Product(depth);
        while (!m_isBroken && Take('+'))
        {
            const auto more = Product(depth);
            sum.insert(sum.end(), more.begin(), more.end());
            m_isBroken = m_isBroken || sum.size() > TransformerLimits::layers;
        }
        return sum;
    }

    Layers Product(int depth)
    {
        Layers once;
        if (depth < 10 && Take('(')) // sums in sums recurse
        {
            once = Sum(depth + 1);
            m_isBroken = m_isBroken || !Take(')');
        }
        else
        {
            m_isBroken = m_isBroken || !Take('[');
            do
            {
                once.push_back(Number() != 0);
            } while (!m_isBroken && Take(','));
            m_isBroken = m_isBroken || !Take(']');
        }
        const auto times = !m_isBroken && Take('*') ? Number() : 1;
        m_isBroken = m_isBroken || times * once.size() > TransformerLimits::layers;
        Layers all;
        for (std::uint32_t i = 0; !m_isBroken && i < times; ++i)
        {
            all.insert(all.end(), once.begin(), once.end());
        }
        return all;
    }

    std::string m_text;
    std::size_t m_at = 0;
    bool m_isBroken = false;
};

} // namespace

std::optional<std::vector<LayerGroup>>
ExpertLayers(const std::string& text, std::uint32_t layers)
{
    const bool isNumber = text.find_first_not_of("0123456789") == std::string::npos;
    Layers list;
    if (isNumber && !text.empty() && text.size() < 5 && text != "0")
    {
        const auto step = static_cast<std::uint32_t>(std::stoul(text)); // layers 0, N, 2N, ...
        for (std::uint32_t layer = 0; layer < layers; ++layer)
        {
            list.push_back(layer % step == 0);
        }
    }
    else if (const auto read = PatternReader(text).Read())
    {
        list = *read;
    }
    if (list.size() != layers)
    {
        return std::nullopt;
    }
    std::vector<LayerGroup> groups;
    for (const bool hasExperts : list)
    {
        if (groups.empty() || groups.back().isDense == hasExperts)
        {
            groups.push_back({0, false, !hasExperts});
        }
        ++groups.back().layers;
    }
    const bool isEven = groups.size() == 1 && !groups.front().isDense;
    return isEven ? std::vector<LayerGroup>{} : groups;
}

} // namespace geotrain
