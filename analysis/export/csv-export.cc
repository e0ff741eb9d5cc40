// SPDX-License-Identifier: GPL-2.0-only
#include "export/csv-export.h"

#include "export/enum-name.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <memory>

namespace geotrain
{

namespace
{

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Returns the text, quoted where it must be (RFC 4180 section 2).
std::string
Cell(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string
CellOf(const Message& message, const FieldDescriptor& field)
{
    const auto& fields = *message.GetReflection();
    if (field.is_repeated()) // a list of strings; lists of messages have tables of their own
    {
        std::string joined;
        for (int index = 0; index < fields.FieldSize(message, &field); ++index)
        {
            joined += (index == 0 ? "" : ";") + fields.GetRepeatedString(message, &field, index);
        }
        return Cell(joined);
    }
    switch (field.cpp_type())
    {
    case FieldDescriptor::CPPTYPE_UINT32:
        return std::to_string(fields.GetUInt32(message, &field));
    case FieldDescriptor::CPPTYPE_UINT64:
        return std::to_string(fields.GetUInt64(message, &field));
    case FieldDescriptor::CPPTYPE_INT64:
        return std::to_string(fields.GetInt64(message, &field));
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return fmt::format("{}", fields.GetDouble(message, &field));
    case FieldDescriptor::CPPTYPE_BOOL:
        return fields.GetBool(message, &field) ? "1" : "0";
    case FieldDescriptor::CPPTYPE_ENUM:
        return NameOf(*fields.GetEnum(message, &field));
    case FieldDescriptor::CPPTYPE_STRING:
        return Cell(fields.GetString(message, &field));
    default:
        throw std::logic_error("csv-export: trace.proto has a field of a type without a cell");
    }
}

/// CsvTable writes one file, with a column per field that is no message.
class CsvTable
{
  public:
    CsvTable(const std::filesystem::path& path, const Descriptor& type)
        : m_result(path),
          m_file(m_result.Beside(), std::ios::binary | std::ios::trunc)
    {
        std::string line;
        for (int index = 0; index < type.field_count(); ++index)
        {
            const FieldDescriptor& field = *type.field(index);
            if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
            {
                m_columns.push_back(&field);
                line += (line.empty() ? "" : ",") + field.name();
            }
        }
        m_file << line << '\n';
    }

    void Add(const Message& message)
    {
        for (std::size_t column = 0; column < m_columns.size(); ++column)
        {
            m_file << (column == 0 ? "" : ",") << CellOf(message, *m_columns[column]);
        }
        m_file << '\n';
    }

    void Finish(const std::filesystem::path& path)
    {
        m_file.close();
        if (!m_file)
        {
            throw WriteFailure(path);
        }
        m_result.MoveIntoPlace();
    }

  private:
    ResultFile m_result;
    std::ofstream m_file;
    std::vector<const FieldDescriptor*> m_columns;
};

/// CsvTables holds the tables by name.
class CsvTables
{
  public:
    explicit CsvTables(const std::filesystem::path& folder)
        : m_folder(folder)
    {
        Open("nodes", *trace::Node::descriptor());
        Open("workers", *trace::Worker::descriptor());
        const Descriptor& record = *trace::Record::descriptor();
        for (int index = 0; index < record.field_count(); ++index)
        {
            Open(TableOf(*record.field(index)), *record.field(index)->message_type());
        }
    }

    void Add(const std::string& table, const Message& row)
    {
        m_tables.at(table)->Add(row);
    }

    void Add(const trace::Record& record)
    {
        const auto& kind = *trace::Record::descriptor()->FindFieldByNumber(record.kind_case());
        Add(TableOf(kind), record.GetReflection()->GetMessage(record, &kind));
    }

    std::vector<std::filesystem::path> Finish()
    {
        std::vector<std::filesystem::path> files;
        for (auto& [name, table] : m_tables)
        {
            files.push_back(PathOf(name));
            table->Finish(files.back());
        }
        return files;
    }

  private:
    /// Returns the name of a kind's table: "gpu_spans" for gpu_span.
    static std::string TableOf(const FieldDescriptor& kind)
    {
        const std::string& name = kind.name();
        if (kind.number() == trace::Record::kRunHeader)
        {
            return "run";
        }
        return name.back() == 's' || kind.number() == trace::Record::kRunEnd ? name : name + "s";
    }

    std::filesystem::path PathOf(const std::string& name) const
    {
        return m_folder / (name + ".csv");
    }

    void Open(const std::string& name, const Descriptor& type)
    {
        m_tables[name] = std::make_unique<CsvTable>(PathOf(name), type);
    }

    std::filesystem::path m_folder;
    std::map<std::string, std::unique_ptr<CsvTable>> m_tables;
};

} // namespace

std::vector<std::filesystem::path>
ExportCsv(TraceReader& reader, const std::filesystem::path& folder)
{
    CsvTables tables(folder);
    tables.Add("run", reader.Header());
    for (const auto& node : reader.Header().nodes())
    {
        tables.Add("nodes", node);
    }
    for (const auto& worker : reader.Header().workers())
    {
        tables.Add("workers", worker);
    }
    while (const auto record = reader.Next())
    {
        tables.Add(*record);
    }
    reader.RefuseTruncated();
    return tables.Finish();
}

} // namespace geotrain
