package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a library with the functions of CUDA's runtime ({@code cuda_runtime_api.h}). */
@Tag("processes")
final class PinnedMemoryTest {
  private static final String RUNTIME =
      """
      #include <stddef.h>
      static void *pinned;
      static int device = -1;
      int cudaHostRegister(void *memory, size_t size, unsigned flags) {
        if (size != 4096 || flags != 0 || pinned) return 1;
        pinned = memory;
        *(long *) memory = 42;
        return 0;
      }
      int cudaHostUnregister(void *memory) {
        if (memory != pinned) return 1;
        pinned = NULL;
        return 0;
      }
      int cudaSetDevice(int number) { device = number; return number < 2 ? 0 : 101; }
      int cudaMemGetInfo(size_t *available, size_t *total) {
        *available = 1000 + device;
        *total = 2000;
        return 0;
      }
      """;

  @Test
  void memoryIsPinnedUntilItIsClosed(@TempDir Path folder) throws Exception {
    CudaRuntime cuda = CudaRuntime.at(CompiledLibrary.of(folder, RUNTIME));
    for (int i = 0; i < 2; i++) {
      try (PinnedMemory memory = new PinnedMemory(4096, cuda)) {
        assertTrue(memory.pinned());
        assertEquals(42, memory.segment().get(ValueLayout.JAVA_LONG, 0));
      }
    }
    try (PinnedMemory other = new PinnedMemory(100, cuda)) {
      assertFalse(other.pinned());
      other.segment().fill((byte) 1);
    }
  }

  @Test
  void memoryOfTheSelectedCardIsKnown(@TempDir Path folder) throws Exception {
    CudaRuntime cuda = CudaRuntime.at(CompiledLibrary.of(folder, RUNTIME));
    assertTrue(cuda.select(1));
    assertEquals(Optional.of(new CudaRuntime.CardMemory(1001, 2000)), cuda.memory());
    assertFalse(cuda.select(2));
  }

  /** A libtorch for CUDA 13 beside an older runtime: its own is used. */
  @Test
  void theRuntimeIsThatOfLibtorch(@TempDir Path folder) throws Exception {
    Path[] folders = new Path[3];
    for (int i = 0; i < folders.length; i++) {
      folders[i] = Files.createDirectory(folder.resolve("" + i));
    }
    String own = CompiledLibrary.of(folders[0], RUNTIME.replace("1000", "5000"));
    String libtorch = CompiledLibrary.of(folders[1], "int torch() { return 0; }", own);
    String other = CompiledLibrary.of(folders[2], RUNTIME);
    CudaRuntime cuda = CudaRuntime.first(Stream.of("libno-such-libtorch.so", libtorch, other));
    assertTrue(cuda.select(0));
    assertEquals(5000, cuda.memory().orElseThrow().free());
    CudaRuntime without = CudaRuntime.first(Stream.of("libno-such-libtorch.so", other));
    assertTrue(without.select(0));
    assertEquals(1000, without.memory().orElseThrow().free());
  }

  @Test
  void withoutCudaItIsMemoryLikeAnyOther() {
    CudaRuntime none = CudaRuntime.at("libno-such-cudart.so.12");
    assertEquals(Optional.empty(), none.memory());
    try (PinnedMemory memory = new PinnedMemory(100, none)) {
      assertFalse(memory.pinned());
      memory.segment().fill((byte) 1);
    }
  }
}
