package roll.config.build;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.KeyOrigins;
import roll.config.tree.YamlTree;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Settles and types the section {@code sft}. */
public final class SftBuilder {
  private static final String SFT = "sft";

  private SftBuilder() {}

  /**
   * Settles in {@code run} what a supervised warm start does without: environments, and several
   * passes over a batch.
   *
   * @throws UserException if there is no section {@code sft}, or it names no files
   */
  public static void settle(Section run) {
    if (!run.has(SFT)) {
      throw new UserException(
          run.where(SFT) + " is missing: it names the demonstrations (sft: {train_files: …})");
    }
    if (run.section(SFT).texts("train_files").isEmpty()) {
      throw run.section(SFT).wrong("train_files", "at least one file");
    }
    if (run.given("max_steps") && !run.section(SFT).given("epochs")) {
      run.section(SFT).settle("epochs", null);
    }
    run.settle("ppo_epochs", 1);
    run.settle("scale_logits_by_temperature", false);
    for (String manager : List.of("train_env_manager", "val_env_manager")) {
      run.section(manager).settle("tags", List.of());
      run.section(manager).settle("num_groups_partition", List.of());
    }
  }

  /**
   * Refuses verl's section {@code data}, which is of reinforcement learning here.
   *
   * @throws UserException if it is there
   */
  public static void refuseVerl(Map<String, @Nullable Object> tree, KeyOrigins origins) {
    Map<String, @Nullable Object> data = YamlTree.mapping(tree.get("data"));
    if (data != null && !data.isEmpty()) {
      String option = "data." + data.keySet().iterator().next();
      throw new UserException(
          origins.of(option)
              + ": "
              + option
              + " is verl's for reinforcement learning; a warm start has sft.train_files,"
              + " val_files, prompt_key, response_key, truncation, and sequence_length");
    }
  }

  /** Builds the typed section {@code sft} of {@code run}, whose values are derived. */
  public static SftConfig build(Section run) {
    Section sft = run.section(SFT);
    return new SftConfig(
        files(sft, "train_files"),
        files(sft, "val_files"),
        sft.text("prompt_key"),
        sft.text("response_key"),
        sft.text("messages_key"),
        sft.numberOrNull("min_score"),
        Truncation.valueOf(sft.text("truncation").toUpperCase(Locale.ROOT)),
        sft.flag("shuffle"),
        sft.has("epochs") ? sft.integer("epochs") : 0,
        run.given("max_steps") ? run.integer("max_steps") : 0);
  }

  private static List<Path> files(Section sft, String key) {
    return sft.texts(key).stream().map(Path::of).toList();
  }
}
