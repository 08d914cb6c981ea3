package roll.config.verl;

import java.util.List;
import java.util.Map;
import java.util.Set;
import roll.config.dialect.TranslatedKeys;

/** Translates verl's options of estimator, penalties and losses. */
final class VerlAlgorithm {
  private static final String ALGORITHM = "algorithm.";
  private static final String ACTOR = "actor_rollout_ref.actor.";
  private static final String CLIP = ACTOR + "clip_ratio";
  private static final String ROLLOUT = "actor_rollout_ref.rollout.";
  private static final Set<String> NORMALIZES = Set.of("grpo", "grpo_vectorized", "grpo_passk");
  private static final Map<String, String> LOSSES =
      Map.of(
          "vanilla", "ppo",
          "ppo_clip", "ppo",
          "geo_mean", "gmpo",
          "dppo_tv", "dppo",
          "dppo_kl", "dppo");

  /** Options of single losses, by verl's name of the loss. */
  private static final Map<String, List<String>> OF_LOSS =
      Map.of(
          "vanilla", List.of("clip_ratio_c"),
          "ppo_clip", List.of("clip_ratio_c"),
          "dppo_tv", List.of("clip_ratio_c"),
          "dppo_kl", List.of("clip_ratio_c"),
          "sapo", List.of("tau_pos", "tau_neg"),
          "clip_cov",
              List.of(
                  "policy_loss.clip_cov_ratio",
                  "policy_loss.clip_cov_lb",
                  "policy_loss.clip_cov_ub"),
          "kl_cov", List.of("policy_loss.kl_cov_ratio", "policy_loss.ppo_kl_coef"));

  private final VerlOptions options;
  private final TranslatedKeys ours;
  private final Map<String, Integer> updates;

  /**
   * Creates the translation of {@code options}.
   *
   * @param updates optimizer steps per training step, by role
   */
  VerlAlgorithm(VerlOptions options, TranslatedKeys ours, Map<String, Integer> updates) {
    this.options = options;
    this.ours = ours;
    this.updates = updates;
  }

  /** Writes the translated keys of verl's algorithm options. */
  void put() {
    String std = ALGORITHM + "norm_adv_by_std_in_grpo";
    if (options.given(std)
        && !options.flag(VerlDistillation.ENABLED)
        && NORMALIZES.contains(options.text(ALGORITHM + "adv_estimator"))) {
      ours.copy("adv_estimator_args.norm_adv_by_std_in_grpo", std);
    }
    penalty();
    clip();
    loss();
    temperature();
    norm();
    new VerlCorrection(options, ours).put();
    optimizer(ACTOR, "actor_train");
    if (options.critic(ours)) {
      critic();
    }
  }

  private void penalty() {
    boolean reward = options.flag(ALGORITHM + "use_kl_in_reward");
    where(reward, "kl_penalty", ALGORITHM + "kl_penalty");
    where(reward, "init_kl_coef", ALGORITHM + "kl_ctrl.kl_coef");
    if (options.text(ALGORITHM + "kl_ctrl.type").equals("adaptive")) {
      ours.copy("target_kl", ALGORITHM + "kl_ctrl.target_kl");
      ours.copy("kl_horizon", ALGORITHM + "kl_ctrl.horizon");
    }
    boolean loss = options.flag(ACTOR + "use_kl_loss");
    where(loss, "kl_loss_coef", ACTOR + "kl_loss_coef");
    where(loss, "kl_loss_type", ACTOR + "kl_loss_type");
  }

  /** Copies written values in any case, so that ineffective keys are reported. */
  private void where(boolean used, String key, String path) {
    if (used || options.given(path)) {
      ours.copy(key, path);
    }
  }

  private void clip() {
    String low = bound("low");
    String high = bound("high");
    if (!options.standard(CLIP) && !low.equals(CLIP) && !high.equals(CLIP)) {
      options.notice(
          ("key '%s' has no effect here: as in verl it is the bound only where clip_ratio_low or"
                  + " clip_ratio_high is null")
              .formatted(CLIP));
    }
    if (options.number(low) == options.number(high)) {
      ours.copy("pg_clip", low);
    } else {
      ours.put("use_pg_clip_range", true, low, high);
      ours.copy("pg_clip_low", low);
      ours.copy("pg_clip_high", high);
    }
  }

  /** Returns the option of a bound: verl's {@code clip_ratio} is that of a bound of null. */
  private String bound(String side) {
    String own = ACTOR + "clip_ratio_" + side;
    return options.isNull(own) ? CLIP : own;
  }

  /** verl divides the mean over samples, by the width of its responses or what is named. */
  private void norm() {
    String factor = ACTOR + "loss_scale_factor";
    if (options.given(factor)) {
      ours.copy("loss_scale_factor", factor);
    } else if (options.text(ACTOR + "loss_agg_mode").equals("seq-mean-token-sum-norm")) {
      String response = ROLLOUT + "response_length";
      ours.copy(
          "loss_scale_factor", options.given(response) ? response : "data.max_response_length");
    }
  }

  private void loss() {
    String mode = ACTOR + "policy_loss.loss_mode";
    boolean bypass = options.flag(VerlCorrection.BYPASS);
    if (bypass && !options.standard(mode)) {
      options.notice("key '%s' has no effect here: bypass_mode has a loss_type".formatted(mode));
    }
    String source = bypass ? VerlCorrection.LOSS : mode;
    String name = options.text(source);
    ours.put("actor_train.pg_variant", LOSSES.getOrDefault(name, name), source);
    for (String option : OF_LOSS.getOrDefault(name, List.of())) {
      String key = option.substring(option.lastIndexOf('.') + 1);
      ours.copy("actor_train.pg_variant_args." + key, ACTOR + option);
    }
    if (name.startsWith("dppo_")) {
      String divergence = name.substring(name.indexOf('_') + 1);
      ours.put("actor_train.pg_variant_args.divergence", divergence, mode);
    }
    if (name.equals("cispo")) {
      for (String side : List.of("low", "high")) {
        ours.copy("actor_train.pg_variant_args.cispo_epsilon_" + side, bound(side));
      }
    }
  }

  /** Sets the temperature by which verl divides the logits of policy and reference. */
  private void temperature() {
    String path = ROLLOUT + "temperature";
    ours.copy("train_env_manager.generating_args.temperature", path);
    double temperature = options.flag(ROLLOUT + "do_sample") ? options.number(path) : 0;
    if (temperature != 1 && temperature != 0) {
      ours.put("scale_logits_by_temperature", true, path);
    }
  }

  private void optimizer(String worker, String role) {
    new VerlOptimizer(options, ours, worker, role, updates.getOrDefault(role, 1)).put();
  }

  private void critic() {
    ours.copy("value_clip", "critic.cliprange_value");
    ours.copy("critic.training_args.learning_rate", "critic.optim.lr");
    ours.copy("critic.training_args.weight_decay", "critic.optim.weight_decay");
    optimizer("critic.", "critic");
    ours.copy("critic.training_args.lr_scheduler_type", "critic.optim.lr_scheduler_type");
    ours.copy("critic.training_args.warmup_ratio", "critic.optim.lr_warmup_steps_ratio");
  }
}
