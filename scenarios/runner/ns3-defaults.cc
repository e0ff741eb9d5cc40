// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ns3-defaults.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"
#include "loader/nearest-names.h"
#include "training-network/model/stock-sockets.h"
#include "units/config-error.h"
#include "units/text-pattern.h"

#include <ns3/config.h>
#include <ns3/string.h>
#include <ns3/type-id.h>

#include <algorithm>

namespace geotrain
{

namespace
{

/// Returns the attributes of geotrain's types and, behind them, of ns-3's and loaded libraries'. Their
/// last parts are other names of theirs.
std::vector<KnownName>
AllAttributes()
{
    std::vector<KnownName> names;
    for (const bool isOurs : {true, false})
    {
        for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
        {
            const auto type = ns3::TypeId::GetRegistered(i);
            const bool isWanted = (type.GetName().rfind("geotrain::", 0) == 0) == isOurs;
            for (std::size_t j = 0; isWanted && j < type.GetAttributeN(); ++j)
            {
                const auto name = type.GetAttributeFullName(j);
                names.push_back({name, {name.substr(name.rfind(':') + 1)}});
            }
        }
    }
    return names;
}

[[noreturn]] void
FailUnknown(const std::string& name)
{
    throw ConfigError("--ns3",
                      name,
                      "",
                      UnknownName("attribute of this ns-3 or of bulk-tcp",
                                  name,
                                  AllAttributes(),
                                  "tcp-settings"));
}

std::string
ClassOf(const std::string& name)
{
    return name.substr(0, name.rfind("::"));
}

ns3::TypeId::AttributeInformation
FindAttribute(const std::string& name)
{
    const auto colon = name.rfind("::");
    ns3::TypeId type;
    ns3::TypeId::AttributeInformation info;
    if (colon == std::string::npos ||
        !ns3::TypeId::LookupByNameFailSafe(ClassOf(name), &type) ||
        !type.LookupAttributeByName(name.substr(colon + 2), &info))
    {
        FailUnknown(name);
    }
    return info;
}

/// Returns the bearers that read the defaults of a class; empty where all do.
std::string
ReadersOf(const std::string& className)
{
    const bool isOfNs3sSockets = className == "ns3::TcpSocket" || className == "ns3::TcpSocketBase";
    return isOfNs3sSockets ? "STOCK"
           : className.rfind("geotrain::BulkTcp", 0) == 0
               ? ns3::BearersWith(ns3::BearerFeature::BulkTcp)
               : "";
}

/// Throws ConfigError where none of `bearers` reads the default.
void
CheckEffect(const std::string& name, const std::string& value, const std::set<std::string>& bearers)
{
    const auto readers = ReadersOf(ClassOf(name));
    const auto reads = [&readers](const std::string& bearer)
    { return readers.find(ns3::FindBearer(bearer).NameInScenario()) != readers.npos; };
    if (!bearers.empty() && !readers.empty() && std::none_of(bearers.begin(), bearers.end(), reads))
    {
        throw ConfigError(
            "--ns3", name, value, "has no effect: only transport.bearer " + readers + " reads it");
    }
}

/// Returns whether a value can be set. ns-3 ends the program for a time that is none.
bool
IsValue(const ns3::AttributeChecker& checker, const std::string& value)
{
    static const TextPattern time(
        "^([0-9]+[.]?[0-9]*|[.][0-9]+)(e[+-]?[0-9]+)?(s|ms|us|ns|ps|fs|min|h|d|y)?$");
    if (checker.GetValueTypeName() == "ns3::TimeValue" && !time.IsIn(value))
    {
        return false;
    }
    return checker.CreateValidValue(ns3::StringValue(value)) != nullptr;
}

} // namespace

void
SetNs3Defaults(const std::vector<std::string>& settings, const std::set<std::string>& bearers)
{
    ns3::BulkTcpAttributes(); // a static library registers only types that the program uses
    for (const auto& setting : settings)
    {
        const auto equals = setting.find('=');
        if (equals == setting.npos)
        {
            throw ConfigError("--ns3",
                              "",
                              setting,
                              "must be NAME=VALUE, such as geotrain::BulkTcp::MinRto=1s");
        }
        const auto name = setting.substr(0, equals);
        const auto value = setting.substr(equals + 1);
        const auto checker = FindAttribute(name).checker;
        CheckEffect(name, value, bearers);
        if (!IsValue(*checker, value) ||
            !ns3::Config::SetDefaultFailSafe(name, ns3::StringValue(value)))
        {
            throw ConfigError("--ns3", name, value, "is no value of this attribute");
        }
        ns3::StockSockets::KeepDefault(name);
    }
}

} // namespace geotrain
