// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scenario-text.h"

#include "loader/field-path.h"
#include "loader/library-texts.h"
#include "loader/nearest-names.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr std::uintmax_t largestFile = 64 << 20; // bytes; scenarios are a few kB

/// FirstError keeps the first error of Protobuf's parser.
class FirstError : public google::protobuf::io::ErrorCollector
{
  public:
    void AddError(int line, int column, const std::string& message) override
    {
        if (!found)
        {
            found = Error{line, column, message};
        }
    }

    struct Error
    {
        int line;
        int column;
        std::string message;
    };

    std::optional<Error> found;
};

std::string
Line(const std::string& text, int number)
{
    std::istringstream lines(text);
    std::string line;
    for (int i = 0; i <= number; ++i)
    {
        line.clear();
        std::getline(lines, line);
    }
    const auto begin = line.find_first_not_of(" \t");
    const auto end = line.find_last_not_of(" \t\r");
    line = begin == std::string::npos ? "" : line.substr(begin, end - begin + 1);
    constexpr std::size_t longest = 80;
    return line.size() > longest ? line.substr(0, longest) + "..." : line;
}

/// Returns Protobuf's message, or for an unknown field the nearest field names.
std::string
Explain(const std::string& message)
{
    static const std::regex unknown("Message type \"([^\"]+)\" has no field named \"([^\"]+)\"\\.");
    std::smatch match;
    if (!std::regex_search(message, match, unknown))
    {
        return message;
    }
    const auto* descriptor =
        scenario::Scenario::descriptor()->file()->pool()->FindMessageTypeByName(match[1]);
    return descriptor == nullptr ? message
                                 : match[2].str() + " " +
                                       UnknownName("field of " + descriptor->name(),
                                                   match[2],
                                                   FieldNames(*descriptor));
}

std::string
Printable(const std::string& text)
{
    std::string printable;
    for (const char c : text)
    {
        printable += (c >= ' ' && c != 0x7f) ? c : '?';
    }
    return printable;
}

/// Returns the library's scenario of that name, if there is one.
std::optional<std::string_view>
FindInLibrary(const std::string& name)
{
    for (const auto& entry : LibraryTexts())
    {
        if (entry.name == name)
        {
            return entry.text;
        }
    }
    return std::nullopt;
}

/// Throws ConfigError where there is no such file, or where it can't be a scenario.
void
CheckFile(const std::string& path)
{
    std::error_code error;
    const bool bareName = path.find('/') == std::string::npos;
    if (!fs::exists(path, error) || (bareName && fs::is_directory(path, error)))
    {
        std::vector<std::string> names;
        for (const auto& entry : LibraryTexts())
        {
            names.emplace_back(entry.name);
        }
        throw ConfigError(path, "", "", UnknownName("file or library scenario", path, names));
    }
    if (!fs::is_regular_file(path, error))
    {
        throw ConfigError(path, "", "", "must be a file");
    }
    if (fs::file_size(path, error) > largestFile)
    {
        throw ConfigError(path, "", "", "must be at most 64 MiB");
    }
}

std::string
FirstSentence(const std::string_view scenario)
{
    std::istringstream lines{std::string(scenario)};
    std::string line;
    std::string text;
    while (std::getline(lines, line) && line.rfind("#", 0) == 0)
    {
        text += (text.empty() ? "" : " ") + line.substr(std::min<std::size_t>(2, line.size()));
        const auto end = text.find_first_of(".?");
        if (end != std::string::npos)
        {
            return text.substr(0, end + 1);
        }
    }
    return text;
}

} // namespace

ScenarioText
ReadScenarioText(const std::string& nameOrPath)
{
    if (const auto text = FindInLibrary(nameOrPath))
    {
        return {nameOrPath + ".textproto", "", std::string(*text)};
    }
    CheckFile(nameOrPath);
    std::ifstream stream(nameOrPath, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream)
    {
        throw ConfigError(nameOrPath, "", "", "can't be read");
    }
    return {nameOrPath, fs::path(nameOrPath).parent_path(), text.str()};
}

scenario::Scenario
ParseScenario(const std::string& text, const std::string& file)
{
    google::protobuf::TextFormat::Parser parser;
    FirstError error;
    parser.RecordErrorsTo(&error);
    scenario::Scenario scenario;
    if (!parser.ParseFromString(text, &scenario))
    {
        const auto found =
            error.found.value_or(FirstError::Error{0, 0, "must be Protobuf text format"});
        throw ConfigError(file,
                          "line " + std::to_string(found.line + 1),
                          Printable(Line(text, found.line)),
                          Printable(Explain(found.message)));
    }
    return scenario;
}

std::string
PrintScenario(const scenario::Scenario& scenario)
{
    google::protobuf::TextFormat::Printer printer;
    printer.SetUseShortRepeatedPrimitives(true);
    printer.SetUseUtf8StringEscaping(true);
    std::string text;
    printer.PrintToString(scenario, &text);
    return text;
}

std::string
PrintScenarioAsJson(const scenario::Scenario& scenario)
{
    google::protobuf::util::JsonPrintOptions options;
    options.add_whitespace = true;
    options.preserve_proto_field_names = true;
    std::string text;
    const auto status = google::protobuf::util::MessageToJsonString(scenario, &text, options);
    if (!status.ok())
    {
        throw std::runtime_error(status.ToString());
    }
    return text;
}

std::vector<LibraryEntry>
ScenarioLibrary()
{
    std::vector<LibraryEntry> entries;
    for (const auto& [name, text] : LibraryTexts())
    {
        entries.push_back({std::string(name), FirstSentence(text)});
    }
    return entries;
}

} // namespace geotrain
