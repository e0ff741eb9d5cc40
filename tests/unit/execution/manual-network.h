// SPDX-License-Identifier: GPL-2.0-only
// Defines a network whose transfers the test ends by hand. As with every network, a cancelled
// transfer is told nothing; a test that tells it something fails.
#pragma once

#include "analytic/event-loop.h"
#include "execution/network.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace geotrain
{

class ManualNetwork : public Network
{
  public:
    struct Call
    {
        TransferRequest request;
        TransferCallback callback;
    };

    const NetworkKind& Kind() const override
    {
        static const NetworkKind kind{
            "manual", false, [](std::string_view, std::string_view) { return false; }};
        return kind;
    }

    Clock& GetClock() override
    {
        return m_loop;
    }

    std::uint32_t ConnectionsBetween(NodeIndex, NodeIndex) const override
    {
        return 2;
    }

    TransferNumber Transfer(const TransferRequest& request, TransferCallback callback) override
    {
        m_calls.push_back({request, std::move(callback)});
        return m_calls.size();
    }

    void Cancel(TransferNumber transfer) override
    {
        m_cancelled.insert(transfer);
    }

    void Prepare(const std::vector<WarmUp>& pairs) override
    {
        m_prepared.insert(m_prepared.end(), pairs.begin(), pairs.end());
    }

    Bytes LeastChunk(NodeIndex, NodeIndex) const override
    {
        return m_leastChunk;
    }

    void SetLeastChunk(Bytes size)
    {
        m_leastChunk = size;
    }

    NetworkCounters Counters() const override
    {
        return {};
    }

    /// Tells an event of the transfer `call`, an index into Calls().
    void Tell(std::size_t call, TransferEvent::Kind kind)
    {
        ASSERT_FALSE(IsCancelled(call));
        const TransferCallback callback = m_calls[call].callback;
        callback({kind, call + 1, m_loop.Now(), "reset"});
    }

    void Deliver(std::size_t call)
    {
        Tell(call, TransferEvent::Kind::FirstByte);
        Tell(call, TransferEvent::Kind::Sent);
        Tell(call, TransferEvent::Kind::Delivered);
    }

    bool IsCancelled(std::size_t call) const
    {
        return m_cancelled.count(call + 1) > 0;
    }

    const std::vector<Call>& Calls() const
    {
        return m_calls;
    }

    const std::vector<WarmUp>& Prepared() const
    {
        return m_prepared;
    }

  private:
    EventLoop m_loop;
    std::vector<Call> m_calls;
    Bytes m_leastChunk;
    std::vector<WarmUp> m_prepared;
    std::set<TransferNumber> m_cancelled;
};

} // namespace geotrain
