package roll.torch.model;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.vision.VisionTower;

/**
 * A model's weights for generation: the tensors of {@link Parameters} themselves if they have the
 * right format, so that a trainer's weights are shared, otherwise copies that updates overwrite.
 * Used only on the compute thread.
 */
public final class GenerationWeights implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final Precision precision;
  private NDManager owner;
  private NDList tensors = new NDList();
  private NDList tower = new NDList();
  private Parameters parameters;
  private boolean copied;
  private boolean freed;
  private long copiedVersion;

  /**
   * Creates generation weights from {@code parameters}, which the caller owns.
   *
   * @param kernels compiled with {@link #sources} and {@link #constants}
   */
  public GenerationWeights(
      Device device, Kernels kernels, Precision precision, Parameters parameters) {
    this.device = device;
    this.kernels = kernels;
    this.precision = precision;
    this.owner = device.newManager();
    this.parameters = parameters;
    use(parameters);
  }

  /**
   * Returns the sources of a decoder that generates, with {@code generation.py}. Only on the
   * compute thread.
   *
   * @param product as for {@link Decoder#sources(Device, DecoderSpec, Precision, String)}
   */
  public static List<String> sources(
      Device device, DecoderSpec spec, Precision precision, String product) {
    List<String> sources = new ArrayList<>(Decoder.sources(device, spec, precision, product, true));
    sources.add(Kernels.source(GenerationWeights.class, "generation.py"));
    return sources;
  }

  /** Returns the constants that {@link #sources} read. */
  public static Map<String, Object> constants(DecoderSpec spec, Precision precision) {
    Map<String, Object> constants = Decoder.constants(spec, precision);
    int layers = spec.layers() * DecoderParameters.layer(spec, 0).size();
    constants.put("TENSORS", layers + 3); // in front of joined ones: embedding, norm and head
    return constants;
  }

  /** Switches to {@code next}, which has the same specification; freed copies stay freed. */
  public void use(Parameters next) {
    parameters = next;
    if (!freed) {
      take();
    }
  }

  private void take() {
    boolean copies = parameters.dtype() != precision.dtype();
    if (copies && copied) {
      kernels.call(owner, "refresh_weights", parameters.tensors(), tensors);
      kernels.call(owner, "refresh_tower", given(), tower);
    } else {
      release();
      tensors =
          kernels.call(owner, "generation_weights", parameters.tensors(), parameters.joined());
      tower = kernels.call(owner, "tower_weights", given());
    }
    copied = copies;
    copiedVersion = parameters.version();
  }

  /** Returns the tower's parameters in their original format. */
  private NDList given() {
    return VisionTower.weights(parameters.spec(), parameters.tensors());
  }

  /**
   * Frees the copies of the generation weights, if there are any; {@link #restore} creates them
   * again.
   */
  public void free() {
    release();
    freed = true;
  }

  private void release() {
    owner.close();
    owner = device.newManager();
    tensors = new NDList();
    tower = new NDList();
    copied = false;
  }

  /** Creates the copies again if {@link #free} freed them. */
  public void restore() {
    if (freed) {
      freed = false;
      take();
    }
  }

  /**
   * Returns the embedding, the layers, the last norm and the head, in the order of the
   * specification, and joined tensors, if any.
   */
  public NDList tensors() {
    return tensors;
  }

  /**
   * Returns the parameters of the vision tower, in the order of the specification; none without a
   * tower.
   */
  public NDList tower() {
    return tower;
  }

  /** Returns the version of the weights. Shared weights change when the trainer makes a step. */
  public long version() {
    return copied || precision.wideHead() ? copiedVersion : parameters.version();
  }

  @Override
  public void close() {
    owner.close();
  }
}
