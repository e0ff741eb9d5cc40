// SPDX-License-Identifier: GPL-2.0-only
#include "loader/field-rules.h"

#include "loader/field-conditions.h"
#include "loader/field-path.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geotrain
{

namespace
{

using google::protobuf::FieldDescriptor;
using scenario::Rule;

constexpr std::size_t longestText = 1000;

/// Value is one value of a field, with the parts of an error message about it.
struct Value
{
    const ProtoMessage& message;
    const FieldDescriptor* field;
    int index; ///< index in a list; -1 for a field that is no list
    std::string path;
    const std::string& file;

    [[noreturn]] void Fail(const std::string& value, const std::string& rule) const
    {
        throw ConfigError(file, path, value, rule);
    }
};

void
CheckNumber(const Value& value, const std::string& text, const Rule& rule)
{
    const double number = std::stod(text);
    if (!std::isfinite(number))
    {
        value.Fail(text, "must be a number");
    }
    if (rule.has_min() && number < rule.min())
    {
        value.Fail(text, fmt::format("must be >= {}", rule.min()));
    }
    if (rule.has_max() && number > rule.max())
    {
        value.Fail(text, fmt::format("must be <= {}", rule.max()));
    }
}

std::int64_t
Parse(scenario::Quantity quantity, const std::string& text)
{
    switch (quantity)
    {
    case scenario::DURATION:
        return ParseDuration(text).ToNanoseconds();
    case scenario::RATE:
        return ParseBitRate(text).ToBitsPerSecond();
    default:
        return ParseBytes(text).Count();
    }
}

void
CheckQuantity(const Value& value, const std::string& text, const Rule& rule)
{
    if (rule.quantity() == scenario::QUEUE)
    {
        ParseQueueSize(text);
        return;
    }
    const auto number = Parse(rule.quantity(), text);
    if (number < Parse(rule.quantity(), rule.at_least()))
    {
        value.Fail(text, "must be >= " + rule.at_least());
    }
    if (number > Parse(rule.quantity(), rule.at_most()))
    {
        value.Fail(text, "must be <= " + rule.at_most());
    }
}

void
CheckText(const Value& value, const std::string& text, const Rule& rule)
{
    if (text.size() > longestText)
    {
        value.Fail(text.substr(0, 40) + "...", "must have at most 1000 characters");
    }
    const auto isControl = [](unsigned char c) { return c < ' ' || c == 0x7f; };
    if (std::any_of(text.begin(), text.end(), isControl))
    {
        value.Fail("", "must have no control characters");
    }
    const bool fileNamePart =
        !text.empty() && text.front() != '.' &&
        text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                               "0123456789._+-") == std::string::npos;
    if (rule.file_name_part() && (!fileNamePart || text.size() > 100))
    {
        value.Fail(text, "must be 1 to 100 letters, digits and . _ + -, and not begin with .");
    }
    if (rule.required() && text.empty())
    {
        value.Fail("", "must not be empty");
    }
    if (rule.has_quantity())
    {
        try
        {
            CheckQuantity(value, text, rule);
        }
        catch (const std::invalid_argument& broken)
        {
            value.Fail(text, broken.what());
        }
    }
}

void
CheckEnum(const Value& value, const std::string& text)
{
    const auto& type = *value.field->enum_type();
    const auto* choice = type.FindValueByName(text); // a number that has no name stays a number
    if (choice == nullptr || choice->number() == 0)
    {
        value.Fail(text, "must be " + ValuesOf(type));
    }
}

void
CheckValue(const Value& value, const Rule& rule)
{
    const auto* reflection = value.message.GetReflection();
    std::string text;
    google::protobuf::TextFormat::PrintFieldValueToString(
        value.message, value.field, value.index, &text);
    switch (value.field->cpp_type())
    {
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_DOUBLE:
        CheckNumber(value, text, rule);
        break;
    case FieldDescriptor::CPPTYPE_STRING: // without quotes and escapes
        CheckText(value,
                  value.index >= 0
                      ? reflection->GetRepeatedString(value.message, value.field, value.index)
                      : reflection->GetString(value.message, value.field),
                  rule);
        break;
    case FieldDescriptor::CPPTYPE_ENUM:
        CheckEnum(value, text);
        break;
    default:
        break;
    }
}

void ApplyToFields(ProtoMessage& message, const std::string& file, const std::string& prefix);

void
ApplyToList(ProtoMessage& message,
            const FieldDescriptor* field,
            const Rule& rule,
            const std::string& path,
            const std::string& file)
{
    const auto* reflection = message.GetReflection();
    const int size = reflection->FieldSize(message, field);
    for (int i = 0; i < size; ++i)
    {
        const auto entry = path + "[" + std::to_string(i) + "]";
        if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        {
            ApplyToFields(
                *reflection->MutableRepeatedMessage(&message, field, i), file, entry + ".");
        }
        else
        {
            CheckValue({message, field, i, entry, file}, rule);
        }
    }
}

void
ApplyToOne(ProtoMessage& message,
           const FieldDescriptor* field,
           const Rule& rule,
           const std::string& path,
           const std::string& file)
{
    const auto* reflection = message.GetReflection();
    if (!reflection->HasField(message, field) && rule.has_default_())
    {
        SetField(message, field->name(), rule.default_(), file);
    }
    if (!reflection->HasField(message, field))
    {
        if (rule.required())
        {
            throw ConfigError(file, path, "", "must be set");
        }
        return;
    }
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
    {
        ApplyToFields(*reflection->MutableMessage(&message, field), file, path + ".");
        return;
    }
    CheckValue({message, field, -1, path, file}, rule);
}

void
ApplyToFields(ProtoMessage& message, const std::string& file, const std::string& prefix)
{
    const auto* descriptor = message.GetDescriptor();
    for (int i = 0; i < descriptor->field_count(); ++i)
    {
        const auto* field = descriptor->field(i);
        const auto& rule = field->options().GetExtension(scenario::rule);
        const auto path = prefix + field->name();
        if (field->is_repeated())
        {
            ApplyToList(message, field, rule, path, file);
        }
        else
        {
            ApplyToOne(message, field, rule, path, file);
        }
    }
}

} // namespace

void
ApplyFieldRules(ProtoMessage& message, const std::string& file)
{
    ApplyToFields(message, file, "");
    CheckConditions(message, file);
}

} // namespace geotrain
