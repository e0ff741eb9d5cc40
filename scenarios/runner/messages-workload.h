// SPDX-License-Identifier: GPL-2.0-only
// Sends the bulk messages of a scenario's transfer, one after another, beside those of a rival if the
// scenario has one.
#pragma once

#include "execution/node-view.h"
#include "loader/experiment.h"
#include "runner/message-series.h"
#include "runner/workload.h"

#include <memory>

namespace geotrain
{

class PathQueueing;

/// MessagesWorkload is the messages of one run.
class MessagesWorkload : public Workload
{
  public:
    /// `experiment` has a transfer of messages, and must outlive this.
    explicit MessagesWorkload(const Experiment& experiment);
    ~MessagesWorkload() override;

    std::string Name() const override;
    std::vector<NodePair> Pairs() const override;
    std::vector<Network::WarmUp> WarmUps() const override;
    void Describe(trace::RunHeader& header) const override;
    void WarmUp(Testbed& testbed, RecordSink& trace) override;
    void Settle(Testbed& testbed) override;
    void Begin(Testbed& testbed) override;
    bool IsDone() const override;
    std::optional<WorkTimes> Times() const override;
    bool HasFailed() const override;
    double Progress() const override;
    std::string Doing() const override;
    std::string WhoWaits() const override;
    void Finish(Testbed& testbed, trace::RunEnd& end) override;

  private:
    void BeginLater(Testbed& testbed, MessageSeries& series, const char* stream);

    const Experiment& m_experiment;
    const TransferSection& m_transfer;
    MessageSeriesSettings m_settings;
    RecordSink* m_trace = nullptr; ///< from the warm-up on
    std::unique_ptr<NodeView> m_view; ///< all nodes, with connections that no job uses
    std::unique_ptr<MessageSeries> m_series;
    std::unique_ptr<MessageSeries> m_rival;
    std::unique_ptr<PathQueueing> m_queueing;
    Instant m_begun;                      ///< when the first message began
    Instant m_delivered;                  ///< when the last one was delivered so far
    std::uint64_t m_rivalBytesBefore = 0; ///< that the rival had delivered at time 0
};

} // namespace geotrain
