package roll.assemble;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.config.EnvConfig;
import roll.api.config.WorkerConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;

/**
 * A self-contained configuration: models and data files are copied next to it, and it refers to the
 * copies.
 */
final class PortableConfig {
  private final LoadedConfig config;
  private final Map<Path, String> places = new LinkedHashMap<>();
  private final Set<String> taken = new HashSet<>();

  PortableConfig(LoadedConfig config) {
    this.config = config;
    RunConfig run = config.run();
    place("models", run.roles().pretrain());
    for (WorkerConfig worker : config.rolesByName().values()) {
      place("models", worker.model().folder());
      Path adapter = worker.model().adapter();
      if (adapter != null) {
        place("models", adapter);
      }
    }
    for (EnvConfig env : run.rollout().customEnvs().values()) {
      for (Object value : env.options().values()) {
        for (Object item : value instanceof List<?> list ? list : List.of(value)) {
          if (item instanceof String text && text.startsWith("/") && Files.exists(Path.of(text))) {
            place("data", Path.of(text));
          }
        }
      }
    }
    demonstrations().filter(Files::exists).forEach(file -> place("data", file));
  }

  private Stream<Path> demonstrations() {
    SftConfig sft = config.sft();
    return sft == null
        ? Stream.of()
        : Stream.concat(sft.trainFiles().stream(), sft.valFiles().stream());
  }

  /** Returns the files and folders to copy, with their names in the distribution. */
  Map<Path, String> places() {
    return Map.copyOf(places);
  }

  /** Writes the configuration and its files into {@code folder}; returns the file. */
  Path write(Path folder, String name) throws IOException {
    for (var place : places.entrySet()) {
      FileTrees.copy(place.getKey(), folder.resolve(place.getValue()), Set.of("trainer"));
    }
    Path file = folder.resolve(name);
    Files.writeString(file, yaml());
    return file;
  }

  /** Returns the effective configuration with the new paths; it loads to the same run. */
  String yaml() {
    StringBuilder text =
        new StringBuilder("# Assembled from " + config.file().getFileName() + "\n");
    for (String line : config.effectiveYaml().lines().toList()) {
      text.append(moved(line)).append('\n');
    }
    return text.toString();
  }

  /**
   * Returns a line of the configuration with its path replaced. Lines are {@code key: value} or
   * {@code - value}, values possibly in single quotes.
   */
  private String moved(String line) {
    int begin =
        line.stripLeading().startsWith("- ") ? line.indexOf("- ") + 2 : line.indexOf(": ") + 2;
    if (begin < 2) {
      return line;
    }
    String value = line.substring(begin);
    String plain =
        value.length() > 1 && value.startsWith("'") && value.endsWith("'")
            ? value.substring(1, value.length() - 1).replace("''", "'")
            : value;
    for (var place : places.entrySet()) {
      if (plain.equals(place.getKey().toString())) {
        return line.substring(0, begin) + place.getValue();
      }
    }
    return line;
  }

  /** Returns a notice for each file that is not copied. */
  List<String> notices() {
    List<String> notices = new ArrayList<>();
    if (config.run().schedule().checkpoints().resume()) {
      notices.add("resume_from_checkpoint: the checkpoints of the run are not copied");
    }
    if (config.run().rollout().mock() != null) {
      notices.add("rollout_mock.dump_dir: the rollouts in it are not copied");
    }
    if (config.run().outputDir().isAbsolute()
        && !config.run().outputDir().startsWith(Path.of("").toAbsolutePath())) {
      notices.add(
          "output_dir: "
              + config.run().outputDir().getParent()
              + " must exist on the target machine");
    }
    demonstrations()
        .filter(Files::notExists)
        .forEach(file -> notices.add("sft: " + file + " does not exist and is not copied"));
    return notices;
  }

  private void place(String folder, Path source) {
    if (places.containsKey(source)) {
      return;
    }
    String name = source.getFileName().toString().replaceAll("[^\\w.-]", "_");
    String free = folder + "/" + name;
    for (int i = 2; !taken.add(free); i++) {
      free = folder + "/" + i + "-" + name;
    }
    places.put(source, free);
  }
}
