package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.ReadableWeights;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;

/**
 * A device's read-only copy of weights, often of another device or process: f32, or bf16 without
 * master weights. Updates overwrite it in place. Used only on the compute thread.
 */
final class CopiedWeights implements AutoCloseable {
  /** Maximum numbers that are rounded at once: 64 MB. */
  private static final long AT_ONCE = 1 << 24;

  private final Device device;
  private final long atOnce;
  private final Kernels kernels;
  private final Parameters parameters;

  /** Allocates zeros in {@code dtype}, but a value head in f32. */
  CopiedWeights(Device device, DecoderSpec spec, Dtype dtype) {
    this(device, spec, dtype, AT_ONCE);
  }

  /** Like the constructor above, rounding at most {@code atOnce} numbers at once. */
  CopiedWeights(Device device, DecoderSpec spec, Dtype dtype, long atOnce) {
    this.device = device;
    this.atOnce = atOnce;
    this.kernels =
        Kernels.compile(
            device, Map.of(), List.of(Kernels.source(CopiedWeights.class, "weights.py")));
    List<DecoderSpec.Parameter> wide =
        spec.has(Trait.VALUE_HEAD) ? DecoderParameters.head(spec) : List.of();
    NDManager manager = device.newManager();
    NDList tensors = new NDList();
    for (DecoderSpec.Parameter parameter : DecoderParameters.of(spec)) {
      NDArray zeros = manager.zeros(Parameters.shape(parameter), DataType.FLOAT32);
      if (dtype == Dtype.BF16 && !wide.contains(parameter)) {
        tensors.add(kernels.record(manager, "narrow", zeros).singletonOrThrow());
        zeros.close();
      } else {
        tensors.add(zeros);
      }
    }
    this.parameters = Parameters.of(device, spec, manager, tensors, dtype);
    parameters.join();
  }

  /** Returns the copied weights, which are closed with this object. */
  Parameters parameters() {
    return parameters;
  }

  /** Copies {@code source}, which has the same specification. */
  void take(ReadableWeights source) {
    if (source instanceof Parameters here && here.device() == device) {
      copy(here);
    } else {
      read(source);
    }
    parameters.version(source.version());
  }

  /** Copies weights of the same device, without the host. */
  private void copy(Parameters source) {
    NDList from = new NDList();
    for (int i = 0; i < parameters.tensors().size(); i++) {
      from.add(parameters.wide(i) ? source.master(i) : source.tensors().get(i));
    }
    try (NDManager small = device.newManager()) {
      kernels.call(small, "overwrite_all", parameters.tensors(), from);
    }
  }

  private void read(ReadableWeights source) {
    for (int i = 0; i < parameters.tensors().size(); i++) {
      int index = i;
      if (parameters.wide(i)) {
        parameters.fill(i, (first, part) -> source.read(index, first / Float.BYTES, part));
      } else {
        round(source, i);
      }
    }
  }

  private void round(ReadableWeights source, int index) {
    long size = parameters.tensors().get(index).size();
    for (long first = 0; first < size; first += atOnce) {
      try (NDManager small = device.newManager()) {
        Shape shape = new Shape(Math.min(atOnce, size - first));
        NDArray wide = small.create(shape, DataType.FLOAT32);
        long from = first;
        device
            .transfer()
            .fill(wide, (at, part) -> source.read(index, from + at / Float.BYTES, part));
        kernels.call(small, "overwrite", parameters.tensors().get(index), first, wide);
      }
    }
  }

  @Override
  public void close() {
    parameters.close();
    kernels.close();
  }
}
