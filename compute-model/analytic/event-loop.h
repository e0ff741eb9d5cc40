// The clock of networks without ns-3: a priority queue of events, those of one instant in the order of
// scheduling.
#pragma once

#include "execution/clock.h"

#include <queue>
#include <unordered_set>
#include <vector>

namespace geotrain
{

class EventLoop : public Clock
{
  public:
    Instant Now() const override;
    EventNumber Schedule(Instant at, Callback callback) override;
    void Cancel(EventNumber event) override;
    void Run(Instant deadline) override;
    void Stop() override;

  private:
    struct Event
    {
        Instant at;
        EventNumber number = 0;
        Callback callback;
    };

    struct IsLater
    {
        bool operator()(const Event& a, const Event& b) const
        {
            return a.at > b.at || (a.at == b.at && a.number > b.number);
        }
    };

    Instant m_now;
    EventNumber m_lastNumber = 0;
    bool m_stopped = false;
    std::priority_queue<Event, std::vector<Event>, IsLater> m_events;
    std::unordered_set<EventNumber> m_cancelled;
};

} // namespace geotrain
