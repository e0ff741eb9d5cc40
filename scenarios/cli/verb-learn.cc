// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain learn` makes model files of network paths from packet records, and draws paths
// of a family.
#include "cli/learn-report.h"
#include "cli/learning-figures.h"
#include "cli/quantity-options.h"
#include "cli/terminal-width.h"
#include "cli/training-run.h"
#include "cli/verb.h"

#include "comparison/text-table.h"
#include "path-learning/path-file.h"
#include "path-learning/path-learner.h"
#include "path-learning/path-warnings.h"
#include "path-learning/trace-readers.h"
#include "runner/exit-codes.h"
#include "trace/result-file.h"
#include "units/config-error.h"
#include "units/quantity-parser.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

namespace geotrain
{

namespace
{

/// LearnArguments are the options of the verb.
struct LearnArguments
{
    std::vector<std::string> files;
    std::string model = "ibox";
    std::string out;
    std::vector<std::string> evaluate;
    std::string like;
    std::int64_t paths = 20;
    std::uint64_t seed = 1;
    TrainingRequest training; ///< its options; the rest is filled in
    std::string window;
    std::string figures; ///< folder; empty: none are drawn
    OutputOptions output;
};

bool
IsEstimate(const LearnArguments& arguments)
{
    return arguments.model == "ibox" || arguments.model == "fifo";
}

std::vector<PacketTrace>
ReadRecords(const std::vector<std::string>& files)
{
    std::vector<PacketTrace> records;
    for (const std::string& file : files)
    {
        records.push_back(ParsePacketTrace(file, ReadMaybeGzipped(file)));
    }
    return records;
}

std::vector<EvaluatedTrace>
EvaluateOn(const PathModel& model, const std::vector<PacketTrace>& records)
{
    std::vector<EvaluatedTrace> evaluated;
    for (const PacketTrace& record : records)
    {
        evaluated.push_back({record.name, ErrorsOn(model.forward, record)});
    }
    return evaluated;
}

/// Trains a network in a process of its own, which writes into the model file. Returns none where that
/// failed and has said why.
std::optional<LearnedFiles>
TrainNetwork(const LearnArguments& arguments)
{
    TrainingRequest request = arguments.training;
    request.files = arguments.files;
    ResultFile result(arguments.out);
    request.out = result.Beside();
    request.isQuiet = arguments.output.quiet;
    request.settings.isPlain = arguments.model == "lstm";
    request.settings.seed = arguments.seed;
    if (!arguments.window.empty())
    {
        request.settings.window = DurationOption("--window",
                                                 arguments.window,
                                                 Duration::Microseconds(100),
                                                 Duration::Milliseconds(3600000));
    }
    TrainingInputs inputs = ReadForTraining(request.files, request.settings);
    if (RunTrainer(request) != exitDone)
    {
        return std::nullopt;
    }
    result.MoveIntoPlace();
    inputs.learned.model = ReadPathFile(arguments.out);
    WarnOfErrors(inputs.learned.model, inputs.learned.warnings);
    return inputs.learned;
}

std::optional<LearnedFiles>
LearnModel(const LearnArguments& arguments)
{
    if (!IsEstimate(arguments))
    {
        return TrainNetwork(arguments);
    }
    const LearnedFiles learned = arguments.model == "fifo"
                                     ? LearnFifo(arguments.files, arguments.seed)
                                     : LearnIBox(arguments.files, arguments.seed);
    WriteIntoPlace(arguments.out, EncodePath(learned.model));
    return learned;
}

/// A training may take hours, so that it is known before where its file goes.
void
CheckFolderOf(const std::string& out)
{
    const auto folder = std::filesystem::path(out).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
    {
        throw ConfigError("--out", "", out, "must be in a folder that is there");
    }
}

int
LearnPath(const LearnArguments& arguments)
{
    CheckFolderOf(arguments.out);
    const std::vector<PacketTrace> records = ReadRecords(arguments.evaluate);
    const std::optional<LearnedFiles> learned = LearnModel(arguments);
    if (!learned)
    {
        return exitInput;
    }
    const std::vector<EvaluatedTrace> evaluated = EvaluateOn(learned->model, records);
    if (!arguments.figures.empty())
    {
        DrawLearningFigures(learned->model,
                            records.empty() ? arguments.files : arguments.evaluate,
                            arguments.figures);
    }
    PrintResults(arguments.output,
                 LearnedAsJson(*learned, arguments.out, evaluated),
                 LearnedText(*learned, arguments.out, evaluated));
    return exitDone;
}

std::vector<PathModel>
DrawFamily(const LearnArguments& arguments)
{
    const PathModel model = ReadPathFile(arguments.like);
    try
    {
        return DrawLike(model, static_cast<std::size_t>(arguments.paths), arguments.seed);
    }
    catch (const std::invalid_argument& broken)
    {
        throw ConfigError(arguments.like, "", "", broken.what());
    }
}

int
DrawPaths(const LearnArguments& arguments)
{
    const std::vector<PathModel> drawn = DrawFamily(arguments);
    MakeResultFolder(arguments.out);
    auto list = nlohmann::ordered_json::array();
    TextTable table({"path", "rate", "propagation", "buffer"});
    for (std::size_t i = 0; i < drawn.size(); ++i)
    {
        const std::string file =
            (std::filesystem::path(arguments.out) / fmt::format("path-{}.pb", i + 1)).string();
        WriteIntoPlace(file, EncodePath(drawn[i]));
        list.push_back(PathAsJson(drawn[i], file));
        const PathParameters& path = drawn[i].forward;
        table.AddRow({file, Format(path.rate), Format(path.propagation), Format(path.buffer)});
    }
    PrintResults(arguments.output, {{"paths", list}}, table.Text(TableColumns()));
    return exitDone;
}

int
LearnOrDraw(const LearnArguments& arguments)
{
    const bool draws = !arguments.like.empty();
    if (draws != arguments.files.empty())
    {
        throw ConfigError("geotrain learn", "", "", "takes either TRACE... or --like");
    }
    return draws ? DrawPaths(arguments) : LearnPath(arguments);
}

/// Adds the options of the training, which --model ibox doesn't take.
void
AddTrainingOptions(CLI::App& verb, LearnArguments& arguments)
{
    TrainingRequest& training = arguments.training;
    TrainingSettings& settings = training.settings;
    const std::vector<CLI::Option*> options{
        verb.add_option("--seconds",
                        training.seconds,
                        "End the training after so many seconds with the best so far; two such "
                        "trainings may differ. Half of it goes to the halves of the records, by "
                        "which the model is judged. Default: no limit")
            ->check(CLI::Range(0.001, 1e9)),
        verb.add_option("--epochs",
                        settings.epochs,
                        "Times that the training sees the records, at most: it ends where eight in "
                        "a row were no better on what is held out")
            ->check(CLI::Range(1, 100000))
            ->capture_default_str(),
        verb.add_option(
                "--hidden",
                settings.hidden,
                "Cells of the LSTM: more follow cross traffic longer, and need more records")
            ->check(CLI::Range(1, 1024))
            ->capture_default_str(),
        verb.add_option("--window",
                        arguments.window,
                        "Time that cross traffic is constant for, such as 20ms. Shorter windows "
                        "follow bursts, longer ones are less noisy. Default: ten packets at the "
                        "path's rate, 10 ms at least")};
    for (CLI::Option* option : options)
    {
        option->group("Training (--model rbu, lstm)");
    }
    verb.parse_complete_callback(
        [&arguments, options]
        {
            for (const CLI::Option* option : options)
            {
                if (option->count() > 0 && IsEstimate(arguments))
                {
                    throw CLI::ValidationError(option->get_name(),
                                               "is of --model rbu and lstm: " + arguments.model +
                                                   " is not trained");
                }
            }
        });
}

} // namespace

void
AddLearnVerb(VerbList& verbs)
{
    auto [verb, arguments] = verbs.Add("learn", "A network path from packet records", LearnOrDraw);
    verb.add_option("TRACE",
                    arguments.files,
                    "Pantheon tunnel logs, CSV send_s,size_bytes,delay_s, packets of a run "
                    "(run.packet_trace), or iBoxNet profiles");
    verb.add_option("--model",
                    arguments.model,
                    "What is learned: ibox, iBoxNet's estimate, in a second; rbu, its buffer with "
                    "cross traffic by an LSTM, trained; lstm, delays and losses by an LSTM alone; "
                    "fifo, a buffer without cross traffic, that the others are held against")
        ->check(CLI::IsMember({"fifo", "ibox", "rbu", "lstm"}))
        ->capture_default_str();
    AddOutOption(verb, arguments.out, "Model file to write; with --like the folder")->required();
    AddRepeated(
        verb, "--evaluate", arguments.evaluate, "TRACE: errors of the path on another record");
    verb.add_option("--figures",
                    arguments.figures,
                    "Folder for figures: delays over time, of the first --evaluate or else of the "
                    "first input, as recorded and as learned; and the loss over epochs");
    auto* like = verb.add_option(
        "--like", arguments.like, "PATH.pb: draw paths of the family it was made of");
    verb.add_option("--paths", arguments.paths, "Paths to draw")
        ->needs(like)
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    verb.add_option("--seed", arguments.seed, "Seed of the training, or of the paths drawn")
        ->capture_default_str();
    AddTrainingOptions(verb, arguments);
    AddOutputOptions(verb, arguments.output);
    verb.footer(R"(
The model file is a link of a scenario: wan_link { from: "a" to: "b" learned: "path.pb" }. Errors compare
what the path predicts for the recorded send times with what was recorded. Cross traffic of ibox and rbu
comes again as recorded, or, where it came in bursts, over connections that yield to others.

rbu and lstm are trained on one thread by minimising, over packets and windows of time,
  mean |delay error| + (window's mean error)^2 + |c - c of iBoxNet| / rate
with delays as shares of the time in which the buffer empties. Ctrl-C and --seconds leave the best so far.

Examples:
  geotrain learn cubic.log.gz --out path.pb --evaluate bbr.log.gz
  geotrain learn cubic-*.csv --model rbu --out path.pb --seconds 120
  geotrain learn profiles/*.json --out family.pb
  geotrain learn --like family.pb --paths 20 --out family)");
}

} // namespace geotrain
