package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Graphs of libtorch by the names of its versions, against {@link CudaLibrary}. */
@Tag("processes")
final class CudaGraphsTest {
  private static final int CARD = CudaLibrary.CARD;

  /** Captures what starts so many kernels. */
  private static CudaGraphs.Graph capture(CudaGraphs graphs, Runnable work) {
    MemorySegment stream = graphs.newStream();
    CudaGraphs.Graph[] captured = new CudaGraphs.Graph[1];
    graphs.on(
        stream, CARD, () -> captured[0] = graphs.capture(stream, CARD, graphs.newPool(), work));
    return captured[0];
  }

  private static Runnable kernels(NativeLibrary library, int count) {
    return () -> {
      for (int i = 0; i < count; i++) {
        assertEquals(0, library.code("start_kernel"));
      }
    };
  }

  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void aGraphStartsWhatWasCaptured(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    CudaGraphs graphs = new CudaGraphs(library, library);
    assertEquals(Optional.empty(), graphs.missing());
    assertNotEquals(graphs.newPool(), graphs.newPool());
    try (CudaGraphs.Graph graph = capture(graphs, kernels(library, 5))) {
      assertEquals(0, library.code("works"));
      graph.launch();
      graph.launch();
      assertEquals(10, library.code("works"));
    }
    assertEquals(1, library.code("freed_graphs"));
  }

  /** The capture ends, and its graph is freed. */
  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void aFailureOfTheWorkIsThrown(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    CudaGraphs graphs = new CudaGraphs(library, library);
    Runnable work =
        () -> {
          throw new IllegalArgumentException("of the work");
        };
    assertEquals(
        "of the work",
        assertThrows(IllegalArgumentException.class, () -> capture(graphs, work)).getMessage());
    assertEquals(0, library.code("capture_status"));
    assertEquals(1, library.code("freed_graphs"));
  }

  /**
   * Work that may not be captured invalidates the capture: libtorch would throw at its end, but
   * must not take it for an unfinished one.
   */
  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void anInvalidCaptureEnds(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    CudaGraphs graphs = new CudaGraphs(library, library);
    Runnable work = () -> assertEquals(0, library.code("invalidate"));
    assertEquals(
        "the card cannot capture this",
        assertThrows(IllegalStateException.class, () -> capture(graphs, work)).getMessage());
    assertEquals(0, library.code("capture_status"));
    assertEquals(0, library.code("captures_underway"));
    assertEquals(1, library.code("freed_graphs"));
    capture(graphs, kernels(library, 1)).close();
  }

  /** Errors of the card come as exceptions of Java. */
  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void errorsAreThrown(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    CudaGraphs graphs = new CudaGraphs(library, library);
    try (CudaGraphs.Graph graph = capture(graphs, kernels(library, 1))) {
      assertEquals(0, library.code("last_error", 700));
      assertThrows(IllegalStateException.class, graph::launch);
    }
    assertEquals(0, library.code("last_error", 0));
    if (version != CudaLibrary.UNTIL_2_7) {
      assertEquals(0, library.code("next_failure", 2));
      assertEquals(
          "cudaGraphInstantiateWithFlags failed with error 2",
          assertThrows(IllegalStateException.class, () -> capture(graphs, kernels(library, 1)))
              .getMessage());
      assertEquals(2, library.code("freed_graphs"));
    } else {
      assertEquals(0, library.code("free_memory", 1000L));
      assertThrows(IllegalStateException.class, () -> capture(graphs, kernels(library, 1)));
    }
  }

  /** A version whose object has other fields is found out before anything is launched. */
  @Test
  void aGraphThatIsNotFoundIsFreed(@TempDir Path folder) throws Exception {
    NativeLibrary library = CudaLibrary.UNTIL_2_7.open(folder);
    CudaGraphs graphs = new CudaGraphs(library, library);
    assertEquals(0, library.code("use_other_fields"));
    assertEquals(
        "this libtorch has other fields of graphs",
        assertThrows(IllegalStateException.class, () -> capture(graphs, kernels(library, 1)))
            .getMessage());
    assertEquals(1, library.code("freed_graphs"));
  }

  /** Without CUDA, and with libtorch alone. */
  @Test
  void whatIsMissingIsNamed(@TempDir Path folder) throws Exception {
    NativeLibrary none = NativeLibrary.open("libno-such-library.so");
    assertEquals(Optional.of("_ZN2at4cuda9CUDAGraphC1Ev"), new CudaGraphs(none, none).missing());
    NativeLibrary torch = CudaLibrary.SINCE_2_8.open(folder);
    assertEquals(Optional.of("cudaDeviceSynchronize"), new CudaGraphs(torch, none).missing());
  }
}
