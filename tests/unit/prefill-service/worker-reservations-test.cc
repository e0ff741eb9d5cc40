// SPDX-License-Identifier: GPL-2.0-only
// A worker's reservations are in order of their begin, and the alarm rings once, when the first of them begins.
#include "analytic/event-loop.h"
#include "prefill-service/worker-reservations.h"

#include <gtest/gtest.h>

#include <vector>

namespace geotrain
{
namespace
{

Instant
At(std::int64_t ms)
{
    return Instant() + Duration::Milliseconds(ms);
}

Reservation
From(std::int64_t ms, std::uint32_t batch)
{
    Reservation reservation;
    reservation.start = At(ms);
    reservation.batch = batch;
    return reservation;
}

class WorkerReservationsTest : public testing::Test
{
  protected:
    std::vector<std::uint32_t> Batches()
    {
        std::vector<std::uint32_t> batches;
        reserved.RemoveIf(
            [&batches](const Reservation& reservation)
            {
                batches.push_back(reservation.batch);
                return false;
            });
        return batches;
    }

    EventLoop loop;
    std::vector<Instant> rung;
    WorkerReservations reserved{loop, [this] { rung.push_back(loop.Now()); }};
};

TEST_F(WorkerReservationsTest, AreInOrderOfBeginAndThenOfInsertion)
{
    reserved.Insert(From(20, 1));
    reserved.Insert(From(10, 2));
    reserved.Insert(From(20, 3));
    reserved.Insert(From(15, 4));
    EXPECT_EQ(Batches(), (std::vector<std::uint32_t>{2, 4, 1, 3}));
    reserved.RemoveFirst();
    EXPECT_EQ(reserved.First()->batch, 4U);
}

TEST_F(WorkerReservationsTest, WhatIsRemovedGoesAndWhatStaysMayGetAnotherLimit)
{
    reserved.Insert(From(10, 1));
    reserved.Insert(From(20, 2));
    reserved.RemoveIf(
        [](Reservation& reservation)
        {
            reservation.limit = At(99);
            return reservation.batch == 1;
        });
    EXPECT_EQ(Batches(), std::vector<std::uint32_t>{2});
    EXPECT_EQ(reserved.First()->limit, At(99));
}

TEST_F(WorkerReservationsTest, TheAlarmRingsWhenTheFirstBegins)
{
    reserved.Insert(From(20, 1));
    reserved.AwaitFirst();
    reserved.Insert(From(10, 2)); // comes before it
    reserved.AwaitFirst();
    reserved.AwaitFirst(); // changes nothing
    loop.Run(Instant::Never());
    EXPECT_EQ(rung, std::vector<Instant>{At(10)});
}

TEST_F(WorkerReservationsTest, TheAlarmRingsAtOnceWhereTheTimeHasCome)
{
    loop.Schedule(At(30),
                  [this]
                  {
                      reserved.Insert(From(10, 1));
                      reserved.AwaitFirst();
                  });
    loop.Run(Instant::Never());
    EXPECT_EQ(rung, std::vector<Instant>{At(30)});
}

TEST_F(WorkerReservationsTest, WithoutReservationsNothingIsAwaited)
{
    reserved.AwaitFirst();
    loop.Run(Instant::Never());
    EXPECT_EQ(reserved.First(), nullptr);
    EXPECT_TRUE(rung.empty());
}

} // namespace
} // namespace geotrain
