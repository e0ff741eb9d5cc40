// SPDX-License-Identifier: GPL-2.0-only
// The trainer of learned paths, which `geotrain learn --model rbu` and `--model lstm` start. Its one
// argument is a TrainingRequest. On SIGINT and SIGTERM it writes the best so far and ends.
#include "cli/status-line.h"
#include "learned-path/model/path-file.h"
#include "learned-path/model/path-learner.h"
#include "learned-path/model/training-request.h"
#include "learned-path/trainer/path-trainer.h"
#include "learned-path/trainer/training-window.h"
#include "trace/result-file.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>

namespace
{

volatile std::sig_atomic_t isInterrupted = 0;

void
Interrupt(int)
{
    isInterrupted = 1;
}

/// Returns the training's observer: it shows progress, and ends at the limit of time or by a signal.
geotrain::TrainingObserver
ObserverOf(const geotrain::TrainingRequest& request, geotrain::StatusLine& line)
{
    using Clock = std::chrono::steady_clock;
    return [&request, &line, begin = Clock::now()](const geotrain::TrainingProgress& progress)
    {
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        const double share = request.seconds > 0
                                 ? std::max(progress.share, seconds / request.seconds)
                                 : progress.share;
        line.Show(std::min(1.0, share),
                  fmt::format("epoch {}, loss {:.4f}", progress.epoch, progress.heldOutLoss));
        return isInterrupted == 0 && (request.seconds <= 0 || seconds < request.seconds);
    };
}

void
Train(const geotrain::TrainingRequest& request)
{
    using namespace geotrain;
    const TrainingInputs inputs = ReadForTraining(request.files, request.settings);
    TrainingSettings settings = request.settings;
    if (!settings.window)
    {
        settings.window = WindowFor(inputs.learned.model, inputs.traces);
    }
    StatusLine line(request.isQuiet);
    PathModel model =
        TrainPath(inputs.learned.model, inputs.traces, settings, ObserverOf(request, line));
    model.errors = ErrorsOnInputs(model, inputs.traces);
    WriteIntoPlace(request.out, EncodePath(model));
}

} // namespace

int
main(int argc, char** argv)
{
    std::signal(SIGINT, Interrupt);
    std::signal(SIGTERM, Interrupt);
    try
    {
        if (argc != 2)
        {
            fmt::print(stderr, "geotrain-train-path is started by: geotrain learn --model rbu\n");
            return 1;
        }
        Train(geotrain::FromArgument(argv[1]));
        return 0;
    }
    catch (const std::exception& failed)
    {
        fmt::print(stderr, "geotrain: {}\n", failed.what());
        return 1;
    }
}
