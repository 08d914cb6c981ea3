package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** TorchScript from text. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KernelsTest {
  private static final String SOURCE =
      """
      # comments and empty lines are fine

      def scaled(self, x: Tensor, by: float, times: int, negate: bool) -> Tensor:
        for i in range(times):
          x = x * by
        return -x if negate else x

      def constants(self, x: Tensor) -> Tensor:
        return x * self.SMALL + self.COUNT if self.USED else x

      def weighted(self, x: Tensor, w: List[Tensor]) -> Tuple[Tensor, List[Tensor]]:
        return (x * w[0] + w[1], [x, w[0]])

      def cubed(self, x: Tensor, w: List[Tensor]) -> Tensor:
        return w[0] * x * x * x
      """;

  @AutoClose private final Device device = Device.cpu(1);

  /** Uses compiled kernels and a manager of tensors. */
  private interface Use<T> {
    T with(Kernels kernels, NDManager manager);
  }

  private <T> T with(Use<T> use) {
    return device.call(
        () -> {
          Map<String, Object> constants = Map.of("SMALL", 1e-5, "COUNT", 3, "USED", true);
          try (Kernels kernels = Kernels.compile(device, constants, List.of(SOURCE));
              NDManager manager = device.newManager()) {
            return use.with(kernels, manager);
          }
        });
  }

  private static NDArray two(NDManager manager) {
    return manager.create(2f);
  }

  @Test
  void numbersAndFlagsAreArguments() {
    float result =
        with((k, m) -> k.call(m, "scaled", two(m), 3.0, 2, true).singletonOrThrow().getFloat());
    assertEquals(-18, result);
  }

  @Test
  void constantsAreWrittenIntoTheSource() {
    float result = with((k, m) -> k.call(m, "constants", two(m)).singletonOrThrow().getFloat());
    assertEquals(3.00002f, result, 1e-6f);
  }

  @Test
  void listsGoInAndTuplesComeOutFlat() {
    float[] results =
        with(
            (k, m) -> {
              NDList found = k.call(m, "weighted", two(m), new NDList(two(m), m.create(5f)));
              return new float[] {
                found.get(0).getFloat(), found.get(1).getFloat(), found.get(2).getFloat()
              };
            });
    assertArrayEquals(new float[] {9, 2, 2}, results);
  }

  @Test
  void recordedCallsHaveGradients() {
    float[] gradients =
        with(
            (k, m) -> {
              NDArray x = two(m);
              NDArray w = m.create(5f);
              x.setRequiresGradient(true);
              w.setRequiresGradient(true);
              NDArray y = k.record(m, "cubed", x, new NDList(w)).singletonOrThrow();
              JniUtils.backward((PtNDArray) y, (PtNDArray) m.create(1f), false, false);
              return new float[] {x.getGradient().getFloat(), w.getGradient().getFloat()};
            });
    assertArrayEquals(new float[] {60, 8}, gradients); // 3·5·2², 2³
  }

  /** Kernels with the same source share a module, which outlives them. */
  @Test
  void aSourceIsCompiledOnce() {
    String source =
        KernelArchive.source(Map.of(), List.of("def f(self, x: int) -> int:\n  return x"));
    String other =
        KernelArchive.source(Map.of(), List.of("def f(self, x: int) -> int:\n  return -x"));
    device.call(
        () -> {
          CompiledModules modules = device.modules();
          assertSame(modules.get(device, source), modules.get(device, source));
          assertNotSame(modules.get(device, source), modules.get(device, other));
          return null;
        });
    float[] twice = new float[2];
    for (int i = 0; i < 2; i++) {
      twice[i] =
          with((k, m) -> k.call(m, "scaled", two(m), 3.0, 2, true).singletonOrThrow().getFloat());
    }
    assertArrayEquals(new float[] {-18, -18}, twice);
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> with((k, m) -> k.call(m, "constants", List.of())));
    assertThrows(
        IllegalArgumentException.class, () -> with((k, m) -> k.record(m, "scaled", two(m), 1)));
    assertThrows(EngineException.class, () -> with((k, m) -> k.call(m, "absent", two(m))));
  }

  @Test
  void aWrongSourceIsShownWithItsPlace() {
    String wrong = "def f(self, x: Tensor) -> Tensor:\n  return torch.no_such_thing(x)\n";
    EngineException failure =
        assertThrows(
            EngineException.class,
            () -> device.call(() -> Kernels.compile(device, Map.of(), List.of(wrong))));
    assertTrue(String.valueOf(failure.getMessage()).contains("no_such_thing"));
    assertThrows(
        IllegalArgumentException.class,
        () -> device.call(() -> Kernels.compile(device, Map.of(), List.of(SOURCE))));
    assertThrows(
        IllegalArgumentException.class, () -> Kernels.source(KernelsTest.class, "absent.py"));
  }
}
