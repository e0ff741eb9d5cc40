// SPDX-License-Identifier: GPL-2.0-only
#include "loader/field-path.h"

#include "loader/assignment.h"

#include "loader/nearest-names.h"
#include "loader/text-format-errors.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"
#include "units/text-pattern.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/stubs/strutil.h>
#include <google/protobuf/text_format.h>

#include <optional>
#include <string_view>
#include <vector>

namespace geotrain
{

namespace
{

using google::protobuf::FieldDescriptor;

/// Step is one part of a path: the name of a field, and an index where the field is a list.
struct Step
{
    std::string name;
    std::optional<int> index;
};

/// Target is the message that holds a path's last field, and that field.
struct Target
{
    ProtoMessage* holder = nullptr;
    const FieldDescriptor* field = nullptr;
    std::optional<int> index;
};

Step
ParseStep(const std::string& text, const std::string& path, const std::string& file)
{
    static const TextPattern shape(R"(^([^[]*)(\[([0-9]{1,9})\])?$)");
    const auto found = shape.FindIn(text);
    if (found.empty())
    {
        throw ConfigError(file, path, "", "must be a path like wan_link[0].delay");
    }
    const std::string index(found[3]);
    return {std::string(found[1]), index.empty() ? std::nullopt : std::optional(std::stoi(index))};
}

std::vector<Step>
ParsePath(const std::string& path, const std::string& file)
{
    std::vector<Step> steps;
    std::size_t begin = 0;
    while (begin <= path.size())
    {
        const auto end = std::min(path.find('.', begin), path.size());
        steps.push_back(ParseStep(path.substr(begin, end - begin), path, file));
        begin = end + 1;
    }
    return steps;
}

/// Returns the names of a message's fields, in the schema's order.
std::vector<std::string>
FieldNames(const google::protobuf::Descriptor& descriptor)
{
    std::vector<std::string> names;
    for (int i = 0; i < descriptor.field_count(); ++i)
    {
        names.push_back(descriptor.field(i)->name());
    }
    return names;
}

const FieldDescriptor*
FindField(const ProtoMessage& message,
          const Step& step,
          const std::string& path,
          const std::string& file)
{
    const auto* descriptor = message.GetDescriptor();
    const auto* field = descriptor->FindFieldByName(step.name);
    if (field == nullptr)
    {
        throw ConfigError(
            file,
            path,
            step.name,
            UnknownName("field of " + descriptor->name(), step.name, FieldNames(*descriptor)));
    }
    if (step.index && !field->is_repeated())
    {
        throw ConfigError(file, path, step.name, "is no list and takes no index");
    }
    return field;
}

// Entry `index` of a list of messages; one past the end is added.
ProtoMessage*
Entry(ProtoMessage& message,
      const FieldDescriptor* field,
      int index,
      const std::string& path,
      const std::string& file)
{
    const auto* reflection = message.GetReflection();
    const int size = reflection->FieldSize(message, field);
    if (index > size)
    {
        throw ConfigError(file,
                          path,
                          field->name() + "[" + std::to_string(index) + "]",
                          "must be at most " + std::to_string(size) + ", one past the last entry");
    }
    return index == size ? reflection->AddMessage(&message, field)
                         : reflection->MutableRepeatedMessage(&message, field, index);
}

Target
Walk(ProtoMessage& message, const std::string& path, const std::string& file)
{
    const auto steps = ParsePath(path, file);
    ProtoMessage* holder = &message;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
    {
        const auto* field = FindField(*holder, steps[i], path, file);
        if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
        {
            throw ConfigError(file, path, steps[i].name, "has no fields of its own");
        }
        if (field->is_repeated() && !steps[i].index)
        {
            throw ConfigError(file, path, steps[i].name, "is a list and takes an index, as in [0]");
        }
        holder = field->is_repeated() ? Entry(*holder, field, *steps[i].index, path, file)
                                      : holder->GetReflection()->MutableMessage(holder, field);
    }
    return {holder, FindField(*holder, steps.back(), path, file), steps.back().index};
}

/// Returns `value` as the text format writes it after "field: ".
std::string
TextValue(const FieldDescriptor& field, const std::string& value)
{
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)
    {
        return ShareText(value);
    }
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_STRING || value.front() == '[')
    {
        return value;
    }
    return Quoted(value);
}

/// Returns the rule that a value of `field` breaks; `error` is Protobuf's, if it had one.
std::string
RuleOfValue(const FieldDescriptor& field, const std::optional<TextFormatError>& error)
{
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM)
    {
        return "must be " + ValuesOf(*field.enum_type());
    }
    return error ? "is no value of this field: " + error->message : "must be one value";
}

void
Merge(const Target& target,
      const std::string& value,
      const std::string& path,
      const std::string& file)
{
    google::protobuf::TextFormat::Parser parser;
    FirstError collector;
    parser.RecordErrorsTo(&collector);
    const auto text = target.field->name() + ": " + TextValue(*target.field, value);
    // Text that closes the field and opens others is no value.
    const std::unique_ptr<ProtoMessage> parsed(target.holder->New());
    const bool good = parser.ParseFromString(text, parsed.get());
    std::vector<const FieldDescriptor*> set;
    parsed->GetReflection()->ListFields(*parsed, &set);
    if (!good || set.size() != 1 || set.front() != target.field)
    {
        throw ConfigError(file, path, value, RuleOfValue(*target.field, collector.found));
    }
    target.holder->MergeFrom(*parsed);
}

/// Sets an entry of a list: adds the new entry at the end and swaps it into its place.
void
SetEntry(const Target& target,
         const std::string& value,
         const std::string& path,
         const std::string& file)
{
    const auto* reflection = target.holder->GetReflection();
    const int size = reflection->FieldSize(*target.holder, target.field);
    if (*target.index > size)
    {
        throw ConfigError(file,
                          path,
                          "",
                          "must have an index of at most " + std::to_string(size) +
                              ", one past the last entry");
    }
    Merge(target, value, path, file);
    const int newSize = reflection->FieldSize(*target.holder, target.field);
    if (newSize != size + 1)
    {
        throw ConfigError(file, path, value, "must be one value");
    }
    if (*target.index < size)
    {
        reflection->SwapElements(target.holder, target.field, *target.index, size);
        reflection->RemoveLast(target.holder, target.field);
    }
}

/// Returns the number of entries of the list at `path`. Throws ConfigError where it is no list or
/// has no entries.
int
EntriesOf(ProtoMessage& message, const std::string& path, const std::string& file)
{
    const auto list = Walk(message, path, file);
    if (list.index || !list.field->is_repeated())
    {
        throw ConfigError(file, path, "[*]", "must follow the name of a list");
    }
    const int entries = list.holder->GetReflection()->FieldSize(*list.holder, list.field);
    if (entries == 0)
    {
        throw ConfigError(file, path, "[*]", "must follow a list that has entries");
    }
    return entries;
}

} // namespace

void
SetField(ProtoMessage& message,
         const std::string& path,
         const std::string& value,
         const std::string& file)
{
    constexpr std::string_view every = "[*]";
    if (const auto star = path.find(every); star != std::string::npos)
    {
        const int entries = EntriesOf(message, path.substr(0, star), file);
        for (int i = 0; i < entries; ++i)
        {
            const auto one = "[" + std::to_string(i) + "]";
            SetField(message, std::string(path).replace(star, every.size(), one), value, file);
        }
        return;
    }
    const auto target = Walk(message, path, file);
    if (target.index)
    {
        if (value.empty())
        {
            throw ConfigError(
                file, path, "", "must have a value; only a whole list can be cleared");
        }
        SetEntry(target, value, path, file);
        return;
    }
    target.holder->GetReflection()->ClearField(target.holder, target.field);
    if (!value.empty())
    {
        Merge(target, value, path, file);
    }
}

std::pair<std::string, std::string>
SplitAssignment(const std::string& assignment, const std::string& file, const std::string& field)
{
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
    {
        throw ConfigError(file, field, assignment, "must be PATH=VALUE");
    }
    return {assignment.substr(0, equals), assignment.substr(equals + 1)};
}

std::string
ValuesOf(const google::protobuf::EnumDescriptor& enumeration)
{
    std::vector<std::string> values;
    for (int i = 1; i < enumeration.value_count(); ++i) // 0 is what is not set
    {
        values.push_back(enumeration.value(i)->name());
    }
    return Listed(values, "or");
}

std::string
Quoted(const std::string& text)
{
    return "\"" + google::protobuf::CEscape(text) + "\"";
}

} // namespace geotrain
