package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.LinearWays;
import roll.torch.Precision;
import roll.torch.TokenTensors;

/**
 * A decoder-only transformer over {@link Parameters}: token ids to hidden states, the whole model
 * in one native call. The functions are in {@code decoder.py}; they read the model's dimensions as
 * constants.
 *
 * <p>Used on the compute thread alone.
 */
public final class Decoder implements AutoCloseable {
  /** Where a layer's tensors stand: the constants of {@code decoder.py} and the names they mean. */
  private static final Map<String, String> SLOTS =
      Map.ofEntries(
          Map.entry("Q", "self_attn.q_proj"),
          Map.entry("K", "self_attn.k_proj"),
          Map.entry("V", "self_attn.v_proj"),
          Map.entry("O", "self_attn.o_proj"),
          Map.entry("Q_NORM", "self_attn.q_norm"),
          Map.entry("K_NORM", "self_attn.k_norm"),
          Map.entry("GATE", "mlp.gate_proj"),
          Map.entry("UP", "mlp.up_proj"),
          Map.entry("DOWN", "mlp.down_proj"),
          Map.entry("ATTENTION_NORM", "input_layernorm"),
          Map.entry("MLP_NORM", "post_attention_layernorm"));

  /** Random 15-bit numbers decide what dropout keeps. */
  private static final int KEPT_OF = 1 << 15;

  /** Logits that the head works on at once between two products, 2 MiB: what a cache holds. */
  private static final int BLOCK_LOGITS = 1 << 19;

  private final DecoderSpec spec;
  private final int positions;
  private final Kernels kernels;
  private final RotaryTable rotary;

  /**
   * Compiles the model.
   *
   * @param positions longest sequence
   */
  public Decoder(Device device, DecoderSpec spec, Precision precision, int positions) {
    this(device, spec, precision, positions, constants(spec, precision));
  }

  private Decoder(
      Device device,
      DecoderSpec spec,
      Precision precision,
      int positions,
      Map<String, Object> constants) {
    this.spec = spec;
    this.positions = positions;
    List<String> sources = new ArrayList<>(sources(device, spec, precision));
    sources.add(backwardSource());
    this.kernels = Kernels.compile(device, constants, sources);
    this.rotary = new RotaryTable(device, spec);
  }

  /** The same model over the same parameters, but with its adapters off. */
  public static Decoder withoutAdapters(
      Device device, DecoderSpec spec, Precision precision, int positions) {
    Map<String, Object> constants = constants(spec, precision);
    constants.replaceAll((name, value) -> name.endsWith("_A") ? -1 : value);
    return new Decoder(device, spec, precision, positions, constants);
  }

  /** The sources of a decoder and its heads, for those who compile their own functions on top. */
  public static List<String> sources() {
    return sources(Kernels.source(Decoder.class, "product.py"));
  }

  /**
   * The same with the products of {@code spec} by the faster way that {@code device} has for those
   * in f32. Only on its compute thread.
   */
  public static List<String> sources(Device device, DecoderSpec spec, Precision precision) {
    return sources(device, spec, precision, Kernels.source(Decoder.class, "product.py"));
  }

  /** The same with another {@code product}, which may go on to {@code faster_product}. */
  public static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, String product) {
    return sources(product, device.linear().source(linear(spec, precision)));
  }

  /** The shapes of the linear layers of {@code spec}, adapters left out, and of its token head. */
  public static Set<LinearWays.Shape> linear(DecoderSpec spec) {
    boolean embeds = spec.has(Trait.TIED_HEAD) && !spec.has(Trait.VALUE_HEAD);
    Set<LinearWays.Shape> shapes = new LinkedHashSet<>();
    DecoderParameters.of(spec).stream()
        .skip(embeds ? 0 : 1)
        .filter(parameter -> parameter.shape().size() == 2 && !parameter.adapts())
        .filter(parameter -> parameter.shape().get(0) > 1)
        .map(DecoderSpec.Parameter::shape)
        .forEach(shape -> shapes.add(new LinearWays.Shape(shape.get(0), shape.get(1))));
    return shapes;
  }

  /** Those of them that are multiplied in f32 if the model computes in {@code precision}. */
  public static Set<LinearWays.Shape> linear(DecoderSpec spec, Precision precision) {
    int f32 = Precision.of(Dtype.FP32).compute();
    if (precision.compute() == f32) {
      return linear(spec);
    }
    boolean head = precision.logits() == f32 && !spec.has(Trait.VALUE_HEAD);
    return head ? Set.of(new LinearWays.Shape(spec.vocabulary(), spec.hidden())) : Set.of();
  }

  /** The same with another {@code product}, the source of the function of this name. */
  public static List<String> sources(String product) {
    return sources(product, LinearWays.libtorchOnly());
  }

  private static List<String> sources(String product, String linear) {
    return Stream.concat(
            Stream.of(product, linear),
            Stream.of("linear.py", "decoder.py", "head.py", "value_head.py")
                .map(file -> Kernels.source(Decoder.class, file)))
        .toList();
  }

  /** The source of the way back through a decoder, to be compiled with {@link #sources}. */
  public static String backwardSource() {
    return Kernels.source(Decoder.class, "backward.py");
  }

  /** The constants that {@link #sources} read. */
  public static Map<String, Object> constants(DecoderSpec spec, Precision precision) {
    Map<String, Object> constants = new HashMap<>();
    constants.put("LAYERS", spec.layers());
    constants.put("HEADS", spec.attention().heads());
    constants.put("KV_HEADS", spec.attention().keyValueHeads());
    constants.put("HEAD_SIZE", spec.attention().headSize());
    constants.put("EPSILON", spec.normEpsilon());
    List<Integer> sections = spec.rope().sections();
    List<String> turned = List.of("TIME", "HEIGHT", "WIDTH");
    for (int i = 0; i < turned.size(); i++) {
      constants.put(turned.get(i), sections.isEmpty() ? 0 : sections.get(i));
    }
    constants.put("WIDE", 6);
    constants.put("MANY_ROWS", LinearWays.MANY_ROWS);
    constants.put("COMPUTE", precision.compute());
    constants.put("LOGITS", precision.logits());
    constants.put("BLOCK_LOGITS", BLOCK_LOGITS);
    constants.put("TIED_HEAD", spec.has(Trait.TIED_HEAD));
    constants.put("QKV_BIAS", spec.has(Trait.QUERY_KEY_VALUE_BIAS));
    constants.put("O_BIAS", spec.has(Trait.OUTPUT_BIAS));
    constants.put("QK_NORM", spec.has(Trait.QUERY_KEY_NORM));
    constants.put("MLP_BIAS", spec.has(Trait.FEED_FORWARD_BIAS));
    constants.put("DOWN_BIAS", spec.has(Trait.FEED_FORWARD_BIAS));
    List<String> names =
        DecoderParameters.layer(spec, 0).stream().map(DecoderSpec.Parameter::name).toList();
    constants.put("LAYER_SIZE", names.size());
    SLOTS.forEach(
        (slot, name) -> {
          String module = "model.layers.0." + name;
          constants.put(slot, names.indexOf(module + ".weight"));
          constants.put(slot + "_A", names.indexOf(module + ".lora_A.weight"));
        });
    Adapter adapter = spec.adapter();
    constants.put("ADAPTER_SCALE", adapter == null ? 0.0 : adapter.scale());
    double kept = adapter == null ? 1 : 1 - adapter.dropout();
    constants.put("KEPT", (int) Math.max(1, Math.round(kept * KEPT_OF)));
    return constants;
  }

  /** The model's facts. */
  public DecoderSpec spec() {
    return spec;
  }

  /** The compiled functions. */
  public Kernels kernels() {
    return kernels;
  }

  /**
   * Hidden states after the last norm, of chosen positions.
   *
   * @param owner owns the result
   * @param tokens int64 [B, T], right-padded
   * @param rows int64 [N], positions as indices into the flattened [B·T]
   * @return f32 [N, hidden]
   * @throws IllegalArgumentException if the sequences are longer than the positions
   */
  public NDArray hidden(NDManager owner, Parameters parameters, NDArray tokens, NDArray rows) {
    try (NDManager scope = owner.newSubManager()) {
      return hidden(owner, parameters, TokenTensors.padded(scope, tokens, rows));
    }
  }

  /** The same of samples that are padded or packed. */
  NDArray hidden(NDManager owner, Parameters parameters, TokenTensors input) {
    RotaryTable angles = angles(input.longest());
    return kernels
        .call(
            owner,
            "hidden",
            input.tokens(),
            input.rows(),
            input.bounds(),
            parameters.tensors(),
            angles.cos(),
            angles.sin())
        .singletonOrThrow();
  }

  /**
   * Cosines and sines of at least {@code length} positions.
   *
   * @throws IllegalArgumentException if that is more than the positions
   */
  public RotaryTable angles(int length) {
    if (length > positions) {
      throw new IllegalArgumentException(length + " tokens, but only " + positions + " positions");
    }
    rotary.reach(length);
    return rotary;
  }

  @Override
  public void close() {
    kernels.close();
    rotary.close();
  }
}
