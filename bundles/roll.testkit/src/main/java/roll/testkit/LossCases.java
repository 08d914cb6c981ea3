package roll.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.Batch;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.runtime.option.LossOptions;

/** Random inputs of a loss and their rearrangements, for {@link LossContract}. */
final class LossCases {
  private final PolicyLoss loss;
  private final Map<String, Object> args;

  /** Creates inputs for {@code loss} with the options {@code args}. */
  LossCases(PolicyLoss loss, Map<String, Object> args) {
    this.loss = loss;
    this.args = args;
  }

  /** Returns settings with every aggregation, ratio type and estimate of the KL loss. */
  List<LossSettings> settings() {
    List<LossSettings> all = new ArrayList<>();
    List<KlPenalty> penalties = KlPenalty.SMOOTH;
    for (Aggregation aggregation : Aggregation.values()) {
      for (RatioType ratio : RatioType.values()) {
        KlPenalty penalty = penalties.get(all.size() % penalties.size());
        all.add(
            new LossSettings(
                "test",
                args,
                0.2,
                0.28,
                1.4,
                0.1,
                penalty,
                0.01,
                aggregation,
                ratio,
                TrainInferCorrection.NONE,
                null));
      }
    }
    return all;
  }

  /** Returns {@code settings} with other values of the keys that the loss does not read. */
  static LossSettings without(LossSettings settings, Set<String> reads) {
    LossSettings other = settings;
    if (!reads.contains(LossInfo.PG_CLIP)) {
      other = RecordCopies.replace(RecordCopies.replace(other, "clipLow", 0.01), "clipHigh", 0.01);
    }
    if (!reads.contains(LossInfo.DUAL_CLIP_LOSS)) {
      other = RecordCopies.replace(other, "dualClip", null);
    }
    boolean token = settings.ratio() == RatioType.TOKEN;
    return token && !reads.contains(LossInfo.RATIO_TYPE)
        ? RecordCopies.replace(other, "ratio", RatioType.SEGMENT)
        : other;
  }

  static LossSettings bare(LossSettings settings) {
    return RecordCopies.replace(
        RecordCopies.replace(settings, "klCoefficient", 0.0), "entropyCoefficient", 0.0);
  }

  /** Returns {@code input} with the loss's survey of it, if it has one. */
  LossInput surveyed(LossInput input, int... samples) {
    if (!loss.info().surveys()) {
      return input;
    }
    long[] keys = TestLayout.stream("keys").longs(TestLayout.SAMPLES).toArray();
    long[] chosen = Arrays.stream(samples).mapToLong(i -> keys[i]).toArray();
    return input.withColumn(
        LossInput.SURVEY, loss.survey(input, LossOptions.of(loss, input.settings()), chosen));
  }

  LossInput input(TestLayout cells, LossSettings settings) {
    RandomGenerator random = TestLayout.stream("columns");
    double[] logProbs = cells.column(() -> -0.05 - 3 * random.nextDouble());
    return input(
        cells,
        settings,
        logProbs,
        near(logProbs, random),
        near(logProbs, random),
        cells.column(random::nextGaussian));
  }

  LossInput input(
      TestLayout cells,
      LossSettings settings,
      double[] logProbs,
      double[] old,
      double[] reference,
      double[] advantages) {
    RandomGenerator random = TestLayout.stream("more");
    double[] scores = new double[cells.size()];
    for (int i = 0; i < cells.samples(); i++) {
      Arrays.fill(scores, cells.offsets()[i], cells.offsets()[i + 1], i % 2);
    }
    ColumnMap columns =
        ColumnMap.NONE
            .with(Batch.REFERENCE_LOG_PROBS, reference)
            .with(LossInput.SCORES, scores)
            .with(LossInput.IMPORTANCE, cells.column(() -> 0.5 + random.nextDouble()));
    double[] entropies = cells.column(() -> 2 * random.nextDouble());
    return surveyed(
        new LossInput(
            cells.layout(),
            new LossInput.Policy(logProbs, old, entropies),
            advantages,
            columns,
            settings,
            LossDenominators.of(cells.layout())),
        IntStream.range(0, TestLayout.SAMPLES).toArray());
  }

  private static double[] near(double[] logProbs, RandomGenerator random) {
    double[] others = logProbs.clone();
    for (int t = 0; t < others.length; t++) {
      others[t] += 0.4 * random.nextGaussian();
    }
    return others;
  }

  /**
   * Returns {@code input} in the layout {@code cells}, with equal denominators and {@code filler}
   * outside the mask.
   */
  static LossInput rearranged(LossInput input, TestLayout cells, double filler) {
    Map<ColumnKey<?>, Object> columns = new HashMap<>();
    input
        .columns()
        .cells()
        .forEach((key, column) -> columns.put(key, moved(cells, (double[]) column, filler)));
    LossInput.Policy policy = input.policy();
    return new LossInput(
        cells.layout(),
        new LossInput.Policy(
            moved(cells, policy.logProbs(), filler),
            moved(cells, policy.oldLogProbs(), filler),
            moved(cells, policy.entropies(), filler)),
        moved(cells, input.advantages(), filler),
        new ColumnMap(columns),
        input.settings(),
        input.denominators());
  }

  private static double[] moved(TestLayout cells, double[] column, double filler) {
    return cells.outsideMask(cells.take(column, () -> filler), () -> filler);
  }

  static LossResult spread(LossResult result, TestLayout cells) {
    return new LossResult(
        result.loss(),
        cells.take(result.logProbGradient(), () -> 0),
        cells.take(result.entropyGradient(), () -> 0),
        result.metrics());
  }
}
