package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import roll.torch.LinearBackends.Shape;

/**
 * Whether oneDNN multiplies right on this machine. On some processors its products of f32 are wrong
 * by as much as the numbers themselves, for widths such as 40, 48 and 72 and, for others, by the
 * number of rows: seen with libtorch 2.7.1 on a virtual AMD EPYC of family 26, with kernels for
 * AVX-512 and not with those for AVX2.
 *
 * <p>Used on the device's compute thread alone.
 */
final class OneDnnProbe {
  /** Of a right product the largest error, as a part of the largest result, is below 1e-6. */
  private static final double WRONG = 1e-3;

  private static final List<Integer> ROWS = List.of(200, 256, 500, 1000);

  private static final List<Shape> WIDTHS =
      List.of(new Shape(40, 128), new Shape(72, 96), new Shape(172, 160), new Shape(640, 128));

  /** The way of {@code linear.py}. */
  static final String CONVOLVED = Kernels.source(LinearBackends.class, "model/linear.py");

  private final Device device;
  private final String convolved;

  /** A probe of the function {@code convolved} in the source of that name. */
  OneDnnProbe(Device device, String convolved) {
    this.device = device;
    this.convolved = convolved;
  }

  /** Whether layers of {@code shapes}, and some that are known to suffer, are right. */
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
          .allMatch(error -> error.singletonOrThrow().getFloat() < WRONG); // NaN is wrong, too
    }
  }

  private static NDArray random(NDManager manager, int rows, int columns) {
    return manager.randomNormal(new ai.djl.ndarray.types.Shape(rows, columns));
  }
}
