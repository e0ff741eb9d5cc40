// SPDX-License-Identifier: GPL-2.0-only
#include "units/text-pattern.h"

#include <stdexcept>

namespace geotrain
{

TextPattern::TextPattern(const char* expression)
{
    if (regcomp(&m_expression, expression, REG_EXTENDED) != 0)
    {
        throw std::invalid_argument(expression);
    }
}

TextPattern::~TextPattern()
{
    regfree(&m_expression);
}

std::vector<std::string_view>
TextPattern::FindIn(std::string_view text, std::size_t from) const
{
    std::vector<regmatch_t> found(m_expression.re_nsub + 1);
    found[0] = {static_cast<regoff_t>(from), static_cast<regoff_t>(text.size())};
    std::vector<std::string_view> parts;
    if (from <= text.size() &&
        regexec(&m_expression, text.data(), found.size(), found.data(), REG_STARTEND) == 0)
    {
        for (const auto& [begin, end] : found)
        {
            const auto at = static_cast<std::size_t>(begin);
            const auto length = static_cast<std::size_t>(end - begin);
            parts.push_back(begin < 0 ? std::string_view() : text.substr(at, length));
        }
    }
    return parts;
}

bool
TextPattern::IsIn(std::string_view text) const
{
    return !FindIn(text).empty();
}

} // namespace geotrain
