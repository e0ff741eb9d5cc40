// SPDX-License-Identifier: GPL-2.0-only
// Walks the resolved scenario by Protobuf's reflection, so that a new field of the schema needs no
// line here. Lists of plain values are never a network's matter, and are left out.
#include "loader/ignored-fields.h"

#include "schema/scenario.pb.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <cstdlib>
#include <stdexcept>

namespace geotrain
{

namespace
{

using google::protobuf::FieldDescriptor;

/// Returns the text of a field that is no list; a string without its quotes.
std::string
TextOfField(const google::protobuf::Message& message, const FieldDescriptor& field)
{
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING)
    {
        return message.GetReflection()->GetString(message, &field);
    }
    std::string text;
    google::protobuf::TextFormat::PrintFieldValueToString(message, &field, -1, &text);
    return text;
}

/// Returns whether `text` says more of a field than leaving the field out.
bool
IsSet(const FieldDescriptor& field, const std::string& text)
{
    const auto& rule = field.options().GetExtension(scenario::rule);
    const bool isNumber = field.cpp_type() == FieldDescriptor::CPPTYPE_INT64 ||
                          field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
    if (isNumber)
    {
        return std::atof(text.c_str()) != std::atof(rule.default_().c_str());
    }
    return text != rule.default_();
}

/// Returns whether a field outside lists counts as set. `path` is its path from `message` on.
bool
IsSetBelow(const google::protobuf::Message& message, const std::string& path)
{
    const auto dot = path.find('.');
    const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(path.substr(0, dot));
    const auto* reflection = message.GetReflection();
    if (field == nullptr || field->is_repeated())
    {
        throw std::invalid_argument("the schema has no field " + path + " outside lists");
    }
    if (!reflection->HasField(message, field))
    {
        return false;
    }
    return dot == std::string::npos
               ? IsSet(*field, TextOfField(message, *field))
               : IsSetBelow(reflection->GetMessage(message, field), path.substr(dot + 1));
}

class IgnoredFieldFinder
{
  public:
    explicit IgnoredFieldFinder(const NetworkKind& kind)
        : m_kind(kind)
    {
    }

    /// Finds the fields of `message`. `path` has indices, `name` has none; both end in a dot, or
    /// are empty.
    void
    Walk(const google::protobuf::Message& message, const std::string& path, const std::string& name)
    {
        const auto* reflection = message.GetReflection();
        std::vector<const FieldDescriptor*> fields; // that are there, in the order of their numbers
        reflection->ListFields(message, &fields);
        for (const FieldDescriptor* field : fields)
        {
            const std::string fieldPath = path + field->name();
            const std::string fieldName = name + field->name();
            if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
            {
                WalkSection(message, *field, fieldPath, fieldName);
            }
            else if (!field->is_repeated())
            {
                const std::string text = TextOfField(message, *field);
                Note(IsSet(*field, text) && m_kind.ignores(fieldName, text), fieldPath);
            }
        }
    }

    const std::vector<std::string>& Found() const
    {
        return m_found;
    }

  private:
    void Note(bool isIgnored, const std::string& path)
    {
        if (isIgnored)
        {
            m_found.push_back(path);
        }
    }

    void WalkSection(const google::protobuf::Message& message,
                     const FieldDescriptor& field,
                     const std::string& path,
                     const std::string& name)
    {
        const auto* reflection = message.GetReflection();
        if (m_kind.ignores(name, ""))
        {
            m_found.push_back(path);
            return;
        }
        if (!field.is_repeated())
        {
            Walk(reflection->GetMessage(message, &field), path + ".", name + ".");
            return;
        }
        for (int i = 0; i < reflection->FieldSize(message, &field); ++i)
        {
            Walk(reflection->GetRepeatedMessage(message, &field, i),
                 path + "[" + std::to_string(i) + "].",
                 name + ".");
        }
    }

    const NetworkKind& m_kind;
    std::vector<std::string> m_found;
};

} // namespace

bool
IsFieldSet(const scenario::Scenario& resolved, const std::string& path)
{
    return IsSetBelow(resolved, path);
}

std::vector<std::string>
IgnoredFields(const scenario::Scenario& resolved, const NetworkKind& kind)
{
    IgnoredFieldFinder finder(kind);
    finder.Walk(resolved, "", "");
    return finder.Found();
}

std::vector<std::string>
WarningsOfIgnored(const scenario::Scenario& resolved, const NetworkKind& kind)
{
    std::vector<std::string> warnings;
    for (const std::string& field : IgnoredFields(resolved, kind))
    {
        const bool isControl = field == "transport.congestion_control";
        warnings.push_back("the " + kind.name + " network ignores " + field +
                           (isControl ? ", and has CUBIC's windows" : ""));
    }
    return warnings;
}

} // namespace geotrain
