package roll.torch.vision;

import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageSize;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.Rope;
import roll.api.model.VisionSpec;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.LinearBackends;
import roll.torch.Precision;
import roll.torch.model.Decoder;
import roll.torch.model.Parameters;

/**
 * The tower of Qwen2.5-VL-3B on a picture of 1,000 by 1,000 pixels: its operations a second, those
 * of attention counted, against the products of its linear layers alone, in turn with them. Counted
 * is the time that one thread computes, so that other programs matter little.
 */
@Tag("slow")
final class VisionTowerSpeedTest {
  private static final ImageGrid GRID = new ImageGrid(1, 70, 70); // 980 by 980 pixels
  private static final int ROUNDS = 2;
  private static final double ASKED = 0.6;

  private static VisionSpec tower(int layers) {
    Set<Integer> full =
        IntStream.range(0, layers).filter(i -> i % 8 == 7).boxed().collect(Collectors.toSet());
    return new VisionSpec(9, 8, layers, 1280, 16, 3420, 3, 2, 14, 2, 112, full);
  }

  private static DecoderSpec spec(VisionSpec tower) {
    Attention attention = new Attention(16, 2, 128);
    Rope rope = Rope.standard(1e6, 128).inSections(List.of(16, 24, 24));
    return new DecoderSpec(
            "test", 16, 2048, 16, 1, attention, rope, 64, 1e-6, new HashSet<>(), 0.02)
        .seeing(tower);
  }

  /** A quarter of the tower, which has a quarter of the layers of each kind. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  @Timeout(900)
  void aQuarterOfIt(Dtype dtype, TestReporter reporter) {
    measure(8, dtype, reporter);
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  @Timeout(1800)
  void allOfIt(Dtype dtype, TestReporter reporter) {
    measure(32, dtype, reporter);
  }

  private static void measure(int layers, Dtype dtype, TestReporter reporter) {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (Measured measured = new Measured(device, tower(layers), dtype)) {
              for (int round = 0; round < ROUNDS; round++) {
                measured.round();
              }
              reporter.publishEntry(layers + " layers in " + dtype, measured.toString());
              assertTrue(measured.share() >= ASKED, measured.toString());
              return true;
            }
          });
    }
  }

  /** The best of some rounds. Only on the compute thread. */
  private static final class Measured implements AutoCloseable {
    private final VisionSpec tower;
    private final Parameters parameters;
    private final Decoder decoder;
    private final Kernels products;
    private final Dtype dtype;
    private final NDManager manager;
    private final TowerInput picture;
    private final Map<LinearBackends.Shape, Long> rows = new LinkedHashMap<>();
    private final Map<LinearBackends.Shape, Double> best = new LinkedHashMap<>();
    private final double attention;
    private double seconds = Double.POSITIVE_INFINITY;

    Measured(Device device, VisionSpec tower, Dtype dtype) {
      this.tower = tower;
      this.dtype = dtype;
      DecoderSpec spec = spec(tower);
      this.parameters = Parameters.random(device, spec, 1);
      parameters.train(List.of());
      if (dtype == Dtype.BF16) {
        parameters.narrow(device);
      }
      this.decoder =
          new Decoder(
              device,
              spec,
              Precision.of(dtype),
              64,
              new PicturePatches(
                  tower,
                  () -> {
                    throw new UnsupportedOperationException();
                  }));
      this.products =
          Kernels.compile(
              device,
              Map.of("MANY_ROWS", LinearBackends.MANY_ROWS, "TYPE", dtype == Dtype.BF16 ? 15 : 6),
              List.of(
                  Kernels.source(Kernels.class, "model/linear.py"),
                  LinearBackends.libtorchOnly(),
                  """
                  def random(self, rows: int, columns: int) -> Tensor:
                    return torch.randn([rows, columns], device=torch.device(self.DEVICE)).to(self.TYPE)
                  def forward(self, x: Tensor, w: Tensor, onednn: bool) -> Tensor:
                    return self.convolved(x, w, None) if onednn else torch.linear(x, w)
                  """));
      this.manager = device.newManager();
      int patches = GRID.patches();
      float[] values = new float[patches * tower.patchSize()];
      for (int i = 0; i < values.length; i++) {
        values[i] = (i * 31 % 101) / 50f - 1;
      }
      ImageSize size = new ImageSize(980, 980);
      ImagePatches seen = new ImagePatches(size, size, GRID, 2, values);
      this.picture =
          TowerInput.of(
              manager, tower, List.of(seen), LongStream.range(0, seen.tokens()).toArray());
      for (Parameter parameter : DecoderParameters.tower(spec)) {
        if (parameter.shape().size() > 1) {
          int out = parameter.shape().getFirst();
          var shape = new LinearBackends.Shape(out, (int) (parameter.size() / out));
          boolean merged = parameter.name().contains("merger");
          rows.merge(shape, (long) (merged ? seen.tokens() : patches), Long::sum);
        }
      }
      double windows = runs(picture.windows()) * (layers() - tower.fullAttention().size());
      double wholes = runs(picture.wholes()) * tower.fullAttention().size();
      this.attention = 4.0 * tower.hidden() * (windows + wholes);
    }

    private int layers() {
      return tower.layers();
    }

    /** Sum of the squares of the lengths. */
    private static double runs(NDArray runs) {
      long[] all = runs.toLongArray();
      double sum = 0;
      for (int i = 0; i < all.length; i += 2) {
        sum += (double) all[i] * all[i + 1] * all[i + 1];
      }
      return sum;
    }

    void round() {
      rows.keySet().forEach(this::product);
      try (NDManager owner = manager.newSubManager()) {
        double start = computed();
        decoder.features(owner, parameters, picture).close();
        seconds = Math.min(seconds, computed() - start);
      }
    }

    /** Seconds that this thread has computed. */
    private static double computed() {
      return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() * 1e-9;
    }

    /** Seconds of one product of all patches, by the faster way. */
    private void product(LinearBackends.Shape shape) {
      long count = shape.within() == 4 * tower.hidden() ? GRID.tokens(2) : GRID.patches();
      try (NDManager owner = manager.newSubManager()) {
        NDArray x = products.call(owner, "random", count, shape.within()).singletonOrThrow();
        NDArray w = products.call(owner, "random", shape.columns(), shape.within()).head();
        for (boolean onednn :
            dtype == Dtype.BF16 ? new boolean[] {false} : new boolean[] {false, true}) {
          double start = computed();
          NDList found = products.call(owner, "forward", x, w, onednn);
          double rate = 2.0 * count * shape.columns() * shape.within() / (computed() - start);
          found.close();
          best.merge(shape, rate, Math::max);
        }
      }
    }

    /** Operations of all products. */
    private double linear() {
      return rows.entrySet().stream()
          .mapToDouble(e -> 2.0 * e.getValue() * e.getKey().columns() * e.getKey().within())
          .sum();
    }

    /** Operations a second of the products alone. */
    private double alone() {
      double time =
          rows.entrySet().stream()
              .mapToDouble(
                  e ->
                      2.0
                          * e.getValue()
                          * e.getKey().columns()
                          * e.getKey().within()
                          / best.getOrDefault(e.getKey(), 1.0))
              .sum();
      return linear() / time;
    }

    double share() {
      return (linear() + attention) / seconds / alone();
    }

    @Override
    public String toString() {
      return "%.2f s for %.2f TFLOP of products and %.2f of attention: %.0f GFLOP/s, products alone %.0f, the best of them %.0f, share %.2f"
          .formatted(
              seconds,
              linear() * 1e-12,
              attention * 1e-12,
              (linear() + attention) / seconds * 1e-9,
              alone() * 1e-9,
              best.values().stream().mapToDouble(d -> d).max().orElse(0) * 1e-9,
              share());
    }

    @Override
    public void close() {
      decoder.close();
      products.close();
      parameters.close();
      manager.close();
    }
  }
}
