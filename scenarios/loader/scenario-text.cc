// SPDX-License-Identifier: GPL-2.0-only
#include "loader/scenario-text.h"

#include "loader/field-path.h"
#include "loader/library-texts.h"
#include "loader/nearest-names.h"
#include "loader/network-kinds.h"
#include "loader/text-format-errors.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/text-file.h"
#include "units/utf8.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace geotrain
{

namespace
{

namespace fs = std::filesystem;

constexpr std::uintmax_t largestFile = 64 << 20; // bytes; scenarios are a few kB
constexpr int deepestText = 100;                 // braces within braces; the schema has six

void
RequireUtf8(const std::string& text, const std::string& file)
{
    const std::size_t broken = FindBrokenByte(text);
    if (broken != std::string::npos)
    {
        const std::string before = text.substr(0, broken);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        throw ConfigError(file, "line " + std::to_string(line), "", "has a byte that is not UTF-8");
    }
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
    if (path == batteryName)
    {
        throw ConfigError(path,
                          "",
                          "",
                          "is a battery of scenarios, battery-*: `geotrain compare` runs all, and "
                          "every verb takes one of them");
    }
    if (!fs::exists(path, error) || (bareName && fs::is_directory(path, error)))
    {
        std::vector<std::string> names;
        for (const auto& entry : LibraryTexts())
        {
            names.emplace_back(entry.name);
        }
        throw ConfigError(
            path, "", "", UnknownName("file or library scenario", path, names, "scenarios"));
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

/// Returns the number in the line "# Takes 4 minutes of one core." of a scenario, or "< 1" of "# Takes
/// less than a minute"; empty where there is none.
std::string
MinutesIn(const std::string_view scenario)
{
    constexpr std::string_view before = "\n# Takes ";
    const auto at = scenario.find(before);
    const auto text =
        scenario.substr(at == std::string_view::npos ? scenario.size() : at + before.size());
    return text.rfind("less than a minute", 0) == 0 ? "< 1"
                                                    : std::string(text.substr(0, text.find(' ')));
}

/// Returns the text with each number in per cent, outside of quotes and comments, as a share:
/// `loss: 0.01%` is `loss: 0.01e-2`.
std::string
WithShares(const std::string& text)
{
    std::string shares;
    char quote = 0; // 0 outside of quotes and comments, '#' in a comment
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        const char before = i > 0 ? text[i - 1] : ' ';
        const bool isNumber =
            std::isdigit(static_cast<unsigned char>(before)) != 0 || before == '.';
        if (quote == 0 && c == '%' && isNumber)
        {
            shares += "e-2";
            continue;
        }
        shares += c;
        const bool isEscaped = c == '\\' && quote != 0 && quote != '#' && i + 1 < text.size();
        if (isEscaped)
        {
            shares += text[++i];
        }
        else if (quote == 0)
        {
            quote = c == '"' || c == '\'' || c == '#' ? c : 0;
        }
        else if (c == (quote == '#' ? '\n' : quote))
        {
            quote = 0;
        }
    }
    return shares;
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
    return {nameOrPath, fs::path(nameOrPath).parent_path(), ReadTextFile(nameOrPath)};
}

scenario::Scenario
ParseScenario(const std::string& text, const std::string& file)
{
    RequireUtf8(text, file);
    google::protobuf::TextFormat::Parser parser;
    parser.SetRecursionLimit(deepestText);
    FirstError error;
    parser.RecordErrorsTo(&error);
    scenario::Scenario scenario;
    if (!parser.ParseFromString(WithShares(text), &scenario))
    {
        const auto found = error.found.value_or(TextFormatError());
        const auto place = "line " + std::to_string(found.line + 1) + ", column " +
                           std::to_string(found.column + 1);
        throw ConfigError(file, place, "", found.message);
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
        const auto scenario = ParseScenario(std::string(text), std::string(name));
        const NetworkKind& kind =
            scenario.run().has_network() ? NetworkKindOf(scenario.run()) : PacketNetworkKind();
        entries.push_back({std::string(name),
                           FirstSentence(text),
                           scenario.variant_size() + scenario.grid_size() > 0,
                           kind.name,
                           MinutesIn(text)});
    }
    return entries;
}

} // namespace geotrain
