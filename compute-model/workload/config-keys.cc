// SPDX-License-Identifier: GPL-2.0-only
#include "workload/config-keys.h"

#include "units/config-error.h"

#include <utility>

namespace geotrain
{

namespace
{

/// Returns whether a value says that a model lacks something.
bool
IsNothing(const ConfigKeys::Json& value)
{
    return value.empty() || value == false || value == 0 || value == "";
}

} // namespace

ConfigKeys::ConfigKeys(std::string fileName, Json json, std::string path)
    : m_fileName(std::move(fileName)),
      m_path(std::move(path)),
      m_json(std::move(json))
{
    if (!m_json.is_object())
    {
        throw ConfigError(m_fileName, m_path, "", "must be a JSON object");
    }
}

void
ConfigKeys::SetAbsent(const Json& defaults)
{
    for (const auto& [key, value] : defaults.items())
    {
        if (!m_json.contains(key))
        {
            m_json[key] = value;
        }
    }
}

const char*
ConfigKeys::SetName(Names names) const
{
    const char* set = nullptr;
    for (const char* name : names)
    {
        m_read.insert(name);
        const auto found = m_json.find(name);
        if (set == nullptr && found != m_json.end() && !found->is_null())
        {
            set = name;
        }
    }
    return set;
}

const ConfigKeys::Json*
ConfigKeys::Find(Names names) const
{
    const char* name = SetName(names);
    return name == nullptr ? nullptr : &m_json.at(name);
}

std::optional<std::uint32_t>
ConfigKeys::FindCount(Names names, std::uint32_t most) const
{
    const char* name = SetName(names);
    if (name == nullptr)
    {
        return std::nullopt;
    }
    const Json& value = m_json.at(name);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 ||
        value.get<std::uint64_t>() > most)
    {
        Refuse(name, "must be a whole number from 1 to " + std::to_string(most));
    }
    return value.get<std::uint32_t>();
}

std::uint32_t
ConfigKeys::CountOrZero(Names names, std::uint32_t most) const
{
    const Json* value = Find(names);
    return value == nullptr || *value == 0 ? 0 : *FindCount(names, most);
}

std::uint32_t
ConfigKeys::Count(Names names, std::uint32_t most) const
{
    const auto value = FindCount(names, most);
    if (!value)
    {
        Refuse(*names.begin(), "is missing");
    }
    return *value;
}

bool
ConfigKeys::Flag(Names names, bool absent) const
{
    const char* name = SetName(names);
    if (name != nullptr && !m_json.at(name).is_boolean())
    {
        Refuse(name, "must be true or false");
    }
    return name == nullptr ? absent : m_json.at(name).get<bool>();
}

std::string
ConfigKeys::Text(Names names) const
{
    const char* name = SetName(names);
    if (name != nullptr && !m_json.at(name).is_string())
    {
        Refuse(name, "must be a string");
    }
    return name == nullptr ? "" : m_json.at(name).get<std::string>();
}

std::vector<std::uint32_t>
ConfigKeys::Counts(const char* name, std::uint32_t most) const
{
    std::vector<std::uint32_t> counts;
    const Json* const list = Find({name});
    for (const Json& item : list == nullptr ? Json::array() : *list)
    {
        if (!item.is_number_unsigned() || item.get<std::uint64_t>() > most)
        {
            Refuse(name, "must be a list of whole numbers from 0 to " + std::to_string(most));
        }
        counts.push_back(item.get<std::uint32_t>());
    }
    return counts;
}

void
ConfigKeys::MarkRead(const std::string& key) const
{
    m_read.insert(key);
}

std::vector<std::string>
ConfigKeys::Unread() const
{
    std::vector<std::string> unread;
    for (const auto& [key, value] : m_json.items())
    {
        if (m_read.count(key) == 0 && !IsNothing(value))
        {
            unread.push_back(key);
        }
    }
    return unread;
}

const std::string&
ConfigKeys::FileName() const
{
    return m_fileName;
}

void
ConfigKeys::Refuse(const std::string& key, const std::string& rule) const
{
    constexpr std::size_t longestShown = 60; // characters
    const auto value = m_json.find(key);
    std::string shown;
    if (value != m_json.end() && !value->is_null())
    {
        shown = value->dump(-1, ' ', true); // escapes line breaks
        if (value->is_string())
        {
            shown = shown.substr(1, shown.size() - 2); // ConfigError has quotes of its own
        }
    }
    if (shown.size() > longestShown)
    {
        shown = shown.substr(0, longestShown) + "...";
    }
    throw ConfigError(m_fileName, m_path + key, shown, rule);
}

} // namespace geotrain
