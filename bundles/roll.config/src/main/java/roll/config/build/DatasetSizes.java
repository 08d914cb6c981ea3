package roll.config.build;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.DataSetReader;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;
import roll.text.chat.RowDomain;

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
    List<Section> found = List.copyOf(environments("train_env_manager", TRAIN).values());
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
    Map<String, Section> found = environments("val_env_manager", VALIDATION);
    boolean whole = run.integer(BATCH) < 0;
    if (found.isEmpty() || (!whole && dataSets == null)) {
      return;
    }
    Section manager = run.section("val_env_manager");
    Map<String, Integer> rows = new LinkedHashMap<>();
    try {
      found.forEach(
          (tag, one) -> rows.put(tag, Math.toIntExact(rows(BATCH, List.of(one), VALIDATION))));
    } catch (UserException e) {
      if (whole) {
        throw e;
      }
      return; // the environment refuses its files itself, and a plan does not need them
    }
    long most = rows.values().stream().mapToLong(own -> own).sum() * manager.integer("group_size");
    if (whole && rows.size() > 1) {
      rows.values().removeIf(own -> own == 0);
      manager.settle("tags", List.copyOf(rows.keySet()));
      manager.settle("num_groups_partition", List.copyOf(rows.values()));
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

  /** Returns the environments of {@code manager} that name {@code files}, by tag. */
  private Map<String, Section> environments(String manager, String files) {
    Map<String, Section> all = run.sections("custom_envs");
    Map<String, Section> found = new LinkedHashMap<>();
    for (String tag : tags(manager, List.copyOf(all.keySet()))) {
      Section environment = all.get(tag);
      if (environment != null && environment.mapping("env_config").get(files) != null) {
        found.put(tag, environment);
      }
    }
    return found;
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
      RowDomain domain = domain(options);
      long own =
          dataSets.read(environment.where("env_config." + files), paths).stream()
              .filter(row -> domain == null || domain.has(row.fields()))
              .count();
      rows += options.get(LIMIT) instanceof Integer most && most >= 0 ? Math.min(most, own) : own;
    }
    return rows;
  }

  /** Returns the domain of which alone an environment asks rows, or null. */
  private static @Nullable RowDomain domain(Map<String, Object> options) {
    if (!(options.get("domain") instanceof String name)) {
      return null;
    }
    Map<String, String> byTag = new LinkedHashMap<>();
    Map<String, @Nullable Object> tags = YamlTree.mapping(options.get("domain_tags"));
    if (tags != null) {
      tags.forEach((tag, domain) -> byTag.put(tag, String.valueOf(domain)));
    }
    return new RowDomain(name, byTag);
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
