package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a library with the functions of NVIDIA's, as its header declares them. */
@Tag("processes")
final class NvmlTest {
  private static final String DRIVER =
      """
      #include <string.h>
      typedef struct { unsigned long long total, free, used; } memory_t;
      static int cards[2];
      int nvmlInit_v2(void) { return INIT; }
      int nvmlShutdown(void) { return 0; }
      int nvmlSystemGetDriverVersion(char *text, unsigned length) {
        return length < 80 ? 7 : (strcpy(text, "570.86.15"), 0);
      }
      int nvmlDeviceGetCount_v2(unsigned *count) { *count = 3; return 0; }
      int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
        if (index == 2) return 15; /* lost */
        *device = &cards[index];
        return 0;
      }
      int nvmlDeviceGetName(void *device, char *name, unsigned length) {
        return length < 96 ? 7 : (strcpy(name, device == &cards[0] ? "Card A" : "Card B"), 0);
      }
      int nvmlDeviceGetMemoryInfo(void *device, memory_t *memory) {
        memory->total = device == &cards[0] ? 80ULL << 30 : 24ULL << 30;
        memory->used = 5ULL << 30;
        memory->free = memory->total - memory->used;
        return 0;
      }
      """;

  private static String library(Path folder, int init) throws IOException, InterruptedException {
    return CompiledLibrary.of(folder, DRIVER.replace("INIT", Integer.toString(init)));
  }

  @Test
  void cardsThatAnswerAreListed(@TempDir Path folder) throws Exception {
    Nvml.Report report = Nvml.report(library(folder, 0)).orElseThrow();
    assertEquals(
        new Nvml.Report(
            "570.86.15",
            List.of(
                new Nvml.Card("Card A", 80L << 30, 5L << 30),
                new Nvml.Card("Card B", 24L << 30, 5L << 30))),
        report);
  }

  @Test
  void aDriverThatDoesNotStartIsNone(@TempDir Path folder) throws Exception {
    assertEquals(Optional.empty(), Nvml.report(library(folder, 9)));
  }

  @Test
  void noLibraryIsNoDriver() {
    assertEquals(Optional.empty(), Nvml.report("libno-such-driver.so.1"));
  }
}
