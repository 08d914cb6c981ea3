package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a library with the functions of the driver ({@code cuda.h}). */
@Tag("processes")
final class CudaDriverTest {
  private static final String DRIVER =
      """
      #include <stddef.h>
      #include <string.h>
      int cuInit(unsigned flags) { return INIT; }
      int cuDeviceGetCount(int *count) { *count = 3; return 0; }
      int cuDeviceGet(int *device, int ordinal) {
        if (ordinal == LOST) return 101; /* CUDA_ERROR_INVALID_DEVICE */
        *device = 100 + ordinal;
        return 0;
      }
      int cuDeviceGetName(char *name, int length, int device) {
        strncpy(name, device == 100 ? "Card A" : "Card B", length);
        return 0;
      }
      int cuDeviceTotalMem_v2(size_t *bytes, int device) {
        *bytes = device == 100 ? 80ULL << 30 : 24ULL << 30;
        return 0;
      }
      int cuDeviceGetAttribute(int *value, int attribute, int device) {
        if (attribute != 75 && attribute != 76) return 1;
        *value = attribute == 75 ? 9 : device - 100;
        return 0;
      }
      """;

  private static List<CudaDriver.Card> cards(Path folder, int init, int lost) throws Exception {
    String source = DRIVER.replace("INIT", "" + init).replace("LOST", "" + lost);
    return CudaDriver.cards(CompiledLibrary.of(folder, source));
  }

  @Test
  void cardsAreInTheOrderOfTheirNumbers(@TempDir Path folder) throws Exception {
    assertEquals(
        List.of(
            new CudaDriver.Card("Card A", 80L << 30, "9.0"),
            new CudaDriver.Card("Card B", 24L << 30, "9.1"),
            new CudaDriver.Card("Card B", 24L << 30, "9.2")),
        cards(folder, 0, 7));
  }

  /** Cards after one that fails are omitted, as their numbers would be wrong. */
  @Test
  void whatIsBehindALostCardIsNotListed(@TempDir Path folder) throws Exception {
    assertEquals(1, cards(folder, 0, 1).size());
  }

  @Test
  void aDriverThatDoesNotStartHasNone(@TempDir Path folder) throws Exception {
    assertEquals(List.of(), cards(folder, 100, 7));
    assertEquals(List.of(), CudaDriver.cards("libno-such-driver.so.1"));
  }
}
