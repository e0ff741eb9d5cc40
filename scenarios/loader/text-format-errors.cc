// SPDX-License-Identifier: GPL-2.0-only
#include "loader/text-format-errors.h"

namespace geotrain
{

void
FirstError::AddError(int line, int column, const std::string& message)
{
    if (!found)
    {
        found = TextFormatError{line, column, message};
    }
}

std::string
ValuesOf(const google::protobuf::EnumDescriptor& enumeration)
{
    std::string values;
    for (int i = 1; i < enumeration.value_count(); ++i) // 0 is what is not set
    {
        values += i == 1 ? "" : i + 1 == enumeration.value_count() ? " or " : ", ";
        values += enumeration.value(i)->name();
    }
    return values;
}

} // namespace geotrain
