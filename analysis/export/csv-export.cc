// SPDX-License-Identifier: GPL-2.0-only
#include "export/csv-export.h"

#include "export/enum-name.h"
#include "export/name-columns.h"
#include "trace/csv-cell.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <cerrno>
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
        return CsvCell(joined);
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
        return CsvCell(fields.GetString(message, &field));
    default:
        throw std::logic_error("csv-export: trace.proto has a field of a type without a cell");
    }
}

/// A Column is a field, or a field of a message that is a field.
struct Column
{
    const FieldDescriptor* outer = nullptr; ///< the field that holds the message; may be null
    const FieldDescriptor* field = nullptr;

    std::string Name() const
    {
        return (outer != nullptr ? outer->name() + "_" : "") + field->name();
    }

    /// Returns the message that has the field; nullptr where it is not set.
    const Message* Holder(const Message& row) const
    {
        if (outer == nullptr)
        {
            return &row;
        }
        const auto& fields = *row.GetReflection();
        return fields.HasField(row, outer) ? &fields.GetMessage(row, outer) : nullptr;
    }
};

std::vector<Column>
ColumnsOf(const Descriptor& type, const FieldDescriptor* outer = nullptr)
{
    std::vector<Column> columns;
    for (int index = 0; index < type.field_count(); ++index)
    {
        const FieldDescriptor& field = *type.field(index);
        if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
        {
            columns.push_back({outer, &field});
        }
        else if (!field.is_repeated()) // lists of messages have tables of their own
        {
            const auto inner = ColumnsOf(*field.message_type(), &field);
            columns.insert(columns.end(), inner.begin(), inner.end());
        }
    }
    return columns;
}

/// CsvTable writes one file.
class CsvTable
{
  public:
    /// The file's line of heads begins with `before`.
    CsvTable(const std::filesystem::path& path, const std::string& before)
        : m_path(path),
          m_result(path),
          m_before(before)
    {
        errno = 0;
        m_file.open(m_result.Beside(), std::ios::binary | std::ios::trunc);
        RequireWritten();
    }

    /// Adds a row, after the line of heads where it is the first. `before` comes first in the row.
    void Add(const Message& message, const std::string& before, const trace::RunHeader& header)
    {
        if (m_columns.empty())
        {
            m_columns = ColumnsOf(*message.GetDescriptor());
            WriteHeads(*message.GetDescriptor());
        }
        std::string line = before;
        for (const auto& column : m_columns)
        {
            const auto* holder = column.Holder(message);
            line += (holder == nullptr ? "" : CellOf(*holder, *column.field)) + ",";
        }
        for (const auto& column : m_columns)
        {
            if (IsId(*column.field))
            {
                const auto* holder = column.Holder(message);
                line +=
                    (holder == nullptr ? "" : CsvCell(NameOfId(*holder, *column.field, header))) +
                    ",";
            }
        }
        if (const auto flow = FlowName(message, header))
        {
            line += CsvCell(*flow) + ",";
        }
        AddLine(line.substr(0, line.size() - 1));
    }

    void AddLine(const std::string& line)
    {
        errno = 0;
        m_file << line << '\n';
        RequireWritten();
    }

    void Finish()
    {
        errno = 0;
        m_file.close();
        RequireWritten();
        m_result.MoveIntoPlace();
    }

  private:
    /// Throws the reason that the system gave last where the file could not be written.
    void RequireWritten() const
    {
        if (!m_file)
        {
            throw WriteFailure(m_path);
        }
    }

    void WriteHeads(const Descriptor& type)
    {
        std::string heads = m_before;
        std::string names;
        for (const auto& column : m_columns)
        {
            heads += column.Name() + ",";
            names += IsId(*column.field) ? column.Name() + "_name," : "";
        }
        heads += names + (&type == trace::FlowSample::descriptor() ? "flow," : "");
        AddLine(heads.substr(0, heads.size() - 1));
    }

    std::filesystem::path m_path;
    ResultFile m_result;
    std::ofstream m_file;
    std::string m_before;
    std::vector<Column> m_columns;
};

/// CsvTables holds the tables by name. A table comes into being with its first row.
class CsvTables
{
  public:
    CsvTables(const std::filesystem::path& folder, bool ofComparison)
        : m_folder(folder),
          m_ofComparison(ofComparison)
    {
    }

    /// Adds a run's records.
    void Add(const ResultRun& run)
    {
        TraceReader reader((run.folder / "trace.pb").string());
        const auto& header = reader.Header();
        m_run = ""; // the header has columns of its own for variant and seed
        Add("run", header, header);
        if (m_ofComparison)
        {
            m_run = fmt::format("{},{},", CsvCell(run.variant), header.seed());
        }
        for (int node = 0; node < header.nodes_size(); ++node)
        {
            AddNumbered("nodes", "node", node, header.nodes(node), header);
        }
        for (int worker = 0; worker < header.workers_size(); ++worker)
        {
            AddNumbered("workers", "worker", worker, header.workers(worker), header);
        }
        while (const auto record = reader.Next())
        {
            const auto& kind = *trace::Record::descriptor()->FindFieldByNumber(record->kind_case());
            Add(TableOf(kind), record->GetReflection()->GetMessage(*record, &kind), header);
        }
        reader.RefuseTruncated();
        AddTable("summary", run.folder / "summary.csv");
        AddTable("flows", run.folder / "flows.csv");
    }

    /// Moves all tables into place, and removes those of an earlier export that have no rows now.
    std::vector<std::filesystem::path> Finish()
    {
        std::vector<std::filesystem::path> files;
        for (auto& [name, table] : m_tables)
        {
            files.push_back(PathOf(name));
            table->Finish();
        }
        const auto& kinds = *trace::Record::descriptor()->oneof_decl(0);
        for (int index = 0; index < kinds.field_count(); ++index)
        {
            const auto name = TableOf(*kinds.field(index));
            if (m_tables.count(name) == 0)
            {
                std::filesystem::remove(PathOf(name));
            }
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

    CsvTable& Table(const std::string& name, const std::string& firstHeads)
    {
        auto& table = m_tables[name];
        if (!table)
        {
            const bool ofRun = m_ofComparison && name != "run";
            const std::string before = ofRun ? "variant,seed," : "";
            table = std::make_unique<CsvTable>(PathOf(name), before + firstHeads);
        }
        return *table;
    }

    void Add(const std::string& table, const Message& row, const trace::RunHeader& header)
    {
        Table(table, "").Add(row, m_run, header);
    }

    /// Adds a row that begins with its own id.
    void AddNumbered(const std::string& table,
                     const std::string& id,
                     int number,
                     const Message& row,
                     const trace::RunHeader& header)
    {
        Table(table, id + ",").Add(row, m_run + std::to_string(number) + ",", header);
    }

    /// Adds the rows of a table of the run's folder, which need not be there: a run that did not
    /// finish has none.
    void AddTable(const std::string& name, const std::filesystem::path& path)
    {
        std::ifstream file(path);
        std::string line;
        if (!std::getline(file, line))
        {
            return;
        }
        if (m_tables.count(name) == 0)
        {
            Table(name, "").AddLine((m_ofComparison ? "variant,seed," : "") + line);
        }
        while (std::getline(file, line))
        {
            Table(name, "").AddLine(m_run + line);
        }
    }

    std::filesystem::path m_folder;
    bool m_ofComparison;
    std::string m_run; ///< first cells of the run's rows: variant and seed
    std::map<std::string, std::unique_ptr<CsvTable>> m_tables;
};

} // namespace

std::vector<std::filesystem::path>
ExportCsv(const std::vector<ResultRun>& runs, const std::filesystem::path& folder)
{
    const bool ofComparison = runs.size() > 1 || (!runs.empty() && !runs.front().variant.empty());
    CsvTables tables(folder, ofComparison);
    for (const auto& run : runs)
    {
        tables.Add(run);
    }
    return tables.Finish();
}

} // namespace geotrain
