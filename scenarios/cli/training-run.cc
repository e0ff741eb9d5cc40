// SPDX-License-Identifier: GPL-2.0-only
#include "cli/training-run.h"

#include "comparison/job-pool.h"
#include "runner/exit-codes.h"
#include "runner/run-watch.h"
#include "units/config-error.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace geotrain
{

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
    CatchInterrupts();
    ChildProcess child(
        [&]
        {
            execl(program.c_str(), program.c_str(), argument.c_str(), nullptr);
            std::perror(program.c_str());
            return exitInternal;
        },
        SIGTERM);
    const int code = WaitAndForward(child, SIGTERM);
    return code > 128 ? exitInternal : code;
}

} // namespace geotrain
