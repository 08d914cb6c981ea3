package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import roll.torch.LinearBackends.Shape;

/**
 * Checks whether oneDNN multiplies correctly on this machine. On some processors its f32 products
 * are completely wrong for some widths (40, 48, 72) or numbers of rows: observed with libtorch
 * 2.7.1 on a virtual AMD EPYC of family 26, with kernels for AVX-512, not with those for AVX2.
 *
 * <p>Used on the device's compute thread alone.
 */
final class OneDnnProbe {
  /** Maximum relative error; that of a correct product is below 1e-6. */
  private static final double WRONG = 1e-3;

  private static final List<Integer> ROWS = List.of(200, 256, 500, 1000);

  private static final List<Shape> WIDTHS =
      List.of(new Shape(40, 128), new Shape(72, 96), new Shape(172, 160), new Shape(640, 128));

  /** TorchScript source of the convolution in {@code linear.py}. */
  static final String CONVOLVED = Kernels.source(LinearBackends.class, "model/linear.py");

  private final Device device;
  private final String convolved;

  /** Creates a probe of the function {@code convolved} in the source {@code convolved}. */
  OneDnnProbe(Device device, String convolved) {
    this.device = device;
    this.convolved = convolved;
  }

  /** Returns whether products of {@code shapes}, and of some shapes known to fail, are correct. */
  boolean exact(Collection<Shape> shapes) {
    TreeSet<Shape> all = new TreeSet<>(WIDTHS);
    all.addAll(shapes);
    List<String> sources =
        List.of(
            convolved,
            Kernels.source(LinearBackends.class, "linear_error.py"),
            LinearBackends.all());
    try (Kernels kernels = Kernels.compile(device, Map.of("MANY_ROWS", 1), sources)) {
      return all.stream().allMatch(shape -> exact(kernels, shape));
    }
  }

  private boolean exact(Kernels kernels, Shape shape) {
    try (NDManager manager = device.newManager()) {
      NDArray w = random(manager, shape.columns(), shape.within());
      return ROWS.stream()
          .map(rows -> kernels.call(manager, "error", random(manager, rows, shape.within()), w))
          .allMatch(error -> error.singletonOrThrow().getFloat() < WRONG); // NaN is an error too
    }
  }

  private static NDArray random(NDManager manager, int rows, int columns) {
    return manager.randomNormal(new ai.djl.ndarray.types.Shape(rows, columns));
  }
}
