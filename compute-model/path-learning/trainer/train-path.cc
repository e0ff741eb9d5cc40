// SPDX-License-Identifier: GPL-2.0-only
// The trainer of learned paths, which `geotrain learn --model rbu` and `--model lstm` start. Its
// one argument is a TrainingRequest. On SIGINT and SIGTERM it writes the best so far and ends.
#include "path-learning/ibox-estimate.h"
#include "path-learning/path-file.h"
#include "path-learning/path-learner.h"
#include "path-learning/trainer/path-trainer.h"
#include "path-learning/trainer/training-window.h"
#include "path-learning/training-request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>

namespace
{

volatile std::sig_atomic_t isInterrupted = 0;

void
Interrupt(int)
{
    isInterrupted = 1;
}

/// Shows how far the training is, where stderr is a terminal.
void
ShowProgress(double share, double seconds, const geotrain::TrainingProgress& progress)
{
    const auto left = static_cast<long>(std::ceil(seconds * (1 - share) / std::max(share, 0.01)));
    fmt::print(stderr,
               "\r\033[Kepoch {}, loss {:.4f}: {:.0f} %, about {}:{:02} left",
               progress.epoch,
               progress.heldOutLoss,
               share * 100,
               left / 60,
               left % 60);
}

/// Returns the trainings' observer: it shows progress, and ends one after `limit` seconds, where
/// this is positive, or by a signal.
geotrain::TrainingObserver
ObserverOf(const double& limit, bool shows)
{
    using Clock = std::chrono::steady_clock;
    return [&limit, shows, begin = Clock::now()](const geotrain::TrainingProgress& progress)
    {
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (shows)
        {
            const double ofTime = limit > 0 ? seconds / limit : 0;
            ShowProgress(std::min(1.0, std::max(progress.share, ofTime)), seconds, progress);
        }
        return isInterrupted == 0 && (limit <= 0 || seconds < limit);
    };
}

/// Writes the file, which is there: the one that started this has made it and moves it into place.
void
Write(const std::string& path, const std::string& text)
{
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file)
    {
        throw std::runtime_error(fmt::format("the model cannot be written ({})",
                                             std::generic_category().message(errno)));
    }
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
    const bool shows = !request.isQuiet && isatty(STDERR_FILENO) != 0;
    double limit = request.seconds / 2; // the other half is that of the halves of the records
    const TrainingObserver observer = ObserverOf(limit, shows);
    PathModel model = TrainPath(inputs.learned.model, inputs.traces, settings, observer);
    model.errors = ErrorsOnInputs(model, inputs.traces);
    if (isInterrupted == 0)
    {
        model.heldOut =
            HeldOutErrorsOf(inputs.traces,
                            [&](const PacketTrace& half)
                            {
                                limit +=
                                    request.seconds / 4 / static_cast<double>(inputs.traces.size());
                                PathModel start;
                                start.forward = EstimatePath(half);
                                start.members = {start.forward};
                                return TrainPath(start, {half}, settings, observer).forward;
                            });
    }
    fmt::print(stderr, "{}", shows ? "\r\033[K" : "");
    Write(request.out, EncodePath(model));
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
