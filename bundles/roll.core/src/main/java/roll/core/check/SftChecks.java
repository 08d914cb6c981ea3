package roll.core.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.plugin.Plugins;
import roll.api.preference.PreferenceInfo.Need;
import roll.core.plugin.BoundObjective;
import roll.core.plugin.ModelSupport;
import roll.core.plugin.PluginRequirement;
import roll.core.plugin.StrategyChecks;
import roll.decoder.ModelSpecs;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;

/** Checks the files and plugins that supervised training needs beside its data. */
public final class SftChecks {
  private SftChecks() {}

  /**
   * Checks trackers, model folders, strategies and the objective; gives lines for the user.
   *
   * @throws roll.api.option.UserException for the first thing that is missing or does not fit
   */
  public static List<String> run(
      LoadedConfig config, Plugins plugins, ModelSpecs models, TokenizerLoader tokenizers) {
    RunConfig run = config.run();
    SftConfig sft = config.sft();
    PreferenceConfig preference = sft == null ? null : sft.preference();
    boolean scores = false;
    if (preference != null) {
      BoundObjective objective = new BoundObjective(plugins, preference);
      objective.check();
      scores = objective.needs().contains(Need.SCORES);
    }
    if (scores != run.roles().actorScores()) {
      throw new UserException(
          "actor_train.model_args.model_type: expected %s with %s"
              .formatted(
                  scores ? "auto_sequence_classification" : "causal_lm",
                  preference == null ? "sft" : "preference.objective: " + preference.objective()));
    }
    OptionChecks.trackers(run, plugins);
    if (run.devices().fullDeterminism()) {
      PluginRequirement.determinism().require(plugins);
    }
    DivergenceChecks.check(run, plugins, models);
    List<String> notices = new ArrayList<>(LearningNotices.ofTeachers(run));
    for (var role : config.rolesByName().entrySet()) {
      PluginRequirement.worker(run, role.getKey()).require(plugins);
      notices.addAll(new StrategyChecks(plugins).check(run, role.getKey(), role.getValue()));
      new ModelChecks(run, models, tokenizers).check(role.getKey(), role.getValue());
    }
    return notices;
  }

  /** The same of a configuration that is not run yet; its files may come later. */
  public static List<String> check(LoadedConfig config, Plugins plugins, ModelSupport models) {
    ModelSpecs specs = models.specs();
    TokenizerLoader tokenizers = models.tokenizers();
    List<String> notices =
        new ArrayList<>(
            specs == null || tokenizers == null
                ? List.of(ModelSupport.NOTICE)
                : run(config, plugins, specs, tokenizers));
    if (config.sft() != null) {
      notices.addAll(absent(config.sft()));
    }
    return notices;
  }

  /** A line for each file of {@code sft} that is not there, such as one still to be played. */
  public static List<String> absent(SftConfig sft) {
    return Stream.concat(
            absent(sft.section() + ".train_files", sft.trainFiles()),
            absent(sft.section() + ".val_files", sft.valFiles()))
        .toList();
  }

  private static Stream<String> absent(String key, List<Path> files) {
    return files.stream()
        .filter(Files::notExists)
        .map(
            file -> "%s: no file '%s' here or next to the configuration file".formatted(key, file));
  }
}
