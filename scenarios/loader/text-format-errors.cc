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
