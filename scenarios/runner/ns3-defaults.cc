#include "runner/ns3-defaults.h"

#include "loader/field-path.h"
#include "units/config-error.h"

#include <ns3/config.h>
#include <ns3/string.h>
#include <ns3/type-id.h>

namespace geotrain
{

namespace
{

// ns-3 ends the program when a value doesn't parse, so that is tried first.
bool
Accepts(const std::string& name, const std::string& value)
{
    const auto colon = name.rfind("::");
    ns3::TypeId type;
    ns3::TypeId::AttributeInformation info;
    if (colon == std::string::npos || !ns3::TypeId::LookupByNameFailSafe(name.substr(0, colon), &type) ||
        !type.LookupAttributeByName(name.substr(colon + 2), &info))
    {
        throw ConfigError("--ns3", name, "", "is no attribute of this ns-3");
    }
    return info.checker->CreateValidValue(ns3::StringValue(value)) != nullptr;
}

} // namespace

void
SetNs3Defaults(const std::vector<std::string>& settings)
{
    for (const auto& setting : settings)
    {
        const auto [name, value] = SplitAssignment(setting, "--ns3", "");
        if (!Accepts(name, value) || !ns3::Config::SetDefaultFailSafe(name, ns3::StringValue(value)))
        {
            throw ConfigError("--ns3", name, value, "is no value of this attribute");
        }
    }
}

} // namespace geotrain
