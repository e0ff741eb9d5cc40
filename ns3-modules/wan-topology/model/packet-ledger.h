// SPDX-License-Identifier: GPL-2.0-only
// Tells whoever keeps something for each packet record, such as a real frame, what becomes of the
// records that do not simply travel from element to element.
#pragma once

#include "wan-topology/model/packet-record.h"

namespace ns3
{

/// A PacketLedger is told of records that end inside a link, and of copies that a link makes.
class PacketLedger
{
  public:
    virtual ~PacketLedger() = default;
    virtual void Dropped(const PacketRecord& record) = 0;
    virtual void Copied(const PacketRecord& record) = 0; ///< both go on
};

} // namespace ns3
