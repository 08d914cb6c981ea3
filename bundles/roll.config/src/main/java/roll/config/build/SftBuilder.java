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
import roll.runtime.config.ContextFields;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** Settles and types the section {@code sft} or {@code preference}. */
public final class SftBuilder {
  private static final String SFT = "sft";
  private static final String PREFERENCE = "preference";
  private static final String DISTILL = "distill";

  private SftBuilder() {}

  /**
   * Settles in {@code run} what a supervised warm start does without: environments, and several
   * passes over a batch.
   *
   * @throws UserException if there is not one section {@code sft} or {@code preference}, or it
   *     names no files
   */
  public static void settle(Section run) {
    if (!run.has(SFT) && !run.has(PREFERENCE)) {
      throw new UserException(
          run.where(SFT)
              + " is missing: it names the demonstrations (sft: {train_files: …}); preference names"
              + " pairs");
    }
    if (run.has(SFT) && run.has(PREFERENCE)) {
      throw new UserException(
          run.where(PREFERENCE) + ": a run trains on demonstrations (sft) or on preferences");
    }
    Section data = run.section(name(run));
    if (data.texts("train_files").isEmpty()) {
      throw data.wrong("train_files", "at least one file");
    }
    if (run.given("max_steps") && !data.given("epochs")) {
      data.settle("epochs", null);
    }
    if (run.has(DISTILL)) {
      if (run.has(PREFERENCE)) {
        throw new UserException(
            run.where(DISTILL)
                + ": a run on preferences has no teacher: remove distill or use sft");
      }
      run.settle("loss_agg_mode", "token-mean");
    }
    if (run.has(PREFERENCE)) {
      Section model = run.section("actor_train").section("model_args");
      run.settle("enable_reference", !ScoringModel.trained(model));
    }
    run.settle("ppo_epochs", 1);
    run.settle("scale_logits_by_temperature", false);
    run.settle("batch_invariant", false);
    for (String manager : List.of("train_env_manager", "val_env_manager")) {
      run.section(manager).settle("tags", List.of());
      run.section(manager).settle("num_groups_partition", List.of());
    }
  }

  private static String name(Section run) {
    return run.has(SFT) ? SFT : PREFERENCE;
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

  /** Builds the typed section of {@code run}, whose values are derived; null without one. */
  public static @Nullable SftConfig build(Section run) {
    if (!run.has(SFT) && !run.has(PREFERENCE)) {
      return null;
    }
    boolean pairs = !run.has(SFT);
    Section sft = run.section(name(run));
    return new SftConfig(
        files(sft, "train_files"),
        files(sft, "val_files"),
        sft.text("prompt_key"),
        sft.text(pairs ? "completion_key" : "response_key"),
        pairs ? "messages" : sft.text("messages_key"),
        pairs ? null : sft.numberOrNull("min_score"),
        Truncation.valueOf(sft.text("truncation").toUpperCase(Locale.ROOT)),
        sft.flag("shuffle"),
        sft.flag("drop_last"),
        sft.has("epochs") ? sft.integer("epochs") : 0,
        run.given("max_steps") ? run.integer("max_steps") : 0,
        pairs ? preference(sft) : null,
        new ContextFields(
            sft.textOrNull("query_key"), sft.text("system_key"), sft.text("history_key")));
  }

  private static PreferenceConfig preference(Section section) {
    return new PreferenceConfig(
        section.text("objective"),
        section.mapping("objective_args"),
        section.text("chosen_key"),
        section.text("rejected_key"),
        section.text("label_key"));
  }

  private static List<Path> files(Section sft, String key) {
    return sft.texts(key).stream().map(Path::of).toList();
  }
}
