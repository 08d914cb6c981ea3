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
 * The configurations of a sweep's runs: the file, the settings that all share, those of a
 * combination, and the folder.
 */
final class RunConfigs {
  private static final String METRICS = "jsonl";

  /** Where a run is, and whether it is continued, is no other configuration. */
  private static final Pattern PLACE =
      Pattern.compile("(exp_name|output_dir|resume_from_checkpoint):.*");

  private final ConfigLoader loader;
  private final Path file;
  private final boolean sft;
  private final List<String> fixed;
  private final RunConfig first;

  /**
   * Of runs of {@code file}.
   *
   * @param space what is swept
   * @throws UserException if the first combination is no configuration
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

  /** {@code <output_dir>/<exp_name>-sweep}. */
  Path folder() {
    return first.outputDir().resolveSibling(first.expName() + "-sweep");
  }

  /** The name of {@code combination}'s folder within that of the sweep, and of its experiment. */
  String name(Combination combination) {
    return first.expName() + "_" + combination.folder();
  }

  /** All settings of the run of {@code combination}. */
  List<String> settings(Combination combination) {
    List<String> settings = new ArrayList<>(fixed);
    settings.addAll(combination.settings());
    settings.add("output_dir=" + folder());
    settings.add("exp_name=" + name(combination));
    List<String> trackers = first.tracking().trackers();
    if (!trackers.contains(METRICS)) { // the table is made of it
      List<String> more = new ArrayList<>(trackers);
      more.add(METRICS);
      settings.add("track_with=" + more);
    }
    return settings;
  }

  /**
   * The configuration of {@code combination}'s run.
   *
   * @throws UserException if it is none
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
        throw new UserException(
            "sweep: " + file + " is of a supervised warm start: add --sft to run those", e);
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

  /** What tells configurations apart. */
  static String digest(LoadedConfig config) {
    return Combination.digest(String.join("\n", lines(config.effectiveYaml())));
  }

  private static List<String> lines(String yaml) {
    return yaml.lines().filter(line -> !PLACE.matcher(line).matches()).toList();
  }

  /**
   * What {@code config} has that the run in {@code folder} was not begun with: its first line, or
   * empty where that cannot be told.
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
