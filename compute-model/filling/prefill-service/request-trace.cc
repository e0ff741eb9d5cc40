// SPDX-License-Identifier: GPL-2.0-only
#include "prefill-service/request-trace.h"

#include "units/config-error.h"
#include "units/csv-cells.h"
#include "units/json-text.h"
#include "units/text-file.h"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>
#include <set>
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
    Open ///< seconds or milliseconds
};

/// The columns by which Bailian's traces are known from Mooncake's.
const std::set<std::string> columnsOfBailian{"chat_id", "parent_chat_id", "turn", "type"};

/// Columns says which columns a trace's rows have.
struct Columns
{
    TimeFormat format = TimeFormat::Open;
    bool hasChats = false; ///< one of columnsOfBailian
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
        boost::trim(cell);
    }
    return cells;
}

Columns
ReadHeader(const Cells& header, const RowError& error)
{
    const auto find = [&](std::string_view name)
    {
        const auto found =
            std::find_if(header.begin(),
                         header.end(),
                         [&](const std::string& cell) { return boost::iequals(cell, name); });
        return static_cast<std::size_t>(found - header.begin());
    };
    const std::size_t none = header.size();
    const std::pair<const char*, TimeFormat> kinds[] = {{"contexttokens", TimeFormat::Date},
                                                        {"request tokens", TimeFormat::Seconds},
                                                        {"input_length", TimeFormat::Open}};
    const bool hasChats = std::any_of(columnsOfBailian.begin(),
                                      columnsOfBailian.end(),
                                      [&](const std::string& name) { return find(name) != none; });
    for (const auto& [name, format] : kinds)
    {
        if (find(name) != none && find("timestamp") != none)
        {
            return {format, hasChats, find("timestamp"), find(name), none};
        }
    }
    error.Fail("",
               "",
               "must name the columns TIMESTAMP and one of ContextTokens (Azure), Request tokens "
               "(BurstGPT), input_length (Mooncake, Bailian)");
}

template <typename Number>
bool
Parse(std::string_view text, Number& value)
{
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && rest == text.data() + text.size();
}

/// Reads "2023-11-16 18:17:03.9799600", with a UTC suffix or none, as nanoseconds since 1970.
std::optional<std::int64_t>
ParseDate(const std::string& text)
{
    std::tm day{};
    std::tm time{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%d", &day);
    rest = rest && (*rest == ' ' || *rest == 'T') ? strptime(rest + 1, "%H:%M:%S", &time) : nullptr;
    const std::tm written = day;
    const std::time_t midnight = timegm(&day); // of another day where the month has none such
    if (!rest || day.tm_mday != written.tm_mday || day.tm_year < 70 || day.tm_year >= 200)
    {
        return std::nullopt;
    }
    std::string digits;
    if (*rest == '.')
    {
        digits.assign(rest + 1, std::strspn(rest + 1, "0123456789"));
        rest += digits.empty() ? 0 : 1 + digits.size();
    }
    const std::string_view zone = rest;
    const bool isUtc = zone.empty() || zone == "Z" || zone.substr(0, 6) == "+00:00";
    if (!isUtc || digits.size() > 9)
    {
        return std::nullopt;
    }
    digits.resize(9, '0');
    std::int64_t nanoseconds = 0;
    Parse(std::string_view(digits), nanoseconds);
    const std::int64_t seconds = midnight + (time.tm_hour * 60 + time.tm_min) * 60 + time.tm_sec;
    return seconds * 1000000000 + nanoseconds;
}

/// Returns a time in nanoseconds; `unit` is Auto for dates.
std::int64_t
TimeOf(const std::string& text, TraceTime unit, const RowError& error)
{
    if (unit == TraceTime::Auto)
    {
        const auto date = ParseDate(text);
        if (!date)
        {
            error.Fail("TIMESTAMP", text, "must be a time such as 2023-11-16 18:17:03.9799600");
        }
        return *date;
    }
    const bool inSeconds = unit == TraceTime::Seconds;
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

/// A TraceRow is what a line says of a request.
struct TraceRow
{
    std::string time;
    std::string tokens;
    std::size_t line = 0;
};

TraceRow
ReadCells(std::string_view line, const Columns& columns, const RowError& error)
{
    const Cells cells = Split(line);
    if (cells.size() != columns.count)
    {
        error.Fail("", line, "must have " + std::to_string(columns.count) + " cells");
    }
    return {cells[columns.time], cells[columns.tokens]};
}

/// Reads a line of Mooncake's and Bailian's own format; `columns` learns which of them it is.
TraceRow
ReadJson(std::string_view line, const RowError& error, Columns& columns)
{
    const auto row = TryJson(line);
    const auto isNumber = [&row](const char* key)
    { return row.contains(key) && row[key].is_number(); };
    if (!row.is_object() || !isNumber("timestamp") || !isNumber("input_length"))
    {
        error.Fail("",
                   line.substr(0, 60),
                   "must be a JSON object with the numbers timestamp and input_length");
    }
    columns.hasChats = columns.hasChats ||
                       std::any_of(columnsOfBailian.begin(),
                                   columnsOfBailian.end(),
                                   [&row](const std::string& key) { return row.contains(key); });
    return {row["timestamp"].dump(), row["input_length"].dump()};
}

/// Reads the rows of a text, and says in `columns` what they are.
std::vector<TraceRow>
ReadRows(const std::string& name, const std::string& text, Columns& columns)
{
    std::istringstream stream(text);
    std::string line;
    std::vector<TraceRow> rows;
    bool isJson = false;
    for (std::size_t number = 1; std::getline(stream, line); ++number)
    {
        line.erase(line.find_last_not_of("\r\n\t ") + 1);
        const RowError error(name, number);
        isJson = number == 1 ? !line.empty() && line.front() == '{' : isJson;
        if (number == 1 && !isJson)
        {
            columns = ReadHeader(Split(line), error);
        }
        else if (!line.empty())
        {
            rows.push_back(isJson ? ReadJson(line, error, columns)
                                  : ReadCells(line, columns, error));
            rows.back().line = number;
        }
    }
    return rows;
}

/// Returns the unit of the times; Auto for dates. A guess among open ones is put into `guess`.
TraceTime
UnitOf(const std::vector<TraceRow>& rows, const Columns& columns, std::string& guess)
{
    if (columns.format != TimeFormat::Open)
    {
        return columns.format == TimeFormat::Date ? TraceTime::Auto : TraceTime::Seconds;
    }
    const auto hasFraction = [](const TraceRow& row)
    {
        double time = 0;
        return Parse(row.time, time) && time != std::floor(time);
    };
    const bool areSeconds = columns.hasChats || std::any_of(rows.begin(), rows.end(), hasFraction);
    guess = areSeconds ? "seconds" : "milliseconds";
    return areSeconds ? TraceTime::Seconds : TraceTime::Milliseconds;
}

} // namespace

RequestTraceFile
ParseRequestTrace(const std::string& name, const std::string& text, TraceTime time)
{
    Columns columns;
    const auto read = ReadRows(name, text, columns);
    if (read.empty())
    {
        throw ConfigError(name, "", "", "must hold at least one request");
    }
    if (columns.format == TimeFormat::Date && time != TraceTime::Auto)
    {
        throw ConfigError(name, "TIMESTAMP", "", "is a date: trace_time must be AUTO");
    }
    RequestTraceFile file;
    time = time == TraceTime::Auto ? UnitOf(read, columns, file.guess) : time;
    std::int64_t first = 0;
    for (const TraceRow& row : read)
    {
        const RowError error(name, row.line);
        const std::int64_t at = TimeOf(row.time, time, error);
        first = file.rows.empty() ? at : first;
        if (!file.rows.empty() && at - first < file.rows.back().sinceFirst.ToNanoseconds())
        {
            error.Fail("timestamp",
                       row.time,
                       "must not be before that of the row above: sort the rows by time");
        }
        file.rows.push_back({Duration::Nanoseconds(at - first), TokensOf(row.tokens, error)});
    }
    return file;
}

RequestTraceFile
ReadRequestTrace(const std::string& path, TraceTime time)
{
    return ParseRequestTrace(path, ReadTextFile(path), time);
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
