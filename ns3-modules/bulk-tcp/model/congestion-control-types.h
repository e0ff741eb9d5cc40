// SPDX-License-Identifier: GPL-2.0-only
// Finds congestion controls by name. Any TypeId that derives from ns3::TcpCongestionOps and can be
// constructed is one.
#pragma once

#include <ns3/tcp-congestion-ops.h>
#include <ns3/type-id.h>

#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// Returns the congestion control called `name`: a TypeId, of which "geotrain::" or "ns3::" may be
/// left out, or one of ShortNamesOf() in any case; nullopt where there is none. Where both have a
/// control of that name, it is geotrain's: ns-3's needs its "ns3::".
std::optional<TypeId> LookUpCongestionControl(const std::string& name);

/// Returns the same. Throws geotrain::ConfigError where there is none.
TypeId FindCongestionControl(const std::string& name);

/// Returns the short names of a congestion control in lower case, such as "bbr3" and "bbrv3" for
/// geotrain::TcpBbr3. Those of another control of the same name, such as ns-3's TcpCubic,
/// begin with its namespace.
std::vector<std::string> ShortNamesOf(TypeId type);

/// Returns the name of a control in results: its TypeId without the namespace, unless geotrain has
/// another control of that name.
std::string NameOfCongestionControl(const std::string& typeId);

/// Makes a control. `stream` is the number of its random stream, if it draws random numbers
/// (TcpBbr).
Ptr<TcpCongestionOps> MakeCongestionControl(TypeId type, std::int64_t stream);

/// Returns whether Linux's implementation of a control ends slow start by HyStart: only CUBIC's
/// does (tcp_cubic.c).
bool HasHyStartInLinux(TypeId type);

/// Returns whether a control answers ECN marks (RFC 3168). One that sets window and pacing rate by
/// itself (TcpBbr) does not hear of them; TcpBbr3 looks at TcpSocketState::m_ecnState, and
/// TcpPrague has AccECN.
bool AnswersMarks(const TcpCongestionOps& control);

/// Returns whether a control asks for AccECN, which only connections over light links have.
bool AsksForAccurateEcn(const TcpCongestionOps& control);

/// Returns whether a control can take several segments as one: not with AccECN, whose three bits can't
/// count the marks of a merged run, and not TcpLedbat, which reduces its window to what is out (RFC 6817,
/// section 2.4.2, allows a segment more), where a burst that waits keeps what is out below the window.
bool GoesWithOffloads(const TcpCongestionOps& control);

/// Returns every registered congestion control in the order of their names.
std::vector<TypeId> AllCongestionControls();

} // namespace ns3
