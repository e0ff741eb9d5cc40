// SPDX-License-Identifier: GPL-2.0-only
// Walks a scenario by Protobuf's reflection, so that a new field needs no line here.
#include "loader/field-conditions.h"

#include "analytic/analytic-network.h"
#include "loader/nearest-names.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/text-pattern.h"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

namespace geotrain
{

namespace
{

using google::protobuf::FieldDescriptor;

/// Scope is a message of a scenario, its path with a dot at the end, and the message around it.
struct Scope
{
    const ProtoMessage& message;
    std::string path;
    const Scope* outer = nullptr;
};

const scenario::Rule&
RuleOf(const FieldDescriptor& field)
{
    return field.options().GetExtension(scenario::rule);
}

/// Returns the text of a field without a string's quotes; empty for lists and sections.
std::string
TextOf(const ProtoMessage& message, const FieldDescriptor& field)
{
    std::string text;
    if (field.is_repeated() || field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
    {
        return text;
    }
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING)
    {
        return message.GetReflection()->GetString(message, &field);
    }
    google::protobuf::TextFormat::PrintFieldValueToString(message, &field, -1, &text);
    return text;
}

bool
IsSet(const ProtoMessage& message, const FieldDescriptor& field)
{
    const auto* reflection = message.GetReflection();
    if (field.is_repeated())
    {
        return reflection->FieldSize(message, &field) > 0;
    }
    if (!reflection->HasField(message, &field) || field.message_type() != nullptr)
    {
        return reflection->HasField(message, &field);
    }
    const std::string text = TextOf(message, field);
    const auto& rule = RuleOf(field);
    // "0s" is as good as "0".
    const bool isNumber = rule.has_min() || rule.default_() == "0";
    return rule.has_default_() && isNumber
               ? std::atof(text.c_str()) != std::atof(rule.default_().c_str())
               : text != rule.default_();
}

/// Returns the section, or the entries of the list of sections, that `field` holds.
std::vector<Scope>
SectionsOf(const Scope& scope, const FieldDescriptor& field)
{
    const auto* reflection = scope.message.GetReflection();
    const std::string path = scope.path + field.name();
    std::vector<Scope> sections;
    if (field.message_type() == nullptr)
    {
        return sections;
    }
    if (!field.is_repeated())
    {
        sections.push_back({reflection->GetMessage(scope.message, &field), path + ".", &scope});
        return sections;
    }
    for (int i = 0; i < reflection->FieldSize(scope.message, &field); ++i)
    {
        sections.push_back({reflection->GetRepeatedMessage(scope.message, &field, i),
                            fmt::format("{}[{}].", path, i),
                            &scope});
    }
    return sections;
}

/// Calls `visit` with each field that is there, and with those in it where it returns true.
void
Walk(const Scope& scope, const std::function<bool(const Scope&, const FieldDescriptor&)>& visit)
{
    std::vector<const FieldDescriptor*> fields;
    scope.message.GetReflection()->ListFields(scope.message, &fields);
    for (const FieldDescriptor* field : fields)
    {
        const bool goesOn = visit(scope, *field);
        for (const Scope& section : goesOn ? SectionsOf(scope, *field) : std::vector<Scope>())
        {
            Walk(section, visit);
        }
    }
}

/// A Term is one part of a condition, and what the scenario says to it.
struct Term
{
    std::string name;   ///< path as the condition has it
    std::string values; ///< "A|B"; empty: whether it is set is asked
    bool isNegated = false;
    std::string path = {}; ///< in the scenario
    std::string text = {}; ///< of the field
    bool isSet = false;

    bool Holds() const
    {
        const bool isOne = ("|" + values + "|").find("|" + text + "|") != std::string::npos;
        return (values.empty() ? isSet : isOne) != isNegated;
    }
};

/// Looks up what a term asks for. Where no message around the field has it, it is not set.
void
LookUp(const Scope& scope, Term& term)
{
    const std::string first = term.name.substr(0, term.name.find('.'));
    const Scope* found = &scope;
    while (found != nullptr && found->message.GetDescriptor()->FindFieldByName(first) == nullptr)
    {
        found = found->outer;
    }
    if (found == nullptr)
    {
        return;
    }
    term.path = found->path + term.name;
    const ProtoMessage* message = &found->message;
    std::string rest = term.name;
    for (auto dot = rest.find('.'); dot != std::string::npos; dot = rest.find('.'))
    {
        const auto* section = message->GetDescriptor()->FindFieldByName(rest.substr(0, dot));
        message = &message->GetReflection()->GetMessage(*message, section);
        rest.erase(0, dot + 1);
    }
    const auto* field = message->GetDescriptor()->FindFieldByName(rest);
    term.isSet = IsSet(*message, *field);
    term.text = TextOf(*message, *field);
}

std::vector<Term>
TermsOf(const std::string& condition, const Scope& scope)
{
    static const TextPattern shape("(!?)([a-z0-9_.]+)((!?)=([^ ]+))?");
    std::vector<Term> terms;
    std::size_t rest = 0;
    for (auto part = shape.FindIn(condition); !part.empty(); part = shape.FindIn(condition, rest))
    {
        Term term{std::string(part[2]), std::string(part[5]), !part[1].empty() || !part[4].empty()};
        LookUp(scope, term);
        terms.push_back(term);
        rest = static_cast<std::size_t>(part[0].data() - condition.data()) + part[0].size();
    }
    return terms;
}

/// Returns whether a condition of `field` concerns it and holds.
bool
Applies(const std::vector<Term>& terms, const Scope& scope, const FieldDescriptor& field)
{
    return (terms.front().name == field.name() || IsSet(scope.message, field)) &&
           std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.Holds(); });
}

/// Returns the rule that a field breaks which must not be set with `term`.
std::string
Forbidden(const Term& term)
{
    if (!term.values.empty())
    {
        return "must not be so with " + term.path + " " + term.text;
    }
    return (term.isNegated ? "must not be set without " : "must not be set with ") + term.path;
}

/// Throws ConfigError where two entries of a list have a value that only one may have.
void
CheckUnique(const std::vector<Scope>& entries, const FieldDescriptor& list, const std::string& file)
{
    std::set<std::pair<std::string, std::string>> seen;
    for (const Scope& entry : entries)
    {
        for (int i = 0; i < list.message_type()->field_count(); ++i)
        {
            const FieldDescriptor& field = *list.message_type()->field(i);
            const std::string text = TextOf(entry.message, field);
            if (RuleOf(field).unique() && IsSet(entry.message, field) &&
                !seen.insert({field.name(), text}).second)
            {
                throw ConfigError(file,
                                  entry.path + field.name(),
                                  text,
                                  fmt::format("must be the {} of one entry of {} only",
                                              field.name(),
                                              list.name()));
            }
        }
    }
}

/// Throws ConfigError where not exactly one of the fields is set of which one must be.
void
CheckOneOf(const Scope& section, const std::string& file)
{
    const auto* descriptor = section.message.GetDescriptor();
    std::vector<std::string> names;
    int set = 0;
    for (int i = 0; i < descriptor->field_count(); ++i)
    {
        const FieldDescriptor& field = *descriptor->field(i);
        if (RuleOf(field).one_of())
        {
            names.push_back(field.name());
            set += IsSet(section.message, field) ? 1 : 0;
        }
    }
    if (!names.empty() && set != 1)
    {
        throw ConfigError(file,
                          section.path.substr(0, section.path.size() - 1),
                          "",
                          "must have exactly one of " + Listed(names, "and"));
    }
}

void
CheckField(const Scope& scope, const FieldDescriptor& field, const std::string& file)
{
    const auto fail = [&](const std::string& rule)
    { throw ConfigError(file, scope.path + field.name(), TextOf(scope.message, field), rule); };
    for (const auto& condition : RuleOf(field).needs())
    {
        const Term term = TermsOf(condition, scope).front();
        if (IsSet(scope.message, field) && !term.Holds())
        {
            const auto values = boost::replace_all_copy(term.values, "|", " or ");
            fail("needs " + term.path + (values.empty() ? "" : " " + values));
        }
    }
    for (const auto& condition : RuleOf(field).not_with())
    {
        const auto terms = TermsOf(condition, scope);
        if (Applies(terms, scope, field))
        {
            fail(Forbidden(terms.back()));
        }
    }
    const auto sections = SectionsOf(scope, field);
    for (const Scope& section : sections)
    {
        CheckOneOf(section, file);
    }
    if (field.is_repeated() && field.message_type() != nullptr)
    {
        CheckUnique(sections, field, file);
    }
}

} // namespace

void
CheckConditions(const ProtoMessage& message, const std::string& file)
{
    Walk({message, ""},
         [&file](const Scope& scope, const FieldDescriptor& field)
         {
             CheckField(scope, field, file);
             return true;
         });
}

std::vector<std::string>
WarningsOfUnused(const scenario::Scenario& resolved)
{
    std::vector<std::string> warnings;
    Walk({resolved, ""},
         [&warnings](const Scope& scope, const FieldDescriptor& field)
         {
             for (const std::string& unused : RuleOf(field).unused())
             {
                 const auto colon = unused.find(':');
                 if (Applies(TermsOf(unused.substr(0, colon), scope), scope, field))
                 {
                     warnings.push_back(scope.path + field.name() + " changes nothing" +
                                        unused.substr(colon));
                 }
             }
             return true;
         });
    return warnings;
}

std::vector<std::string>
FieldsOfPackets(const scenario::Scenario& resolved)
{
    std::vector<std::string> fields;
    Walk({resolved, ""},
         [&fields](const Scope& scope, const FieldDescriptor& field)
         {
             const std::string text = TextOf(scope.message, field);
             const bool isIgnored =
                 RuleOf(field).packets_only() &&
                 AnalyticNetwork::StaticKind().ignores(scope.path + field.name(), text);
             if (isIgnored && IsSet(scope.message, field) && text != "0")
             {
                 fields.push_back(scope.path + field.name());
             }
             return !isIgnored;
         });
    return fields;
}

std::vector<std::string>
WarningsOfIgnored(const scenario::Scenario& resolved, const NetworkKind& kind)
{
    std::vector<std::string> warnings;
    if (kind.hasPackets)
    {
        return warnings;
    }
    const std::map<std::string, std::string> instead{
        {"transport.bearer", ", and has bulk-tcp's connections"},
        {"transport.congestion_control", ", and has CUBIC's windows"}};
    for (const std::string& field : FieldsOfPackets(resolved))
    {
        const auto found = instead.find(field);
        warnings.push_back("the " + kind.name + " network ignores " + field +
                           (found == instead.end() ? "" : found->second));
    }
    return warnings;
}

} // namespace geotrain
