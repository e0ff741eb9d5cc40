// SPDX-License-Identifier: GPL-2.0-only
#include "trace/trace-check.h"

#include "trace/job-view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace geotrain
{

namespace
{

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;

/// Largest legal time of either sign, about 127 years; the difference of two such times fits into
/// 64 bits.
constexpr std::int64_t farthestNs = 4000000000000000000;

/// Names of jobs are parts of the names of files.
constexpr const char* lettersOfJobs =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";

/// Fields that are lengths of time. All other times are instants, which may lie in the warm-up, before
/// time 0.
const std::set<std::string> lengths{"absolute_error_ns",
                                    "duration_ns",
                                    "held_ns",
                                    "largest_error_ns",
                                    "mean_queueing_ns",
                                    "propagation_ns",
                                    "round_trip_ns",
                                    "rtt_ns",
                                    "serialisation_ns",
                                    "useful_ns",
                                    "window_ns"};
const std::set<std::string> lengthsAboveZero{"interval_ns", "length_ns"};

/// Instants of a type of message that come one after the other, or at once.
const std::multimap<std::string, std::vector<std::string>> orders{
    {"GpuSpan", {"start_ns", "end_ns"}},
    {"MessageSpan", {"queued_ns", "send_start_ns", "first_byte_ns", "delivered_ns"}},
    {"MessageSpan", {"send_start_ns", "sent_ns", "delivered_ns"}},
    {"CollectiveSpan", {"joined_ns", "ended_ns"}},
    {"FillSpan", {"start_ns", "end_ns"}},
    {"Request", {"arrival_ns", "decided_ns"}},
    {"TransferSpan", {"start_ns", "first_byte_ns", "delivered_ns"}},
    {"TransferSpan", {"start_ns", "sent_ns", "delivered_ns"}},
    {"TransferFlow", {"start_ns", "stop_ns"}}};

/// A Rule is what the fields of a message must hold to. Its text follows the message's name.
struct Rule
{
    std::string text;
    std::function<bool(const Message&, const trace::RunHeader&)> holds;
};

std::int64_t
TimeIn(const Message& message, const FieldDescriptor* field)
{
    return message.GetReflection()->GetInt64(message, field);
}

template <typename List>
bool
Has(const List& list, std::uint32_t index)
{
    return index < static_cast<std::uint32_t>(list.size());
}

/// Returns the rule of a number that refers to an entry of the header; none of other numbers.
std::optional<Rule>
RuleOfReference(const FieldDescriptor* field)
{
    const auto numberIn = [field](const Message& message)
    { return message.GetReflection()->GetUInt32(message, field); };
    const auto& name = field->name();
    if (name == "worker" || name == "sender" || name == "receiver")
    {
        return Rule{"must be a worker of the run header",
                    [=](const Message& message, const trace::RunHeader& header)
                    { return Has(header.workers(), numberIn(message)); }};
    }
    if (name == "node" || name == "source" || name == "destination")
    {
        return Rule{"must be a node of the run header",
                    [=](const Message& message, const trace::RunHeader& header)
                    { return Has(header.nodes(), numberIn(message)); }};
    }
    if (name == "flow_number")
    {
        return Rule{"must be of a flow of the run header",
                    [=](const Message& message, const trace::RunHeader& header)
                    {
                        const auto number = numberIn(message);
                        return number == 0 || Has(header.transfers().flows(), number - 1);
                    }};
    }
    return std::nullopt;
}

Rule
RuleOfTime(const FieldDescriptor* field)
{
    const std::int64_t least = lengthsAboveZero.count(field->name()) > 0 ? 1
                               : lengths.count(field->name()) > 0        ? 0
                                                                         : -farthestNs;
    return {fmt::format("must be {}within 127 years",
                        least == 1   ? "> 0 and "
                        : least == 0 ? ">= 0 and "
                                     : ""),
            [=](const Message& message, const auto& /*header*/)
            { return TimeIn(message, field) >= least && TimeIn(message, field) <= farthestNs; }};
}

/// Returns the rule of a field that is no message and no list; nothing where any value is legal.
std::optional<Rule>
RuleOfField(const FieldDescriptor* field)
{
    switch (field->cpp_type())
    {
    case FieldDescriptor::CPPTYPE_UINT32:
        return RuleOfReference(field);
    case FieldDescriptor::CPPTYPE_INT64:
        return RuleOfTime(field);
    case FieldDescriptor::CPPTYPE_ENUM:
        return Rule{"must be known",
                    [=](const Message& message, const auto& /*header*/)
                    {
                        const int value = message.GetReflection()->GetEnumValue(message, field);
                        return value != 0 && field->enum_type()->FindValueByNumber(value);
                    }};
    case FieldDescriptor::CPPTYPE_DOUBLE:
        return Rule{"must be a number >= 0",
                    [=](const Message& message, const auto& /*header*/)
                    {
                        const double value = message.GetReflection()->GetDouble(message, field);
                        return std::isfinite(value) && value >= 0;
                    }};
    default:
        return std::nullopt;
    }
}

/// Returns all rules that the types and names of a message's fields tell.
std::vector<Rule>
MakeRules(const Descriptor& type)
{
    std::vector<Rule> rules;
    for (int i = 0; i < type.field_count(); ++i)
    {
        auto rule = type.field(i)->is_repeated() ? std::nullopt : RuleOfField(type.field(i));
        if (rule)
        {
            rules.push_back({"." + type.field(i)->name() + ": " + rule->text, rule->holds});
        }
    }
    const auto [first, last] = orders.equal_range(type.name());
    for (auto order = first; order != last; ++order)
    {
        std::vector<const FieldDescriptor*> fields;
        for (const auto& name : order->second)
        {
            fields.push_back(type.FindFieldByName(name));
        }
        rules.push_back({fmt::format(": {} must be in order", fmt::join(order->second, ", ")),
                         [=](const Message& message, const auto& /*header*/)
                         {
                             const auto isBefore = [&](const auto* a, const auto* b)
                             { return TimeIn(message, a) < TimeIn(message, b); };
                             return std::is_sorted(fields.begin(), fields.end(), isBefore);
                         }});
    }
    return rules;
}

/// TypeRules are the rules of a type of message, and where it holds others. They are made once, since
/// each record of a trace asks for them.
struct TypeRules
{
    std::vector<Rule> rules;
    std::vector<const FieldDescriptor*> messages; ///< lists among them
    const OneofDescriptor* choice = nullptr;      ///< of which one message is set: a record's kind
};

TypeRules
MakeTypeRules(const Descriptor& type)
{
    TypeRules made;
    made.rules = MakeRules(type);
    made.choice = type.real_oneof_decl_count() > 0 ? type.oneof_decl(0) : nullptr;
    for (int i = 0; i < type.field_count(); ++i)
    {
        const auto* field = type.field(i);
        if (field->message_type() != nullptr && field->real_containing_oneof() == nullptr)
        {
            made.messages.push_back(field);
        }
    }
    return made;
}

const TypeRules&
RulesOf(const Descriptor* type)
{
    static const auto all = []
    {
        std::unordered_map<const Descriptor*, TypeRules> rules;
        const auto& file = *trace::Record::descriptor()->file();
        for (int i = 0; i < file.message_type_count(); ++i)
        {
            rules.emplace(file.message_type(i), MakeTypeRules(*file.message_type(i)));
        }
        return rules;
    }();
    return all.at(type);
}

/// Returns the rule that the message, or a message in it, breaks: ".worker: must be a worker of the
/// run header" follows the message's own name. Empty where it breaks none.
std::string
BrokenRuleOf(const Message& message, const trace::RunHeader& header)
{
    const TypeRules& type = RulesOf(message.GetDescriptor());
    for (const auto& rule : type.rules)
    {
        if (!rule.holds(message, header))
        {
            return rule.text;
        }
    }
    const auto& in = *message.GetReflection();
    const auto brokenIn = [&](const FieldDescriptor* field)
    {
        const bool isList = field->is_repeated();
        const int count = isList                        ? in.FieldSize(message, field)
                          : in.HasField(message, field) ? 1
                                                        : 0;
        for (int i = 0; i < count; ++i)
        {
            const auto broken = BrokenRuleOf(isList ? in.GetRepeatedMessage(message, field, i)
                                                    : in.GetMessage(message, field),
                                             header);
            if (!broken.empty())
            {
                return "." + field->name() + broken;
            }
        }
        return std::string();
    };
    const auto* chosen =
        type.choice == nullptr ? nullptr : in.GetOneofFieldDescriptor(message, type.choice);
    std::string broken =
        chosen == nullptr || chosen->message_type() == nullptr ? "" : brokenIn(chosen);
    for (std::size_t i = 0; i < type.messages.size() && broken.empty(); ++i)
    {
        broken = brokenIn(type.messages[i]);
    }
    return broken;
}

std::string
BrokenRuleOfFill(const trace::RunHeader& header, const trace::FillSpan& span)
{
    if (span.gpu() >= header.workers(static_cast<int>(span.worker())).gpus())
    {
        return "fill_span.gpu: must be a GPU of the worker";
    }
    return span.useful_ns() <= span.end_ns() - span.start_ns()
               ? ""
               : "fill_span.useful_ns: must be no longer than it takes";
}

std::string
BrokenRuleOfTransfers(const trace::Transfers& transfers)
{
    if (transfers.duration_ns() != 0)
    {
        return transfers.flows().empty() ? "run_header.transfers.flows: must not be empty" : "";
    }
    return transfers.bytes() > 0 && transfers.messages() > 0 && transfers.connections() > 0
               ? ""
               : "run_header.transfers: bytes, messages and connections must be > 0";
}

std::string
BrokenRuleOfTraining(const trace::RunHeader& header)
{
    if (header.workers().empty())
    {
        return "run_header.workers: must not be empty";
    }
    for (const auto& worker : header.workers())
    {
        if (worker.gpus() == 0)
        {
            return "run_header.workers.gpus: must be > 0";
        }
    }
    if (header.measured_iterations() == 0 ||
        header.warmup_iterations() > UINT32_MAX - header.measured_iterations())
    {
        return "run_header.measured_iterations: must be > 0 and its sum with warmup_iterations < "
               "2^32";
    }
    return "";
}

/// Returns the rule that the header of a job breaks, as if the job ran alone.
std::string
BrokenRuleOfJob(const trace::RunHeader& header)
{
    const std::string rule = BrokenRuleOf(header, header);
    return !rule.empty()            ? "run_header" + rule
           : header.has_transfers() ? BrokenRuleOfTransfers(header.transfers())
                                    : BrokenRuleOfTraining(header);
}

} // namespace

std::string
BrokenRule(const trace::RunHeader& header)
{
    std::set<std::string> names;
    for (const auto& job : header.jobs())
    {
        const auto& name = job.job();
        if (name.empty() || name.find_first_not_of(lettersOfJobs) != std::string::npos ||
            !names.insert(name).second)
        {
            return "run_header.jobs: each must have a name of its own, of letters, digits and . _ "
                   "+ -";
        }
        if (job.nodes_size() > 0 || job.jobs_size() > 0)
        {
            return "run_header.jobs: nodes and jobs must be of the run only";
        }
    }
    if (header.jobs_size() > 0 && (header.workers_size() > 0 || header.has_transfers()))
    {
        return "run_header: workers and transfers must be of its jobs";
    }
    std::string rule;
    for (std::uint32_t job = 0; job < JobNames(header).size() && rule.empty(); ++job)
    {
        rule = BrokenRuleOfJob(HeaderOfJob(header, job));
    }
    return rule;
}

std::string
BrokenRule(const trace::RunHeader& header, const trace::Record& record)
{
    const std::string rule = BrokenRuleOf(record, header);
    if (!rule.empty())
    {
        return rule.substr(1); // the record has no name before its kind
    }
    const std::uint32_t repeated = record.run_end().repeated_iterations();
    if (repeated > 0 && repeated >= header.measured_iterations())
    {
        return "run_end.repeated_iterations: must be fewer than the measured ones";
    }
    const auto& request = record.request();
    if (request.outcome() == trace::REQUEST_OUTCOME_SERVED &&
        (request.first_token_ns() < request.decided_ns() ||
         request.delivered_ns() < request.first_token_ns()))
    {
        return "request: arrival, decision, first token, delivery must be in order";
    }
    return record.has_fill_span() ? BrokenRuleOfFill(header, record.fill_span()) : "";
}

} // namespace geotrain
