package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.RandomStreams;

/** Copies through two buffers, against {@link CopyLibrary}. */
@Tag("processes")
final class CudaReadsTest {
  /** Less than a buffer, one, two, and parts of a third; all one after the other. */
  @Test
  void allPartsArrive(@TempDir Path folder) throws Exception {
    CopyLibrary library = new CopyLibrary(folder);
    CudaReads reads = library.reads(64);
    assertEquals(Optional.empty(), reads.missing());
    try (Arena arena = Arena.ofShared()) {
      List<CudaReads.Part> parts =
          IntStream.of(8, 64, 128, 136, 200, 0, 4)
              .mapToObj(size -> new CudaReads.Part(random(arena, size), arena.allocate(size)))
              .toList();
      reads.after(CopyLibrary.CARD, parts).run();
      for (CudaReads.Part part : parts) {
        assertArrayEquals(bytes(part.from()), bytes(part.to()));
      }
    }
    assertEquals(1 + 1 + 2 + 3 + 4 + 1, library.copies());
    assertEquals(0, library.left());
  }

  private static MemorySegment random(Arena arena, int size) {
    RandomGenerator random = RandomStreams.of(size, "numbers");
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void anErrorIsThrownAndNothingLeft(@TempDir Path folder) throws Exception {
    CopyLibrary library = new CopyLibrary(folder);
    library.fail(700);
    try (Arena arena = Arena.ofShared()) {
      CudaReads.Part part = new CudaReads.Part(random(arena, 70), arena.allocate(70));
      Runnable copying = library.reads(64).after(CopyLibrary.CARD, List.of(part));
      assertEquals(
          "cudaMemcpyAsync failed with error 700",
          assertThrows(IllegalStateException.class, copying::run).getMessage());
    }
    assertEquals(0, library.left());
  }

  @Test
  void whatIsMissingIsNamed(@TempDir Path folder) throws Exception {
    CudaRuntime none = CudaRuntime.at("libno-such-cudart.so.12");
    assertEquals(
        Optional.of("aoti_torch_get_current_cuda_stream"),
        new CudaReads(NativeLibrary.none(), none, 64).missing());
    NativeLibrary torch = CudaLibrary.SINCE_2_8.open(folder);
    assertEquals(Optional.of("cudaEventCreateWithFlags"), new CudaReads(torch, none, 64).missing());
  }
}
