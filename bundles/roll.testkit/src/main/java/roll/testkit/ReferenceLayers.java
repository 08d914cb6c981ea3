package roll.testkit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The layers of transformers in plain double precision, one number after another, for reference
 * models that share no code with what they check.
 */
public final class ReferenceLayers {
  private final Map<String, float[]> weights;
  private final double epsilon;

  /**
   * Creates the layers of a model.
   *
   * @param weights by the names of published files
   * @param epsilon of norms
   */
  public ReferenceLayers(Map<String, float[]> weights, double epsilon) {
    this.weights = weights;
    this.epsilon = epsilon;
  }

  /** Returns whether there is a parameter {@code name}. */
  public boolean has(String name) {
    return weights.containsKey(name);
  }

  private float[] weight(String name) {
    return Objects.requireNonNull(weights.get(name), name);
  }

  /** Returns row {@code index} of parameter {@code name}, which has rows of {@code width}. */
  public double[] row(String name, int index, int width) {
    double[] row = new double[width];
    for (int i = 0; i < width; i++) {
      row[i] = weight(name)[index * width + i];
    }
    return row;
  }

  /** Returns x · Wᵀ, plus the bias if there is one, for the linear layer {@code name}. */
  public double[][] linear(double[][] x, String name) {
    float @Nullable [] bias = weights.get(name + ".bias");
    int in = x[0].length;
    int out = weight(name + ".weight").length / in;
    double[][] y = new double[x.length][out];
    for (int o = 0; o < out; o++) {
      double[] row = row(name + ".weight", o, in);
      for (int t = 0; t < x.length; t++) {
        y[t][o] = dot(row, x[t]) + (bias == null ? 0 : bias[o]);
      }
    }
    return y;
  }

  /** Returns down(SiLU(gate(x)) · up(x)) of the feed-forward layer {@code name}. */
  public double[][] feedForward(String name, double[][] x) {
    double[][] gate = linear(x, name + "gate_proj");
    double[][] up = linear(x, name + "up_proj");
    for (int t = 0; t < x.length; t++) {
      for (int i = 0; i < up[t].length; i++) {
        up[t][i] *= gate[t][i] / (1 + Math.exp(-gate[t][i]));
      }
    }
    return linear(up, name + "down_proj");
  }

  /** Returns the root-mean-square norm {@code name} of every row. */
  public double[][] normed(double[][] x, String name) {
    double[][] normed = new double[x.length][];
    for (int t = 0; t < x.length; t++) {
      normed[t] = normed(x[t], name);
    }
    return normed;
  }

  /** Returns the root-mean-square norm {@code name} of a row. */
  public double[] normed(double[] x, String name) {
    double scale = 1 / Math.sqrt(dot(x, x) / x.length + epsilon);
    double[] normed = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      normed[i] = x[i] * scale * weight(name + ".weight")[i];
    }
    return normed;
  }

  /**
   * Writes the attention of one query to {@code out}, from its cell {@code to} on.
   *
   * @param keys of all positions
   * @param values rows of all positions, the values of this head from cell {@code from} on
   * @param visible positions that the query attends to
   */
  public static void attend(
      double[] query,
      double[][] keys,
      double[][] values,
      int from,
      List<Integer> visible,
      double[] out,
      int to) {
    double[] p = new double[visible.size()];
    for (int i = 0; i < p.length; i++) {
      p[i] = dot(query, keys[visible.get(i)]) / Math.sqrt(query.length);
    }
    double sum = logSum(p);
    for (int i = 0; i < p.length; i++) {
      for (int j = 0; j < query.length; j++) {
        out[to + j] += Math.exp(p[i] - sum) * values[visible.get(i)][from + j];
      }
    }
  }

  /** Returns a + b. */
  public static double[][] plus(double[][] a, double[][] b) {
    double[][] sum = new double[a.length][a[0].length];
    for (int t = 0; t < a.length; t++) {
      for (int i = 0; i < a[t].length; i++) {
        sum[t][i] = a[t][i] + b[t][i];
      }
    }
    return sum;
  }

  /** Returns log Σ exp(x). */
  public static double logSum(double[] x) {
    double most = Double.NEGATIVE_INFINITY;
    for (double one : x) {
      most = Math.max(most, one);
    }
    double sum = 0;
    for (double one : x) {
      sum += Math.exp(one - most);
    }
    return most + Math.log(sum);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
