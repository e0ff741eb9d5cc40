// SPDX-License-Identifier: GPL-2.0-only
#include "trainers/config-readers.h"

#include "units/config-error.h"

#include <toml.hpp>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace geotrain
{

namespace
{

using Toml = toml::basic_value<toml::discard_comments, std::map, std::vector>;

constexpr std::size_t largestConfig = 1 << 20; // bytes; real ones are a few kB
constexpr int deepestConfig = 64; // sections in sections; those who walk over them recurse
constexpr int mostNodes = 100000; // of YAML, whose aliases may multiply

[[noreturn]] void
RefuseDepth(const std::string& file)
{
    throw ConfigError(file,
                      "",
                      "",
                      "must nest sections and lists " + std::to_string(deepestConfig) +
                          " deep at most");
}

/// Throws ConfigError where lists, tables or keys of TOML nest too deep for a parser that recurses.
void
RefuseDeepToml(const std::string& text, const std::string& file)
{
    int depth = 0;
    int dots = 0; // of the line's key
    char quote = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        const char c = text[at];
        if (quote != 0)
        {
            at += c == '\\' && quote == '"' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
        }
        else if (c == '"' || c == '\'')
        {
            quote = c;
        }
        else if (c == '#')
        {
            at = std::min(text.find('\n', at), text.size()) - 1;
        }
        depth += quote == 0 && (c == '[' || c == '{') ? 1 : 0;
        depth -= quote == 0 && (c == ']' || c == '}') && depth > 0 ? 1 : 0;
        dots = c == '\n' || c == '=' || c == ',' ? 0 : dots + (quote == 0 && c == '.' ? 1 : 0);
        if (depth > deepestConfig || dots > deepestConfig)
        {
            RefuseDepth(file);
        }
    }
}

std::string
TextOf(const Toml& value)
{
    if (value.is_string())
    {
        return value.as_string().str;
    }
    if (value.is_boolean())
    {
        return value.as_boolean() ? "true" : "false";
    }
    if (value.is_integer())
    {
        return std::to_string(value.as_integer());
    }
    if (value.is_array())
    {
        std::string list;
        for (const auto& entry : value.as_array())
        {
            list += (list.empty() ? "" : ", ") + TextOf(entry);
        }
        return list;
    }
    return toml::format(value);
}

void
Flatten(const Toml& value, const std::string& path, TrainerConfig& config)
{
    if (!value.is_table())
    {
        config.Set(path, TextOf(value), value.is_string());
        return;
    }
    for (const auto& [key, entry] : value.as_table())
    {
        Flatten(entry, path.empty() ? key : path + "." + key, config);
    }
}

/// Walks over a YAML document.
class YamlWalk
{
  public:
    explicit YamlWalk(TrainerConfig& config)
        : m_config(config)
    {
    }

    void Flatten(const YAML::Node& node, const std::string& path, int depth)
    {
        Count(depth);
        if (node.IsSequence())
        {
            m_config.Set(path, ListText(node, depth));
        }
        else if (!node.IsMap())
        {
            m_config.Set(path, node.IsScalar() ? node.Scalar() : "null");
        }
        for (const auto& entry : node.IsMap() ? node : YAML::Node())
        {
            Count(depth);
            const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
            const bool merges = key == "<<" || path.empty();
            Flatten(entry.second, key == "<<" ? path : merges ? key : path + "." + key, depth + 1);
        }
    }

  private:
    void Count(int depth)
    {
        if (depth > deepestConfig)
        {
            RefuseDepth(m_config.File());
        }
        if (++m_nodes > mostNodes)
        {
            throw ConfigError(m_config.File(),
                              "",
                              "",
                              "must have at most " + std::to_string(mostNodes) + " nodes");
        }
    }

    std::string ListText(const YAML::Node& node, int depth)
    {
        std::string list;
        for (const auto& entry : node)
        {
            Count(depth);
            const auto text = entry.IsScalar()     ? entry.Scalar()
                              : entry.IsSequence() ? ListText(entry, depth + 1)
                                                   : "...";
            list += (list.empty() ? "" : ", ") + text;
        }
        return list;
    }

    TrainerConfig& m_config;
    int m_nodes = 0;
};

} // namespace

std::string
ReadConfigText(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string text(largestConfig + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    if (!in.is_open() || in.bad() || (text.empty() && !in.eof()))
    {
        throw ConfigError(path, "", "", "cannot be read");
    }
    if (text.size() > largestConfig)
    {
        throw ConfigError(path, "", "", "must be at most 1 MiB");
    }
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    return text.rfind(byteOrderMark, 0) == 0 ? text.substr(byteOrderMark.size()) : text;
}

TrainerConfig
ReadTomlConfig(const std::string& text, const std::string& path)
{
    RefuseDeepToml(text, path);
    TrainerConfig config(path, ConfigSyntax::Toml);
    try
    {
        std::istringstream stream(text);
        Flatten(
            toml::parse<toml::discard_comments, std::map, std::vector>(stream, path), "", config);
    }
    catch (const toml::exception& error)
    {
        throw ConfigError(
            path, "line " + std::to_string(error.location().line()), "", "must be valid TOML");
    }
    catch (const ConfigError&)
    {
        throw;
    }
    catch (const std::exception&) // a number beyond 64 bits, and what the parser has no words for
    {
        throw ConfigError(path, "", "", "must be valid TOML");
    }
    return config;
}

TrainerConfig
ReadYamlConfig(const std::string& text, const std::string& path)
{
    TrainerConfig config(path, ConfigSyntax::Yaml);
    try
    {
        const auto root = YAML::Load(text);
        if (!root.IsMap())
        {
            throw ConfigError(path, "", "", "must be a YAML mapping");
        }
        YamlWalk(config).Flatten(root, "", 0);
    }
    catch (const YAML::Exception& error)
    {
        throw ConfigError(path,
                          error.mark.is_null() ? "" : "line " + std::to_string(error.mark.line + 1),
                          "",
                          "must be valid YAML");
    }
    return config;
}

void
Override(TrainerConfig& config, const std::vector<std::string>& words)
{
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        const bool isOption = words[i].rfind("--", 0) == 0;
        const auto equals = words[i].find('=');
        const auto begin = words[i].find_first_not_of(isOption ? "-" : "+");
        if (begin == std::string::npos || (!isOption && equals == std::string::npos))
        {
            throw ConfigError("geotrain import",
                              "",
                              words[i],
                              "is no option, and sets no value as PATH=VALUE does");
        }
        const auto path =
            words[i].substr(begin, equals == std::string::npos ? equals : equals - begin);
        if (equals != std::string::npos)
        {
            config.Set(path, words[i].substr(equals + 1));
        }
        else if (i + 1 < words.size() && words[i + 1].rfind("--", 0) != 0)
        {
            config.Set(path, words[++i]);
        }
        else
        {
            config.Set(path, "true");
        }
    }
}

} // namespace geotrain
