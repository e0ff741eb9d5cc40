// SPDX-License-Identifier: GPL-2.0-only
// Goes through the lines of a packet record, parses their numbers and says in which line an error
// is.
#pragma once

#include "units/config-error.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace geotrain
{

/// LineReader goes through the lines of a text.
class LineReader
{
  public:
    LineReader(const std::string& name, std::string_view text)
        : m_name(name),
          m_rest(text)
    {
    }

    /// Goes to the next line, without its end; false: there is none.
    bool Next(std::string_view& line)
    {
        if (m_rest.empty())
        {
            return false;
        }
        const std::size_t end = m_rest.find('\n');
        line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        if (!line.empty() && line.back() == '\r')
        {
            line.remove_suffix(1);
        }
        ++m_number;
        return true;
    }

    /// Throws ConfigError that names file and line.
    [[noreturn]] void Fail(std::string_view value, const std::string& rule) const
    {
        throw ConfigError(m_name + ":" + std::to_string(m_number), "", std::string(value), rule);
    }

    /// Returns a number with a fraction, times `factor`, rounded to an integer. It must be within
    /// `limit` then.
    std::int64_t Scaled(std::string_view text, double factor, double limit) const
    {
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const double scaled = value * factor;
        if (error != std::errc() || end != text.data() + text.size() ||
            !(std::abs(scaled) <= limit))
        {
            Fail(text, "must be a number within the range of its column");
        }
        return std::llround(scaled);
    }

    std::size_t Number() const
    {
        return m_number;
    }

  private:
    const std::string& m_name;
    std::string_view m_rest;
    std::size_t m_number = 0;
};

/// Returns the parts of a line between single characters `at`.
inline std::vector<std::string_view>
SplitAt(std::string_view line, char at)
{
    std::vector<std::string_view> parts;
    for (std::size_t found = line.find(at); found != std::string_view::npos; found = line.find(at))
    {
        parts.push_back(line.substr(0, found));
        line.remove_prefix(found + 1);
    }
    parts.push_back(line);
    return parts;
}

} // namespace geotrain
