package roll.config.build;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSetReader;
import roll.api.option.UserException;
import roll.config.schema.Section;

/**
 * Values derived from the number of questions in a data set: the steps of an epoch and the size of
 * a full validation.
 */
final class DatasetSizes {
  private static final String TRAIN = "train_files";
  private static final String VALIDATION = "val_files";
  private static final String LIMIT = "max_samples";
  private static final String EPOCHS = "num_train_epochs";
  private static final String BATCH = "val_batch_size";

  private final Section run;
  private final @Nullable DataSetReader dataSets;
  private final List<String> notices;

  /**
   * Creates the sizes of {@code run}, whose data files have been located.
   *
   * @param dataSets reads the files, or null
   * @param notices receive a line for each value that differs from the written one
   */
  DatasetSizes(Section run, @Nullable DataSetReader dataSets, List<String> notices) {
    this.run = run;
    this.dataSets = dataSets;
    this.notices = notices;
  }

  /**
   * Sets {@code max_steps} if epochs are given, and {@code val_batch_size} if it means all
   * questions or exceeds their number.
   *
   * @throws UserException if there is nothing to count, or too few questions for a step
   */
  void settle() {
    if (run.has(EPOCHS)) {
      epochs();
    }
    if (run.integer("eval_steps") > 0 || run.flag("val_before_train")) {
      validation();
    }
  }

  /**
   * Limits the steps by the epochs or {@code max_steps}, whichever ends first; an epoch has whole
   * steps only.
   */
  private void epochs() {
    List<Section> found = environments("train_env_manager", TRAIN);
    if (found.isEmpty()) {
      throw new UserException(
          run.where(EPOCHS) + ": no environment that is trained on has " + TRAIN + " to count");
    }
    long rows = rows(EPOCHS, found, TRAIN);
    int group = run.section("train_env_manager").integer("group_size");
    long questions = run.integer("rollout_batch_size") / group;
    long steps = questions < 1 ? 0 : rows / questions;
    if (steps < 1) {
      throw new UserException(
          "%s: %s has %d rows, fewer than the %d questions of a step (rollout_batch_size / group_size = %d / %d)"
              .formatted(
                  run.where(EPOCHS),
                  TRAIN,
                  rows,
                  questions,
                  run.integer("rollout_batch_size"),
                  group));
    }
    long all = Math.min(Integer.MAX_VALUE, steps * run.integer(EPOCHS));
    if (!run.given("max_steps") || all < run.integer("max_steps")) {
      run.settle("max_steps", (int) all);
    }
    run.settle(EPOCHS, null);
  }

  private void validation() {
    List<Section> found = environments("val_env_manager", VALIDATION);
    boolean whole = run.integer(BATCH) < 0;
    if (found.isEmpty() || (!whole && dataSets == null)) {
      return;
    }
    Section manager = run.section("val_env_manager");
    long most;
    try {
      most = rows(BATCH, found, VALIDATION) * manager.integer("group_size");
    } catch (UserException e) {
      if (whole) {
        throw e;
      }
      return; // the environment refuses its files itself, and a plan does not need them
    }
    if (whole) {
      run.settle(BATCH, (int) Math.min(Integer.MAX_VALUE, most));
    } else if (most < run.integer(BATCH) && !manager.given("num_env_groups")) {
      notices.add(
          "val_batch_size is %d: %s has no more than that, %d were asked for"
              .formatted(most, VALIDATION, run.integer(BATCH)));
      run.settle(BATCH, (int) most);
    }
  }

  /** Returns the environments of {@code manager} that name {@code files}. */
  private List<Section> environments(String manager, String files) {
    Map<String, Section> all = run.sections("custom_envs");
    List<String> tags = tags(manager, List.copyOf(all.keySet()));
    return tags.stream()
        .map(all::get)
        .filter(env -> env != null && env.mapping("env_config").get(files) != null)
        .toList();
  }

  private List<String> tags(String manager, List<String> all) {
    for (String name : List.of(manager, "train_env_manager")) {
      if (run.section(name).has("tags")) {
        return run.section(name).texts("tags");
      }
    }
    return all;
  }

  private long rows(String key, List<Section> environments, String files) {
    if (dataSets == null) {
      throw new UserException(
          run.where(key)
              + ": what counts the rows of "
              + files
              + " is not here: it takes a bundle that reads data sets, such as roll.dataset");
    }
    long rows = 0;
    for (Section environment : environments) {
      Map<String, Object> options = environment.mapping("env_config");
      List<Path> paths = paths(environment, files, options.get(files));
      long own = dataSets.read(environment.where("env_config." + files), paths).size();
      rows += options.get(LIMIT) instanceof Integer most && most >= 0 ? Math.min(most, own) : own;
    }
    return rows;
  }

  private static List<Path> paths(Section environment, String key, @Nullable Object value) {
    List<Path> paths = new ArrayList<>();
    for (Object name : value instanceof List<?> list ? list : List.of(String.valueOf(value))) {
      if (!(name instanceof String text)) {
        throw new UserException(
            environment.where("env_config." + key) + ": expected text or a list of texts");
      }
      paths.add(Path.of(text));
    }
    return paths;
  }
}
