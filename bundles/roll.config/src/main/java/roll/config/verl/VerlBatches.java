package roll.config.verl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;

/**
 * The arithmetic of verl's batches: questions, samples of a question, mini-batches in questions,
 * micro-batches in samples of a device.
 */
final class VerlBatches {
  private static final String ACTOR = "actor_rollout_ref.actor.";
  private static final String CRITIC = "critic.";
  private static final String N = "actor_rollout_ref.rollout.n";
  private static final String FIRST = "data.val_max_samples";
  private static final String CHAINS = "agent.num_chains";
  private static final String QUESTIONS = "data.train_batch_size";
  private static final String GENERATED = "data.gen_batch_size";
  private static final String FILTERS = "algorithm.filter_groups.enable";
  private static final String VALIDATION = "data.val_batch_size";
  private static final String MINI = "ppo_mini_batch_size";
  private static final String MICRO = "ppo_micro_batch_size_per_gpu";
  private static final String MICRO_OF_ALL = "ppo_micro_batch_size";
  private static final int LARGEST_MICRO = 8;

  private final VerlOptions options;
  private final TranslatedKeys ours;
  private final int devices;
  private final int replicas;

  /**
   * Creates the translation of {@code options}.
   *
   * @param devices number of devices
   * @param replicas number of replicas of the trained model
   */
  VerlBatches(VerlOptions options, TranslatedKeys ours, int devices, int replicas) {
    this.options = options;
    this.ours = ours;
    this.devices = devices;
    this.replicas = replicas;
  }

  /**
   * Writes all batch sizes.
   *
   * @return how many optimizer steps a training step of each role is, by our names of the roles
   * @throws UserException with the equation that does not hold
   */
  Map<String, Integer> put() {
    int samples = samples();
    String from = questions();
    int questions = options.integer(from);
    if (questions < 1) {
      throw options.wrong(from, "at least 1", questions);
    }
    ours.put("train_env_manager.group_size", samples, CHAINS, N);
    ours.put("train_env_manager.num_env_groups", questions, from);
    if ((long) questions * samples > Integer.MAX_VALUE) {
      throw options.wrong(from, "at most " + Integer.MAX_VALUE / samples, questions);
    }
    ours.put("rollout_batch_size", questions * samples, from, CHAINS, N);
    validation();
    int mini = mini(ACTOR + MINI, from);
    update(ACTOR, "actor_train", mini, samples);
    Map<String, Integer> updates = new HashMap<>();
    int passes = options.integer(ACTOR + "ppo_epochs");
    updates.put("actor_train", Math.multiplyExact(passes, Math.ceilDiv(questions, mini)));
    if (options.critic(ours)) {
      String own = options.given(CRITIC + MINI) ? CRITIC + MINI : ACTOR + MINI;
      int owned = mini(own, from);
      update(CRITIC, "critic", owned, samples);
      updates.put("critic", Math.ceilDiv(questions, owned));
    }
    scored("actor_rollout_ref.rollout.log_prob_micro_batch_size", "actor_train");
    if (options.flag("actor_rollout_ref.actor.use_kl_loss")
        || options.flag("algorithm.use_kl_in_reward")) {
      scored("actor_rollout_ref.ref.log_prob_micro_batch_size", "reference");
    }
    scored("critic.forward_micro_batch_size", "critic");
    return Map.copyOf(updates);
  }

  /**
   * Returns the option with the number of questions per step: verl's trainer uses gen_batch_size.
   * DAPO's repeats that until train_batch_size questions have a training signal; here single
   * questions replace those without one.
   */
  private String questions() {
    if (options.flag(FILTERS)) {
      ours.put("train_env_manager.group_filter_cls", "equal_scores", FILTERS);
      if (options.given(GENERATED)) {
        options.notice(
            "key '%s' has no effect here: %s is true, as many questions are played as %s needs"
                .formatted(GENERATED, FILTERS, QUESTIONS));
      }
      return QUESTIONS;
    }
    if (!options.given(GENERATED)) {
      return QUESTIONS;
    }
    if (options.integer(GENERATED) != options.integer(QUESTIONS)) {
      options.notice(
          "key '%s' is how many questions a step has, before %s".formatted(GENERATED, QUESTIONS));
    }
    return GENERATED;
  }

  /** Returns the number of samples per question, which AgentFly calls chains. */
  private int samples() {
    if (!options.agent()) {
      return options.integer(N);
    }
    return options.integer(options.given(N) && !options.given(CHAINS) ? N : CHAINS);
  }

  private void validation() {
    int samples = options.integer("actor_rollout_ref.rollout.val_kwargs.n");
    int most = options.integer(FIRST);
    if (options.has(VALIDATION) || most > 0) {
      int questions = options.has(VALIDATION) ? options.integer(VALIDATION) : most;
      ours.put(
          "val_batch_size",
          Math.multiplyExact(most > 0 ? Math.min(most, questions) : questions, samples),
          VALIDATION,
          FIRST);
    } else if (ours.has("custom_envs.Dataset.env_config.val_files")) {
      ours.put("val_batch_size", -1);
    }
  }

  /**
   * Returns verl's mini-batch size; the default is limited to the number of questions, a written
   * value is not.
   */
  private int mini(String path, String from) {
    int questions = options.integer(from);
    int mini = inQuestions(path, questions);
    if (mini > questions && options.given(path)) {
      throw new UserException(
          "%s: %d questions of a mini-batch, and a step has only %s = %d"
              .formatted(options.where(path), mini, from, questions));
    }
    return Math.min(mini, questions);
  }

  /**
   * AgentFly plays num_chains, but its mini-batch is of ppo_mini_batch_size × rollout.n samples:
   * its scripts give all chains of a step, and no rollout.n, or both.
   */
  private int inQuestions(String path, int questions) {
    int mini = options.integer(path);
    boolean both = options.given(N) && options.given(CHAINS);
    if (!options.agent() || !options.given(path) || (!both && mini <= questions)) {
      return mini;
    }
    int samples = both ? Math.multiplyExact(mini, options.integer(N)) : mini;
    int chains = options.integer(CHAINS);
    if (samples % chains != 0) {
      throw new UserException(
          "%s: %d chains of a mini-batch, no multiple of agent.num_chains = %d"
              .formatted(options.where(path), samples, chains));
    }
    if (samples / chains != mini) {
      options.notice(
          "key '%s' is read as %d chains, %d questions: agent.num_chains are played"
              .formatted(options.written(path), samples, samples / chains));
    }
    return samples / chains;
  }

  /** Sets the batches of an update; as in verl, a device's share is rounded down. */
  private void update(String from, String role, int mini, int samples) {
    String equation =
        "%s × %s / devices = %d × %d / %d"
            .formatted(MINI, options.agent() ? CHAINS : "rollout.n", mini, samples, replicas);
    int share = Math.multiplyExact(mini, samples) / replicas;
    if (share < 1) {
      throw new UserException(
          options.where(from + MINI) + ": " + equation + " leaves a device without a sample");
    }
    int micro = micro(from, share);
    int together = together(from);
    if (share % micro != 0 && micro % together == 0) {
      micro /= together; // what so many devices have before them together
    }
    if (share % micro != 0) {
      throw new UserException(
          "%s: %s = %d is no multiple of %s = %d"
              .formatted(options.where(from + MICRO), equation, share, MICRO, micro));
    }
    String training = role + ".training_args.";
    ours.put(training + "per_device_train_batch_size", micro, from + MICRO, from + MICRO_OF_ALL);
    ours.put(
        training + "gradient_accumulation_steps",
        share / micro,
        from + MINI,
        from + MICRO,
        from + MICRO_OF_ALL);
  }

  /** Over how many devices a sequence is cut there; here each device has whole ones. */
  private int together(String from) {
    String ulysses = from + "ulysses_sequence_parallel_size";
    String actors = ACTOR + "fsdp_config.ulysses_sequence_parallel_size";
    for (String path :
        List.of(
            ulysses,
            ACTOR + "ulysses_sequence_parallel_size",
            actors,
            ACTOR + "megatron.context_parallel_size")) {
      if (options.given(path)) {
        return options.integer(path);
      }
    }
    return 1;
  }

  private int micro(String from, int share) {
    for (String place : new String[] {from, ACTOR}) { // the critic's default is the actor's
      if (options.given(place + MICRO)) {
        return options.integer(place + MICRO);
      }
      if (options.given(place + MICRO_OF_ALL)) {
        return Math.max(1, options.integer(place + MICRO_OF_ALL) / devices);
      }
    }
    int micro = Math.min(LARGEST_MICRO, share);
    while (share % micro != 0) {
      micro--;
    }
    return micro;
  }

  /** Sets the number of samples per scoring batch, per device or in total. */
  private void scored(String path, String role) {
    String each = path + "_per_gpu";
    String key = role + ".infer_batch_size";
    if (options.given(each)) {
      ours.copy(key, each);
    } else if (options.given(path)) {
      ours.put(key, Math.max(1, options.integer(path) / devices), path);
    }
  }
}
