package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.torch.StepRecorder.Recording;
import roll.torch.foreign.CudaGraphs;
import roll.torch.foreign.CudaLibrary;
import roll.torch.foreign.NativeLibrary;

/** Recordings of work that starts kernels, against {@link CudaLibrary}. */
@Tag("processes")
final class CudaGraphRecorderTest {
  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void workWarmsUpAndIsCapturedOnce(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    AtomicInteger runs = new AtomicInteger();
    AtomicInteger trims = new AtomicInteger();
    CudaGraphRecorder recorder =
        new CudaGraphRecorder(
            new CudaGraphs(library, library), CudaLibrary.CARD, trims::incrementAndGet);
    Runnable work =
        () -> {
          runs.incrementAndGet();
          assertEquals(0, library.code("start_kernel"));
        };
    Recording recording = recorder.record(work);
    assertEquals(3, runs.get());
    assertEquals(1, trims.get());
    assertEquals(2, library.code("works"));
    assertEquals(1, library.code("captured_kernels"));
    recording.replay();
    assertEquals(3, library.code("works"));
    assertEquals(3, runs.get());
    recording.close();
  }

  /** Recordings share a pool as long as one of them is open; then libtorch forgets it. */
  @ParameterizedTest
  @EnumSource(CudaLibrary.class)
  void openRecordingsShareAPool(CudaLibrary version, @TempDir Path folder) throws Exception {
    NativeLibrary library = version.open(folder);
    CudaGraphRecorder recorder =
        new CudaGraphRecorder(new CudaGraphs(library, library), CudaLibrary.CARD, () -> {});
    Recording first = recorder.record(() -> {});
    int pool = library.code("last_pool");
    Recording second = recorder.record(() -> {});
    assertEquals(pool, library.code("last_pool"));
    first.close();
    Recording third = recorder.record(() -> {});
    assertEquals(pool, library.code("last_pool"));
    second.close();
    third.close();
    recorder.record(() -> {}).close();
    assertNotEquals(pool, library.code("last_pool"));
  }
}
