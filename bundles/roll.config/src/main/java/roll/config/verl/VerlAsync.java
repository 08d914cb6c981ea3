package roll.config.verl;

import java.util.List;
import roll.config.dialect.TranslatedKeys;

/**
 * Translates verl's trainers whose rollouts have devices of their own: {@code one_step_off_policy},
 * with the section {@code rollout}, and {@code fully_async_policy}, also with {@code
 * async_training} ({@code verl-project/verl@1dda039b:verl/experimental}).
 */
final class VerlAsync {
  private static final String ASYNC = "async_training.";
  private static final String STALENESS = ASYNC + "staleness_threshold";
  private static final String SYNC = ASYNC + "trigger_parameter_sync_step";
  private static final String BATCHES = ASYNC + "require_batches";
  private static final String PARTIAL = ASYNC + "partial_rollout";
  private static final String NODES = "rollout.nnodes";
  private static final String EACH = "rollout.n_gpus_per_node";
  private static final String TOTAL = "rollout.total_rollout_steps";
  private static final String QUESTIONS = "data.train_batch_size";
  private static final String BYPASS = "algorithm.rollout_correction.bypass_mode";
  private static final String TRAINER_NODES = "trainer.nnodes";
  private static final String TRAINER_EACH = "trainer.n_gpus_per_node";

  private final VerlOptions options;
  private final TranslatedKeys ours;

  /** Creates the translation of {@code options}. */
  VerlAsync(VerlOptions options, TranslatedKeys ours) {
    this.options = options;
    this.ours = ours;
  }

  /** Whether rollouts have devices of their own. */
  static boolean is(VerlOptions options) {
    return options.givenIn("rollout.") || options.givenIn(ASYNC);
  }

  /** Number of devices of rollouts alone. */
  static int devices(VerlOptions options) {
    return is(options) ? options.integer(NODES) * options.integer(EACH) : 0;
  }

  /**
   * Writes the translated keys, and sets the options of the trainer that depend on them: steps of
   * {@code require_batches} mini-batches, of which several are between two of verl's versions.
   */
  void put() {
    if (!is(options)) {
      return;
    }
    if (!options.given(BYPASS)) {
      options.set(BYPASS, true);
    }
    if (!options.givenIn(ASYNC)) {
      ours.put("async_generation_ratio", 1, NODES, EACH);
      return;
    }
    int sync = options.integer(SYNC);
    double ahead = (1 + options.number(STALENESS)) * sync - 1;
    ours.put("async_generation_ratio", ahead, STALENESS, SYNC);
    ours.copy("partial_rollout", PARTIAL);
    options.notice(
        "rollouts run up to (1 + %s) × %s − 1 = %s steps ahead; they get weights after each step"
            .formatted(STALENESS, SYNC, ahead));
    int questions =
        Math.multiplyExact(
            options.integer(BATCHES),
            options.integer("actor_rollout_ref.actor.ppo_mini_batch_size"));
    options.set(QUESTIONS, questions);
    options.set("data.gen_batch_size", questions);
    if (options.given(TOTAL)) {
      options.set("trainer.total_training_steps", Math.max(1, options.integer(TOTAL) / questions));
    }
    for (String every : List.of("trainer.test_freq", "trainer.save_freq")) {
      int versions = options.integer(every);
      if (versions > 0) {
        options.set(every, Math.multiplyExact(versions, sync));
      }
    }
  }

  /**
   * Writes nodes, devices of a node, and those of actor_infer, the last ones.
   *
   * @param trained number of devices of the other roles
   * @throws roll.api.option.UserException if nodes would have different numbers of devices
   */
  void layout(int trained) {
    int nodes = options.integer(TRAINER_NODES);
    int each = options.integer(TRAINER_EACH);
    int own = options.integer(EACH);
    if (options.integer(NODES) == nodes) {
      ours.put("num_nodes", nodes, TRAINER_NODES);
      ours.put("num_gpus_per_node", each + own, TRAINER_EACH, EACH);
    } else if (own == each) {
      ours.put("num_nodes", nodes + options.integer(NODES), TRAINER_NODES, NODES);
      ours.put("num_gpus_per_node", each, TRAINER_EACH, EACH);
    } else {
      throw options.wrong(
          NODES,
          "%s, %d, or as many devices of each node as %s"
              .formatted(TRAINER_NODES, nodes, TRAINER_EACH),
          options.integer(NODES));
    }
    ours.put(
        "actor_infer.device_mapping",
        "list(range(%d,%d))".formatted(trained, trained + devices(options)),
        EACH,
        NODES);
  }
}
