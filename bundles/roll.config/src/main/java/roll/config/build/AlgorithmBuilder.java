package roll.config.build;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.Norm;
import roll.api.loss.LossSettings.RatioType;
import roll.api.scoring.GeneralizedJsd;
import roll.config.schema.Section;
import roll.runtime.config.algorithm.AdvantageConfig;
import roll.runtime.config.algorithm.AlgorithmConfig;
import roll.runtime.config.algorithm.BatchAdjustment;
import roll.runtime.config.algorithm.DistillConfig;
import roll.runtime.config.algorithm.EstimatorConfig;
import roll.runtime.config.algorithm.KlConfig;
import roll.runtime.config.algorithm.RewardShapingConfig;
import roll.runtime.config.algorithm.SampleMaskConfig;

/** Builds the typed configuration of rewards, advantages and losses. */
final class AlgorithmBuilder {
  private final Section run;

  /** Creates an algorithm builder for {@code run}. */
  AlgorithmBuilder(Section run) {
    this.run = run;
  }

  /** Builds the typed algorithm configuration. */
  AlgorithmConfig build() {
    return new AlgorithmConfig(
        estimator(),
        run.integer("ppo_epochs"),
        BatchAdjustment.valueOf(constant(run.text("batch_adjust_mode"))),
        !run.flag("force_disable_old_logprobs_recompute"),
        run.number("max_grad_norm"),
        loss(),
        new RewardShapingConfig(
            normalization(run.section("reward_normalization")),
            run.numberOrNull("reward_clip"),
            run.flag("whiten_rewards")),
        new SampleMaskConfig(
            run.flag("max_len_mask"),
            run.flag("difficulty_mask"),
            run.number("difficulty_low_threshold"),
            run.number("difficulty_high_threshold")),
        new AdvantageConfig(
            run.has("whiten_advantages") ? run.flag("whiten_advantages") : null,
            run.text("whiten_grouping").equals("tags"),
            run.numberOrNull("advantage_clip")),
        new KlConfig(
            run.flag("add_token_level_kl"),
            run.text("kl_penalty"),
            run.number("init_kl_coef"),
            run.numberOrNull("target_kl"),
            run.integer("kl_horizon")),
        distill());
  }

  private @Nullable DistillConfig distill() {
    if (!run.has("distill")) {
      return null;
    }
    Section distill = run.section("distill");
    double temperature = distill.number("temperature");
    Double teacher = distill.numberOrNull("teacher_temperature");
    return new DistillConfig(
        new GeneralizedJsd(
            distill.number("beta"),
            temperature,
            teacher == null ? temperature : teacher,
            distill.integer("top_k")),
        distill.number("loss_weight"));
  }

  private EstimatorConfig estimator() {
    return new EstimatorConfig(
        run.text("adv_estimator"),
        run.mapping("adv_estimator_args"),
        estimatorDefaults(),
        run.number("gamma"),
        run.number("lambd"));
  }

  /** Returns ROLL's top-level keys of single estimators as options of theirs. */
  private Map<String, Object> estimatorDefaults() {
    Map<String, Object> defaults = new LinkedHashMap<>();
    for (String key : List.of("episode_reward_weight", "step_reward_weight", "step_reward_gamma")) {
      defaults.put(key, run.number(key));
    }
    return defaults;
  }

  private LossSettings loss() {
    boolean range = run.flag("use_pg_clip_range");
    Section actor = run.section("actor_train");
    Aggregation aggregation = Aggregation.valueOf(constant(run.text("loss_agg_mode")));
    return new LossSettings(
        actor.text("pg_variant"),
        args(actor),
        run.number(range ? "pg_clip_low" : "pg_clip"),
        run.number(range ? "pg_clip_high" : "pg_clip"),
        run.flag("dual_clip_loss") ? 1 + 2 * run.number("pg_clip") : null,
        run.flag("use_kl_loss") ? run.number("kl_loss_coef") : 0,
        KlPenalty.of(run.where("kl_loss_type"), run.text("kl_loss_type")),
        run.number("entropy_loss_coef"),
        aggregation,
        RatioType.valueOf(constant(run.text("ratio_type"))),
        new CorrectionBuilder(run).build(),
        aggregation == Aggregation.SEQ_MEAN_TOKEN_SUM_NORM && run.has("sequence_length")
            ? norm()
            : null);
  }

  /** By default ROLL's, whose masks have a cell less than the samples they are padded to. */
  private Norm norm() {
    return run.has("loss_scale_factor")
        ? new Norm(run.number("loss_scale_factor"), true)
        : new Norm(Math.max(1, run.integer("sequence_length") - 1), false);
  }

  /**
   * Returns the options of the loss: {@code pg_variant_args}, then ROLL's keys for the loss topr.
   */
  private static Map<String, Object> args(Section actor) {
    Map<String, Object> args = new LinkedHashMap<>();
    if (actor.text("pg_variant").equals("topr")) {
      args.put("topr_positive_weight", actor.number("topr_positive_weight"));
      args.put("topr_negative_weight", actor.number("topr_negative_weight"));
    }
    args.putAll(actor.mapping("pg_variant_args"));
    return args;
  }

  /**
   * Returns the reward normalization; without {@code norm_*_type} it follows from {@code method} as
   * in ROLL.
   */
  private static RewardNormalization normalization(Section section) {
    String grouping = section.text("grouping");
    String method = section.text("method");
    String mean = section.textOrNull("norm_mean_type");
    String std = section.textOrNull("norm_std_type");
    return mean == null && std == null
        ? RewardNormalization.of(grouping, method)
        : new RewardNormalization(grouping, scope(mean), scope(std), method.equals("asym_clip"));
  }

  private static Scope scope(@Nullable String word) {
    return word == null ? Scope.NONE : Scope.valueOf(constant(word));
  }

  private static String constant(String word) {
    return word.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
