// SPDX-License-Identifier: GPL-2.0-only
#include "trace/enum-name.h"

#include <algorithm>
#include <string_view>

namespace geotrain
{

std::string
NameOf(const google::protobuf::EnumValueDescriptor& value)
{
    constexpr std::string_view zeroName = "UNSPECIFIED"; // follows the prefix in every enum's zero
    const std::size_t prefix = value.type()->value(0)->name().size() - zeroName.size();
    std::string name = value.name().substr(prefix);
    std::transform(name.begin(),
                   name.end(),
                   name.begin(),
                   [](unsigned char c)
                   { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return name;
}

} // namespace geotrain
