package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.runtime.config.algorithm.BatchAdjustment;
import roll.text.Suggestion;

/** Checks that batch sizes, group sizes and device counts of a run fit together. */
public final class BatchSizeCheck {
  /** Environment managers of which an episode is a sample a turn, or a branch. */
  private static final Set<String> SEVERAL =
      Set.of("step", "step_concat", "agent_native_step", "program");

  private final Section run;

  /** Creates the check for a run whose defaults are set. */
  public BatchSizeCheck(Section run) {
    this.run = run;
  }

  /**
   * Checks the tags of a rollout and its sampling settings.
   *
   * @throws UserException for the first thing that does not fit
   */
  public void checkManagers() {
    for (String manager : List.of("train_env_manager", "val_env_manager")) {
      tags(run.section(manager));
      new SamplingBuilder(run.section(manager).section("generating_args"))
          .check(run.integer("sequence_length"));
    }
  }

  /**
   * Checks that all batch sizes of the run fit together.
   *
   * @throws UserException for the first thing that does not fit
   */
  public void check() {
    checkManagers();
    Section train = run.section("train_env_manager");
    Section validation = run.section("val_env_manager");
    episodes("rollout_batch_size", train);
    if (run.integer("eval_steps") > 0 || run.flag("val_before_train")) {
      if (run.integer("val_batch_size") < 0) {
        throw new UserException(
            run.where("val_batch_size").replaceFirst("val_batch_size$", "")
                + "'val_batch_size: -1' is not supported yet");
      }
      episodes("val_batch_size", validation);
    }
  }

  /**
   * A notice if the rollout is no multiple of the optimizer batch, which {@code batch_adjust_mode}
   * then handles, or null.
   */
  public @Nullable String notice() {
    long rest = run.integer("rollout_batch_size") % effectiveBatch();
    return rest == 0
        ? null
        : "rollout_batch_size %d is no multiple of per_device_train_batch_size × gradient_accumulation_steps × replicas = %d × %d × %d = %d: batch_adjust_mode %s decides what happens to the last %d"
            .formatted(
                run.integer("rollout_batch_size"),
                microBatch(),
                accumulation(),
                replicas(),
                effectiveBatch(),
                run.text("batch_adjust_mode"),
                rest);
  }

  /** Returns the derived batch sizes, in printing order. */
  public Map<String, Long> derived() {
    long rollout = run.integer("rollout_batch_size");
    long steps = run.integer("max_steps");
    long every = run.integer("eval_steps");
    long updates = optimizerBatches(rollout) * run.integer("ppo_epochs");
    Section train = run.section("train_env_manager");
    Section validation = run.section("val_env_manager");
    long trainEpisodes = (long) train.integer("num_env_groups") * train.integer("group_size");
    Map<String, Long> derived = new LinkedHashMap<>();
    derived.put("train_env_groups", (long) train.integer("num_env_groups"));
    derived.put("train_envs", trainEpisodes);
    derived.put("episodes_per_train_env", rollout / trainEpisodes);
    derived.put("val_env_groups", (long) validation.integer("num_env_groups"));
    derived.put("mini_batch", microBatch() * replicas());
    derived.put("effective_batch", effectiveBatch());
    if (run.section("actor_train").flag("sequence_sharing")) {
      derived.put("samples_sharing_a_prompt", sharing(rollout, train.integer("group_size")));
    }
    updates(derived, updates, optimizerBatches(mostSamples()) * run.integer("ppo_epochs"), steps);
    derived.put("total_trajectories", rollout * steps);
    long evaluations = evaluations(steps, every);
    derived.put("evaluations", evaluations);
    derived.put("total_eval_trajectories", evaluations * run.integer("val_batch_size"));
    derived.put("checkpoints", checkpoints(steps));
    DeviceLayoutCheck.roles(run)
        .filter(role -> role.has("device_mapping"))
        .forEach(
            role ->
                derived.put(
                    role.path("replicas").replace('.', '_'), DataParallelSize.copies(role)));
    return derived;
  }

  /** Returns the expected number of samples of a group in one optimizer step, at least 1. */
  private long sharing(long rollout, int group) {
    return Math.max(1, Math.min(group, Math.round((double) group * effectiveBatch() / rollout)));
  }

  /** Adds the number of optimizer steps: exact if an episode is one sample, otherwise bounds. */
  private static void updates(Map<String, Long> derived, long least, long most, long steps) {
    if (least == most) {
      derived.put("updates_per_step", least);
      derived.put("total_updates", Math.multiplyExact(least, steps));
    } else {
      derived.put("updates_per_step_least", least);
      derived.put("updates_per_step_most", most);
      derived.put("total_updates_least", Math.multiplyExact(least, steps));
      derived.put("total_updates_most", Math.multiplyExact(most, steps));
    }
  }

  /** Optimizer steps of the whole run, as planned: at least, where only that is known. */
  public long totalUpdates() {
    long each = optimizerBatches(run.integer("rollout_batch_size")) * run.integer("ppo_epochs");
    return Math.multiplyExact(each, run.integer("max_steps"));
  }

  /** Returns the maximum number of samples per step. */
  private long mostSamples() {
    Section train = run.section("train_env_manager");
    List<String> tags = train.texts("tags");
    long each = run.integer("rollout_batch_size") / train.integer("num_env_groups");
    long most = 0;
    for (int i = 0; i < tags.size(); i++) {
      Section environment =
          Objects.requireNonNull(run.sections("custom_envs").get(tags.get(i)), tags.get(i));
      most += each * train.integers("num_groups_partition").get(i) * samples(environment);
    }
    return most;
  }

  private static long samples(Section environment) {
    boolean several = SEVERAL.contains(environment.text("env_manager_cls"));
    return several ? environment.integer("max_steps") : 1;
  }

  /** The numbers of a supervised warm start, each step of which is one optimizer step. */
  public Map<String, Long> derivedOfSft() {
    Map<String, Long> derived = new LinkedHashMap<>();
    derived.put("mini_batch", microBatch() * replicas());
    derived.put("effective_batch", effectiveBatch());
    derived.put("total_updates", (long) run.integer("max_steps"));
    return derived;
  }

  /** Returns verl's batch counts per device, in print order; the last mini-batch may be smaller. */
  public Map<String, Long> derivedOfDevices() {
    long rollout = run.integer("rollout_batch_size");
    long rest = rollout % effectiveBatch();
    long last = Math.ceilDiv(rest, replicas());
    Map<String, Long> derived = new LinkedHashMap<>();
    derived.put("responses_per_step", rollout);
    derived.put("responses_per_device", Math.ceilDiv(rollout, replicas()));
    derived.put("mini_batch_per_device", microBatch() * accumulation());
    derived.put("micro_batches", accumulation());
    derived.put("last_mini_batch_per_device", rest == 0 ? microBatch() * accumulation() : last);
    derived.put(
        "last_micro_batches", rest == 0 ? accumulation() : Math.ceilDiv(last, microBatch()));
    return derived;
  }

  /** Validations of a whole run: before its first step, every so many steps, after the last. */
  private long evaluations(long steps, long every) {
    long during = every == 0 ? 0 : (steps - 1) / every + 1;
    return during + (run.flag("val_before_train") ? 1 : 0);
  }

  /**
   * Returns the number of checkpoints of a run: one every so many steps, and one after the last.
   */
  private long checkpoints(long steps) {
    long every = run.integer("save_steps");
    return every == 0 ? 0 : Math.ceilDiv(steps, every);
  }

  private void tags(Section manager) {
    Map<String, Section> defined = run.sections("custom_envs");
    List<String> tags = manager.texts("tags");
    for (String tag : tags) {
      if (!defined.containsKey(tag)) {
        throw new UserException(
            manager.where("tags")
                + ": '"
                + tag
                + "' is not in custom_envs (allowed: "
                + String.join(", ", defined.keySet())
                + ")"
                + Suggestion.near(tag, defined.keySet()));
      }
    }
    List<Integer> partition = manager.integers("num_groups_partition");
    if (partition.size() != tags.size()) {
      throw manager.wrong("num_groups_partition", "a number for each of " + tags.size() + " tags");
    }
    int sum = partition.stream().mapToInt(Integer::intValue).sum();
    if (sum != manager.integer("num_env_groups")) {
      throw manager.wrong(
          "num_groups_partition",
          "numbers that add up to num_env_groups = " + manager.integer("num_env_groups"));
    }
  }

  private void episodes(String key, Section manager) {
    long groups = manager.integer("num_env_groups");
    long size = manager.integer("group_size");
    if (run.integer(key) < 1 || run.integer(key) % (groups * size) != 0) {
      throw run.wrong(
          key,
          "a multiple of "
              + manager.path("num_env_groups")
              + " × group_size = "
              + groups
              + " × "
              + size
              + " = "
              + groups * size);
    }
    long each = run.integer(key) / (groups * size);
    int most = manager.integer("max_traj_per_env");
    if (most >= 0 && most < each) {
      throw manager.wrong(
          "max_traj_per_env",
          "-1, or at least the episodes each environment plays a step: %s / (num_env_groups ×"
                  .formatted(key)
              + " group_size) = %d".formatted(each));
    }
  }

  /**
   * Returns the number of optimizer batches of a pass over the rollout, as {@link BatchAdjustment}
   * leaves it.
   */
  private long optimizerBatches(long samples) {
    return switch (run.text("batch_adjust_mode")) {
      case "copy" -> Math.ceilDiv(samples, effectiveBatch());
      case "random_sample" -> 1;
      default -> Math.max(1, samples / effectiveBatch());
    };
  }

  private long effectiveBatch() {
    return Math.multiplyExact(microBatch() * replicas(), accumulation());
  }

  private long microBatch() {
    return training().integer("per_device_train_batch_size");
  }

  private long accumulation() {
    return training().integer("gradient_accumulation_steps");
  }

  private Section training() {
    return run.section("actor_train").section("training_args");
  }

  private long replicas() {
    return DataParallelSize.of(run.section("actor_train"));
  }
}
