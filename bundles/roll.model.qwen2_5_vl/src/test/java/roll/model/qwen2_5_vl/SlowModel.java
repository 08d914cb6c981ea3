package roll.model.qwen2_5_vl;

import static roll.testkit.ReferenceLayers.attend;
import static roll.testkit.ReferenceLayers.plus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.image.ImagePatches;
import roll.testkit.ReferenceLayers;

/**
 * A small Qwen2.5-VL in plain double precision, one token and one head after another: the formulas
 * of transformers' modeling_qwen2_5_vl.py, with weights by the names of published files. Windows
 * are computed from rows and columns, without reordering. It shares no code with the tested
 * classes.
 */
final class SlowModel {
  private static final double THETA = 1000;
  private static final int[] SECTIONS = {1, 1, 2};

  private final ReferenceLayers layers;

  SlowModel(Map<String, float[]> weights) {
    this.layers = new ReferenceLayers(weights, 1e-6);
  }

  /** Logits behind every token. */
  double[][] logits(int[] tokens, List<ImagePatches> pictures) {
    double[][] x = new double[tokens.length][];
    int[][] positions = new int[tokens.length][];
    int next = 0;
    int picture = 0;
    for (int t = 0; t < tokens.length; ) {
      if (tokens[t] != TinyVl.IMAGE) {
        x[t] = layers.row("model.embed_tokens.weight", tokens[t], TinyVl.HIDDEN);
        positions[t++] = new int[] {next, next, next};
        next++;
        continue;
      }
      ImagePatches seen = pictures.get(picture++);
      int high = seen.grid().rows() / 2;
      int wide = seen.grid().columns() / 2;
      double[][] features = features(seen);
      for (int square = 0; square < features.length; square++) {
        positions[t] = new int[] {next, next + square / wide, next + square % wide};
        x[t++] = features[square];
      }
      next += Math.max(high, wide);
    }
    for (int layer = 0; layer < TinyVl.LAYERS; layer++) {
      String name = "model.layers." + layer + ".";
      x =
          plus(
              x,
              causal(name + "self_attn.", layers.normed(x, name + "input_layernorm"), positions));
      x =
          plus(
              x,
              layers.feedForward(
                  name + "mlp.", layers.normed(x, name + "post_attention_layernorm")));
    }
    return layers.linear(layers.normed(x, "model.norm"), "lm_head");
  }

  private double[][] causal(String name, double[][] x, int[][] positions) {
    double[][] q = layers.linear(x, name + "q_proj");
    double[][] k = layers.linear(x, name + "k_proj");
    double[][] v = layers.linear(x, name + "v_proj");
    double[][] out = new double[x.length][TinyVl.HIDDEN];
    int size = TinyVl.HIDDEN / TinyVl.HEADS;
    for (int head = 0; head < TinyVl.HEADS; head++) {
      int shared = head / (TinyVl.HEADS / TinyVl.KEY_HEADS);
      double[][] queries = new double[x.length][];
      double[][] keys = new double[x.length][];
      for (int t = 0; t < x.length; t++) {
        double[] angles = new double[size / 2];
        for (int i = 0; i < angles.length; i++) {
          int section = i < SECTIONS[0] ? 0 : i < SECTIONS[0] + SECTIONS[1] ? 1 : 2;
          angles[i] = positions[t][section] / Math.pow(THETA, 2.0 * i / size);
        }
        queries[t] = turned(q[t], head * size, angles);
        keys[t] = turned(k[t], shared * size, angles);
      }
      for (int t = 0; t < x.length; t++) {
        List<Integer> visible = new ArrayList<>();
        for (int s = 0; s <= t; s++) {
          visible.add(s);
        }
        attend(queries[t], keys, v, shared * size, visible, out[t], head * size);
      }
    }
    return layers.linear(out, name + "o_proj");
  }

  /** Rows for the decoder, in the order of the squares. */
  double[][] features(ImagePatches picture) {
    int patches = picture.grid().patches();
    int wide = picture.grid().columns() / 2;
    int[] rows = new int[patches];
    int[] columns = new int[patches];
    double[][] x = new double[patches][picture.patchSize()];
    for (int p = 0; p < patches; p++) {
      rows[p] = p / 4 / wide * 2 + p % 4 / 2;
      columns[p] = p / 4 % wide * 2 + p % 2;
      for (int i = 0; i < x[p].length; i++) {
        x[p][i] = picture.values()[p * x[p].length + i];
      }
    }
    x = layers.linear(x, "visual.patch_embed.proj");
    for (int layer = 0; layer < TinyVl.TOWER_LAYERS; layer++) {
      String name = "visual.blocks." + layer + ".";
      boolean whole = layer == TinyVl.FULL;
      x = plus(x, looking(name + "attn.", layers.normed(x, name + "norm1"), rows, columns, whole));
      x = plus(x, layers.feedForward(name + "mlp.", layers.normed(x, name + "norm2")));
    }
    double[][] normed = layers.normed(x, "visual.merger.ln_q");
    double[][] merged = new double[patches / 4][4 * TinyVl.TOWER_HIDDEN];
    for (int p = 0; p < patches; p++) {
      System.arraycopy(
          normed[p], 0, merged[p / 4], p % 4 * TinyVl.TOWER_HIDDEN, TinyVl.TOWER_HIDDEN);
    }
    double[][] h = layers.linear(merged, "visual.merger.mlp.0");
    for (double[] one : h) {
      for (int i = 0; i < one.length; i++) {
        one[i] = one[i] / 2 * (1 + erf(one[i] / Math.sqrt(2)));
      }
    }
    return layers.linear(h, "visual.merger.mlp.2");
  }

  /** Attention without order: of the whole picture, or of the four by four patches of a window. */
  private double[][] looking(String name, double[][] x, int[] rows, int[] columns, boolean whole) {
    int width = TinyVl.TOWER_HIDDEN;
    int size = width / TinyVl.TOWER_HEADS;
    double[][] qkv = layers.linear(x, name + "qkv");
    double[][] out = new double[x.length][width];
    for (int head = 0; head < TinyVl.TOWER_HEADS; head++) {
      double[][] queries = new double[x.length][];
      double[][] keys = new double[x.length][];
      for (int p = 0; p < x.length; p++) {
        double[] angles = new double[size / 2];
        for (int i = 0; i < angles.length; i++) {
          int position = i < size / 4 ? rows[p] : columns[p];
          angles[i] = position / Math.pow(10_000, 4.0 * (i % (size / 4)) / size);
        }
        queries[p] = turned(qkv[p], head * size, angles);
        keys[p] = turned(qkv[p], width + head * size, angles);
      }
      for (int p = 0; p < x.length; p++) {
        List<Integer> visible = new ArrayList<>();
        for (int s = 0; s < x.length; s++) {
          if (whole || (rows[s] / 4 == rows[p] / 4 && columns[s] / 4 == columns[p] / 4)) {
            visible.add(s);
          }
        }
        attend(queries[p], keys, qkv, 2 * width + head * size, visible, out[p], head * size);
      }
    }
    return layers.linear(out, name + "proj");
  }

  private static double[] turned(double[] x, int from, double[] angles) {
    int half = angles.length;
    double[] turned = new double[2 * half];
    for (int i = 0; i < half; i++) {
      double a = x[from + i];
      double b = x[from + half + i];
      turned[i] = a * Math.cos(angles[i]) - b * Math.sin(angles[i]);
      turned[half + i] = b * Math.cos(angles[i]) + a * Math.sin(angles[i]);
    }
    return turned;
  }

  /** The error function by its series (Abramowitz and Stegun 1964, 7.1.5): exact enough below 6. */
  private static double erf(double x) {
    if (Math.abs(x) > 6) {
      return Math.signum(x);
    }
    double term = x;
    double sum = x;
    for (int n = 1; n < 200; n++) {
      term *= -x * x / n;
      sum += term / (2 * n + 1);
    }
    return 2 / Math.sqrt(Math.PI) * sum;
  }
}
