package roll.config;

import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.dataset.DataSetReader;
import roll.api.dataset.Row;
import roll.runtime.config.LoadedConfig;

/** A folder of configuration files for one test. */
public final class ConfigFiles {
  /** The smallest configuration that loads: one FrozenLake, 8 trajectories a step. */
  static final String SMALL =
      """
      exp_name: small
      max_steps: 10
      rollout_batch_size: 8
      val_batch_size: 4
      sequence_length: 128
      pretrain: model
      actor_train:
        training_args: {per_device_train_batch_size: 4}
      train_env_manager:
        group_size: 4
        generating_args: {max_new_tokens: 16, temperature: 1.0}
      custom_envs:
        FrozenLake:
          env_type: frozen_lake
          max_steps: 5
          env_config: {size: 4}
      """;

  /** Data sets with a row for each line of a file. */
  static final DataSetReader LINES =
      files -> {
        List<Row> rows = new ArrayList<>();
        for (Path file : files) {
          try {
            Files.readAllLines(file).forEach(line -> rows.add(new Row(file, 1, Map.of("q", line))));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
        return rows;
      };

  private final Path folder;
  private final YamlConfigLoader loader;

  public ConfigFiles(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.loader = new YamlConfigLoader(environment::get);
    try {
      Files.createDirectories(folder.resolve("model"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public ConfigFiles(Path folder) {
    this(folder, Map.of());
  }

  /** Writes a file. */
  Path write(String name, String text) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(folder.resolve(name).resolveSibling("."));
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads {@code text} as {@code run.yaml}. */
  public LoadedConfig load(String text, String... overrides) {
    return loader.load(write("run.yaml", text), List.of(overrides));
  }

  /** The complaint about {@code text} as {@code run.yaml}, without the folder's name. */
  public String complaint(String text, String... overrides) {
    return userError(() -> load(text, overrides)).replace(folder + "/", "");
  }

  /**
   * Loads {@code text} as {@code run.yaml} for the command that its keys name, with {@link #LINES}.
   */
  public LoadedConfig loadAsWritten(String text, String... overrides) {
    return new YamlConfigLoader(_ -> null, LINES)
        .loadAsWritten(write("run.yaml", text), List.of(overrides));
  }

  /** The complaint of {@link #loadAsWritten}, without the folder's name. */
  public String complaintAsWritten(String text, String... overrides) {
    return userError(() -> loadAsWritten(text, overrides)).replace(folder + "/", "");
  }
}
