package roll.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/**
 * The configurations of a sweep's runs: file, shared settings, settings of a combination, and
 * folder.
 */
final class RunConfigs {
  private static final String METRICS = "jsonl";

  /** Keys that do not count as a change of the configuration. */
  private static final Pattern PLACE =
      Pattern.compile("(exp_name|output_dir|resume_from_checkpoint):.*");

  private final ConfigLoader loader;
  private final Path file;
  private final boolean sft;
  private final List<String> fixed;
  private final RunConfig first;

  /**
   * The configurations of runs of {@code file}.
   *
   * @param space swept values
   * @throws UserException if the first combination is no valid configuration
   */
  RunConfigs(ConfigLoader loader, Path file, boolean sft, SweepSpace space) {
    this.loader = loader;
    this.file = file;
    this.sft = sft;
    this.fixed = space.fixed();
    List<String> keys = new ArrayList<>(fixed);
    keys.addAll(space.combinations().getFirst().settings());
    this.first = load(keys).run();
  }

  /** Returns the folder of the sweep, {@code <output_dir>/<exp_name>-sweep}. */
  Path folder() {
    return first.outputDir().resolveSibling(first.expName() + "-sweep");
  }

  /** Returns the folder and experiment name of {@code combination}'s run. */
  String name(Combination combination) {
    return first.expName() + "_" + combination.folder();
  }

  /** Returns all settings of the run of {@code combination}. */
  List<String> settings(Combination combination) {
    List<String> settings = new ArrayList<>(fixed);
    settings.addAll(combination.settings());
    settings.add("output_dir=" + folder());
    settings.add("exp_name=" + name(combination));
    List<String> trackers = first.tracking().trackers();
    if (!trackers.contains(METRICS)) { // the table needs this tracker
      List<String> more = new ArrayList<>(trackers);
      more.add(METRICS);
      settings.add("track_with=" + more);
    }
    return settings;
  }

  /**
   * Returns the configuration of {@code combination}'s run.
   *
   * @throws UserException if it is invalid
   */
  LoadedConfig load(Combination combination) {
    return load(settings(combination));
  }

  private LoadedConfig load(List<String> settings) {
    if (sft) {
      return loader.loadForSft(file, settings).config();
    }
    try {
      return loader.load(file, settings);
    } catch (UserException e) {
      if (warmStart(settings)) {
        throw new UserException("sweep: " + file + " is a configuration for sft: add --sft", e);
      }
      throw e;
    }
  }

  private boolean warmStart(List<String> settings) {
    try {
      return loader.loadAsWritten(file, settings).onlySft();
    } catch (UserException e) {
      return false;
    }
  }

  /** Returns a digest of the configuration. */
  static String digest(LoadedConfig config) {
    return Combination.digest(String.join("\n", lines(config.effectiveYaml())));
  }

  private static List<String> lines(String yaml) {
    return yaml.lines().filter(line -> !PLACE.matcher(line).matches()).toList();
  }

  /**
   * Returns the first line of {@code config} that differs from the run in {@code folder}; empty if
   * unknown.
   */
  static String difference(LoadedConfig config, Path folder) {
    try {
      Set<String> before = new HashSet<>(lines(Files.readString(folder.resolve("config.yaml"))));
      return lines(config.effectiveYaml()).stream()
          .filter(line -> !before.contains(line))
          .findFirst()
          .map(line -> " (now " + line.strip() + ")")
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
