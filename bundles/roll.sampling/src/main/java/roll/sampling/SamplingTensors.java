package roll.sampling;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import roll.api.strategy.Sampling;

/**
 * The sampling parameters of the next tokens of some responses, as tensors for {@code sample.py}.
 */
public final class SamplingTensors {
  private final NDManager owner;
  private final List<ResponseState> rows;
  private final Map<SamplerInput, NDArray> tensors = new EnumMap<>(SamplerInput.class);

  private SamplingTensors(NDManager owner, List<ResponseState> rows) {
    this.owner = owner;
    this.rows = rows;
  }

  /**
   * Returns the settings of {@code rows} for their next tokens, in the order of {@link
   * SampleKernels#constants}: one tensor for each setting, with the rows as its first dimension,
   * empty if no row uses it. The kernel needs the number of tokens sampled since then; rows with
   * choices need new settings for every token.
   *
   * @param owner owns the tensors
   */
  public static NDList of(NDManager owner, List<ResponseState> rows) {
    SamplingTensors settings = new SamplingTensors(owner, rows);
    settings.numbers(SamplerInput.TEMPERATURE, 0, Sampling::temperature);
    settings.numbers(SamplerInput.TOP_P, 1, s -> s.temperature() > 0 ? s.topP() : 1);
    settings.numbers(SamplerInput.MIN_P, 0, s -> s.temperature() > 0 ? s.minP() : 0);
    settings.numbers(SamplerInput.REPETITION_PENALTY, 1, Sampling::repetitionPenalty);
    settings.counts(SamplerInput.TOP_K, row -> row.temperature() > 0 ? row.sampling().topK() : 0);
    settings.counts(SamplerInput.MIN_TOKENS, ResponseState::least);
    settings.tokens(SamplerInput.SEEN, ResponseState::seen);
    settings.tokens(SamplerInput.ALLOWED, ResponseState::allowed);
    settings.tokens(SamplerInput.STOPS, ResponseState::stops);
    NDArray none = owner.create(new Shape(0));
    NDList list = new NDList();
    for (SamplerInput setting : SamplerInput.values()) {
      list.add(settings.tensors.getOrDefault(setting, none));
    }
    return list;
  }

  /**
   * Returns random numbers f64 [rows, tokens] for the next tokens of {@code rows}; 0 for greedy
   * rows.
   *
   * @param owner owns the tensor
   * @param tokens number for each row
   */
  public static NDArray uniforms(NDManager owner, List<ResponseState> rows, int tokens) {
    double[] uniforms = new double[rows.size() * tokens];
    for (int row = 0; row < rows.size(); row++) {
      ResponseState response = rows.get(row);
      int used = response.temperature() > 0 ? Math.min(tokens, response.remaining()) : 0;
      for (int i = 0; i < used; i++) {
        uniforms[row * tokens + i] = response.uniform(i);
      }
    }
    return owner.create(uniforms, new Shape(rows.size(), tokens));
  }

  private void numbers(SamplerInput setting, double off, ToDoubleFunction<Sampling> number) {
    double[] values = rows.stream().mapToDouble(r -> number.applyAsDouble(r.sampling())).toArray();
    if (Arrays.stream(values).anyMatch(value -> value != off)) {
      float[] floats = new float[values.length];
      for (int row = 0; row < floats.length; row++) {
        floats[row] = (float) values[row];
      }
      tensors.put(setting, owner.create(floats));
    }
  }

  private void counts(SamplerInput setting, ToLongFunction<ResponseState> count) {
    long[] values = rows.stream().mapToLong(count).toArray();
    if (Arrays.stream(values).anyMatch(value -> value > 0)) {
      tensors.put(setting, owner.create(values));
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
    tensors.put(setting, owner.create(values, new Shape(lists.size(), width)));
  }
}
