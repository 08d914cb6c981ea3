package roll.config.trl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import roll.config.ConfigFiles;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.config.SftConfig;

/** Files of TRL's beside a model and a data set, with some overrides. */
final class TrlFiles {
  /** The smallest file of trl grpo. */
  static final String GRPO =
      """
      model_name_or_path: model
      dataset_name: data
      reward_funcs: [my_rewards.brevity]
      scale_rewards: group
      max_steps: 10
      """;

  /** The smallest file of trl sft. */
  static final String SFT =
      """
      model_name_or_path: model
      dataset_name: data
      assistant_only_loss: true
      """;

  private final ConfigFiles files;
  private final Path folder;

  TrlFiles(Path folder) {
    this.folder = folder;
    files = new ConfigFiles(folder);
    try {
      Path data = Files.createDirectories(folder.resolve("data/main"));
      Files.writeString(data.resolve("train-00000-of-00001.jsonl"), "{\"prompt\": \"1 + 1\"}\n");
      Files.writeString(data.resolve("test-00000-of-00001.jsonl"), "{\"prompt\": \"1 + 2\"}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  LoadedConfig load(String text, String... overrides) {
    return files.loadAsWritten(text, overrides);
  }

  RunConfig run(String... overrides) {
    return load(GRPO, overrides).run();
  }

  SftConfig supervised(String text, String... overrides) {
    return Objects.requireNonNull(load(text, overrides).sft());
  }

  /** The data file of {@code split}. */
  Path data(String split) {
    return folder.resolve("data/main/" + split + "-00000-of-00001.jsonl");
  }

  /** The complaint about {@code text}, without the folder's name. */
  String complaint(String text, String... overrides) {
    return files.complaintAsWritten(text, overrides);
  }

  /** The complaint about {@code text} where it is to be trained by reinforcement learning. */
  String complaintForTraining(String text) {
    return files.complaint(text);
  }

  /** All notices on {@code text} in one text. */
  String notices(String text, String... overrides) {
    List<String> notices = load(text, overrides).notices();
    return String.join("\n", notices);
  }
}
