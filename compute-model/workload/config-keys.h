// SPDX-License-Identifier: GPL-2.0-only
// Holds the values of one Hugging Face config.json by key, checks their kinds, and remembers which
// were read, so that a reader can tell which were not.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace geotrain
{

/// ConfigKeys looks up keys by any of several names, of which the first that is set counts: families
/// call the same thing differently. Its errors are ConfigErrors that name file, key and rule.
class ConfigKeys
{
  public:
    using Json = nlohmann::json;
    using Names = std::initializer_list<const char*>;

    /// `path` leads to the object in its file, "" or "text_config."; throws ConfigError unless `json`
    /// is an object.
    ConfigKeys(std::string fileName, Json json, std::string path = "");

    /// Sets the keys of `defaults` that are absent.
    void SetAbsent(const Json& defaults);

    /// Returns nullptr where the key is absent or null.
    const Json* Find(Names names) const;

    /// Returns a whole number from 1 to `most`, or nothing where no name is set.
    std::optional<std::uint32_t> FindCount(Names names, std::uint32_t most) const;

    /// Does the same, and takes an absent number and 0 for 0.
    std::uint32_t CountOrZero(Names names, std::uint32_t most) const;

    /// Throws where no name is set; the error has the first.
    std::uint32_t Count(Names names, std::uint32_t most) const;

    bool Flag(Names names, bool absent) const;

    /// Returns an empty text where the key is absent.
    std::string Text(Names names) const;

    /// Returns the numbers of a list; empty where the key is absent.
    std::vector<std::uint32_t> Counts(const char* name, std::uint32_t most) const;

    /// Calls something harmless read.
    void MarkRead(const std::string& key) const;

    /// Returns the keys that hold something and that nobody looked up, by name.
    std::vector<std::string> Unread() const;

    const std::string& FileName() const;

    [[noreturn]] void Refuse(const std::string& key, const std::string& rule) const;

  private:
    /// Returns the name that is set; nullptr where none is.
    const char* SetName(Names names) const;

    std::string m_fileName;
    std::string m_path;
    Json m_json;
    mutable std::set<std::string> m_read;
};

} // namespace geotrain
