// SPDX-License-Identifier: GPL-2.0-only
// Tries every name and value before it sets them, since ns-3 ends the program for some.
#include "runner/ns3-defaults.h"

#include "bulk-tcp/model/bulk-tcp-attributes.h"

#include "loader/assignment.h"
#include "loader/nearest-names.h"
#include "training-network/model/stock-sockets.h"
#include "units/config-error.h"

#include <ns3/config.h>
#include <ns3/nstime.h>
#include <ns3/string.h>
#include <ns3/type-id.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <optional>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace geotrain
{

namespace
{

/// Returns the names of the type's own attributes, with the type's name.
std::vector<std::string>
AttributesOf(ns3::TypeId type)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        names.push_back(type.GetAttributeFullName(i));
    }
    return names;
}

constexpr const char* listOfOurs = "; `geotrain list tcp-settings` has bulk-tcp's";

/// Returns the name with its last part, under which people know it: MinRto.
KnownName
WithLastPart(const std::string& name)
{
    return {name, {name.substr(name.rfind(':') + 1)}};
}

std::vector<KnownName>
OurAttributes()
{
    std::vector<KnownName> names;
    for (const auto& setting : ns3::BulkTcpAttributes())
    {
        names.push_back(WithLastPart(setting.name));
    }
    return names;
}

/// Returns bulk-tcp's attributes and, behind them, ns-3's.
std::vector<KnownName>
AllAttributes()
{
    auto names = OurAttributes();
    for (std::uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        if (type.GetName().rfind("ns3::", 0) == 0)
        {
            const auto own = AttributesOf(type);
            std::transform(own.begin(), own.end(), std::back_inserter(names), WithLastPart);
        }
    }
    return names;
}

/// Throws ConfigError where the text is not NAME=VALUE.
void
RequireNameAndValue(const std::string& setting)
{
    const auto name = setting.substr(0, setting.find('='));
    if (name.empty() || name.size() == setting.size())
    {
        const auto nearest = NearestNames(name, AllAttributes());
        throw ConfigError("--ns3",
                          "",
                          setting,
                          "must be NAME=VALUE, such as geotrain::BulkTcp::MinRto=1s; the nearest "
                          "names are " +
                              nearest[0] + ", " + nearest[1] + ", " + nearest[2] + listOfOurs);
    }
}

/// Throws the ConfigError for an attribute that isn't there. `type` is its type, where that exists.
[[noreturn]] void
FailUnknownAttribute(const std::string& name, const std::optional<ns3::TypeId>& type)
{
    const bool isOurs = name.rfind("geotrain::", 0) == 0;
    const auto rule =
        isOurs ? UnknownName("setting of bulk-tcp", name, OurAttributes(), "tcp-settings")
        : type ? UnknownName("attribute of this ns-3", name, AttributesOf(*type))
               : UnknownName("attribute of this ns-3", name, AllAttributes()) + listOfOurs;
    throw ConfigError("--ns3", name, "", rule);
}

ns3::TypeId::AttributeInformation
AttributeOf(const std::string& name)
{
    const auto colon = name.rfind("::");
    ns3::TypeId type;
    if (colon == std::string::npos ||
        !ns3::TypeId::LookupByNameFailSafe(name.substr(0, colon), &type))
    {
        FailUnknownAttribute(name, std::nullopt);
    }
    ns3::TypeId::AttributeInformation info;
    if (!type.LookupAttributeByName(name.substr(colon + 2), &info))
    {
        FailUnknownAttribute(name, type);
    }
    return info;
}

/// Returns whether ns-3 accepts `value`. A child process tries it, since ns-3 ends the program for
/// some texts, such as a time without a number.
bool
Accepts(const ns3::AttributeChecker& checker, const std::string& value)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0)
    {
        std::set_terminate([] { _exit(1); });
        const bool silent = std::freopen("/dev/null", "w", stderr) != nullptr;
        _exit(silent && checker.CreateValidValue(ns3::StringValue(value)) != nullptr ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// Throws ConfigError where the default has no effect over any of `bearers`.
void
CheckEffect(const std::string& name, const std::string& value, const std::set<std::string>& bearers)
{
    std::string instead;
    std::string names;
    for (const std::string& bearer : bearers)
    {
        const ns3::BearerKind& kind = ns3::FindBearer(bearer);
        instead = HasNoEffect(name, kind);
        if (instead.empty())
        {
            return;
        }
        names += (names.empty() ? "" : " and ") + kind.NameInScenario();
    }
    if (!bearers.empty())
    {
        throw ConfigError(
            "--ns3", name, value, "has no effect over transport.bearer " + names + ": " + instead);
    }
}

/// Throws ConfigError for values that ns-3 takes and with which a run would hang or make no sense:
/// a connection without a window sends nothing, and timers of no time expire for ever.
void
CheckSense(const std::string& name, const std::string& value, const std::string& valueType)
{
    static const std::set<std::string> positive{"ns3::TcpSocket::InitialCwnd",
                                                "ns3::TcpSocket::ConnTimeout",
                                                "ns3::TcpSocket::PersistTimeout"};
    const bool isTime = valueType == "ns3::TimeValue";
    if (isTime && ns3::Time(value).IsStrictlyNegative())
    {
        throw ConfigError("--ns3", name, value, "must not be negative");
    }
    if (positive.count(name) > 0 && (isTime ? ns3::Time(value).IsZero() : std::stoull(value) == 0))
    {
        throw ConfigError("--ns3", name, value, "must be above 0");
    }
}

} // namespace

void
SetNs3Defaults(const std::vector<std::string>& settings, const std::set<std::string>& bearers)
{
    ns3::BulkTcpAttributes(); // a static library registers only types that the program uses
    for (const auto& setting : settings)
    {
        RequireNameAndValue(setting);
        const auto [name, value] = SplitAssignment(setting, "--ns3", "");
        const auto checker = AttributeOf(name).checker;
        CheckEffect(name, value, bearers);
        const bool isValue = Accepts(*checker, value);
        if (isValue)
        {
            CheckSense(name, value, checker->GetValueTypeName());
        }
        if (!isValue || !ns3::Config::SetDefaultFailSafe(name, ns3::StringValue(value)))
        {
            throw ConfigError("--ns3", name, value, "is no value of this attribute");
        }
        ns3::StockSockets::KeepDefault(name);
    }
}

} // namespace geotrain
