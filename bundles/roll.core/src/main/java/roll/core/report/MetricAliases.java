package roll.core.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.runtime.config.TrackingConfig;

/**
 * Names of metrics in ROLL's guides and in verl ({@code metric_names}), added beside their own
 * names for tools that expect them. {@code configs/METRICS.md} has the same table.
 */
public final class MetricAliases {
  private static final String TRAINING = "time/actor_train/train_step/total";
  private static final String TOKENS = "global_seqlen/actor_train/mean";

  /** Names in guides to ROLL's agentic training of 2025; ROLL itself does not have them. */
  private static final List<Alias> GUIDE =
      List.of(
          Alias.of("policy/loss", "actor/pg_loss"),
          Alias.of("policy/clip_frac", "actor/clipfrac"),
          Alias.of("policy/entropy", "actor/entropy"),
          Alias.of("policy/kl", "critic/kl"),
          Alias.of("policy/approx_kl", "actor/approxkl"),
          Alias.of("critic/reward/mean", "critic/rewards/mean"),
          Alias.of("critic/advantage/mean", "critic/advantages/mean"),
          Alias.of("time/rollout", "time/step_rollout"),
          Alias.of("time/actor_train", TRAINING),
          new Alias("tps/actor_train", TOKENS, TRAINING, 1));

  /**
   * {@code volcengine/verl@07c9cf1:verl/trainer/ppo/metric_utils.py}, its losses and its trainer of
   * demonstrations; names that are the same are left out.
   */
  private static final List<Alias> VERL =
      Stream.of(
              List.of(
                  Alias.of("actor/pg_clipfrac", "actor/clipfrac"),
                  new Alias("actor/ppo_kl", "actor/policykl", null, -1),
                  Alias.of("actor/grad_norm", "actor_train/grad_norm"),
                  Alias.of("actor/reward_kl_penalty", "critic/kl"),
                  Alias.of("actor/reward_kl_penalty_coeff", "critic/kl_coef"),
                  Alias.of("critic/vf_loss", "critic/loss"),
                  Alias.of("critic/vf_clipfrac", "critic/clipfrac"),
                  Alias.of("critic/vpred_mean", "critic/vpred")),
              spread("prompt_length", "tokens/prompt_length"),
              spread("response_length", "tokens/non_prompt_length"),
              List.of(
                  Alias.of("response_length/clip_ratio", "env/cut_responses"),
                  Alias.of("timing_s/gen", "time/step_rollout"),
                  Alias.of("timing_s/old_log_prob", "time/actor_train/compute_log_probs/total"),
                  Alias.of("timing_s/ref", "time/reference/compute_log_probs/total"),
                  Alias.of("timing_s/values", "time/critic/compute_values/total"),
                  Alias.of("timing_s/adv", "time/step_adv"),
                  Alias.of("timing_s/update_actor", TRAINING),
                  Alias.of("timing_s/update_critic", "time/critic/train_step/total"),
                  Alias.of("timing_s/testing", "time/step_val"),
                  Alias.of("timing_s/save_checkpoint", "time/step_checkpoint"),
                  Alias.of("timing_s/step", "time/step_total"),
                  Alias.of("perf/time_per_step", "time/step_total"),
                  Alias.of("perf/total_num_tokens", TOKENS),
                  Alias.of("train/loss", "sft/loss"),
                  Alias.of("val/loss", "sft/val_loss")))
          .flatMap(List::stream)
          .toList();

  /** All alias tables, by the value of {@code metric_names}. */
  static final Map<String, List<Alias>> TABLES =
      Map.of(TrackingConfig.OWN, List.of(), "guide", GUIDE, "verl", VERL);

  private final List<Alias> aliases;

  private MetricAliases(List<Alias> aliases) {
    this.aliases = aliases;
  }

  /**
   * Another name of a metric, with the metrics that it is computed from.
   *
   * @param name the alias
   * @param metric the metric here
   * @param by metric that it is divided by, or null
   * @param factor factor that it is multiplied by
   */
  record Alias(String name, String metric, @Nullable String by, int factor) {
    static Alias of(String name, String metric) {
      return new Alias(name, metric, null, 1);
    }

    /** Returns the value of the alias; null if a metric is missing or the divisor is 0. */
    @Nullable Double value(Map<String, Double> metrics) {
      Double value = metrics.get(metric);
      Double divisor = by == null ? Double.valueOf(1) : metrics.get(by);
      return value == null || divisor == null || divisor == 0 ? null : factor * value / divisor;
    }
  }

  private static List<Alias> spread(String name, String metric) {
    List<Alias> all = new ArrayList<>();
    for (String what : List.of("/mean", "/max", "/min")) {
      all.add(Alias.of(name + what, metric + what));
    }
    return all;
  }

  /**
   * Returns the metric aliases that {@code tracking} requests; none for the metrics' own names
   * alone.
   */
  public static MetricAliases of(TrackingConfig tracking) {
    return new MetricAliases(
        Objects.requireNonNull(TABLES.get(tracking.names()), tracking.names()));
  }

  /** Adds the aliases to a step's {@code metrics} without replacing any. */
  public void add(Map<String, Double> metrics) {
    for (Alias alias : aliases) {
      Double value = alias.value(metrics);
      if (value != null) {
        metrics.putIfAbsent(alias.name(), value);
      }
    }
  }
}
