package roll.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.LinearBackends;
import roll.torch.model.Decoder;

/**
 * Measures matrix products, by the faster of libtorch and oneDNN, and memory reads, as limits for
 * the steps of a model.
 */
final class Gemm implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final int repeats;

  /** A measurement by the best of {@code repeats}. Only on the compute thread. */
  Gemm(Device device, int repeats) {
    this.device = device;
    this.repeats = repeats;
    this.kernels =
        Kernels.compile(
            device,
            Map.of("MANY_ROWS", LinearBackends.MANY_ROWS),
            List.of(
                Kernels.source(Decoder.class, "linear.py"),
                LinearBackends.libtorchOnly(),
                Kernels.source(Gemm.class, "gemm.py")));
  }

  /** Returns the FLOP/s of one product [rows × in] · [in × out]. */
  double forward(int rows, int in, int out, Dtype dtype) {
    try (NDManager manager = device.newManager()) {
      NDArray x = random(manager, rows, in, dtype);
      NDArray w = random(manager, out, in, dtype);
      return 2.0 * rows * in * out / product("forward", dtype, x, w);
    }
  }

  /** Returns the bytes/s at which {@code bytes} of f32 are read and summed. */
  double read(long bytes) {
    try (NDManager manager = device.newManager()) {
      NDArray x = kernels.call(manager, "ones", bytes / Float.BYTES).singletonOrThrow();
      return bytes / best("read", x);
    }
  }

  /**
   * Returns the FLOP/s over all linear layers and the head of {@code subject}, forward and
   * backward: the upper bound for a step.
   */
  double model(BenchModel subject, Dtype dtype) {
    Map<List<Integer>, Integer> shapes = new LinkedHashMap<>();
    List<DecoderSpec.Parameter> all = DecoderParameters.of(subject.spec());
    for (DecoderSpec.Parameter parameter :
        all.subList(subject.spec().has(Trait.TIED_HEAD) ? 0 : 1, all.size())) {
      if (parameter.shape().size() == 2 && !parameter.adapts()) {
        shapes.merge(parameter.shape(), 1, Integer::sum);
      }
    }
    double seconds = 0;
    for (var shape : shapes.entrySet()) {
      int out = shape.getKey().get(0);
      int in = shape.getKey().get(1);
      try (NDManager manager = device.newManager()) {
        NDArray x = random(manager, subject.tokens(), in, dtype);
        NDArray w = random(manager, out, in, dtype);
        NDArray g = random(manager, subject.tokens(), out, dtype);
        double once =
            product("forward", dtype, x, w)
                + product("input_gradient", dtype, g, w)
                + product("weight_gradient", dtype, g, x);
        seconds += shape.getValue() * once;
      }
    }
    return 6.0 * subject.multiplied() * subject.tokens() / seconds;
  }

  private NDArray random(NDManager manager, int rows, int columns, Dtype dtype) {
    return kernels
        .call(manager, "random", rows, columns, dtype == Dtype.BF16 ? 15 : 6)
        .singletonOrThrow();
  }

  /** Returns the seconds of the faster backend; bf16 always uses oneDNN. */
  private double product(String method, Dtype dtype, NDArray a, NDArray b) {
    double libtorch = best(method, a, b, false);
    return dtype == Dtype.BF16 ? libtorch : Math.min(libtorch, best(method, a, b, true));
  }

  private double best(String method, Object... arguments) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < repeats; i++) {
      try (NDManager manager = device.newManager()) {
        long start = System.nanoTime();
        kernels.call(manager, method, arguments);
        best = Math.min(best, (System.nanoTime() - start) * 1e-9);
      }
    }
    return best;
  }

  @Override
  public void close() {
    kernels.close();
  }
}
