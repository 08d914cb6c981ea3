package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

final class TensorMemoryTest {
  private static void with(BiConsumer<Device, NDManager> test) {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              test.accept(device, manager);
            }
            return true;
          });
    }
  }

  @Test
  void whatIsWrittenIsInTheTensor() {
    with(
        (device, manager) -> {
          NDArray tensor = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
          MemorySegment memory = TensorMemory.of(tensor);
          assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, memory.toArray(ValueLayout.JAVA_FLOAT));
          memory.setAtIndex(ValueLayout.JAVA_FLOAT, 4, 50);
          assertArrayEquals(new float[] {1, 2, 3, 4, 50, 6}, tensor.toFloatArray());
        });
  }

  @Test
  void allTypesThereAre() {
    with(
        (device, manager) -> {
          assertEquals(24, TensorMemory.of(manager.create(new long[3])).byteSize());
          assertEquals(24, TensorMemory.of(manager.create(new double[3])).byteSize());
          assertEquals(12, TensorMemory.of(manager.create(new int[3])).byteSize());
          assertEquals(3, TensorMemory.of(manager.create(new boolean[3])).byteSize());
          assertEquals(3, TensorMemory.of(manager.create(new byte[3])).byteSize());
          assertEquals(4, TensorMemory.of(manager.create(1f)).byteSize());
          assertEquals(0, TensorMemory.of(manager.create(new Shape(0, 4))).byteSize());
          String narrow = "def narrow(self, x: Tensor) -> Tensor:\n  return x.to(15)\n";
          try (Kernels kernels = Kernels.compile(device, Map.of(), List.of(narrow))) {
            NDArray wide = manager.create(new float[] {1, -2});
            MemorySegment memory =
                TensorMemory.of(kernels.call(manager, "narrow", wide).singletonOrThrow());
            assertArrayEquals(
                new short[] {0x3F80, (short) 0xC000}, memory.toArray(ValueLayout.JAVA_SHORT));
          }
        });
  }

  @Test
  void aPartIsReadFromItsBeginningAndGapsAreRefused() {
    with(
        (device, manager) -> {
          NDArray tensor = manager.arange(0f, 12f).reshape(3, 4);
          String parts =
              """
              def rows(self, x: Tensor) -> Tensor:
                return x[1:]
              def columns(self, x: Tensor) -> Tensor:
                return x[:, 1:]
              def column(self, x: Tensor) -> Tensor:
                return x[2:, 1:]
              """;
          try (Kernels kernels = Kernels.compile(device, Map.of(), List.of(parts))) {
            NDArray rows = kernels.call(manager, "rows", tensor).singletonOrThrow();
            assertArrayEquals(
                new float[] {4, 5, 6, 7, 8, 9, 10, 11},
                TensorMemory.of(rows).toArray(ValueLayout.JAVA_FLOAT));
            NDArray one = kernels.call(manager, "column", tensor).singletonOrThrow();
            assertArrayEquals(
                new float[] {9, 10, 11}, TensorMemory.of(one).toArray(ValueLayout.JAVA_FLOAT));
            NDArray columns = kernels.call(manager, "columns", tensor).singletonOrThrow();
            assertThrows(IllegalArgumentException.class, () -> TensorMemory.of(columns));
          }
        });
  }
}
