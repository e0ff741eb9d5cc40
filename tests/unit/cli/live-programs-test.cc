// SPDX-License-Identifier: GPL-2.0-only
// Runs programs of a user's own in the nodes of `geotrain live`, and ends such runs early.
#include "live-test.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace geotrain
{

namespace
{

using LivePrograms = LiveTest;

TEST_F(LivePrograms, NoProcessKeepsRightsOnceItIsSetUp)
{
    WriteTransfer();
    // The program in the node, which keeps its own, reads those of the run's processes.
    const auto live = RunLive(
        "t.textproto --out rights-out --quiet --exec 'a/0: sleep 1; for p in /proc/[0-9]*; do "
        "grep -qs rights-out $p/cmdline && grep -qsx geotrain $p/comm && "
        "grep CapEff $p/status; done'");
    if (LacksRights(live))
    {
        GTEST_SKIP() << live.error;
    }
    const std::string rights = Contents(m_folder / "rights-out/exec-1.txt");
    // The parent, the first process of the namespaces, and the WAN.
    const std::string none = "CapEff:\t0000000000000000\n";
    EXPECT_EQ(rights, none + none + none);
}

TEST_F(LivePrograms, ProgramsHaveThePriorityThatIsAskedFor)
{
    WriteTransfer();
    const auto live = RunLive("t.textproto --out live --quiet --nice 7 --exec 'a/0: nice'");
    if (LacksRights(live))
    {
        GTEST_SKIP() << live.error;
    }
    EXPECT_EQ(live.code, 0) << live.error;
    EXPECT_EQ(Contents(m_folder / "live/exec-1.txt"), "7\n");
    const auto refused = RunLive("t.textproto --out refused --nice 20 --exec 'a/0: nice'");
    EXPECT_EQ(refused.code, 1);
    EXPECT_NE(refused.error.find("--nice"), std::string::npos) << refused.error;
}

TEST_F(LivePrograms, ProgramsHaveThatOfTheRunWhereNoneIsAskedFor)
{
    WriteTransfer();
    const std::string command = "cd '" + m_folder.string() +
                                "' && nice -n 5 nice > expected.txt && nice -n 5 '" GEOTRAIN_PROGRAM
                                "' live t.textproto --out live --quiet --exec 'a/0: nice' "
                                "> out.txt 2> error.txt";
    const int status = std::system(command.c_str());
    if (Contents(m_folder / "error.txt").find("allows no namespaces") != std::string::npos)
    {
        GTEST_SKIP() << Contents(m_folder / "error.txt");
    }
    EXPECT_EQ(WEXITSTATUS(status), 0) << Contents(m_folder / "error.txt");
    EXPECT_EQ(Contents(m_folder / "live/exec-1.txt"), Contents(m_folder / "expected.txt"));
}

TEST_F(LivePrograms, ProgramsRunInTheirNodesAndTheirCodesAreReported)
{
    WriteTransfer();
    const auto live = RunLive("t.textproto --out live --quiet "
                              "--exec 'a/0: echo I am {a/0}; sleep 60' "
                              "--exec 'b/0: ip -4 addr show eth0; exit 7'");
    if (LacksRights(live))
    {
        GTEST_SKIP() << live.error;
    }
    const auto programs = Json("live/live.json")["programs"];
    ASSERT_EQ(programs.size(), 2U);
    EXPECT_EQ(live.code, 4);
    EXPECT_EQ(
        live.error.rfind("--exec b/0: ip -4 addr show eth0; exit 7: exit code 7; its output is in "
                         "live/exec-2.txt\n",
                         0),
        0U)
        << live.error;
    EXPECT_EQ(programs[0]["stopped"], true);
    EXPECT_EQ(programs[1]["exit_code"], 7);
    EXPECT_EQ(programs[1]["stopped"], false);
    EXPECT_EQ(Contents(m_folder / "live/exec-1.txt"), "I am 192.0.2.1\n");
    EXPECT_EQ(Json("live/run-info.json")["exit_code"], live.code); // --force knows the folder by it
    EXPECT_NE(Contents(m_folder / "live/exec-2.txt").find("192.0.2.2/32"), std::string::npos);
}

TEST_F(LivePrograms, OneThatIsNotThereOrIsKilledFailsTheRun)
{
    WriteTransfer();
    for (const std::string command : {"nosuchprogram", "kill -9 $$"})
    {
        const auto live =
            RunLive("t.textproto --force --out live --quiet --exec 'a/0: " + command + "'");
        if (LacksRights(live))
        {
            GTEST_SKIP() << live.error;
        }
        EXPECT_EQ(live.code, 4) << command;
        EXPECT_NE(
            live.error.find(command == "nosuchprogram" ? "exit code 127" : "ended by signal 9"),
            std::string::npos)
            << live.error;
    }
}

TEST_F(LivePrograms, NodesMayHaveOddNames)
{
    Write("odd.textproto", R"(
data_center { name: "New York" nodes: 1 nic_rate: "10Gbps" }
data_center { name: "../a:b/c" nodes: 1 nic_rate: "10Gbps" }
wan_link { from: "New York" to: "../a:b/c" rate: "50Mbps" delay: "10ms" queue: "1bdp" }
transfer { from: "New York" to: "../a:b/c" size: "1MB" }
)");
    const auto live = RunLive("odd.textproto --out live --quiet --pcap '../a:b/c/0' "
                              "--exec '../a:b/c/0: echo {New York/0} {../a:b/c/0} {print 1/2}'");
    if (LacksRights(live))
    {
        GTEST_SKIP() << live.error;
    }
    EXPECT_EQ(live.code, 0) << live.error;
    EXPECT_EQ(Contents(m_folder / "live/exec-1.txt"), "192.0.2.1 192.0.2.2 {print 1/2}\n");
    EXPECT_TRUE(std::filesystem::exists(m_folder / "live/..-a:b-c-0.pcap"));
}

/// LiveInterrupts presses Ctrl-C.
class LiveInterrupts : public LiveTest
{
  protected:
    /// Interrupts a live run after some time, as a terminal does: all processes of its group. Returns
    /// its exit code, or 128 + the signal that ended it.
    int Interrupt(int milliseconds, const std::string& arguments) const
    {
        const std::string command = fmt::format("cd '{}' && exec '{}' live t.textproto --force "
                                                "--out live --quiet {} 2> error.txt",
                                                m_folder.string(),
                                                GEOTRAIN_PROGRAM,
                                                arguments);
        const pid_t process = fork();
        if (process == 0)
        {
            setpgid(0, 0);
            execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            _exit(127);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        kill(-process, SIGINT);
        int status = 0;
        waitpid(process, &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
};

TEST_F(LiveInterrupts, CtrlCEndsARunAtAnyMoment)
{
    WriteTransfer();
    for (const int milliseconds : {10, 12, 14, 16, 18, 20, 25, 30, 50, 80, 300})
    {
        const int code = Interrupt(milliseconds, "--exec 'a/0: sleep 60'");
        const auto error = Contents(m_folder / "error.txt");
        if (error.find("allows no namespaces") != std::string::npos)
        {
            GTEST_SKIP() << error;
        }
        // Before the program catches signals, it just ends.
        EXPECT_TRUE(code == 2 || code == 128 + SIGINT) << milliseconds << ": " << code << error;
    }
    EXPECT_EQ(Interrupt(1000, "--set transfer.messages=50 --exec 'a/0: sleep 60' --train"), 2);
    // The programs' codes are told even so.
    EXPECT_EQ(Json("live/live.json")["programs"][0]["stopped"], true);
    EXPECT_EQ(Json("live/run-info.json")["exit_code"], 2);
    EXPECT_EQ(Interrupt(1000, "--hold"), 0);
}

TEST_F(LivePrograms, ATerminatedRunEndsItsShell)
{
    WriteTransfer();
    const std::string command =
        "cd '" + m_folder.string() + "' && mkfifo input && (sleep 30 > input & writer=$!; '" +
        GEOTRAIN_PROGRAM +
        "' live t.textproto --out live --quiet --shell a/0 < input 2> error.txt & geotrain=$!; "
        "sleep 1; kill -TERM $geotrain; wait $geotrain; code=$?; kill $writer && exit $code)";
    const int status = std::system(command.c_str());
    const auto error = Contents(m_folder / "error.txt");
    if (error.find("allows no namespaces") != std::string::npos)
    {
        GTEST_SKIP() << error;
    }
    EXPECT_EQ(WEXITSTATUS(status), 0) << error; // `kill` has found the writer: 30 s are not over
}

TEST_F(LivePrograms, Iperf3GetsTheRateOfTheLink)
{
    WriteTransfer();
    const auto live = RunLive("t.textproto --out live --quiet --exec 'a/0: iperf3 --server' "
                              "--exec 'b/0: iperf3 --client {a/0} --time 3 --omit 1 --json'");
    if (LacksRights(live) || std::system("command -v iperf3 > /dev/null") != 0)
    {
        GTEST_SKIP() << "no iperf3 (package iperf3), or " << live.error;
    }
    const auto report = Json("live/live.json");
    EXPECT_EQ(report["programs"][1]["exit_code"], 0);
    EXPECT_EQ(report["programs"][0]["output"], "exec-1.txt");
    EXPECT_NE(Contents(m_folder / "live/exec-1.txt").find("Server listening"), std::string::npos);
    if (live.code == 2)
    {
        GTEST_SKIP() << live.error;
    }
    const double got = Json("live/exec-2.txt")["end"]["sum_received"]["bits_per_second"];
    // Of 1,500 bytes of a packet 1,448 are payload. 5 %: what waits in the queue when the second
    // that is left out ends, and when the test ends.
    EXPECT_NEAR(got, 50e6 * 1448 / 1500, 0.05 * 50e6);
}

} // namespace

} // namespace geotrain
