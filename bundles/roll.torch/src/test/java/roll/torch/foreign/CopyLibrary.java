package roll.torch.foreign;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A library in C with the functions of {@code cuda_runtime_api.h} and {@code shim.h} that copy on a
 * stream of their own. A copy has garbage as its result until the host has waited for it.
 */
public final class CopyLibrary {
  /** The only card. */
  public static final int CARD = 5;

  private static final String SOURCE =
      """
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>
      static void expect(int value) { if (!value) abort(); }
      typedef struct { int begun, copies; } event;
      typedef struct { char *to; const char *from; size_t bytes; } copy;
      static copy copies[10000];
      static int asked, made, waited, events, streams, failing, selected = -1;
      static volatile int held;
      static char computing, second;
      int hold(int value) { held = value; return 0; }
      int fail(int code) { failing = code; return 0; }
      int left() { return events + streams; }
      int copies_made() { return made; }
      int cudaGetLastError() { return 0; }
      int cudaSetDevice(int card) { selected = card; return 0; }
      int aoti_torch_get_current_cuda_stream(int card, void **found) {
        expect(card == 5);
        *found = &computing;
        return 0;
      }
      int cudaStreamCreateWithFlags(void **stream, unsigned flags) {
        expect(flags == 1 && selected == 5);
        streams++;
        waited = 0;
        *stream = &second;
        return 0;
      }
      int cudaStreamDestroy(void *stream) { expect(stream == &second); streams--; return 0; }
      int cudaEventCreateWithFlags(void **made, unsigned flags) {
        expect(flags == 2);
        events++;
        *made = calloc(1, sizeof(event));
        return 0;
      }
      int cudaEventDestroy(void *of) { events--; free(of); return 0; }
      int cudaEventRecord(event *of, void *stream) {
        of->begun = stream == &computing;
        of->copies = asked;
        return 0;
      }
      int cudaStreamWaitEvent(void *stream, event *of, unsigned flags) {
        expect(stream == &second && of->begun && flags == 0);
        waited = 1;
        return 0;
      }
      int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
        expect(kind == 2 && stream == &second && waited);
        if (failing) return failing;
        memset(to, 0xEE, bytes);
        copies[asked++] = (copy) {to, from, bytes};
        return 0;
      }
      static int make(int until) {
        while (held) usleep(1000);
        for (; made < until; made++) memcpy(copies[made].to, copies[made].from, copies[made].bytes);
        return 0;
      }
      int cudaEventSynchronize(event *of) { return make(of->copies); }
      int cudaStreamSynchronize(void *stream) { expect(stream == &second); return make(asked); }
      """;

  private final NativeLibrary library;
  private final CudaRuntime runtime;

  /** Compiles and opens it in {@code folder}. */
  public CopyLibrary(Path folder) throws IOException, InterruptedException {
    String path = CompiledLibrary.of(folder, SOURCE);
    this.library = NativeLibrary.open(path);
    this.runtime = CudaRuntime.at(path);
  }

  /** The reads of its card, with buffers of {@code size} bytes. */
  public CudaReads reads(long size) {
    return new CudaReads(library, runtime, size);
  }

  /** Blocks all that wait for copies until {@link #release}. */
  public void hold() {
    int unused = library.code("hold", 1);
  }

  /** Ends {@link #hold}. */
  public void release() {
    int unused = library.code("hold", 0);
  }

  /** Makes all copies fail with error {@code code}. */
  public void fail(int code) {
    int unused = library.code("fail", code);
  }

  /** The number of copies made. */
  public int copies() {
    return library.code("copies_made");
  }

  /** The number of streams and events that are not freed. */
  public int left() {
    return library.code("left");
  }
}
