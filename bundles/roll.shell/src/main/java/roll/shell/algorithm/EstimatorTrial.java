package roll.shell.algorithm;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.TokenRewards;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.OutcomeRewards;
import roll.math.RewardNormalizer;
import roll.math.Whitening;
import roll.runtime.option.YamlOptions;
import roll.shell.syntax.KeyValues;

/** Computes one batch with one estimator, as the training pipeline does. */
final class EstimatorTrial {
  private static final String GROUPS = "index";
  private static final List<String> COLUMNS =
      List.of(
          Batch.TOKEN_REWARDS.name(),
          "response_mask",
          GROUPS,
          Batch.VALUES.name(),
          Batch.OLD_LOG_PROBS.name(),
          Batch.REFERENCE_LOG_PROBS.name(),
          Batch.REWARD_BASELINES.name(),
          Batch.SUM_PI_SQUARED.name(),
          Batch.STATES.name(),
          Batch.TRAJECTORIES.name(),
          Batch.STEPS.name());

  private static final Map<String, String> ALIASES =
      Map.of(
          "lam", "lambd",
          "lambda", "lambd",
          "init_kl_coef", "kl_coef",
          "reward_normalization.grouping", "grouping",
          "reward_normalization.method", "method");
  private static final Option<Double> GAMMA =
      Option.number("gamma", 0, 1, "discount factor per token").withDefault(1.0);
  private static final Option<Double> LAMBDA =
      Option.number("lambd", 0, 1, "λ of generalized advantage estimation").withDefault(0.95);
  private static final Option<String> METHOD =
      Option.choice(
              "method",
              List.of("identity", "mean", "mean_std", "asym_clip"),
              "normalization of outcome or turn rewards")
          .withDefault("identity");
  private static final Option<String> GROUPING =
      Option.choice("grouping", List.of("batch", "traj_group_id"), "what is normalized together")
          .withDefault("batch");
  private static final Option<Double> KL_COEF =
      Option.number("kl_coef", 0, Double.MAX_VALUE, "coefficient of the KL penalty in the rewards")
          .withDefault(0.0);
  private static final Option<String> KL_PENALTY =
      Option.text("kl_penalty", "estimator of the KL penalty").withDefault("kl");
  private static final Option<Boolean> WHITEN =
      Option.flag(
          "whiten_advantages", "whether to whiten advantages; by default the estimator decides");
  private static final Option<Double> CLIP =
      Option.number(
          "advantage_clip", Double.MIN_VALUE, Double.MAX_VALUE, "absolute bound of advantages");
  private static final List<Option<?>> SETTINGS =
      List.of(GAMMA, LAMBDA, METHOD, GROUPING, KL_COEF, KL_PENALTY, WHITEN, CLIP);

  private final AdvantageEstimator estimator;
  private final EstimatorInfo info;

  EstimatorTrial(AdvantageEstimator estimator) {
    this.estimator = estimator;
    this.info = estimator.info();
  }

  /**
   * The results, one row per sample with one number per token, in printing order.
   *
   * @param raw_advantages before whitening and clipping
   * @param advantages used in training
   * @param returns targets of the critic
   */
  record Result(double[][] raw_advantages, double[][] advantages, double[][] returns) {}

  /** Returns the columns that a file may have. */
  static List<String> columns() {
    return COLUMNS;
  }

  /**
   * Returns the estimator's results for {@code batch}.
   *
   * @param words {@code key=value}: settings of the pipeline or options of the estimator
   * @throws roll.api.option.UserException if a column or setting is wrong
   */
  Result of(JsonBatch batch, List<String> words) {
    Map<String, Object> given = KeyValues.of("estimator try", words, ALIASES);
    Options all =
        YamlOptions.checked(
            "estimator try",
            given,
            Stream.concat(SETTINGS.stream(), info.options().stream()).toList());
    given.keySet().removeAll(YamlOptions.names(SETTINGS));
    return of(rewards(batch, all), all, given);
  }

  /** Returns the results for the estimator's own example. */
  Result example() {
    return of(info.example(), YamlOptions.checked("example", Map.of(), SETTINGS), Map.of());
  }

  private Result of(TokenRewards rewards, Options settings, Map<String, Object> given) {
    Advantages found =
        estimator.estimate(rewards, YamlOptions.checked("estimator try", given, info.options()));
    double[] advantages = found.advantages().clone();
    if (settings.find(WHITEN).orElse(info.whitens())) {
      Whitening.whiten(advantages, rewards.layout().mask());
    }
    if (settings.has(CLIP)) {
      double bound = settings.get(CLIP);
      Arrays.setAll(advantages, t -> Math.clamp(advantages[t], -bound, bound));
    }
    int[] offsets = rewards.layout().offsets();
    return new Result(
        JsonBatch.rows(found.advantages(), offsets),
        JsonBatch.rows(advantages, offsets),
        JsonBatch.rows(found.returns(), offsets));
  }

  private TokenRewards rewards(JsonBatch batch, Options settings) {
    double[][] rows = batch.rows(Batch.TOKEN_REWARDS.name());
    int[][] mask = batch.mask(rows);
    TokenRewards rewards =
        TokenRewards.of(rows, mask).withDiscounts(settings.get(GAMMA), settings.get(LAMBDA));
    int[] groups = batch.has(GROUPS) ? batch.groups(GROUPS, rows.length) : new int[rows.length];
    rewards = penalized(batch, rows, normalized(rewards.withGroups(groups), settings), settings);
    if (batch.has(Batch.TRAJECTORIES.name())) {
      double[] steps = batch.numbers(Batch.STEPS.name(), rows.length);
      rewards =
          rewards
              .withColumn(Batch.TRAJECTORIES, batch.groups(Batch.TRAJECTORIES.name(), rows.length))
              .withColumn(Batch.STEPS, ranks(steps));
    }
    Map<ColumnKey<?>, Object> columns = new LinkedHashMap<>(rewards.columns().cells());
    for (ColumnKey<?> need : info.needs()) {
      if (need.equals(Batch.STATES)) {
        columns.put(need, states(batch, groups, rewards.layout()));
      } else if (!need.perToken()) {
        columns.put(need, batch.numbers(need.name(), rows.length));
      } else if (!need.equals(Batch.TURN_REWARDS)) { // here these are the rewards
        columns.put(need, Layout.cells(batch.rows(need.name(), rows)));
      }
    }
    return rewards.withColumns(new ColumnMap(columns));
  }

  /** Returns the rank of each number in ascending order; equal numbers have the same rank. */
  private static int[] ranks(double[] numbers) {
    double[] sorted = Arrays.stream(numbers).sorted().distinct().toArray();
    return Arrays.stream(numbers).mapToInt(x -> Arrays.binarySearch(sorted, x)).toArray();
  }

  /** Normalizes the outcome rewards; estimators of turn rewards normalize by themselves. */
  private TokenRewards normalized(TokenRewards rewards, Options settings) {
    String grouping = settings.get(GROUPING);
    RewardNormalization how = RewardNormalization.of(grouping, settings.get(METHOD));
    if (how.isIdentity()) {
      return rewards;
    }
    int[] groups = grouping.equals("batch") ? new int[rewards.samples()] : rewards.groups();
    if (info.needs().contains(Batch.TURN_REWARDS)) {
      return rewards.withGroups(groups).withNormalization(how);
    }
    double[] outcomes = RewardNormalizer.normalize(rewards.outcomes(), groups, how);
    return rewards
        .withRewards(OutcomeRewards.onLastTokens(rewards.layout(), outcomes))
        .withNormalization(how);
  }

  private static TokenRewards penalized(
      JsonBatch batch, double[][] rows, TokenRewards rewards, Options settings) {
    double coefficient = settings.get(KL_COEF);
    String kind = settings.get(KL_PENALTY);
    KlPenalty estimate = kind.equals(KlPenalty.FULL) ? null : KlPenalty.of("kl_penalty", kind);
    if (coefficient == 0) {
      return rewards;
    }
    double[] less = rewards.rewards().clone();
    if (estimate == null) {
      double[] divergences = Layout.cells(batch.rows(Batch.DIVERGENCES.name(), rows));
      KlPenalty.takeOff(less, coefficient, divergences, rewards.layout());
    } else {
      double[] old = Layout.cells(batch.rows(Batch.OLD_LOG_PROBS.name(), rows));
      double[] reference = Layout.cells(batch.rows(Batch.REFERENCE_LOG_PROBS.name(), rows));
      estimate.takeOff(less, coefficient, old, reference, rewards.layout());
    }
    return rewards.withRewards(less);
  }

  /** Returns the states, given by turn or by token, for each token. */
  private static int[] states(JsonBatch batch, int[] groups, Layout layout) {
    List<int[]> states = batch.states(Batch.STATES.name(), groups);
    int[] cells = new int[layout.size()];
    for (int i = 0; i < states.size(); i++) {
      int from = layout.offsets()[i];
      int to = layout.offsets()[i + 1];
      int[] own = states.get(i);
      int turns = Arrays.stream(layout.turns(), from, to).max().orElse(-1) + 1;
      if (own.length != turns && own.length != to - from) {
        throw batch.wrong(
            Batch.STATES + "[" + i + "]",
            "expected a state for each of %d turns or %d tokens, found %d"
                .formatted(turns, to - from, own.length));
      }
      for (int t = from; t < to; t++) {
        int turn = layout.turns()[t];
        cells[t] = turn < 0 ? 0 : own[own.length == turns ? turn : t - from];
      }
    }
    return cells;
  }
}
