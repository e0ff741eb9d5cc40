// SPDX-License-Identifier: GPL-2.0-only
// What Protobuf's parser says of a text in its text format.
#pragma once

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
    void AddError(int line, int column, const std::string& message) override
    {
        if (!found)
        {
            found = TextFormatError{line, column, message};
        }
    }

    std::optional<TextFormatError> found;
};

} // namespace geotrain
