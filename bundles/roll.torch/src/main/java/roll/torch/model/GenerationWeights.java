package roll.torch.model;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.Precision;
import roll.torch.vision.VisionTower;

/**
 * A model's weights as generation reads them: the tensors of some {@link Parameters} themselves
 * where they are of the right format, so that a trainer's are shared; otherwise copies of its own,
 * which are written over when others come. Used on the compute thread alone.
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
   * Weights taken from {@code parameters}, which others own.
   *
   * @param kernels compiled with {@link #source}
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

  /** The text of {@code generation.py}, to be compiled with {@link Decoder#sources}. */
  public static String source() {
    return Kernels.source(GenerationWeights.class, "generation.py");
  }

  /** Goes over to {@code next}, which has the same specification; what was freed stays free. */
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
      tensors = kernels.call(owner, "generation_weights", parameters.tensors());
      tower = kernels.call(owner, "tower_weights", given());
    }
    copied = copies;
    copiedVersion = parameters.version();
  }

  /** The tower's parameters as they are given. */
  private NDList given() {
    return VisionTower.weights(parameters.spec(), parameters.tensors());
  }

  /** Frees the copies, if there are any; {@link #restore} makes them again. */
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

  /** Makes sure that what {@link #free} freed is there. */
  public void restore() {
    if (freed) {
      freed = false;
      take();
    }
  }

  /** The embedding, the layers, the last norm and the head, in the order of the specification. */
  public NDList tensors() {
    return tensors;
  }

  /** Those of the vision tower, in the order of the specification; none without one. */
  public NDList tower() {
    return tower;
  }

  /** Version of the weights in use. Shared ones change under the trainer's hands. */
  public long version() {
    return copied || precision.wideHead() ? copiedVersion : parameters.version();
  }

  @Override
  public void close() {
    owner.close();
  }
}
