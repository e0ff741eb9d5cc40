// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/request-trace.h"

#include "units/config-error.h"
#include "units/csv-cells.h"
#include "units/text-file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

namespace geotrain
{

namespace
{

constexpr double longestSeconds = 4e9; // 127 years, as far as a trace's times go
constexpr std::uint32_t mostTokens = 10000000;
constexpr double latest = 4e18; // ns; later requests arrive then, long after any run

using Cells = std::vector<std::string>;

enum class TimeFormat
{
    Date,
    Seconds,
    Milliseconds
};

/// Columns says which columns a trace's rows have.
struct Columns
{
    TimeFormat format = TimeFormat::Date;
    std::size_t time = 0;
    std::size_t tokens = 0;
    std::size_t count = 0;
};

class RowError
{
  public:
    RowError(const std::string& file, std::size_t line)
        : m_file(file),
          m_line(line)
    {
    }

    [[noreturn]] void
    Fail(const std::string& column, std::string_view value, const std::string& rule) const
    {
        const std::string at = "line " + std::to_string(m_line);
        throw ConfigError(
            m_file, column.empty() ? at : at + ": " + column, std::string(value), rule);
    }

  private:
    const std::string& m_file;
    std::size_t m_line;
};

/// Returns the cells of a line without blanks around them.
Cells
Split(std::string_view line)
{
    Cells cells = CsvCells(line);
    for (std::string& cell : cells)
    {
        cell.erase(0, cell.find_first_not_of(" \t"));
        cell.erase(cell.find_last_not_of(" \t") + 1);
    }
    return cells;
}

std::string
Lower(std::string_view text)
{
    std::string lower;
    for (const char c : text)
    {
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return lower;
}

Columns
ReadHeader(const Cells& header, const RowError& error)
{
    const auto find = [&](std::string_view name)
    {
        const auto found =
            std::find_if(header.begin(),
                         header.end(),
                         [&](const std::string& cell) { return Lower(cell) == name; });
        return static_cast<std::size_t>(found - header.begin());
    };
    const std::size_t none = header.size();
    const std::pair<const char*, TimeFormat> kinds[] = {{"contexttokens", TimeFormat::Date},
                                                        {"request tokens", TimeFormat::Seconds},
                                                        {"input_length", TimeFormat::Milliseconds}};
    for (const auto& [name, format] : kinds)
    {
        if (find(name) != none && find("timestamp") != none)
        {
            return {format, find("timestamp"), find(name), none};
        }
    }
    error.Fail("",
               "",
               "must name the columns TIMESTAMP and one of ContextTokens (Azure), Request tokens "
               "(BurstGPT), input_length (Mooncake)");
}

template <typename Number>
bool
Parse(std::string_view text, Number& value)
{
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && rest == text.data() + text.size();
}

/// Returns the days from 1970-01-01 to a date of the Gregorian calendar (Hinnant, chrono-compatible
/// date algorithms).
std::int64_t
DaysSince1970(std::int64_t year, std::int64_t month, std::int64_t day)
{
    year -= month <= 2 ? 1 : 0;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t ofEra = year - era * 400;
    const std::int64_t ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
}

std::int64_t
DaysOfMonth(std::int64_t year, std::int64_t month)
{
    const bool isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 ? (isLeap ? 29 : 28) : 30 + (month + month / 8) % 2;
}

/// Reads "2023-11-16 18:17:03.9799600", with a UTC suffix or none, as nanoseconds since 1970.
std::optional<std::int64_t>
ParseDate(std::string_view text)
{
    const std::size_t zone = text.find("+00:00");
    text = text.substr(0, zone == std::string_view::npos ? text.size() : zone);
    if (!text.empty() && text.back() == 'Z')
    {
        text.remove_suffix(1);
    }
    std::int64_t year = 0;
    std::int64_t month = 0;
    std::int64_t day = 0;
    std::int64_t hour = 0;
    std::int64_t minute = 0;
    std::int64_t second = 0;
    const bool isWhole = text.size() >= 19 && text[4] == '-' && text[7] == '-' &&
                         (text[10] == ' ' || text[10] == 'T') && text[13] == ':' &&
                         text[16] == ':' && Parse(text.substr(0, 4), year) &&
                         Parse(text.substr(5, 2), month) && Parse(text.substr(8, 2), day) &&
                         Parse(text.substr(11, 2), hour) && Parse(text.substr(14, 2), minute) &&
                         Parse(text.substr(17, 2), second);
    const bool inRange = year >= 1970 && year < 2100 && month >= 1 && month <= 12 && day >= 1 &&
                         day <= DaysOfMonth(year, month) && hour >= 0 && hour < 24 && minute >= 0 &&
                         minute < 60 && second >= 0 && second <= 60;
    if (!isWhole || !inRange)
    {
        return std::nullopt;
    }
    std::int64_t nanoseconds = 0;
    if (text.size() > 19)
    {
        std::string digits(text.substr(20));
        if (text[19] != '.' || digits.empty() || digits.size() > 9 ||
            !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
        {
            return std::nullopt;
        }
        digits.resize(9, '0');
        Parse(std::string_view(digits), nanoseconds);
    }
    const std::int64_t seconds =
        ((DaysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    return seconds * 1000000000 + nanoseconds;
}

std::int64_t
TimeOf(std::string_view text, TimeFormat format, const RowError& error)
{
    if (format == TimeFormat::Date)
    {
        const auto date = ParseDate(text);
        if (!date)
        {
            error.Fail("TIMESTAMP", text, "must be a time such as 2023-11-16 18:17:03.9799600");
        }
        return *date;
    }
    const bool inSeconds = format == TimeFormat::Seconds;
    double value = 0;
    const double most = inSeconds ? longestSeconds : 1e3 * longestSeconds;
    if (!Parse(text, value) || !(value >= 0) || value > most)
    {
        error.Fail("timestamp",
                   text,
                   inSeconds ? "must be a number of seconds >= 0"
                             : "must be a number of milliseconds >= 0");
    }
    return std::llround(value * (inSeconds ? 1e9 : 1e6));
}

std::uint32_t
TokensOf(std::string_view text, const RowError& error)
{
    std::uint32_t tokens = 0;
    if (!Parse(text, tokens) || tokens < 1 || tokens > mostTokens)
    {
        error.Fail("tokens", text, "must be a whole number from 1 to 10000000");
    }
    return tokens;
}

/// Returns a line of Mooncake's own format as the cells of a row.
std::pair<std::string, std::string>
CellsOfJson(std::string_view line, const RowError& error)
{
    const auto row = nlohmann::json::parse(line, nullptr, false);
    const auto isNumber = [&row](const char* key)
    { return row.contains(key) && row[key].is_number(); };
    if (!row.is_object() || !isNumber("timestamp") || !isNumber("input_length"))
    {
        error.Fail("",
                   line.substr(0, 60),
                   "must be a JSON object with the numbers timestamp and input_length");
    }
    return {row["timestamp"].dump(), row["input_length"].dump()};
}

} // namespace

std::vector<RequestTraceRow>
ParseRequestTrace(const std::string& name, const std::string& text)
{
    std::istringstream stream(text);
    std::string line;
    std::vector<RequestTraceRow> rows;
    std::int64_t first = 0;
    Columns columns;
    bool isJson = false;
    for (std::size_t number = 1; std::getline(stream, line); ++number)
    {
        line.erase(line.find_last_not_of("\r\n\t ") + 1);
        const RowError error(name, number);
        if (number == 1)
        {
            isJson = !line.empty() && line.front() == '{';
            if (!isJson)
            {
                columns = ReadHeader(Split(line), error);
                continue;
            }
            columns.format = TimeFormat::Milliseconds;
        }
        if (line.empty())
        {
            continue;
        }
        std::pair<std::string, std::string> json;
        Cells cells;
        if (isJson)
        {
            json = CellsOfJson(line, error);
        }
        else
        {
            cells = Split(line);
            if (cells.size() != columns.count)
            {
                error.Fail("", line, "must have " + std::to_string(columns.count) + " cells");
            }
        }
        const std::int64_t at =
            TimeOf(isJson ? json.first : cells[columns.time], columns.format, error);
        const std::uint32_t tokens = TokensOf(isJson ? json.second : cells[columns.tokens], error);
        first = rows.empty() ? at : first;
        if (!rows.empty() && at - first < rows.back().sinceFirst.ToNanoseconds())
        {
            error.Fail("timestamp",
                       isJson ? json.first : cells[columns.time],
                       "must not be before that of the row above: sort the rows by time");
        }
        rows.push_back({Duration::Nanoseconds(at - first), tokens});
    }
    if (rows.empty())
    {
        throw ConfigError(name, "", "", "must hold at least one request");
    }
    return rows;
}

std::vector<RequestTraceRow>
ReadRequestTrace(const std::string& path)
{
    return ParseRequestTrace(path, ReadTextFile(path));
}

RequestTrace::RequestTrace(std::vector<RequestTraceRow> rows, double rateFactor)
    : m_rows(std::move(rows)),
      m_rateFactor(rateFactor)
{
}

std::optional<PrefillRequest>
RequestTrace::Next()
{
    if (m_next == m_rows.size())
    {
        return std::nullopt;
    }
    const RequestTraceRow& row = m_rows[m_next++];
    const double nanoseconds =
        std::min(static_cast<double>(row.sinceFirst.ToNanoseconds()) / m_rateFactor, latest);
    return PrefillRequest{
        m_next, Instant() + Duration::Nanoseconds(std::llround(nanoseconds)), row.promptTokens};
}

} // namespace geotrain
