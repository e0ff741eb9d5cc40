// SPDX-License-Identifier: GPL-2.0-only
// Puts a learned path between packet elements of an own ns-3 program. Scenarios make the same of
// wan_link.learned, for every bearer: LinkModel answers as a LearnedDirection there.
#pragma once

#include "wan-topology/model/light-link.h"

#include <ns3/object.h>

#include <memory>
#include <string>

namespace ns3
{

/// LearnedPath is an element that delays and drops packets as a model file says, one buffer for all
/// flows.
class LearnedPath : public Object, public PacketElement
{
  public:
    static TypeId GetTypeId();

    /// Reads the model file, and gives packets to `next`, which outlives the path. Call it once,
    /// before the first packet. Throws geotrain::ConfigError.
    void SetNext(PacketElement& next);

    void Receive(const PacketRecord& record) override;

  private:
    void DoDispose() override;

    std::string m_modelFile;
    bool m_isBackward = false;
    std::unique_ptr<LightLink> m_link;
};

} // namespace ns3
