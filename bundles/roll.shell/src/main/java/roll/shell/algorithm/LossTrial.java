package roll.shell.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import roll.api.data.Batch;
import roll.api.data.Layout;
import roll.api.data.RandomStreams;
import roll.api.estimator.KlPenalty;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.Aggregation;
import roll.api.loss.LossSettings.Norm;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.api.loss.TrainInferCorrection;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.math.LossRows;
import roll.runtime.option.YamlOptions;
import roll.shell.syntax.KeyValues;

/** Computes a policy loss on a batch from a file. */
final class LossTrial {
  private static final Option<Double> CLIP =
      Option.number("pg_clip", 0, Double.MAX_VALUE, "lower and upper clip range of the ratio")
          .withDefault(0.2);
  private static final Option<Double> CLIP_LOW =
      Option.number("pg_clip_low", 0, Double.MAX_VALUE, "lower clip range, if different");
  private static final Option<Double> CLIP_HIGH =
      Option.number("pg_clip_high", 0, Double.MAX_VALUE, "upper clip range, if different");
  private static final Option<Boolean> DUAL_CLIP =
      Option.flag("dual_clip_loss", "dual clip with the bound 1 + 2 · pg_clip").withDefault(false);
  private static final Option<Double> KL_COEF =
      Option.number("kl_loss_coef", 0, Double.MAX_VALUE, "weight of the KL loss").withDefault(0.0);
  private static final Option<String> KL_TYPE =
      Option.text("kl_loss_type", "k1, k2, k3 or abs").withDefault("k3");
  private static final Option<Double> ENTROPY_COEF =
      Option.number("entropy_loss_coef", "weight of the entropy bonus").withDefault(0.0);
  private static final Option<String> AGGREGATION =
      Option.choice("loss_agg_mode", words(Aggregation.values()), "aggregation")
          .withDefault("seq-mean-token-mean");
  private static final Option<Double> SCALE =
      Option.number(
          "loss_scale_factor",
          Double.MIN_NORMAL,
          Double.MAX_VALUE,
          "divisor of the mean over samples in seq-mean-token-sum-norm");
  private static final Option<Integer> LENGTH =
      Option.integer(
          "sequence_length",
          2,
          1 << 24,
          "maximum tokens of a sample: without loss_scale_factor, seq-mean-token-sum-norm divides"
              + " the sum over samples by one less (default: the length of the rows)");
  private static final Option<String> RATIO =
      Option.choice("ratio_type", words(RatioType.values()), "level of the ratio")
          .withDefault("token");
  private static final Option<Integer> SEED =
      Option.integer("seed", 0, Integer.MAX_VALUE, "for losses that sample tokens").withDefault(42);

  /** Settings of every loss, under ROLL's keys. */
  private static final List<Option<?>> SETTINGS =
      List.of(
          CLIP,
          CLIP_LOW,
          CLIP_HIGH,
          DUAL_CLIP,
          KL_COEF,
          KL_TYPE,
          ENTROPY_COEF,
          AGGREGATION,
          SCALE,
          LENGTH,
          RATIO,
          SEED);

  /** verl's names of some loss settings. */
  private static final Map<String, String> ALIASES =
      Map.of(
          "clip_ratio", "pg_clip",
          "clip_ratio_low", "pg_clip_low",
          "clip_ratio_high", "pg_clip_high",
          "entropy_coeff", "entropy_loss_coef");

  /** Columns that a file may have. */
  static final List<String> COLUMNS =
      List.of(
          "log_probs",
          Batch.OLD_LOG_PROBS.name(),
          "response_mask",
          Batch.ADVANTAGES.name(),
          Batch.REFERENCE_LOG_PROBS.name(),
          Batch.ENTROPIES.name(),
          Batch.SCORES.name());

  private LossTrial() {}

  /**
   * The printed results of a loss.
   *
   * @param loss of the whole batch
   * @param gradient with respect to each log-prob, in the rows of the batch
   * @param metrics under the names that training logs
   */
  record Line(double loss, double[][] gradient, Map<String, Double> metrics) {}

  /**
   * Returns the results of {@code loss} for {@code file}.
   *
   * @param words settings and options as {@code key=value}
   * @throws roll.api.option.UserException if the batch or a setting is wrong
   */
  static Line of(PolicyLoss loss, JsonBatch file, List<String> words) {
    List<Option<?>> known = new ArrayList<>(SETTINGS);
    known.addAll(loss.info().options());
    Map<String, Object> given = KeyValues.of("loss try", words, ALIASES);
    Options settings = YamlOptions.checked("loss try", given, known);
    Map<String, Object> own = new LinkedHashMap<>(given);
    SETTINGS.forEach(setting -> own.remove(setting.name()));
    LossInput input = input(file, settings(settings, own));
    Options options = YamlOptions.checked("loss try", own, loss.info().options());
    int seed = settings.get(SEED);
    long[] keys =
        LongStream.range(0, input.samples())
            .map(i -> RandomStreams.of(seed, "loss", i).nextLong())
            .toArray();
    return line(input, loss.evaluateWhole(input, options, keys));
  }

  /** Returns {@code result} in the rows of {@code input}. */
  static Line line(LossInput input, LossResult result) {
    double[][] gradient = JsonBatch.rows(result.logProbGradient(), input.layout().offsets());
    return new Line(result.loss(), gradient, result.metrics());
  }

  private static LossSettings settings(Options given, Map<String, Object> args) {
    double clip = given.get(CLIP);
    return new LossSettings(
        "loss",
        args,
        given.find(CLIP_LOW).orElse(clip),
        given.find(CLIP_HIGH).orElse(clip),
        given.get(DUAL_CLIP) ? 1 + 2 * clip : null,
        given.get(KL_COEF),
        KlPenalty.of("loss try.kl_loss_type", given.get(KL_TYPE)),
        given.get(ENTROPY_COEF),
        value(given.get(AGGREGATION), Aggregation.values()),
        value(given.get(RATIO), RatioType.values()),
        TrainInferCorrection.NONE,
        given
            .find(SCALE)
            .map(scale -> new Norm(scale, true))
            .or(() -> given.find(LENGTH).map(length -> new Norm(length - 1, false)))
            .orElse(null));
  }

  private static List<String> words(Enum<?>[] values) {
    return Arrays.stream(values).map(LossTrial::spelled).toList();
  }

  private static <E extends Enum<E>> E value(String word, E[] values) {
    return values[words(values).indexOf(word)];
  }

  private static String spelled(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static LossInput input(JsonBatch file, LossSettings settings) {
    double[][] logProbs = file.rows("log_probs");
    int[][] mask = file.mask(logProbs);
    LossInput input =
        LossRows.of(
            logProbs,
            file.rows(Batch.OLD_LOG_PROBS.name(), logProbs),
            mask,
            file.rows(Batch.ADVANTAGES.name(), logProbs),
            settings);
    if (settings.klCoefficient() != 0 || file.has(Batch.REFERENCE_LOG_PROBS.name())) {
      double[][] reference = file.rows(Batch.REFERENCE_LOG_PROBS.name(), logProbs);
      input = input.withColumn(Batch.REFERENCE_LOG_PROBS, Layout.cells(reference));
    }
    if (settings.entropyCoefficient() != 0 || file.has(Batch.ENTROPIES.name())) {
      double[] entropies = Layout.cells(file.rows(Batch.ENTROPIES.name(), logProbs));
      input = input.withEntropies(entropies);
    }
    if (file.has(Batch.SCORES.name())) {
      double[] scores = file.numbers(Batch.SCORES.name(), mask.length);
      input = input.withColumn(LossInput.SCORES, input.layout().spread(scores));
    }
    return input;
  }
}
