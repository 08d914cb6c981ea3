package roll.strategy.hf_infer;

import static roll.testkit.ReferenceLayers.attend;
import static roll.testkit.ReferenceLayers.logSum;
import static roll.testkit.ReferenceLayers.plus;

import com.google.gson.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.testkit.ReferenceLayers;

/**
 * A decoder in plain double precision, one token and one head after another: the formulas of
 * transformers' modeling_gemma.py, modeling_llama.py, modeling_qwen2.py, modeling_qwen3.py,
 * modeling_qwen3_moe.py and modeling_rope_utils.py, read from a config.json and weights by name. It
 * shares no code with what it checks.
 */
final class ReferenceDecoder {
  private final JsonObject config;
  private final ReferenceLayers layers;
  private final int hidden;
  private final int heads;
  private final int keyValueHeads;
  private final int headSize;
  private final double[] frequencies;
  private final boolean gemma;
  private double sharpness = 1;

  ReferenceDecoder(JsonObject config, Map<String, float[]> weights) {
    this.config = config;
    this.gemma = config.get("model_type").getAsString().equals("gemma");
    this.layers =
        new ReferenceLayers(
            gemma ? plusOne(weights) : weights, config.get("rms_norm_eps").getAsDouble());
    this.hidden = config.get("hidden_size").getAsInt();
    this.heads = config.get("num_attention_heads").getAsInt();
    this.keyValueHeads = config.get("num_key_value_heads").getAsInt();
    this.headSize = config.has("head_dim") ? config.get("head_dim").getAsInt() : hidden / heads;
    this.frequencies = frequencies();
  }

  /** The weights with the factors of norms, 1 + w, in place of theirs. */
  private static Map<String, float[]> plusOne(Map<String, float[]> weights) {
    Map<String, float[]> factors = new HashMap<>(weights);
    factors.replaceAll(
        (name, values) -> {
          float[] sum = values.clone();
          for (int i = 0; i < sum.length && name.contains("norm"); i++) {
            sum[i] += 1;
          }
          return sum;
        });
    return factors;
  }

  /** Logits behind every token. */
  double[][] logits(int... tokens) {
    boolean tied = config.get("tie_word_embeddings").getAsBoolean();
    return layers.linear(hidden(tokens), tied ? "model.embed_tokens" : "lm_head");
  }

  /** Hidden states behind every token, after the last norm. */
  double[][] hidden(int... tokens) {
    double[][] x = new double[tokens.length][];
    for (int t = 0; t < tokens.length; t++) {
      x[t] = layers.row("model.embed_tokens.weight", tokens[t], hidden);
      for (int i = 0; i < hidden && gemma; i++) {
        x[t][i] *= Math.sqrt(hidden);
      }
    }
    for (int layer = 0; layer < config.get("num_hidden_layers").getAsInt(); layer++) {
      String name = "model.layers." + layer + ".";
      x = plus(x, attention(name + "self_attn.", layers.normed(x, name + "input_layernorm")));
      double[][] h = layers.normed(x, name + "post_attention_layernorm");
      boolean experts = config.has("num_experts");
      x = plus(x, experts ? experts(name + "mlp.", h) : feedForward(name + "mlp.", h));
    }
    return layers.normed(x, "model.norm");
  }

  private double[][] feedForward(String name, double[][] x) {
    if (!gemma) {
      return layers.feedForward(name, x);
    }
    double[][] gate = layers.linear(x, name + "gate_proj");
    double[][] up = layers.linear(x, name + "up_proj");
    for (int t = 0; t < x.length; t++) {
      for (int i = 0; i < up[t].length; i++) {
        double g = gate[t][i];
        double inner = Math.sqrt(2 / Math.PI) * (g + 0.044715 * Math.pow(g, 3));
        up[t][i] *= 0.5 * g * (1 + Math.tanh(inner));
      }
    }
    return layers.linear(up, name + "down_proj");
  }

  private double[][] attention(String name, double[][] x) {
    double[][] q = layers.linear(x, name + "q_proj");
    double[][] k = layers.linear(x, name + "k_proj");
    double[][] v = layers.linear(x, name + "v_proj");
    double[][] out = new double[x.length][heads * headSize];
    for (int head = 0; head < heads; head++) {
      int shared = head / (heads / keyValueHeads);
      double[][] queries = turned(q, head, name + "q_norm");
      double[][] keys = turned(k, shared, name + "k_norm");
      for (int t = 0; t < x.length; t++) {
        List<Integer> visible = IntStream.rangeClosed(0, t).boxed().toList();
        attend(queries[t], keys, v, shared * headSize, visible, out[t], head * headSize);
      }
    }
    return layers.linear(out, name + "o_proj");
  }

  /** One head of queries or keys, normed if the model norms heads, and rotated. */
  private double[][] turned(double[][] x, int head, String norm) {
    double[][] turned = new double[x.length][headSize];
    for (int t = 0; t < x.length; t++) {
      double[] from = new double[headSize];
      System.arraycopy(x[t], head * headSize, from, 0, headSize);
      double[] h = layers.has(norm + ".weight") ? layers.normed(from, norm) : from;
      int half = headSize / 2;
      for (int i = 0; i < headSize; i++) {
        double angle = t * frequencies[i % half];
        double other = i < half ? -h[i + half] : h[i - half];
        turned[t][i] = sharpness * (h[i] * Math.cos(angle) + other * Math.sin(angle));
      }
    }
    return turned;
  }

  private double[] frequencies() {
    JsonObject rope = new JsonObject();
    for (String key : new String[] {"rope_parameters", "rope_scaling"}) {
      if (config.has(key)) {
        rope = config.getAsJsonObject(key);
      }
    }
    double theta = (rope.has("rope_theta") ? rope : config).get("rope_theta").getAsDouble();
    String type = rope.has("rope_type") ? rope.get("rope_type").getAsString() : "default";
    double[] frequencies = new double[headSize / 2];
    for (int i = 0; i < frequencies.length; i++) {
      double frequency = 1 / Math.pow(theta, 2.0 * i / headSize);
      frequencies[i] =
          switch (type) {
            case "linear" -> frequency / rope.get("factor").getAsDouble();
            case "llama3" -> llama3(frequency, rope);
            case "yarn" -> yarn(frequency, i, theta, rope);
            default -> frequency;
          };
    }
    return frequencies;
  }

  /** Peng et al. 2023, section 3.2, with the ramp over whole places that transformers has. */
  private double yarn(double frequency, int pair, double theta, JsonObject rope) {
    double factor = rope.get("factor").getAsDouble();
    double original = rope.get("original_max_position_embeddings").getAsDouble();
    sharpness = 0.1 * Math.log(factor) + 1;
    double[] ends = new double[2];
    for (int end = 0; end < 2; end++) {
      double turns = end == 0 ? 32 : 1;
      ends[end] = headSize * Math.log(original / (turns * 2 * Math.PI)) / (2 * Math.log(theta));
    }
    double low = Math.max(0, Math.floor(ends[0]));
    double high = Math.min(headSize - 1, Math.ceil(ends[1]));
    double stretched = pair <= low ? 0 : pair >= high ? 1 : (pair - low) / (high - low);
    return stretched * frequency / factor + (1 - stretched) * frequency;
  }

  private static double llama3(double frequency, JsonObject rope) {
    double factor = rope.get("factor").getAsDouble();
    double low = rope.get("low_freq_factor").getAsDouble();
    double high = rope.get("high_freq_factor").getAsDouble();
    double original = rope.get("original_max_position_embeddings").getAsDouble();
    double wavelength = 2 * Math.PI / frequency;
    double smooth = (original / wavelength - low) / (high - low);
    smooth = Math.min(1, Math.max(0, smooth));
    return (1 - smooth) * frequency / factor + smooth * frequency;
  }

  /** Every expert computes every token; those that are not chosen count for nothing. */
  private double[][] experts(String name, double[][] x) {
    int count = config.get("num_experts").getAsInt();
    int chosen = config.get("num_experts_per_tok").getAsInt();
    boolean normed = config.has("norm_topk_prob") && config.get("norm_topk_prob").getAsBoolean();
    double[][] logits = layers.linear(x, name + "gate");
    double[][] shares = new double[x.length][count];
    for (int t = 0; t < x.length; t++) {
      double[] sorted = logits[t].clone();
      Arrays.sort(sorted);
      double all = logSum(sorted);
      double most = logSum(Arrays.copyOfRange(sorted, count - chosen, count));
      for (int e = 0; e < count; e++) {
        boolean counts = logits[t][e] >= sorted[count - chosen];
        shares[t][e] = counts ? Math.exp(logits[t][e] - (normed ? most : all)) : 0;
      }
    }
    double[][] sum = new double[x.length][hidden];
    for (int e = 0; e < count; e++) {
      double[][] one = layers.feedForward(name + "experts." + e + ".", x);
      for (int t = 0; t < x.length; t++) {
        for (int i = 0; i < hidden; i++) {
          sum[t][i] += shares[t][e] * one[t][i];
        }
      }
    }
    return sum;
  }
}
