// SPDX-License-Identifier: GPL-2.0-only
#include "cli/training-run.h"

#include "runner/exit-codes.h"
#include "units/child-process.h"
#include "units/config-error.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace geotrain
{

namespace
{

volatile pid_t trainer = 0;

void
ForwardToTrainer(int)
{
    kill(trainer, SIGTERM);
}

/// TrainerSignals hands SIGINT and SIGTERM to the trainer.
class TrainerSignals
{
  public:
    explicit TrainerSignals(pid_t child)
    {
        trainer = child;
        struct sigaction action = {};
        action.sa_handler = ForwardToTrainer;
        action.sa_flags = SA_RESTART;
        sigaction(SIGINT, &action, &m_interrupt);
        sigaction(SIGTERM, &action, &m_terminate);
    }

    ~TrainerSignals()
    {
        sigaction(SIGINT, &m_interrupt, nullptr);
        sigaction(SIGTERM, &m_terminate, nullptr);
    }

    TrainerSignals(const TrainerSignals&) = delete;
    TrainerSignals& operator=(const TrainerSignals&) = delete;

  private:
    struct sigaction m_interrupt = {};
    struct sigaction m_terminate = {};
};

} // namespace

int
RunTrainer(const TrainingRequest& request)
{
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "geotrain-train-path")
            .string();
    if (!std::filesystem::exists(program))
    {
        throw ConfigError("geotrain learn",
                          "--model",
                          request.settings.isPlain ? "lstm" : "rbu",
                          "needs the trainer: the package geotrain-trainer, or in a source tree "
                          "libtorch-dev and cmake --build --preset release --target "
                          "geotrain-train-path");
    }
    const std::string argument = ToArgument(request);
    ChildProcess child(
        [&]
        {
            execl(program.c_str(), program.c_str(), argument.c_str(), nullptr);
            std::perror(program.c_str());
            return exitInternal;
        },
        SIGTERM);
    const TrainerSignals signals(child.Id());
    const int code = child.Wait();
    return code > 128 ? exitInternal : code;
}

} // namespace geotrain
