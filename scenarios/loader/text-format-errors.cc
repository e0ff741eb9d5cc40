// SPDX-License-Identifier: GPL-2.0-only
// Knows the messages of Protobuf 3.21's tokenizer and text parser. A message that is not in the
// table becomes a general rule.
#include "loader/text-format-errors.h"

#include "loader/field-path.h"
#include "loader/nearest-names.h"

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <functional>
#include <regex>
#include <set>
#include <vector>

namespace geotrain
{

namespace
{

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

/// Returns `what` was found in the text's place of something else; an empty text is the end.
std::string
FoundInsteadOf(const std::string& found, const std::string& expected)
{
    return (found.empty() ? "ends" : "has " + found) + " where " + expected + " is expected";
}

std::string
InsteadOfName(const std::string& found)
{
    if (found.empty())
    {
        return "ends before a } closes the last {";
    }
    if (found == "}" || found == ">")
    {
        return "has a " + found + " that closes nothing";
    }
    const std::string hint =
        found == "{" ? "; a scenario is no JSON, it begins as in name: \"mine\"" : "";
    return FoundInsteadOf(found, "the name of a field") + hint;
}

std::string
InsteadOfToken(const std::string& expected, const std::string& found)
{
    const std::string hint = expected == ":"   ? "; a field is written as in mtu: 9000"
                             : expected == "{" ? "; its fields stand in braces"
                                               : "";
    return FoundInsteadOf(found, expected) + hint;
}

std::string
UnknownField(const FileDescriptor& schema, const std::string& type, const std::string& name)
{
    const auto* descriptor = schema.pool()->FindMessageTypeByName(type);
    return descriptor == nullptr
               ? name + " is no field here"
               : name + " " +
                     UnknownName("field of " + descriptor->name(), name, FieldNames(*descriptor));
}

/// Adds the enumerations of all fields called `name` in `message` and in the messages within it.
void
AddEnumerations(const Descriptor& message,
                const std::string& name,
                std::set<const EnumDescriptor*>& found)
{
    const auto* field = message.FindFieldByName(name);
    if (field != nullptr && field->enum_type() != nullptr)
    {
        found.insert(field->enum_type());
    }
    for (int i = 0; i < message.nested_type_count(); ++i)
    {
        AddEnumerations(*message.nested_type(i), name, found);
    }
}

/// Returns the values of the schema's fields called `field`: ": SPATIAL or TEMPORAL".
std::string
ValuesOfFields(const FileDescriptor& schema, const std::string& field)
{
    std::set<const EnumDescriptor*> enumerations;
    for (int i = 0; i < schema.message_type_count(); ++i)
    {
        AddEnumerations(*schema.message_type(i), field, enumerations);
    }
    std::string text;
    for (const auto* enumeration : enumerations)
    {
        text += (enumeration == *enumerations.begin() ? ": " : "; or ") + ValuesOf(*enumeration);
    }
    return text;
}

std::string
UnknownValue(const FileDescriptor& schema, const std::string& value, const std::string& field)
{
    return "has " + value + " where a value of " + field + " is expected" +
           ValuesOfFields(schema, field);
}

/// Returns at most the first 500 bytes of a message of Protobuf's, in which each word that the text
/// brought, of more than 60 bytes, is cut: a regular expression takes stack for each byte.
std::string
WithoutLongWords(const std::string& message)
{
    constexpr std::size_t longestWord = 60;
    constexpr std::size_t longest = 500;
    std::string shortened;
    std::size_t length = 0; // of the word
    for (const char letter : message)
    {
        const bool isApart = std::string(" \"()").find(letter) != std::string::npos;
        length = isApart ? 0 : length + 1;
        if (length <= longestWord)
        {
            shortened += letter;
        }
        else if (length == longestWord + 1)
        {
            shortened += "...";
        }
    }
    return shortened.substr(0, longest);
}

/// Translation turns a message of Protobuf's into a rule.
struct Translation
{
    std::regex pattern;
    std::function<std::string(const std::smatch&, const FileDescriptor&)> rule;
    bool isBefore = false;    ///< as TextFault's
    bool lacksValues = false; ///< as TextFault's
    /// Whether a name is missing. Of a field's value only true or false is parsed as a name.
    bool isOfName = false;
};

std::function<std::string(const std::smatch&, const FileDescriptor&)>
Always(const std::string& rule)
{
    return [rule](const std::smatch&, const FileDescriptor&) { return rule; };
}

std::function<std::string(const std::smatch&, const FileDescriptor&)>
Instead(const std::string& expected)
{
    return [expected](const std::smatch& match, const FileDescriptor&)
    {
        return match[1] == "[" ? "has a list where " + expected + " is expected"
                               : FoundInsteadOf(match[1], expected);
    };
}

std::vector<Translation>
OfTokenizer()
{
    const auto noQuote = Always("has a text without its closing quote");
    const auto escape = Always("has a text with a \\ that no known letter follows; write \\\\ for "
                               "one \\");
    return {
        {std::regex("Unexpected end of string.*"), noQuote},
        {std::regex("String literals cannot cross line boundaries.*"), noQuote},
        {std::regex(".*escape sequence.*"), escape},
        {std::regex("\"0x\" must be followed.*"), Always("has 0x without a number behind it")},
        {std::regex("Numbers starting with leading zero.*"),
         Always("has a number that begins with 0; leave the 0 out")},
        {std::regex("Hex and octal numbers must be integers.*"),
         Always("has a number that begins with 0, but is not whole")},
        {std::regex("Already saw decimal point.*"),
         Always("has a number with more than one decimal point or exponent")},
        {std::regex("\"e\" must be followed.*"), Always("has a number whose exponent is missing")},
        {std::regex("Need space between number.*"),
         Always("has letters right behind a number; a quantity with its unit stands in quotes: "
                "\"20ms\"")},
        {std::regex("Invalid control characters.*"), Always("has a control character")},
        {std::regex("Interpreting non ascii.*"),
         Always("has a letter outside of quotes and comments that no field's name has")},
    };
}

std::vector<Translation>
OfParser()
{
    return {
        {std::regex("Expected identifier, got: ([^]*)"),
         [](const std::smatch& match, const FileDescriptor&) { return InsteadOfName(match[1]); },
         false,
         false,
         true},
        {std::regex("Expected integer, got: ([^]*)"), Instead("a whole number")},
        {std::regex("Expected (?:double|number), got: ([^]*)"), Instead("a number")},
        {std::regex("Expected string, got: ([^]*)"), Instead("a text in quotes")},
        {std::regex("Expected integer or identifier, got: ([^]*)"),
         Instead("one of the field's values, without quotes,"),
         false,
         true},
        {std::regex("Integer out of range \\(([^]*)\\)\\.?"),
         [](const std::smatch& match, const FileDescriptor&)
         { return "has " + match[1].str() + ", which is out of this field's range"; }},
        {std::regex("Expected \"([^\"]*)\", found \"([^]*)\"\\."),
         [](const std::smatch& match, const FileDescriptor&)
         { return InsteadOfToken(match[1], match[2]); }},
        {std::regex("Message type \"([^\"]+)\" has no field named \"([^\"]+)\"\\."),
         [](const std::smatch& match, const FileDescriptor& schema)
         { return UnknownField(schema, match[1], match[2]); },
         true},
        {std::regex("Non-repeated field \"([^\"]+)\" is specified multiple times\\."),
         [](const std::smatch& match, const FileDescriptor&)
         { return "sets " + match[1].str() + " a second time"; },
         true},
        {std::regex("Field \"([^\"]+)\" is specified along with field \"([^\"]+)\".*"),
         [](const std::smatch& match, const FileDescriptor&)
         { return "sets " + match[1].str() + " beside " + match[2].str() + "; only one may be"; },
         true},
        {std::regex("Unknown enumeration value of \"([^\"]*)\" for field \"([^\"]*)\"\\."),
         [](const std::smatch& match, const FileDescriptor& schema)
         { return UnknownValue(schema, match[1], match[2]); },
         true},
        {std::regex("Invalid value for boolean field \"[^\"]*\"\\. Value: \"([^]*)\"\\."),
         Instead("true or false"),
         true},
        {std::regex("Message is too deep.*"), Always("is nested too deeply")},
        {std::regex("Extension \"([^\"]*)\".*"),
         [](const std::smatch& match, const FileDescriptor&)
         { return "has [" + match[1].str() + "] where the name of a field is expected"; },
         true},
    };
}

} // namespace

void
FirstError::AddError(int line, int column, const std::string& message)
{
    if (!found)
    {
        found = TextFormatError{line, column, message};
    }
}

TextFault
FaultOf(const std::string& message, const FileDescriptor& schema)
{
    static const auto translations = []
    {
        auto all = OfTokenizer();
        const auto parser = OfParser();
        all.insert(all.end(), parser.begin(), parser.end());
        return all;
    }();
    const auto shortened = WithoutLongWords(message);
    for (const auto& translation : translations)
    {
        std::smatch match;
        if (std::regex_match(shortened, match, translation.pattern))
        {
            const bool isOfName = translation.isOfName;
            return {translation.rule(match, schema),
                    translation.isBefore,
                    translation.lacksValues,
                    isOfName ? FoundInsteadOf(match[1], "true or false") : ""};
        }
    }
    return {"is not Protobuf's text format here"};
}

std::string
ValuesBefore(const std::string& text, const TextFormatError& error, const FileDescriptor& schema)
{
    // The tokens before the value are the field's name and a colon.
    const auto field = TokenBefore(text, TokenBefore(text, error));
    return ValuesOfFields(schema, field.message);
}

TextFormatError
TokenBefore(const std::string& text, const TextFormatError& error)
{
    google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
    FirstError ignored;
    google::protobuf::io::Tokenizer tokenizer(&stream, &ignored);
    tokenizer.set_comment_style(google::protobuf::io::Tokenizer::SH_COMMENT_STYLE);
    TextFormatError place = error;
    while (tokenizer.Next())
    {
        const auto& token = tokenizer.current();
        if (token.line > error.line || (token.line == error.line && token.column >= error.column))
        {
            break;
        }
        place.line = token.line;
        place.column = token.column;
        place.message = token.text;
    }
    return place;
}

std::size_t
ColumnIn(const std::string& line, int column)
{
    constexpr std::size_t tab = 8;
    std::size_t width = 0;
    std::size_t characters = 0;
    for (const char c : line)
    {
        if (width >= static_cast<std::size_t>(column))
        {
            break;
        }
        width = c == '\t' ? (width / tab + 1) * tab : width + 1;
        characters += (static_cast<unsigned char>(c) & 0xc0) == 0x80 ? 0 : 1;
    }
    return characters + 1;
}

std::optional<std::size_t>
FirstBrokenByte(const std::string& text)
{
    for (std::size_t i = 0; i < text.size();)
    {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xc2 && lead < 0xe0 ? 2
                                   : lead >= 0xe0 && lead < 0xf0 ? 3
                                   : lead >= 0xf0 && lead < 0xf5 ? 4
                                                                 : 0;
        if (length == 0 || i + length > text.size())
        {
            return i;
        }
        for (std::size_t next = i + 1; next < i + length; ++next)
        {
            if ((static_cast<unsigned char>(text[next]) & 0xc0) != 0x80)
            {
                return i;
            }
        }
        i += length;
    }
    return std::nullopt;
}

std::string
ValuesOf(const EnumDescriptor& enumeration)
{
    std::string values;
    for (int i = 1; i < enumeration.value_count(); ++i) // 0 is what is not set
    {
        values += i == 1 ? "" : i + 1 == enumeration.value_count() ? " or " : ", ";
        values += enumeration.value(i)->name();
    }
    return values;
}

std::string
RuleOfValue(const FieldDescriptor& field)
{
    const std::string list = field.is_repeated() ? ", or a list such as [A, B]" : "";
    switch (field.cpp_type())
    {
    case FieldDescriptor::CPPTYPE_ENUM:
        return "must be " + ValuesOf(*field.enum_type()) + list;
    case FieldDescriptor::CPPTYPE_BOOL:
        return "must be true or false" + list;
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_UINT64:
        return "must be a whole number within the field's range" + list;
    case FieldDescriptor::CPPTYPE_DOUBLE:
    case FieldDescriptor::CPPTYPE_FLOAT:
        return "must be a number" + list;
    default:
        return "must be one value";
    }
}

} // namespace geotrain
