// SPDX-License-Identifier: GPL-2.0-only
// A trainer's configuration as one flat table of paths and values, whichever format it came in, with
// an account of what has been read of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace geotrain
{

/// The syntax that a configuration came in says what its values may hold.
enum class ConfigSyntax : std::uint8_t
{
    Toml,
    Yaml, ///< a value may name others as ${other.path}, as OmegaConf does
    Shell ///< a value may be empty, which sets a flag; one with a $ is an error where it matters
};

/// TrainerConfig holds values by path, such as "training.seq_len". A key finds the value whose path is
/// the key or ends with it ("seq_len"), of several the one that is nested least, since trainers move
/// keys between sections from version to version. A list of keys takes the first that is there. A
/// value of null, None or ??? is not there.
class TrainerConfig
{
  public:
    using Keys = std::vector<std::string>;

    /// `file` names the configuration in errors.
    TrainerConfig(std::string file, ConfigSyntax syntax);

    /// Adds a value or replaces the one of the same path. A quoted value is no number. Throws
    /// ConfigError beyond 10,000 values.
    void Set(const std::string& path, const std::string& value, bool isQuoted = false);

    // Each takes a value and notes it as read. It throws ConfigError where the value is no such thing;
    // Count() and Find() with a range also where it is out of range, Count() where it is missing.
    std::optional<std::string> FindText(const Keys& keys);
    std::optional<std::int64_t> Find(const Keys& keys, std::int64_t least, std::int64_t most);
    std::optional<std::uint32_t> FindCount(const Keys& keys, std::uint32_t most);
    std::uint32_t Count(const Keys& keys, std::uint32_t most);
    bool Flag(const Keys& keys, bool absent = false);

    /// Notes what has no effect on an iteration's time: values whose path, or a part of it from a dot
    /// on, matches one of the patterns, which spaces separate. A pattern may begin and end with *.
    void Forget(const std::string& patterns);

    /// Adds a remark on a value that was read but has no counterpart.
    void Remark(const Keys& keys, const std::string& remark);

    /// Adds what was assumed to read the configuration.
    void Assume(const std::string& assumption)
    {
        m_assumptions.push_back(assumption);
    }

    const std::vector<std::string>& Assumptions() const
    {
        return m_assumptions;
    }

    /// Returns what has no counterpart, "path = value: remark": remarks first, then all values that
    /// were neither read nor forgotten, without those that switch something off.
    std::vector<std::string> WithoutCounterpart() const;

    /// Throws ConfigError on the value that the keys find, or on the first key.
    [[noreturn]] void Fail(const Keys& keys, const std::string& rule) const;

    const std::string& File() const
    {
        return m_file;
    }

  private:
    struct Value
    {
        std::string path;
        std::string text;
        bool isQuoted;
        bool isRead;
    };

    const Value* Find(const Keys& keys) const;
    Value* Take(const Keys& keys);
    std::string Resolved(const Value& value, int depth) const;
    std::optional<std::string>
    Reference(const std::string& name, const Value& from, int depth) const;

    std::string m_file;
    ConfigSyntax m_syntax;
    std::vector<Value> m_values;
    std::vector<std::string> m_remarks;
    std::vector<std::string> m_assumptions;
};

} // namespace geotrain
