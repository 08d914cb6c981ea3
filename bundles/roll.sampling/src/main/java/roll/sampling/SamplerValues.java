package roll.sampling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Sampling;

/** The sampling parameters of the next tokens of some responses, without those that no row uses. */
final class SamplerValues {
  private final List<ResponseState> rows;
  private final Map<SamplerInput, Numbers> used = new EnumMap<>(SamplerInput.class);

  /** The numbers of all rows for one setting. */
  sealed interface Numbers {}

  /** Real numbers of each row, {@code width} each, padded with 0 if there are several. */
  record Floats(float[] values, int width) implements Numbers {}

  /** An integer of each row. */
  record Counts(long[] values) implements Numbers {}

  /** The tokens of each row, padded with −1 to {@code width}. */
  record Tokens(long[] values, int width) implements Numbers {}

  /** The bits of each row, {@code width} integers each. */
  record Bits(long[] values, int width) implements Numbers {}

  private SamplerValues(List<ResponseState> rows) {
    this.rows = rows;
  }

  /** Returns the parameters of {@code rows} for their next tokens. */
  static SamplerValues of(List<ResponseState> rows) {
    SamplerValues settings = new SamplerValues(rows);
    settings.numbers(SamplerInput.TEMPERATURE, 0, Sampling::temperature);
    settings.numbers(SamplerInput.TOP_P, 1, s -> s.temperature() > 0 ? s.topP() : 1);
    settings.numbers(SamplerInput.MIN_P, 0, s -> s.temperature() > 0 ? s.minP() : 0);
    settings.numbers(SamplerInput.REPETITION_PENALTY, 1, Sampling::repetitionPenalty);
    SamplerInput topK = small(rows) ? SamplerInput.SMALL_TOP_K : SamplerInput.TOP_K;
    settings.counts(topK, row -> row.temperature() > 0 ? row.sampling().topK() : 0);
    settings.counts(SamplerInput.MIN_TOKENS, ResponseState::least);
    settings.tokens(SamplerInput.SEEN, ResponseState::seen);
    settings.tokens(SamplerInput.ALLOWED, ResponseState::allowed);
    settings.tokens(SamplerInput.STOPS, ResponseState::stops);
    settings.tokens(SamplerInput.BIASED, ResponseState::biased);
    settings.biases();
    settings.masks();
    return settings;
  }

  private static boolean small(List<ResponseState> rows) {
    return rows.stream()
        .filter(row -> row.temperature() > 0)
        .mapToInt(row -> row.sampling().topK())
        .allMatch(count -> count > 0 && count <= SamplerInput.SMALL);
  }

  /** Returns the number of rows. */
  int rows() {
    return rows.size();
  }

  /** Returns the numbers for {@code setting}; null if no row uses it. */
  @Nullable Numbers get(SamplerInput setting) {
    return used.get(setting);
  }

  private void numbers(SamplerInput setting, double off, ToDoubleFunction<Sampling> number) {
    double[] values = rows.stream().mapToDouble(r -> number.applyAsDouble(r.sampling())).toArray();
    if (Arrays.stream(values).anyMatch(value -> value != off)) {
      float[] floats = new float[values.length];
      for (int row = 0; row < floats.length; row++) {
        floats[row] = (float) values[row];
      }
      used.put(setting, new Floats(floats, 1));
    }
  }

  private void counts(SamplerInput setting, ToLongFunction<ResponseState> count) {
    long[] values = rows.stream().mapToLong(count).toArray();
    if (Arrays.stream(values).anyMatch(value -> value > 0)) {
      used.put(setting, new Counts(values));
    }
  }

  /** Adds the tokens of each row, padded with −1. */
  private void tokens(SamplerInput setting, Function<ResponseState, int[]> list) {
    List<int[]> lists = rows.stream().map(list).toList();
    int most = lists.stream().mapToInt(tokens -> tokens.length).max().orElse(0);
    if (most == 0 && setting != SamplerInput.STOPS) {
      return;
    }
    int width = Math.max(1, most);
    long[] values = new long[lists.size() * width];
    Arrays.fill(values, -1);
    for (int row = 0; row < lists.size(); row++) {
      int[] tokens = lists.get(row);
      for (int i = 0; i < tokens.length; i++) {
        values[row * width + i] = tokens[i];
      }
    }
    used.put(setting, new Tokens(values, width));
  }

  /** Adds the bias of each token in {@link SamplerInput#BIASED}. */
  private void biases() {
    if (!(get(SamplerInput.BIASED) instanceof Tokens biased)) {
      return;
    }
    float[] values = new float[biased.values().length];
    for (int i = 0; i < values.length; i++) {
      Map<Integer, Double> bias = rows.get(i / biased.width()).sampling().logitBias();
      values[i] = bias.getOrDefault((int) biased.values()[i], 0.0).floatValue();
    }
    used.put(SamplerInput.BIAS, new Floats(values, biased.width()));
  }

  /** Adds the mask of each row. */
  private void masks() {
    int width = 0;
    List<long @Nullable []> masks = new ArrayList<>();
    for (ResponseState row : rows) {
      long[] mask = row.mask();
      masks.add(mask);
      width = mask == null ? width : mask.length;
    }
    if (width == 0) {
      return;
    }
    long[] values = new long[rows.size() * width];
    Arrays.fill(values, -1);
    for (int row = 0; row < rows.size(); row++) {
      long[] mask = masks.get(row);
      if (mask != null) {
        System.arraycopy(mask, 0, values, row * width, width);
      }
    }
    used.put(SamplerInput.MASK, new Bits(values, width));
  }
}
