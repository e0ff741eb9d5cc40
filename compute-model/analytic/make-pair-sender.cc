// SPDX-License-Identifier: GPL-2.0-only
#include "analytic/make-pair-sender.h"

#include "analytic/windowed-pair.h"

#include <vector>

namespace geotrain
{

namespace
{

/// A DirectPair has connections that nothing limits. Messages go into its queue at once, each as
/// one train that no acknowledgement answers.
class DirectPair : public PairSender
{
  public:
    explicit DirectPair(Duration delay)
        : m_delay(delay)
    {
    }

    void Stripe(std::uint32_t message, std::int64_t bytes, std::int64_t /*chunks*/) override
    {
        Add(message, bytes);
    }

    void Queue(std::uint32_t message, std::int64_t bytes, std::uint32_t /*connection*/) override
    {
        Add(message, bytes);
    }

    void QueueForAll(std::uint32_t message, std::int64_t bytes) override
    {
        Add(message, bytes);
    }

    void Advance(Instant now) override
    {
        m_queue.Serve(now);
        for (const Train& train : m_arrived)
        {
            m_queue.Push(train);
        }
        m_arrived.clear();
    }

  private:
    void Add(std::uint32_t message, std::int64_t bytes)
    {
        Train train;
        train.message = message;
        train.isFirst = true;
        train.isLast = true;
        train.bytes = bytes;
        m_arrived.push_back(train);
    }

    void Begins(const Train& train, Instant at) override
    {
        Tell(Event::Kind::Begun, train.message, at + m_delay);
    }

    void HasLeft(const Train& train, Instant at) override
    {
        Tell(Event::Kind::Sent, train.message, at + m_delay);
        Tell(Event::Kind::Left, train.message, at + m_delay);
    }

    Duration m_delay;
    std::vector<Train> m_arrived; ///< trains added since the last Advance
};

} // namespace

std::unique_ptr<PairSender>
MakePairSender(const AnalyticPath& path, const LinkQueueOf& queueOf)
{
    if (path.IsLimitedByWindow())
    {
        return std::make_unique<WindowedPair>(path, queueOf);
    }
    return std::make_unique<DirectPair>(path.delay);
}

} // namespace geotrain
