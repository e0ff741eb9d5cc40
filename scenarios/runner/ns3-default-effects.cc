// SPDX-License-Identifier: GPL-2.0-only
// Decides which defaults of ns-3 have an effect over each bearer. EXPRESS has no sockets, no IPv4
// and no devices; DEVICE doesn't use ns-3's TCP; STOCK doesn't use bulk-tcp. Defaults of settings
// that a transport always sets itself have no effect either.
#include "runner/ns3-defaults.h"

#include <ns3/tcp-congestion-ops.h>
#include <ns3/tcp-cubic.h>
#include <ns3/tcp-socket-state.h>
#include <ns3/type-id.h>

#include <map>

namespace geotrain
{

namespace
{

using Instead = std::map<std::string, std::string>;

const std::string windowField = "the field transport.window has";

/// Returns what bulk-tcp has instead of defaults of ns-3's sockets.
const Instead&
ForBulkTcp()
{
    static const Instead instead{
        {"ns3::TcpSocketBase::MinRto", "geotrain::BulkTcp::MinRto has"},
        {"ns3::TcpSocketBase::UseEcn", "the field transport.ecn has"},
        {"ns3::TcpSocket::InitialCwnd", "geotrain::BulkTcp::InitialWindow has"},
        {"ns3::TcpSocket::DelAckTimeout", "geotrain::BulkTcp::DelayedAckTimeout has"},
        {"ns3::TcpSocket::DelAckCount", "geotrain::BulkTcp::DelayedAckCount has"},
        {"ns3::TcpSocketState::EnablePacing", "geotrain::BulkTcp::Pacing has"},
        {"ns3::TcpSocketState::MaxPacingRate", "bulk-tcp has no largest pacing rate"},
        {"ns3::TcpSocket::RcvBufSize", windowField},
        {"ns3::TcpSocket::SndBufSize", windowField},
        {"ns3::TcpSocket::SegmentSize", "the field mtu has"},
        {"ns3::TcpL4Protocol::SocketType", "the field transport.congestion_control has"},
    };
    return instead;
}

/// What the transport over ns-3's sockets sets by itself, and what bulk-tcp's settings are there.
const Instead&
ForStock()
{
    static const Instead instead{
        {"ns3::TcpSocket::RcvBufSize", windowField},
        {"ns3::TcpSocket::SndBufSize", windowField},
        {"ns3::TcpSocket::SegmentSize", "the field mtu has"},
        {"ns3::TcpL4Protocol::SocketType", "the field transport.congestion_control has"},
        {"geotrain::BulkTcp::InitialWindow", "ns3::TcpSocket::InitialCwnd has"},
        {"geotrain::BulkTcp::MinRto", "ns3::TcpSocketBase::MinRto has"},
        {"geotrain::BulkTcp::DelayedAckCount", "ns3::TcpSocket::DelAckCount has"},
        {"geotrain::BulkTcp::DelayedAckTimeout", "ns3::TcpSocket::DelAckTimeout has"},
        {"geotrain::BulkTcp::Pacing", "ns3::TcpSocketState::EnablePacing has"},
    };
    return instead;
}

bool
IsOfControls(ns3::TypeId type)
{
    return type == ns3::TcpCubic::GetTypeId() || type == ns3::TcpSocketState::GetTypeId() ||
           type.IsChildOf(ns3::TcpCongestionOps::GetTypeId());
}

std::string
Find(const Instead& instead, const std::string& name)
{
    const auto found = instead.find(name);
    return found == instead.end() ? "" : found->second;
}

std::string
BearerWith(ns3::BearerFeature feature)
{
    return "transport.bearer " + ns3::BearersWith(feature);
}

} // namespace

std::string
HasNoEffect(const std::string& name, const ns3::BearerKind& bearer)
{
    const bool isBulkTcp = bearer.Has(ns3::BearerFeature::BulkTcp);
    const bool hasDevices = bearer.Has(ns3::BearerFeature::Ns3Devices);
    const std::string known = Find(isBulkTcp ? ForBulkTcp() : ForStock(), name);
    if (!known.empty())
    {
        return known;
    }
    const std::string className = name.substr(0, name.rfind("::"));
    if (!isBulkTcp)
    {
        const bool isOurs = className.rfind("geotrain::BulkTcp", 0) == 0;
        return isOurs ? BearerWith(ns3::BearerFeature::BulkTcp) + " has bulk-tcp" : "";
    }
    ns3::TypeId type;
    if (!ns3::TypeId::LookupByNameFailSafe(className, &type) || IsOfControls(type))
    {
        return "";
    }
    if (className == "ns3::TcpSocket" || className == "ns3::TcpSocketBase")
    {
        return "transport.bearer STOCK has ns-3's sockets";
    }
    static const std::set<std::string> stack{
        "Internet", "TrafficControl", "PointToPoint", "Network", "Csma", "Bridge"};
    if (!hasDevices && stack.count(type.GetGroupName()) > 0)
    {
        return BearerWith(ns3::BearerFeature::Ns3Devices) +
               " has ns-3's IPv4, queues and devices";
    }
    if (!hasDevices && className == "geotrain::BulkTcpSocket")
    {
        return "transport.bearer DEVICE has sockets";
    }
    return "";
}

} // namespace geotrain
