// SPDX-License-Identifier: GPL-2.0-only
#include "loader/field-rules.h"

#include "loader/field-path.h"
#include "loader/text-format-errors.h"
#include "schema/scenario.pb.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <google/protobuf/descriptor.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>
#include <stdexcept>
#include <vector>

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

std::string
Shortest(double number)
{
    // Whole numbers have no ".0"; others are the shortest text that reads back the same.
    if (std::floor(number) == number && std::abs(number) < 1e15)
    {
        return std::to_string(static_cast<std::int64_t>(number));
    }
    return nlohmann::json(number).dump();
}

void
CheckNumber(const Value& value, double number, const std::string& shown, const Rule& rule)
{
    if (!std::isfinite(number))
    {
        value.Fail(shown, "must be a number");
    }
    if (rule.has_min() && number < rule.min())
    {
        value.Fail(shown, "must be >= " + Shortest(rule.min()));
    }
    if (rule.has_max() && number > rule.max())
    {
        value.Fail(shown, "must be <= " + Shortest(rule.max()));
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
    for (const char c : text)
    {
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
        {
            value.Fail("", "must have no control characters");
        }
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
CheckValue(const Value& value, const Rule& rule)
{
    const auto* reflection = value.message.GetReflection();
    const bool list = value.index >= 0;
    switch (value.field->cpp_type())
    {
    case FieldDescriptor::CPPTYPE_INT64:
    {
        const auto number =
            list ? reflection->GetRepeatedInt64(value.message, value.field, value.index)
                 : reflection->GetInt64(value.message, value.field);
        CheckNumber(value, static_cast<double>(number), std::to_string(number), rule);
        break;
    }
    case FieldDescriptor::CPPTYPE_DOUBLE:
    {
        const auto number =
            list ? reflection->GetRepeatedDouble(value.message, value.field, value.index)
                 : reflection->GetDouble(value.message, value.field);
        CheckNumber(
            value, number, std::isfinite(number) ? Shortest(number) : std::to_string(number), rule);
        break;
    }
    case FieldDescriptor::CPPTYPE_STRING:
        CheckText(value,
                  list ? reflection->GetRepeatedString(value.message, value.field, value.index)
                       : reflection->GetString(value.message, value.field),
                  rule);
        break;
    case FieldDescriptor::CPPTYPE_ENUM:
    {
        const auto* choice =
            list ? reflection->GetRepeatedEnum(value.message, value.field, value.index)
                 : reflection->GetEnum(value.message, value.field);
        const bool hasName = choice->type()->FindValueByNumber(choice->number()) != nullptr;
        if (choice->number() == 0 || !hasName)
        {
            value.Fail(hasName ? choice->name() : std::to_string(choice->number()),
                       "must be " + ValuesOf(*choice->type()));
        }
        break;
    }
    default:
        break;
    }
}

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
            ApplyFieldRules(
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
        ApplyFieldRules(*reflection->MutableMessage(&message, field), file, path + ".");
        return;
    }
    CheckValue({message, field, -1, path, file}, rule);
}

} // namespace

void
ApplyFieldRules(ProtoMessage& message, const std::string& file, const std::string& prefix)
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

} // namespace geotrain
