// SPDX-License-Identifier: GPL-2.0-only
#include "export/csv-export.h"

#include "export/name-columns.h"
#include "trace/csv-cell.h"
#include "trace/enum-name.h"
#include "trace/job-view.h"
#include "trace/result-file.h"
#include "trace/trace-error.h"
#include "trace/trace-reader.h"

#include <fmt/format.h>

#include <algorithm>
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
    /// The file's line of heads begins with `before` and ends with `after`.
    CsvTable(const std::filesystem::path& path, const std::string& before, const std::string& after)
        : m_path(path),
          m_result(path),
          m_before(before),
          m_after(after)
    {
        errno = 0;
        m_file.open(m_result.Beside(), std::ios::binary | std::ios::trunc);
        RequireWritten();
    }

    /// Adds a row, after the line of heads where it is the first. `before` comes first in the row,
    /// and `after` last.
    void Add(const Message& message,
             const std::string& before,
             const std::string& after,
             const trace::RunHeader& header)
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
        AddLine(line.substr(0, line.size() - 1) + after);
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
        AddLine(heads.substr(0, heads.size() - 1) + m_after);
    }

    std::filesystem::path m_path;
    ResultFile m_result;
    std::ofstream m_file;
    std::string m_before;
    std::string m_after;
    std::vector<Column> m_columns;
};

/// CsvTables holds the tables by name. A table comes into being with its first row.
class CsvTables
{
  public:
    /// Tables have the column `of_job` where some of the runs have jobs.
    CsvTables(const std::filesystem::path& folder, bool ofComparison, bool hasJobs)
        : m_folder(folder),
          m_ofComparison(ofComparison),
          m_hasJobs(hasJobs)
    {
    }

    /// Adds a run's records, job by job.
    void Add(const ResultRun& run)
    {
        const auto trace = (run.folder / "trace.pb").string();
        const auto jobs = JobNames(TraceReader(trace).HeaderOfRun());
        for (std::uint32_t job = 0; job < jobs.size(); ++job)
        {
            TraceReader reader(trace, job);
            AddJob(reader, run);
            SetJob(jobs[job]);
            const auto suffix = jobs[job].empty() ? "" : "-" + jobs[job];
            AddTable("flows", run.folder / ("flows" + suffix + ".csv"));
        }
        m_job = "";
        AddTable("summary", run.folder / "summary.csv");
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
    /// Adds the records that the job of `reader` sees. Those of the whole run come with the first
    /// job.
    void AddJob(TraceReader& reader, const ResultRun& run)
    {
        const auto& header = reader.Header();
        m_run = ""; // the header has columns of its own for variant, seed and job
        m_job = "";
        Add("run", header, header);
        if (m_ofComparison)
        {
            m_run = fmt::format("{},{},", CsvCell(run.variant), header.seed());
        }
        SetJob("");
        for (int node = 0; reader.Job() == 0 && node < header.nodes_size(); ++node)
        {
            AddNumbered("nodes", "node", node, header.nodes(node), header);
        }
        SetJob(header.job());
        for (int worker = 0; worker < header.workers_size(); ++worker)
        {
            AddNumbered("workers", "worker", worker, header.workers(worker), header);
        }
        while (const auto record = reader.Next())
        {
            const bool isOfRun = IsOfRun(*record) && !record->has_run_end();
            if (isOfRun && reader.Job() > 0)
            {
                continue;
            }
            SetJob(isOfRun ? "" : header.job());
            const auto& kind = *trace::Record::descriptor()->FindFieldByNumber(record->kind_case());
            Add(TableOf(kind), record->GetReflection()->GetMessage(*record, &kind), header);
        }
        reader.RefuseTruncated();
    }

    /// Says whose the next rows are.
    void SetJob(const std::string& job)
    {
        m_job = m_hasJobs ? "," + CsvCell(job) : "";
    }

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
            const bool namesJob = name == "run" || name == "summary"; // by a column `job`
            table = std::make_unique<CsvTable>(
                PathOf(name), before + firstHeads, m_hasJobs && !namesJob ? ",of_job" : "");
        }
        return *table;
    }

    void Add(const std::string& table, const Message& row, const trace::RunHeader& header)
    {
        Table(table, "").Add(row, m_run, m_job, header);
    }

    /// Adds a row that begins with its own id.
    void AddNumbered(const std::string& table,
                     const std::string& id,
                     int number,
                     const Message& row,
                     const trace::RunHeader& header)
    {
        Table(table, id + ",").Add(row, m_run + std::to_string(number) + ",", m_job, header);
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
            Table(name, "").AddLine((m_ofComparison ? "variant,seed," : "") + line +
                                    (m_job.empty() ? "" : ",of_job"));
        }
        while (std::getline(file, line))
        {
            Table(name, "").AddLine(m_run + line + m_job);
        }
    }

    std::filesystem::path m_folder;
    bool m_ofComparison;
    bool m_hasJobs;
    std::string m_run; ///< first cells of the run's rows: variant and seed
    std::string m_job; ///< last cell of a row, with its comma; empty where there is none
    std::map<std::string, std::unique_ptr<CsvTable>> m_tables;
};

} // namespace

std::vector<std::filesystem::path>
ExportCsv(const std::vector<ResultRun>& runs, const std::filesystem::path& folder)
{
    const bool ofComparison = runs.size() > 1 || (!runs.empty() && !runs.front().variant.empty());
    const auto isOfJobs = [](const ResultRun& run)
    { return !TraceReader((run.folder / "trace.pb").string()).Header().job().empty(); };
    const bool hasJobs = std::any_of(runs.begin(), runs.end(), isOfJobs);
    CsvTables tables(folder, ofComparison, hasJobs);
    for (const auto& run : runs)
    {
        tables.Add(run);
    }
    return tables.Finish();
}

} // namespace geotrain
