// SPDX-License-Identifier: GPL-2.0-only
// What Protobuf's parser says of a text in its text format.
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
    int column = 0;      ///< in bytes, counted from 0; a tab leads to the next multiple of 8
    std::string message; ///< Protobuf's own message
};

/// FirstError keeps the first error of Protobuf's parser and prints nothing.
class FirstError : public google::protobuf::io::ErrorCollector
{
  public:
    void AddError(int line, int column, const std::string& message) override;

    std::optional<TextFormatError> found;
};

/// Returns the names that a scenario may write, as in "A, B or C".
std::string ValuesOf(const google::protobuf::EnumDescriptor& enumeration);

} // namespace geotrain
