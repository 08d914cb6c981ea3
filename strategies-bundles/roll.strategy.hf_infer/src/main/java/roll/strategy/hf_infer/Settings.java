package roll.strategy.hf_infer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import roll.api.strategy.Sampling;

/**
 * How the tokens of some rows are drawn, as {@code sample.py} reads it.
 *
 * @param uniforms f64 [rows, tokens], the random numbers
 * @param temperature f32 [rows]
 * @param topK int64 [rows]
 * @param topP f32 [rows]
 * @param sampled whether any row is drawn at random
 * @param filtered whether any such row has a top-k or top-p
 */
record Settings(
    NDArray uniforms,
    NDArray temperature,
    NDArray topK,
    NDArray topP,
    boolean sampled,
    boolean filtered) {

  /** The settings of {@code responses} for their next {@code tokens} tokens. */
  static Settings of(NDManager owner, List<Response> responses, int tokens) {
    int rows = responses.size();
    double[] uniforms = new double[rows * tokens];
    float[] temperature = new float[rows];
    long[] topK = new long[rows];
    float[] topP = new float[rows];
    boolean sampled = false;
    boolean filtered = false;
    for (int row = 0; row < rows; row++) {
      Response response = responses.get(row);
      Sampling sampling = response.request().sampling();
      temperature[row] = (float) sampling.temperature();
      topK[row] = sampling.topK();
      topP[row] = (float) sampling.topP();
      if (temperature[row] > 0) {
        sampled = true;
        filtered |= topK[row] > 0 || topP[row] < 1;
        for (int i = 0; i < Math.min(tokens, response.remaining()); i++) {
          uniforms[row * tokens + i] = response.uniform(i);
        }
      }
    }
    return new Settings(
        owner.create(uniforms, new Shape(rows, tokens)),
        owner.create(temperature),
        owner.create(topK),
        owner.create(topP),
        sampled,
        filtered);
  }

  /** Stop tokens int64 [rows, any], padded with −1. */
  static NDArray stops(NDManager owner, List<Response> responses) {
    int most = responses.stream().mapToInt(r -> r.request().stopTokens().size()).max().orElse(0);
    int width = Math.max(1, most);
    long[] stops = new long[responses.size() * width];
    Arrays.fill(stops, -1);
    for (int row = 0; row < responses.size(); row++) {
      List<Integer> tokens = responses.get(row).request().stopTokens();
      for (int i = 0; i < tokens.size(); i++) {
        stops[row * width + i] = tokens.get(i);
      }
    }
    return owner.create(stops, new Shape(responses.size(), width));
  }
}
