// SPDX-License-Identifier: GPL-2.0-only
// Messages of two iterations are the same if sender, receiver, payload, stage and microbatch are.
#include "metrics/wan-messages.h"

#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace geotrain
{

namespace
{

/// Sent is the bits and the completion times of a node pair's messages, summed.
struct Sent
{
    double bits = 0;
    double seconds = 0;
};

double
SecondsUntilDelivered(const trace::MessageSpan& message, std::int64_t fromNs)
{
    return static_cast<double>(message.delivered_ns() - fromNs) / 1e9;
}

auto
SameMessageKey(const trace::MessageSpan& message)
{
    return std::make_tuple(message.sender(),
                           message.receiver(),
                           message.payload(),
                           message.stage(),
                           message.microbatch());
}

} // namespace

WanMessages
TallyWanMessages(const std::vector<trace::MessageSpan>& messages,
                 std::uint32_t first,
                 std::uint32_t iterations)
{
    WanMessages tally;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sent> pairs;
    // The value holds the iteration after the latest such message's, and that message's time.
    std::map<decltype(SameMessageKey({})), std::pair<std::uint32_t, double>> latest;
    for (const auto& message : messages)
    {
        if (message.iteration() < first || message.iteration() - first >= iterations)
        {
            continue;
        }
        const double completion = SecondsUntilDelivered(message, message.queued_ns());
        tally.completionSeconds.push_back(completion);
        auto& before = latest[SameMessageKey(message)];
        if (message.iteration() > 0 && before.first == message.iteration())
        {
            tally.changeSeconds.push_back(std::abs(completion - before.second));
        }
        before = {message.iteration() + 1, completion};
        Sent& sent = pairs[{message.source(), message.destination()}];
        sent.bits += 8 * static_cast<double>(message.bytes());
        sent.seconds += SecondsUntilDelivered(message, message.send_start_ns());
    }
    for (const auto& [pair, sent] : pairs)
    {
        tally.pairGoodputBps.push_back(sent.seconds > 0 ? sent.bits / sent.seconds : 0);
    }
    return tally;
}

} // namespace geotrain
