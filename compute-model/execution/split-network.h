// SPDX-License-Identifier: GPL-2.0-only
// Puts two networks under one run: messages between data centres go over one, and those inside a data
// centre over the other, on the first one's clock. It knows of neither how it carries them.
#pragma once

#include "execution/network.h"

#include <functional>
#include <memory>
#include <vector>

namespace geotrain
{

/// A SplitNetwork is a Network of two.
class SplitNetwork : public Network
{
  public:
    /// Says whether a message from the first to the second node stays inside a data centre.
    using IsInside = std::function<bool(NodeIndex source, NodeIndex destination)>;

    /// `between` must outlive this, and `inside` must run on its clock.
    SplitNetwork(Network& between, std::unique_ptr<Network> inside, IsInside isInside);

    /// It is of the kind of the network between data centres.
    const NetworkKind& Kind() const override;
    Clock& GetClock() override;
    std::uint32_t ConnectionsBetween(NodeIndex source, NodeIndex destination) const override;
    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override;
    void Cancel(TransferNumber transfer) override;

    /// Prepares the network between data centres first, which sets the clock to 0.
    void Prepare(const std::vector<WarmUp>& pairs) override;

    /// Counts what either network has carried.
    NetworkCounters Counters() const override;
    bool SpreadsMessages(NodeIndex source, NodeIndex destination) const override;
    Bytes
    PartSize(NodeIndex source, NodeIndex relay, NodeIndex destination, Bytes size) const override;
    Bytes LeastChunk(NodeIndex source, NodeIndex destination) const override;

  private:
    Network& Of(NodeIndex source, NodeIndex destination) const;

    Network& m_between;
    std::unique_ptr<Network> m_inside;
    IsInside m_isInside;
};

} // namespace geotrain
