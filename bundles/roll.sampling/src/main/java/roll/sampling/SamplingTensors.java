package roll.sampling;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.List;

/**
 * The sampling parameters of the next tokens of some responses, as tensors for {@code sample.py}.
 */
public final class SamplingTensors {
  private SamplingTensors() {}

  /**
   * Returns the settings of {@code rows} for their next tokens, in the order of {@link
   * SampleKernels#constants}: one tensor for each setting, with the rows as its first dimension,
   * empty if no row uses it. The kernel needs the number of tokens sampled since then; rows with
   * choices need new settings for every token.
   *
   * @param owner owns the tensors
   */
  public static NDList of(NDManager owner, List<ResponseState> rows) {
    SamplerValues values = SamplerValues.of(rows);
    NDArray none = owner.create(new Shape(0));
    NDList list = new NDList();
    for (SamplerInput setting : SamplerInput.values()) {
      list.add(
          switch (values.get(setting)) {
            case null -> none;
            case SamplerValues.Floats floats when floats.width() > 1 ->
                owner.create(floats.values(), new Shape(rows.size(), floats.width()));
            case SamplerValues.Floats floats -> owner.create(floats.values());
            case SamplerValues.Counts counts -> owner.create(counts.values());
            case SamplerValues.Bits bits ->
                owner.create(bits.values(), new Shape(rows.size(), bits.width()));
            case SamplerValues.Tokens tokens ->
                owner.create(tokens.values(), new Shape(rows.size(), tokens.width()));
          });
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
}
