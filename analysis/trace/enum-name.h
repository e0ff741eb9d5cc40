// SPDX-License-Identifier: GPL-2.0-only
// Names trace.proto's enums as people read them: GPU_WORK_WEIGHT_GRADIENT is "weight_gradient".
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/generated_enum_reflection.h>

#include <string>

namespace geotrain
{

/// Returns the name of `value` in lower case, without the prefix that the enum's values share.
std::string NameOf(const google::protobuf::EnumValueDescriptor& value);

/// Returns the name of `value`, which must be one of its enum's.
template <typename Enum>
std::string
NameOf(Enum value)
{
    return NameOf(*google::protobuf::GetEnumDescriptor<Enum>()->FindValueByNumber(value));
}

} // namespace geotrain
