package roll.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.data.Layout;
import roll.api.data.RandomStreams;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.KlPenalty;
import roll.api.estimator.RewardNormalization;
import roll.api.estimator.RewardNormalization.Scope;
import roll.api.estimator.TokenRewards;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.math.OutcomeRewards;
import roll.math.RewardNormalizer;
import roll.math.Whitening;
import roll.runtime.option.LossOptions;
import roll.runtime.option.YamlOptions;

/**
 * Measures the computations of a step outside the model on one thread: group-normalized rewards, KL
 * penalty, advantages and whitening; then the policy loss with KL loss, entropy bonus and gradient
 * by micro-batch, after the survey of the batch if the loss has one.
 */
final class AlgorithmBench {
  private static final int GROUP = 8;
  private static final int MICRO_BATCH = 8;
  private static final int TURN = 256;
  private static final int OBSERVATION = 64;
  private static final RewardNormalization MEAN_STD =
      new RewardNormalization(Batch.GROUP_IDS.name(), Scope.GROUP, Scope.GROUP, false);
  private static final LossSettings SETTINGS =
      new LossSettings(
          "bench", 0.2, 0.2, null, 0.1, 0.01, Aggregation.SEQ_MEAN_TOKEN_MEAN, RatioType.TOKEN);

  private final TokenRewards empty;
  private final double[] scores;
  private final double[] values;
  private final int[] states;
  private final LossInput whole;
  private final List<LossInput> parts = new ArrayList<>();
  private final long[] keys;

  /** Creates {@code samples} trajectories of {@code tokens} tokens: groups of 8, turns of 256. */
  AlgorithmBench(int samples, int tokens) {
    RandomGenerator random = RandomStreams.of(42, "roll.bench/algorithms");
    int[] offsets = new int[samples + 1];
    Arrays.setAll(offsets, i -> i * tokens);
    int[] turns = new int[samples * tokens];
    boolean[] mask = new boolean[turns.length];
    for (int t = 0; t < turns.length; t++) {
      mask[t] = t % TURN >= OBSERVATION;
      turns[t] = mask[t] ? t % tokens / TURN : -1;
    }
    int[] groups = new int[samples];
    Arrays.setAll(groups, i -> i / GROUP);
    scores = random.doubles(samples).toArray();
    states = new int[turns.length];
    Arrays.setAll(states, t -> t / TURN % 4);
    values = Arrays.stream(states).asDoubleStream().toArray();
    keys = random.longs(samples).toArray();
    Layout layout = new Layout(offsets, turns, mask);
    empty =
        new TokenRewards(
            layout, new double[0], groups, 1, 0.95, RewardNormalization.IDENTITY, ColumnMap.NONE);
    double[] logProbs = random.doubles(turns.length, -3, 0).toArray();
    double[] entropies = random.doubles(turns.length).toArray();
    double[] old = near(logProbs, random);
    ColumnMap reference = ColumnMap.NONE.with(Batch.REFERENCE_LOG_PROBS, near(logProbs, random));
    whole =
        new LossInput(
            layout,
            new LossInput.Policy(logProbs, old, entropies),
            logProbs,
            reference,
            SETTINGS,
            LossDenominators.of(layout));
    for (int i = 0; i < samples; i += MICRO_BATCH) {
      parts.add(part(offsets[i], offsets[Math.min(samples, i + MICRO_BATCH)], tokens));
    }
  }

  private static double[] near(double[] logProbs, RandomGenerator random) {
    return Arrays.stream(logProbs).map(l -> l + 0.1 * random.nextGaussian()).toArray();
  }

  /** Returns the samples with the tokens {@code from} to {@code to}, without advantages. */
  private LossInput part(int from, int to, int tokens) {
    int[] samples = IntStream.range(from / tokens, to / tokens).toArray();
    LossInput.Policy all = whole.policy();
    return new LossInput(
        whole.layout().select(samples),
        new LossInput.Policy(
            Arrays.copyOfRange(all.logProbs(), from, to),
            Arrays.copyOfRange(all.oldLogProbs(), from, to),
            Arrays.copyOfRange(all.entropies(), from, to)),
        new double[0],
        whole.columns().select(whole.layout(), samples),
        SETTINGS,
        whole.denominators());
  }

  /**
   * Returns the best time of {@code repetitions} from scores to gradients, in seconds.
   *
   * @param loss null to measure only up to advantages
   */
  double measure(AdvantageEstimator estimator, @Nullable PolicyLoss loss, int repetitions) {
    double best = Double.MAX_VALUE;
    for (int n = 0; n < repetitions; n++) {
      System.gc();
      long start = System.nanoTime();
      double[] advantages = advantages(estimator);
      if (loss != null) {
        gradients(loss, advantages);
      }
      best = Math.min(best, (System.nanoTime() - start) * 1e-9);
    }
    return best;
  }

  private double[] advantages(AdvantageEstimator estimator) {
    double[] outcomes = RewardNormalizer.normalize(scores, empty.groups(), MEAN_STD);
    double[] rewards = OutcomeRewards.onLastTokens(empty.layout(), outcomes);
    KlPenalty.K3.takeOff(
        rewards,
        0.1,
        whole.policy().oldLogProbs(),
        whole.column(Batch.REFERENCE_LOG_PROBS),
        empty.layout());
    Map<ColumnKey<?>, Object> columns = new LinkedHashMap<>();
    for (ColumnKey<?> need : estimator.info().needs()) {
      columns.put(need, need.equals(Batch.STATES) ? states : need.perToken() ? values : scores);
    }
    TokenRewards batch = empty.withRewards(rewards).withColumns(new ColumnMap(columns));
    Options options = YamlOptions.checked("bench", Map.of(), estimator.info().options());
    double[] advantages = estimator.estimate(batch, options).advantages().clone();
    Whitening.whiten(advantages, empty.layout().mask());
    return advantages;
  }

  private void gradients(PolicyLoss loss, double[] advantages) {
    Options options = LossOptions.of(loss, SETTINGS);
    LossInput all = whole.withAdvantages(advantages);
    double[] survey = loss.info().surveys() ? loss.survey(all, options, keys) : null;
    int from = 0;
    for (LossInput part : parts) {
      int to = from + part.layout().mask().length;
      LossInput input = part.withAdvantages(Arrays.copyOfRange(advantages, from, to));
      if (survey != null) {
        input = input.withColumn(LossInput.SURVEY, Arrays.copyOfRange(survey, from, to));
      }
      loss.evaluate(input, options);
      from = to;
    }
  }
}
