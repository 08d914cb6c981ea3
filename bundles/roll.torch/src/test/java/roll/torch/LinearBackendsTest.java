package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.util.Utils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.testkit.SmallDecoder;
import roll.torch.LinearBackends.Choice;
import roll.torch.LinearBackends.Rates;
import roll.torch.LinearBackends.Shape;
import roll.torch.model.Decoder;

/** The products of linear layers by libtorch and by oneDNN. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LinearBackendsTest {
  private static final Shape SQUARE = new Shape(96, 96);
  private static final Shape WIDE = new Shape(160, 96);

  /** Products, and their gradients given that of the result. */
  private static final String GRADIENTS =
      """
      def with_gradients(self, x: Tensor, w: Tensor, b: Tensor, by: Tensor) -> List[Tensor]:
        x = x.to(self.FORMAT).requires_grad_(True)
        w = w.to(self.FORMAT).requires_grad_(True)
        b = b.to(self.FORMAT).requires_grad_(True)
        y = self.faster_product(x, w, b)
        found = torch.grad([y], [x, w, b], annotate(List[Optional[Tensor]], [by.to(self.FORMAT)]))
        gradients = annotate(List[Tensor], [])
        for g in found:
          assert g is not None
          gradients.append(g)
        return [y.detach()] + gradients

      def error(self, a: Tensor, b: Tensor) -> Tensor:
        a = a.to(7)
        return ((b.to(7) - a).abs().max() / a.abs().max()).to(6)
      """;

  @TempDir private Path folder;
  @AutoClose private final Device device = Device.cpu(1);

  private LinearBackends ways(Choice choice) {
    return ways(choice, true);
  }

  private LinearBackends ways(Choice choice, boolean right) {
    LinearRateFile file = new LinearRateFile(folder.resolve("linear.json"), "here");
    return new LinearBackends(device, file, choice, _ -> right);
  }

  private Kernels kernels(Choice choice, int format) {
    return Kernels.compile(
        device,
        Map.of("MANY_ROWS", LinearBackends.MANY_ROWS, "FORMAT", format),
        List.of(
            Kernels.source(Decoder.class, "linear.py"),
            ways(choice).source(Set.of(SQUARE)),
            GRADIENTS));
  }

  /**
   * Result and gradients of {@code rows} samples of 8 rows each, in number format 6 (f32), 7 (f64)
   * or 15 (bf16).
   */
  private double error(int samples, int format) {
    try (NDManager manager = device.newManager();
        Kernels libtorch = kernels(Choice.LIBTORCH, format);
        Kernels onednn = kernels(Choice.ONEDNN, format)) {
      NDArray x = manager.randomNormal(new ai.djl.ndarray.types.Shape(samples, 8, 96));
      NDArray w = manager.randomNormal(new ai.djl.ndarray.types.Shape(160, 96));
      NDArray b = manager.randomNormal(new ai.djl.ndarray.types.Shape(160));
      NDArray by = manager.randomNormal(new ai.djl.ndarray.types.Shape(samples, 8, 160));
      NDList expected = libtorch.record(manager, "with_gradients", x, w, b, by);
      NDList found = onednn.record(manager, "with_gradients", x, w, b, by);
      assertEquals(4, expected.size());
      double worst = 0;
      for (int i = 0; i < 4; i++) {
        assertEquals(expected.get(i).getShape(), found.get(i).getShape());
        NDList error = libtorch.call(manager, "error", expected.get(i), found.get(i));
        worst = Math.max(worst, error.singletonOrThrow().getFloat());
      }
      return worst;
    }
  }

  @ParameterizedTest
  @CsvSource({"27, 6", "40, 6"})
  void bothWaysAgree(int samples, int format) {
    double error = device.call(() -> error(samples, format));
    assertTrue(error > 0 && error < 1e-5, () -> "error " + error);
  }

  @ParameterizedTest
  @CsvSource({"15, 6", "26, 6", "40, 7", "40, 15"})
  void fewRowsAndOtherFormatsAreLibtorchs(int samples, int format) {
    assertEquals(0, device.<Double>call(() -> error(samples, format)));
  }

  @Test
  void shapesAreMeasuredOnce() throws Exception {
    Map<Shape, Rates> first = device.call(() -> ways(Choice.AUTO).rates(List.of(WIDE, SQUARE)));
    assertEquals(Set.of(WIDE, SQUARE), first.keySet());
    first.values().forEach(rates -> assertTrue(rates.libtorch() > 0 && rates.onednn() > 0));
    assertEquals(first, device.call(() -> ways(Choice.AUTO).rates(List.of(WIDE, SQUARE))));
    Path file = folder.resolve("linear.json");
    Files.writeString(
        file, Files.readString(file).replaceAll("\"onednn\": [\\d.]+", "\"onednn\": 1e9"));
    String all = device.call(() -> ways(Choice.AUTO).source(List.of(WIDE, SQUARE)));
    assertTrue(all.contains("(columns == 96 and within == 96) or (columns == 160"), all);
    assertEquals(Set.of(WIDE), device.call(() -> ways(Choice.AUTO).byOneDnn(List.of(WIDE))));
    assertEquals(Set.of(), device.call(() -> ways(Choice.AUTO, false).byOneDnn(List.of(WIDE))));
    Files.writeString(file, Files.readString(file).replace("1e9", "1"));
    String none = device.call(() -> ways(Choice.AUTO).source(List.of(WIDE, SQUARE)));
    assertEquals(LinearBackends.libtorchOnly(), none);
    assertEquals(Set.of(), device.call(() -> ways(Choice.AUTO).byOneDnn(List.of(WIDE))));
  }

  /** Whole, its weight would take 1 TiB. */
  @Test
  void ofALargeShapeAPartIsMeasured() {
    Shape large = new Shape(1 << 24, 1 << 14);
    Rates rates = device.call(() -> ways(Choice.AUTO).rates(List.of(large))).get(large);
    assertTrue(rates.libtorch() > 0 && rates.onednn() > 0, rates.toString());
  }

  /** A model that multiplies in bf16 needs no f32 rates. */
  @Test
  void ofAModelInBf16NothingIsMeasured() throws Exception {
    DecoderSpec odd = SmallDecoder.decoder(1_048_573, 16, 24, 2, 4, 2, EnumSet.noneOf(Trait.class));
    List<String> sources =
        device.call(() -> Decoder.sources(device, odd, Precision.of(Dtype.BF16)));
    assertTrue(sources.contains(LinearBackends.libtorchOnly()), sources.toString());
    Path kept = Utils.getCacheDir().resolve("linear.json");
    assertFalse(Files.exists(kept) && Files.readString(kept).contains("1048573x16"));
  }

  @Test
  void oneWayForAllIsNotMeasured() {
    device.call(() -> ways(Choice.ONEDNN).source(List.of(WIDE)));
    device.call(() -> ways(Choice.LIBTORCH).source(List.of(WIDE)));
    assertEquals(Set.of(WIDE), device.call(() -> ways(Choice.ONEDNN).byOneDnn(List.of(WIDE))));
    assertEquals(Set.of(), device.call(() -> ways(Choice.LIBTORCH).byOneDnn(List.of(WIDE))));
    assertFalse(Files.exists(folder.resolve("linear.json")));
  }

  @Test
  void theVariableNamesAWay() {
    assertEquals(Choice.AUTO, LinearBackends.choice(null));
    assertEquals(Choice.AUTO, LinearBackends.choice("auto"));
    assertEquals(Choice.LIBTORCH, LinearBackends.choice("libtorch"));
    assertEquals(Choice.ONEDNN, LinearBackends.choice("onednn"));
    assertNull(LinearBackends.choice("mkl"));
  }

  @Test
  void shapesAreWrittenAsTheyAreRead() {
    assertEquals(WIDE, Shape.parse(WIDE.toString()));
    for (String none : List.of("", "160", "160x0", "-1x2", "160x1234567890", "1x2x3")) {
      assertNull(Shape.parse(none), none);
    }
  }

  @Test
  void shapesOfAModelInEachPrecision() {
    DecoderSpec model = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.TIED_HEAD));
    DecoderSpec critic = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.VALUE_HEAD));
    Precision wide = new Precision(Dtype.BF16, true, 1);
    assertEquals(Decoder.linear(model), Decoder.linear(model, Precision.of(Dtype.FP32)));
    assertEquals(Set.of(), Decoder.linear(model, Precision.of(Dtype.BF16)));
    assertEquals(Set.of(new Shape(11, 16)), Decoder.linear(model, wide));
    assertEquals(Set.of(), Decoder.linear(critic, wide));
  }

  @Test
  void shapesOfAModel() {
    DecoderSpec untied = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.noneOf(Trait.class));
    Set<Shape> layers =
        Set.of(new Shape(16, 16), new Shape(8, 16), new Shape(24, 16), new Shape(16, 24));
    Set<Shape> withHead = new HashSet<>(layers);
    withHead.add(new Shape(11, 16));
    assertEquals(withHead, Decoder.linear(untied));
    assertEquals(
        withHead,
        Decoder.linear(SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.TIED_HEAD))));
    assertEquals(
        layers,
        Decoder.linear(SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.VALUE_HEAD))));
  }
}
