package roll.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.config.Options;
import roll.api.data.Batch;
import roll.api.data.RandomStreams;
import roll.api.loss.Denominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;

/**
 * A policy loss with KL loss and entropy bonus over one optimizer batch, on one thread: micro-batch
 * after micro-batch, as training does it, and where a loss surveys the batch that too.
 */
final class Losses {
  private static final int MICRO_BATCH = 8;
  private static final int TURN = 256;
  private static final int OBSERVATION = 64;
  private static final LossSettings SETTINGS =
      new LossSettings(
          "bench", 0.2, 0.2, null, 0.1, 0.01, Aggregation.SEQ_MEAN_TOKEN_MEAN, RatioType.TOKEN);

  private final LossInput whole;
  private final LossInput part;
  private final long[] keys;

  /** {@code samples} trajectories of {@code tokens} tokens, turns of 256 tokens. */
  Losses(int samples, int tokens) {
    int[] offsets = IntStream.rangeClosed(0, samples).map(i -> i * tokens).toArray();
    boolean[] mask = new boolean[samples * tokens];
    for (int t = 0; t < mask.length; t++) {
      mask[t] = t % TURN >= OBSERVATION;
    }
    Denominators counts = Denominators.of(offsets, mask);
    whole = input(offsets, mask, counts);
    int cells = Math.min(samples, MICRO_BATCH) * tokens;
    part = input(Arrays.copyOf(offsets, cells / tokens + 1), Arrays.copyOf(mask, cells), counts);
    keys = RandomStreams.of(42, "roll.bench/keys").longs(samples).toArray();
  }

  private static LossInput input(int[] offsets, boolean[] mask, Denominators counts) {
    RandomGenerator random = RandomStreams.of(42, "roll.bench/losses");
    int[] turns = new int[mask.length];
    Arrays.setAll(turns, t -> mask[t] ? t / TURN : -1);
    double[] logProbs = random.doubles(mask.length, -3, 0).toArray();
    double[] old = Arrays.stream(logProbs).map(l -> l + 0.1 * random.nextGaussian()).toArray();
    return new LossInput(
        offsets,
        turns,
        mask,
        logProbs,
        logProbs,
        old,
        random.doubles(mask.length, -1, 1).toArray(),
        Map.of(Batch.REFERENCE_LOG_PROBS, old),
        SETTINGS,
        counts);
  }

  /**
   * Best times.
   *
   * @param survey of the optimizer batch; 0 where the loss has none
   * @param passes over all micro-batches
   */
  record Times(double survey, double passes) {
    double total() {
      return survey + passes;
    }
  }

  /** The best of {@code repetitions}. */
  Times measure(PolicyLoss loss, int repetitions) {
    Options options = loss.options(SETTINGS);
    int parts = Math.ceilDiv(whole.samples(), part.samples());
    double survey = Double.MAX_VALUE;
    double passes = Double.MAX_VALUE;
    for (int n = 0; n < repetitions; n++) {
      long start = System.nanoTime();
      LossInput input = part;
      if (loss.info().surveys()) {
        double[] found = loss.survey(whole, options, keys);
        input = part.withColumn(LossInput.SURVEY, Arrays.copyOf(found, part.mask().length));
      }
      long surveyed = System.nanoTime();
      for (int i = 0; i < parts; i++) {
        loss.evaluate(input, options);
      }
      long done = System.nanoTime();
      survey = Math.min(survey, loss.info().surveys() ? (surveyed - start) * 1e-9 : 0);
      passes = Math.min(passes, (done - surveyed) * 1e-9);
    }
    return new Times(survey, passes);
  }
}
