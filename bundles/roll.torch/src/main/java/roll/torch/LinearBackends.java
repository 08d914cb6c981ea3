package roll.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.util.Utils;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the backend of f32 linear layers on this machine: libtorch's default, which is MKL if it
 * has that, or oneDNN, which is in the same library and up to twice as fast on processors that are
 * not Intel's. Both are measured once for each shape of a layer; the rates are stored in a file
 * beside libtorch, so that later processes choose alike and runs repeat.
 *
 * <p>Used on the device's compute thread alone.
 */
public final class LinearBackends {
  /** Products with fewer rows always use libtorch's default. */
  public static final int MANY_ROWS = 128;

  /** Minimum speedup at which oneDNN is chosen, above measurement noise. */
  private static final double CLEARLY = 1.25;

  private static final int REPEATS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(LinearBackends.class);

  /** Operations of one measured product, if {@link #MANY_ROWS} allows so few. */
  private static final long OPERATIONS = 1L << 30;

  /** Maximum weights of one measured product; of larger layers only some columns are measured. */
  private static final long WEIGHTS = 1L << 24;

  private final Device device;
  private final LinearRateFile file;
  private final Choice choice;
  private final Predicate<Collection<Shape>> probe;
  private final Map<Shape, Rates> known = new TreeMap<>();
  private final SortedSet<Shape> probed = new TreeSet<>();
  private boolean right = true;

  /**
   * Creates the backends of {@code device}.
   *
   * @param probe checks whether oneDNN computes correctly
   */
  LinearBackends(
      Device device, LinearRateFile file, Choice choice, Predicate<Collection<Shape>> probe) {
    this.device = device;
    this.file = file;
    this.choice = choice;
    this.probe = probe;
  }

  /**
   * Returns the backends of {@code device} by the rates measured on this machine; the environment
   * variable {@code ROLL_LINEAR} may set one backend for all layers. Cards always use libtorch's
   * default.
   */
  static LinearBackends of(Device device) {
    String asked = System.getenv("ROLL_LINEAR");
    Choice choice = choice(asked);
    if (choice == null) {
      LOG.warn("ROLL_LINEAR: expected auto, libtorch or onednn, found '{}'; auto is used", asked);
    }
    String machine = Processor.name() + ", libtorch " + device.engine().getVersion();
    LinearRateFile file = new LinearRateFile(Utils.getCacheDir().resolve("linear.json"), machine);
    Choice chosen = choice == null ? Choice.AUTO : choice;
    return new LinearBackends(
        device,
        file,
        device.accelerated() ? Choice.LIBTORCH : chosen,
        new OneDnnProbe(device, OneDnnProbe.CONVOLVED)::exact);
  }

  /**
   * Values of {@code ROLL_LINEAR}: one backend for all layers, or the faster one for each shape.
   */
  enum Choice {
    /** Linear backends choice: the faster backend by measurement. */
    AUTO,
    /** Linear backends choice: always libtorch's default. */
    LIBTORCH,
    /** Choice of the backend of linear layers: always oneDNN. */
    ONEDNN
  }

  /**
   * The shape of a linear layer.
   *
   * @param columns output features
   * @param within input features
   */
  public record Shape(int columns, int within) implements Comparable<Shape> {
    private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,8})x([1-9]\\d{0,8})");

    /** Parses the text of {@link #toString}; null if it is not a shape. */
    public static @Nullable Shape parse(String text) {
      Matcher found = TEXT.matcher(text);
      return found.matches()
          ? new Shape(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)))
          : null;
    }

    @Override
    public int compareTo(Shape other) {
      return columns == other.columns
          ? Integer.compare(within, other.within)
          : Integer.compare(columns, other.columns);
    }

    /** Returns rows and columns of the layer's weight: {@code 768x2048}. */
    @Override
    public String toString() {
      return columns + "x" + within;
    }
  }

  /**
   * The rates of a layer forward and backward, in FLOP/s.
   *
   * @param libtorch by libtorch's default
   * @param onednn by oneDNN
   */
  public record Rates(double libtorch, double onednn) {
    /** Returns whether oneDNN is clearly faster. */
    public boolean byOneDnn() {
      return onednn > CLEARLY * libtorch;
    }
  }

  /** Returns the rates of {@code shapes}, measuring those that are unknown. */
  public Map<Shape, Rates> rates(Collection<Shape> shapes) {
    Map<Shape, Rates> rates = new LinkedHashMap<>();
    if (!known.keySet().containsAll(shapes)) {
      known.putAll(file.read());
    }
    List<Shape> missing = shapes.stream().filter(shape -> !known.containsKey(shape)).toList();
    if (!missing.isEmpty()) {
      known.putAll(file.add(measured(missing)));
    }
    shapes.forEach(shape -> rates.put(shape, known.get(shape)));
    return rates;
  }

  /** Returns those of {@code shapes} for which oneDNN is used if there are many rows. */
  public SortedSet<Shape> byOneDnn(Collection<Shape> shapes) {
    SortedSet<Shape> those = new TreeSet<>();
    switch (choice) {
      case LIBTORCH -> {}
      case ONEDNN -> those.addAll(shapes);
      case AUTO -> {
        rates(shapes)
            .forEach(
                (shape, rates) -> {
                  if (rates.byOneDnn()) {
                    those.add(shape);
                  }
                });
        if (!exact(those)) {
          those.clear();
        }
      }
    }
    return those;
  }

  /**
   * Returns whether oneDNN computes {@code shapes} correctly; after the first failure it is not
   * used anymore.
   */
  private boolean exact(SortedSet<Shape> shapes) {
    if (right && !probed.containsAll(shapes)) {
      right = probe.test(shapes);
      probed.addAll(shapes);
      if (!right) {
        LOG.warn(
            "oneDNN computes wrong products on this processor: linear layers use libtorch's"
                + " default");
      }
    }
    return right;
  }

  /**
   * Returns the source of the function {@code by_onednn} for {@code linear.py}: whether the weight
   * of a layer has one of the {@code shapes} for which oneDNN is used.
   */
  public String source(Collection<Shape> shapes) {
    if (choice == Choice.ONEDNN) {
      return all(); // including adapters, which are not among the shapes
    }
    return function(
        byOneDnn(shapes).stream()
            .map(
                shape ->
                    "(columns == %d and within == %d)".formatted(shape.columns(), shape.within()))
            .toList());
  }

  /** Returns {@code by_onednn} that is true for all shapes. */
  static String all() {
    return function(List.of("True"));
  }

  /** Returns {@code by_onednn} that is false for all shapes. */
  public static String libtorchOnly() {
    return function(List.of());
  }

  private static String function(List<String> conditions) {
    return "def by_onednn(self, columns: int, within: int) -> bool:\n  return "
        + (conditions.isEmpty() ? "False" : String.join(" or ", conditions))
        + "\n";
  }

  private Map<Shape, Rates> measured(List<Shape> shapes) {
    List<String> sources =
        List.of(
            Kernels.source(LinearBackends.class, "model/linear.py"),
            Kernels.source(LinearBackends.class, "linear_rates.py"),
            all());
    Map<Shape, Rates> rates = new TreeMap<>();
    try (Kernels kernels = Kernels.compile(device, Map.of("MANY_ROWS", MANY_ROWS), sources)) {
      for (Shape shape : shapes) {
        rates.put(shape, measure(kernels, shape));
      }
    }
    return rates;
  }

  private Rates measure(Kernels kernels, Shape shape) {
    int columns = Math.clamp(WEIGHTS / shape.within(), 1, shape.columns());
    long weights = (long) columns * shape.within();
    int rows = Math.clamp(OPERATIONS / (2 * weights), MANY_ROWS, 4096);
    try (NDManager manager = device.newManager()) {
      NDArray x = random(manager, rows, shape.within());
      NDArray w = random(manager, columns, shape.within());
      NDArray by = random(manager, rows, columns);
      double operations = 6.0 * rows * weights;
      double[] best = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
      for (int i = 0; i < REPEATS; i++) { // alternate, so that other programs slow down both
        best[0] = Math.min(best[0], seconds(kernels, manager, "libtorch", x, w, by));
        best[1] = Math.min(best[1], seconds(kernels, manager, "onednn", x, w, by));
      }
      return new Rates(rounded(operations / best[0]), rounded(operations / best[1]));
    }
  }

  /** Rounds as the file does, so that this process and later ones choose alike. */
  private static double rounded(double rate) {
    return Math.round(rate * 1e-8) * 1e8;
  }

  private static NDArray random(NDManager manager, int rows, int columns) {
    return manager.randomNormal(new ai.djl.ndarray.types.Shape(rows, columns));
  }

  private static double seconds(
      Kernels kernels, NDManager manager, String way, NDArray... arguments) {
    long start = System.nanoTime();
    kernels.record(manager, way, (Object[]) arguments).close();
    return (System.nanoTime() - start) * 1e-9;
  }

  /**
   * Returns the backend choice that {@code given} names, {@link Choice#AUTO} for null, or null if
   * it is unknown.
   */
  static @Nullable Choice choice(@Nullable String given) {
    return switch (given) {
      case null -> Choice.AUTO;
      case "auto" -> Choice.AUTO;
      case "libtorch" -> Choice.LIBTORCH;
      case "onednn" -> Choice.ONEDNN;
      default -> null;
    };
  }
}
