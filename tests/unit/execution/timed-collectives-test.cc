// SPDX-License-Identifier: GPL-2.0-only
// Tests collectives that take a time of their own, and which calls they leave to the collectives
// that they decorate.
#include "execution/timed-collectives.h"

#include "analytic/event-loop.h"

#include <gtest/gtest.h>

namespace geotrain
{
namespace
{

/// NotedCollectives records its calls.
class NotedCollectives : public Collectives
{
  public:
    explicit NotedCollectives(std::vector<std::string>& notes)
        : m_notes(notes)
    {
    }

    CollectiveHandle
    Join(const CollectiveRequest& request, std::uint32_t member, CollectiveCallback) override
    {
        m_notes.push_back("join " + std::to_string(request.number) + " " + std::to_string(member));
        return {request.number};
    }

    void Cancel(CollectiveHandle collective) override
    {
        m_notes.push_back("cancel " + std::to_string(collective.number));
    }

  private:
    std::vector<std::string>& m_notes;
};

/// Collectives below number 10 take 5 ns for each member.
class TimedCollectivesTest : public ::testing::Test
{
  protected:
    static std::optional<CollectiveDemand> TimeOf(const CollectiveRequest& request)
    {
        if (request.number >= 3 && request.number < 10)
        {
            CollectiveDemand demand(Duration::Nanoseconds(100));
            demand.shareOf[7] = request.number < 6 ? 1 : 0.5;
            return demand;
        }
        return request.number < 10 ? std::optional<CollectiveDemand>(
                                         Duration::Nanoseconds(5) *
                                         static_cast<std::int64_t>(request.members.size()))
                                   : std::nullopt;
    }

    void JoinAt(std::int64_t nanoseconds, std::uint64_t number, std::uint32_t member)
    {
        clock.Schedule(Instant::FromNanoseconds(nanoseconds),
                       [this, number, member]
                       {
                           collectives.Join(request(number),
                                            member,
                                            [this](Instant at, const std::string& failure)
                                            {
                                                EXPECT_EQ(failure, "");
                                                EXPECT_EQ(at, clock.Now());
                                                ends.push_back(at.ToNanoseconds());
                                            });
                       });
    }

    static CollectiveRequest request(std::uint64_t number)
    {
        return {number, CollectiveKind::AllReduce, {0, 1, 2}, Bytes::Of(100)};
    }

    EventLoop clock;
    std::vector<std::string> notes;
    TimedCollectives collectives{clock, TimeOf, std::make_unique<NotedCollectives>(notes)};
    std::vector<std::int64_t> ends;
};

TEST_F(TimedCollectivesTest, StartWhenTheLastMemberHasJoined)
{
    JoinAt(1, 1, 0);
    JoinAt(7, 1, 2);
    JoinAt(30, 1, 1);
    clock.Run(Instant::Never());
    EXPECT_EQ(ends, (std::vector<std::int64_t>{45, 45, 45}));
    EXPECT_TRUE(notes.empty());
}

// Each has half of the rate while both are in progress: the first, which had 50 of 100 ns left, takes
// 100 more, and then the second has 50 of its own left.
TEST_F(TimedCollectivesTest, ThoseInProgressShareWhatTheyUse)
{
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        JoinAt(0, 3, member);
        JoinAt(50, 4, member);
    }
    clock.Run(Instant::Never());
    EXPECT_EQ(ends, (std::vector<std::int64_t>{150, 150, 150, 200, 200, 200}));
}

TEST_F(TimedCollectivesTest, ThoseThatLeaveRoomForEachOtherDontShare)
{
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        JoinAt(0, 6, member);
        JoinAt(50, 7, member);
    }
    clock.Run(Instant::Never());
    EXPECT_EQ(ends, (std::vector<std::int64_t>{100, 100, 100, 150, 150, 150}));
}

TEST_F(TimedCollectivesTest, OneThatIsCancelledLeavesItsShareToTheOthers)
{
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        JoinAt(0, 3, member);
        JoinAt(0, 4, member);
    }
    clock.Schedule(Instant::FromNanoseconds(60), [this] { collectives.Cancel({3}); });
    clock.Run(Instant::Never());
    EXPECT_EQ(ends, (std::vector<std::int64_t>{130, 130, 130})); // 30 of 100 ns done at 60
}

TEST_F(TimedCollectivesTest, LeaveTheOthersToThoseThatTheyDecorate)
{
    JoinAt(1, 12, 2);
    clock.Run(Instant::Never());
    collectives.Cancel({12});
    EXPECT_EQ(notes, (std::vector<std::string>{"join 12 2", "cancel 12"}));
}

TEST_F(TimedCollectivesTest, OneThatIsCancelledEndsForNobodyAndCanBeJoinedAgain)
{
    for (std::uint32_t member = 0; member < 3; ++member)
    {
        JoinAt(0, 1, member);
        JoinAt(0, 2, member);
        JoinAt(100, 1, member);
    }
    clock.Schedule(Instant::FromNanoseconds(10), [this] { collectives.Cancel({1}); });
    clock.Run(Instant::Never());
    EXPECT_EQ(ends, (std::vector<std::int64_t>{15, 15, 15, 115, 115, 115}));
    EXPECT_TRUE(notes.empty());
}

} // namespace
} // namespace geotrain
