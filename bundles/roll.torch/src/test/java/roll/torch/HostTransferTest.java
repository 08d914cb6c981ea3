package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same in place and by copies through a buffer of 16 bytes, as with a card. */
final class HostTransferTest {
  private static void with(boolean direct, BiConsumer<HostTransfer, NDManager> test) {
    try (Device device = direct ? Device.cpu(1) : Device.cpuByCopies(1, 16)) {
      device.call(
          () -> {
            try (NDManager manager = device.newManager()) {
              test.accept(device.transfer(), manager);
            }
            return true;
          });
    }
  }

  private static NDArray six(NDManager manager) {
    return manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partsAreReadAndWritten(boolean direct) {
    with(
        direct,
        (transfer, manager) -> {
          NDArray tensor = six(manager);
          float[] heap = new float[2];
          transfer.read(tensor, 8, MemorySegment.ofArray(heap));
          assertArrayEquals(new float[] {3, 4}, heap);
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(24);
            transfer.read(tensor, 0, memory);
            assertArrayEquals(tensor.toFloatArray(), memory.toArray(ValueLayout.JAVA_FLOAT));
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 60);
            transfer.write(tensor, 20, memory.asSlice(0, 4));
          }
          transfer.write(tensor, 0, MemorySegment.ofArray(new float[] {10, 20}));
          assertArrayEquals(new float[] {10, 20, 3, 4, 5, 60}, tensor.toFloatArray());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTensorIsFilledFromItsBeginningToItsEnd(boolean direct) {
    with(
        direct,
        (transfer, manager) -> {
          NDArray tensor = six(manager);
          List<Long> firsts = new ArrayList<>();
          transfer.fill(
              tensor,
              (first, part) -> {
                firsts.add(first);
                for (long i = 0; i < part.byteSize() / Float.BYTES; i++) {
                  part.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) (first / Float.BYTES + i));
                }
              });
          assertEquals(direct ? List.of(0L) : List.of(0L, 16L), firsts);
          assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, tensor.toFloatArray());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void zerosAndCopiesStayOnTheDevice(boolean direct) {
    with(
        direct,
        (transfer, manager) -> {
          NDArray tensor = six(manager);
          transfer.zero(tensor, 12);
          assertArrayEquals(new float[] {0, 0, 0, 4, 5, 6}, tensor.toFloatArray());
          transfer.copy(manager.create(new float[] {7, 8}), tensor, 12);
          assertArrayEquals(new float[] {0, 0, 0, 7, 8, 6}, tensor.toFloatArray());
          transfer.zero(tensor);
          assertArrayEquals(new float[6], tensor.toFloatArray());
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatDoesNotFitIsRefused(boolean direct) {
    with(
        direct,
        (transfer, manager) -> {
          NDArray tensor = six(manager);
          MemorySegment eight = MemorySegment.ofArray(new float[2]);
          assertThrows(IndexOutOfBoundsException.class, () -> transfer.read(tensor, 20, eight));
          assertThrows(IndexOutOfBoundsException.class, () -> transfer.write(tensor, 20, eight));
          assertThrows(IndexOutOfBoundsException.class, () -> transfer.copy(tensor, tensor, 4));
          assertThrows(IndexOutOfBoundsException.class, () -> transfer.zero(tensor, 25));
          assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, tensor.toFloatArray());
        });
  }
}
