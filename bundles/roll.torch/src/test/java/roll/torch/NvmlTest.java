package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a library with the functions of NVIDIA's, as its header declares them. */
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
    Path source = Files.writeString(folder.resolve("nvml.c"), DRIVER);
    Path library = folder.resolve("nvml.so");
    try {
      Process compiler =
          new ProcessBuilder(
                  "gcc", "-shared", "-fPIC", "-DINIT=" + init, "-o", "" + library, "" + source)
              .inheritIO()
              .start();
      assertEquals(0, compiler.waitFor());
    } catch (IOException missing) {
      assumeTrue(false, "no gcc on the PATH");
    }
    return library.toString();
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
    List<String> lines = TorchDevices.unused(report);
    assertEquals(
        "Card A, 80.0 GiB, driver 570.86.15: not used, roll computes on the CPU so far",
        lines.getFirst());
    assertEquals(2, lines.size());
  }

  @Test
  void aDriverThatDoesNotStartIsNone(@TempDir Path folder) throws Exception {
    assertEquals(Optional.empty(), Nvml.report(library(folder, 9)));
  }

  @Test
  void noLibraryIsNoDriver() {
    assertEquals(Optional.empty(), Nvml.report("libno-such-driver.so.1"));
  }

  @Test
  void thisMachineHasACoreAtLeast() {
    Devices devices = Devices.on(Device.cpu(2));
    try {
      TorchDevices inspector = new TorchDevices(devices);
      assertEquals(2, inspector.devices().size());
      assertEquals(1, inspector.devices().getLast().number());
      assertTrue(inspector.devices().getFirst().memory() > 1 << 28);
      assertTrue(inspector.library().startsWith("libtorch 2."), inspector.library());
    } finally {
      devices.close();
    }
  }
}
