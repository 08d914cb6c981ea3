package roll.config.trl;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;

/** Advantages, policy loss and penalties of trl grpo and trl rloo. */
final class TrlPolicy {
  private static final String LOSS = "loss_type";
  private static final String LEVEL = "importance_sampling_level";
  private static final String VARIANT = "actor_train.pg_variant";
  private static final String ARGS = "actor_train.pg_variant_args.";
  private static final String HIGH = "epsilon_high";
  private static final String ENTROPY = "entropy_coef";
  private static final String UNBIASED = "use_bias_correction_kl";

  /** TRL's addend of deviations. */
  private static final double EPSILON = 1e-4;

  private final TrlOptions options;
  private final TranslatedKeys ours;
  private final int updates;

  /**
   * Creates the translation of {@code options}.
   *
   * @param updates optimizer steps per generation
   */
  TrlPolicy(TrlOptions options, TranslatedKeys ours, int updates) {
    this.options = options;
    this.ours = ours;
    this.updates = updates;
  }

  /** Writes the keys of estimator and loss. */
  void put() {
    if (options.trainer() == TrlTrainer.RLOO) {
      leaveOneOut();
      return;
    }
    advantages();
    clip();
    loss();
    penalty();
    entropy();
    if (options.flag("cast_lm_head_to_fp32")) {
      ours.put("actor_train.logits_in_fp32", true, "cast_lm_head_to_fp32");
    }
    new TrlCorrection(options, ours).put();
  }

  /** TRL's ratio is that of the whole response, which is 1 where a generation is used once. */
  private void leaveOneOut() {
    if (updates > 1) {
      throw options.refused(
          options.given("num_iterations") ? "num_iterations" : "steps_per_generation",
          updates + " optimizer steps per generation",
          "ratios of the sum over a response are not clipped here");
    }
    ours.put("adv_estimator", "rloo");
    ours.put("loss_agg_mode", "seq-mean-token-sum");
    clip();
    if (options.number("beta") > 0) {
      ours.put("add_token_level_kl", true, "beta");
      ours.put("kl_penalty", "k1", "beta");
      ours.copy("init_kl_coef", "beta");
    }
    if (options.value("reward_clip_range") instanceof List<?> range) {
      if (options.number("beta") > 0) {
        throw options.refused(
            "reward_clip_range", range, "with beta above 0 the penalty would be clipped too");
      }
      if (range.size() != 2
          || !(range.getFirst() instanceof Number low)
          || !(range.getLast() instanceof Number high)
          || low.doubleValue() != -high.doubleValue()) {
        throw options.wrong("reward_clip_range", "[-x, x]", range);
      }
      ours.put("reward_clip", high, "reward_clip_range");
    }
  }

  private void advantages() {
    String key = "scale_rewards";
    Object scaled = options.value(key);
    ours.put("adv_estimator", "grpo");
    if ("batch".equals(scaled)) {
      ours.put(
          "reward_normalization",
          new TreeMap<>(
              Map.of(
                  "grouping",
                  "traj_group_id",
                  "norm_mean_type",
                  "group",
                  "norm_std_type",
                  "batch")),
          key);
    } else if ("none".equals(scaled) || Boolean.FALSE.equals(scaled)) {
      ours.put("adv_estimator_args.norm_adv_by_std_in_grpo", false, key);
    } else {
      ours.put("adv_estimator_args.epsilon", EPSILON, key);
    }
  }

  private void clip() {
    double high = options.has(HIGH) ? options.number(HIGH) : options.number("epsilon");
    if (options.has(LOSS) && options.text(LOSS).equals("cispo")) {
      return;
    }
    if (high == options.number("epsilon")) {
      ours.copy("pg_clip", "epsilon");
    } else {
      ours.put("use_pg_clip_range", true, HIGH);
      ours.copy("pg_clip_low", "epsilon");
      ours.copy("pg_clip_high", HIGH);
    }
    if (options.has("delta")) {
      if (options.number("delta") <= 1 + high) {
        throw options.refused(
            "delta", options.value("delta"), "above 1 + %s it is the dual clip".formatted(high));
      }
      ours.copy(ARGS + "clip_ratio_c", "delta");
    }
  }

  private void loss() {
    String type = options.text(LOSS);
    boolean sequence = options.text(LEVEL).equals("sequence");
    if (sequence && !type.equals("grpo")) {
      throw options.refused(LEVEL, "sequence", "with loss_type grpo it is gspo");
    }
    ours.put(VARIANT, variant(type, sequence), LOSS, LEVEL);
    ours.put("loss_agg_mode", aggregation(type), LOSS);
    switch (type) {
      case "dr_grpo" -> ours.put("loss_scale_factor", options.integer("max_completion_length"));
      case "bnpo" -> {
        if (options.integer("gradient_accumulation_steps") > 1
            || TrlModel.devices(options, ours) > 1) {
          throw options.refused(
              LOSS, type, "a mean over the tokens of each micro-batch; dapo is that over all");
        }
      }
      case "cispo" -> weights();
      case "sapo" -> {
        ours.copy(ARGS + "tau_pos", "sapo_temperature_pos");
        ours.copy(ARGS + "tau_neg", "sapo_temperature_neg");
      }
      default -> {
        // nothing more
      }
    }
    if (!type.equals("sapo")) {
      options.idle("sapo_temperature_pos", "loss_type is " + type);
      options.idle("sapo_temperature_neg", "loss_type is " + type);
    }
  }

  private static String variant(String type, boolean sequence) {
    return switch (type) {
      case "cispo", "sapo" -> type;
      default -> sequence ? "gspo" : "ppo";
    };
  }

  private static String aggregation(String type) {
    return switch (type) {
      case "grpo", "sapo" -> "seq-mean-token-mean";
      case "dr_grpo" -> "seq-mean-token-sum-norm";
      default -> "token-mean";
    };
  }

  /** TRL's cispo has one bound, which is the largest weight itself. */
  private void weights() {
    double most = options.has(HIGH) ? options.number(HIGH) : options.number("epsilon");
    if (most <= 1) {
      throw options.wrong(
          HIGH, "a number above 1 with loss_type cispo, the largest weight (5.0)", most);
    }
    ours.put(ARGS + "cispo_epsilon_low", 1.0);
    ours.put(ARGS + "cispo_epsilon_high", most - 1, HIGH);
  }

  /**
   * Sets the penalty of the reference. Multiplied by the ratio, which is 1 but not constant, the
   * gradient of TRL's estimate is that of k2.
   */
  private void penalty() {
    if (options.number("beta") == 0) {
      return;
    }
    if (options.flag(UNBIASED) && updates > 1) {
      throw new UserException(
          "%s: with %d optimizer steps per generation the KL loss is not multiplied by the ratio here: write %s: false"
              .formatted(options.where("beta"), updates, UNBIASED));
    }
    ours.put("use_kl_loss", true, "beta");
    ours.copy("kl_loss_coef", "beta");
    ours.put("kl_loss_type", options.flag(UNBIASED) ? "k3+" : "k3", UNBIASED);
  }

  private void entropy() {
    if (options.number(ENTROPY) == 0) {
      return;
    }
    if (!aggregation(options.text(LOSS)).equals("token-mean")) {
      throw options.refused(
          ENTROPY, options.value(ENTROPY), "with this loss_type the bonus is no mean over tokens");
    }
    ours.copy("entropy_loss_coef", ENTROPY);
  }
}
