package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;

/**
 * A decoder-only transformer over {@link Parameters}: token ids to hidden states, the whole model
 * in one native call. The functions are in {@code decoder.py}; they read the model's dimensions as
 * constants.
 *
 * <p>The parameters come in the order in which Hugging Face lists them: embedding; for each layer
 * the query, key and value weights (each followed by its bias, if there are biases), output, gate,
 * up, down, norm before attention, norm before the feed-forward part; last norm; head unless tied.
 *
 * <p>Used on the compute thread alone.
 */
public final class Decoder implements AutoCloseable {
  private final DecoderSpec spec;
  private final int positions;
  private final NDManager manager;
  private final Kernels kernels;
  private final NDArray cos;
  private final NDArray sin;

  /**
   * Compiles the model.
   *
   * @param dtype what linear layers and attention compute in
   * @param positions longest sequence
   */
  public Decoder(Device device, DecoderSpec spec, Dtype dtype, int positions) {
    int perLayer = spec.qkvBias() ? 12 : 9;
    int count = 2 + spec.layers() * perLayer + (spec.tiedHead() ? 0 : 1);
    if (spec.parameters().size() != count) {
      throw new IllegalArgumentException(
          "a decoder has " + count + " parameters, not " + spec.parameters().size());
    }
    this.spec = spec;
    this.positions = positions;
    this.manager = device.newManager();
    this.kernels = Kernels.compile(device, constants(spec, dtype), sources());
    this.cos =
        manager.create(rotary(spec, positions, true), new Shape(positions, 1, spec.headSize()));
    this.sin =
        manager.create(rotary(spec, positions, false), new Shape(positions, 1, spec.headSize()));
  }

  /** The sources of a decoder and its head, for those who compile their own functions on top. */
  public static List<String> sources() {
    return List.of(
        Kernels.source(Decoder.class, "decoder.py"), Kernels.source(Decoder.class, "head.py"));
  }

  /** The constants that {@link #sources} read. */
  public static Map<String, Object> constants(DecoderSpec spec, Dtype dtype) {
    Map<String, Object> constants = new HashMap<>();
    constants.put("LAYERS", spec.layers());
    constants.put("HEADS", spec.heads());
    constants.put("KV_HEADS", spec.keyValueHeads());
    constants.put("HEAD_SIZE", spec.headSize());
    constants.put("EPSILON", spec.normEpsilon());
    constants.put("QKV_BIAS", spec.qkvBias());
    constants.put("TIED_HEAD", spec.tiedHead());
    constants.put("COMPUTE", dtype == Dtype.BF16 ? 15 : 6);
    return constants;
  }

  /**
   * One of the two tables of rotary position embedding (Su et al. 2021, equation 34) for heads
   * whose halves are rotated against each other, as Hugging Face lays them out: cosines [positions,
   * headSize], or sines whose first half is negated.
   */
  public static float[] rotary(DecoderSpec spec, int positions, boolean cosines) {
    int half = spec.headSize() / 2;
    float[] table = new float[positions * 2 * half];
    for (int p = 0; p < positions; p++) {
      for (int i = 0; i < half; i++) {
        double angle = p * Math.pow(spec.ropeTheta(), -2.0 * i / spec.headSize());
        int at = p * 2 * half + i;
        table[at] = (float) (cosines ? Math.cos(angle) : -Math.sin(angle));
        table[at + half] = (float) (cosines ? Math.cos(angle) : Math.sin(angle));
      }
    }
    return table;
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
   * @param record whether a backward pass will follow
   * @return f32 [N, hidden]
   * @throws IllegalArgumentException if the sequences are longer than the positions
   */
  public NDArray hidden(
      NDManager owner, Parameters parameters, NDArray tokens, NDArray rows, boolean record) {
    long length = tokens.getShape().get(1);
    if (length > positions) {
      throw new IllegalArgumentException(length + " tokens, but only " + positions + " positions");
    }
    Object[] arguments = {tokens, rows, parameters.tensors(), cos, sin};
    NDList result =
        record
            ? kernels.record(owner, "hidden", arguments)
            : kernels.call(owner, "hidden", arguments);
    return result.singletonOrThrow();
  }

  @Override
  public void close() {
    kernels.close();
    manager.close();
  }
}
