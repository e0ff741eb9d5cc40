// SPDX-License-Identifier: GPL-2.0-only
// The verb `geotrain import` makes a scenario of a trainer's configuration.
#include "cli/verb.h"

#include "loader/catalogue-names.h"
#include "runner/exit-codes.h"
#include "trainers/config-readers.h"
#include "trainers/imported-run.h"
#include "units/config-error.h"

#include <filesystem>

namespace geotrain
{

namespace
{

/// ImportArguments are the options of the verb.
struct ImportArguments
{
    std::string trainer;
    ImportOptions options;
    std::vector<std::string> words; ///< the configuration, and what changes it
    OutputOptions output;
};

/// Returns Megatron's arguments: words that a shell has split, one text of them, or a file.
TrainerConfig
ReadMegatron(const std::vector<std::string>& words)
{
    const auto& first = words.front();
    const bool isOption = first.rfind('-', 0) == 0;
    if (isOption || first.find_first_of(" \n=") != std::string::npos)
    {
        return words.size() == 1 ? ReadShellArguments(first, "megatron")
                                 : ReadArguments(words, "megatron");
    }
    const auto ending = std::filesystem::path(first).extension();
    const auto text = ReadConfigText(first);
    auto config = ending == ".yaml" || ending == ".yml" ? ReadYamlConfig(text, first)
                                                        : ReadShellArguments(text, first);
    Override(config, {words.begin() + 1, words.end()});
    return config;
}

TrainerConfig
ReadConfig(const ImportArguments& arguments)
{
    const auto& words = arguments.words;
    if (words.empty() || words.front().empty())
    {
        throw ConfigError("geotrain import",
                          "",
                          "",
                          arguments.trainer == "megatron" ? "needs arguments, or a file of them"
                                                          : "needs a file");
    }
    if (arguments.trainer == "megatron")
    {
        return ReadMegatron(words);
    }
    const auto text = ReadConfigText(words.front());
    auto config = arguments.trainer == "nemo" ? ReadYamlConfig(text, words.front())
                                              : ReadTomlConfig(text, words.front());
    Override(config, {words.begin() + 1, words.end()});
    return config;
}

int
Import(const ImportArguments& arguments)
{
    auto options = arguments.options;
    options.gpu = GpuNamed(options.gpu, "", {"--gpu", ""}).name;
    auto config = ReadConfig(arguments);
    const auto run = arguments.trainer == "torchtitan" ? ImportTorchtitan(config, options)
                                                       : ImportMegatron(config, options);
    const auto text = ScenarioOf(run, config, options);
    nlohmann::ordered_json object;
    object["scenario"] = text;
    object["without_counterpart"] = config.WithoutCounterpart();
    object["assumed"] = run.assumptions;
    PrintResults(arguments.output, object, text);
    return exitDone;
}

} // namespace

void
AddImportVerb(VerbList& verbs)
{
    auto [verb, arguments] =
        verbs.Add("import", "Make a scenario of a trainer's configuration", Import);
    verb.add_option("trainer", arguments.trainer, "Whose configuration it is")
        ->required()
        ->check(CLI::IsMember({"torchtitan", "megatron", "nemo"}));
    verb.add_option("--gpu", arguments.options.gpu, "A name of `list gpus`");
    verb.add_option(
            "--gpus", arguments.options.gpus, "GPUs of the run, where its command says them")
        ->check(CLI::Range(1, 10000000));
    AddOutputOptions(verb, arguments.output);
    verb.allow_extras();
    verb.parse_complete_callback([&verb = verb, &words = arguments.words]
                                 { words = verb.remaining(); });
    verb.footer(R"(
torchtitan FILE.toml, nemo FILE.yaml (NeMo's or Megatron Bridge's, composed), megatron ARGUMENTS: the
arguments themselves, one text of them, or a file: a command line, a script, YAML. Behind a file, what
the trainer's command line would change: --training.seq_len=8192, model.num_layers=48.

The scenario has the model, parallelism, batch, sequence, precision, recomputation and schedule, at two
sites with a link between them, both examples: change these lines to yours. Its head comment lists what
has no counterpart and what was assumed. Not listed is what does not change an iteration's time: data,
learning rates, checkpoints, logs.

Examples:
  geotrain import torchtitan llama3_8b.toml --gpus 64 > my.textproto
  geotrain import megatron --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 \
      --micro-batch-size 1 --global-batch-size 256 --pipeline-model-parallel-size 4 --bf16 > my.textproto
  geotrain import nemo megatron_gpt_config.yaml trainer.num_nodes=16 > my.textproto
  geotrain run my.textproto)");
}

} // namespace geotrain
