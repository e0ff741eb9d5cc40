// SPDX-License-Identifier: GPL-2.0-only
// Says in plain words what is wrong in a text in Protobuf's text format. Protobuf's parser finds
// the place; its own messages are never shown.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>

#include <optional>
#include <string>

namespace geotrain
{

/// A TextFormatError is the first error that Protobuf's parser finds.
struct TextFormatError
{
    int line = 0;        ///< counted from 0
    int column = 0;      ///< counted from 0; a tab leads to the next multiple of 8
    std::string message; ///< Protobuf's own message
};

/// FirstError keeps the first error of Protobuf's parser and prints nothing.
class FirstError : public google::protobuf::io::ErrorCollector
{
  public:
    void AddError(int line, int column, const std::string& message) override;

    std::optional<TextFormatError> found;
};

/// A TextFault is what is wrong in a text, in plain words.
struct TextFault
{
    std::string rule; ///< such as "has a text without its closing quote"
    /// Whether the fault is the token before the place that Protobuf's parser names.
    bool isBefore = false;
    /// Whether the rule ends where the values of the field before that place are to be named.
    bool lacksValues = false;
    /// The rule where the token before the place is a colon; empty: the same.
    std::string ofValue = "";
};

/// Returns the fault of a text for which Protobuf's parser gave `message`. `schema` has the messages
/// and enumerations that are named in it.
TextFault FaultOf(const std::string& message, const google::protobuf::FileDescriptor& schema);

/// Returns the place of the last token of `text` before the place of `error`; its message is the
/// token.
TextFormatError TokenBefore(const std::string& text, const TextFormatError& error);

/// Returns the values that the field before the place of `error` may have: ": SPATIAL or TEMPORAL".
/// Where messages have fields of that name with different values, they are told one after another.
std::string ValuesBefore(const std::string& text,
                         const TextFormatError& error,
                         const google::protobuf::FileDescriptor& schema);

/// Returns the column of an error as an editor counts it: characters from 1, a tab as one.
std::size_t ColumnIn(const std::string& line, int column);

/// Returns the place of the first byte of `text` that is not UTF-8; nullopt where there is none.
std::optional<std::size_t> FirstBrokenByte(const std::string& text);

/// Returns the names that a scenario may write, as in "A, B or C".
std::string ValuesOf(const google::protobuf::EnumDescriptor& enumeration);

/// Returns what a value of `field` must be: "must be SPATIAL or TEMPORAL".
std::string RuleOfValue(const google::protobuf::FieldDescriptor& field);

} // namespace geotrain
