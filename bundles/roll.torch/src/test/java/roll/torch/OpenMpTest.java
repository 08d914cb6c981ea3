package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class OpenMpTest {
  private static final String POLICY = "OMP_WAIT_POLICY";
  private static final String SPINS = "GOMP_SPINCOUNT";

  /** Returns the C library's value; Java has an earlier copy. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void threadsSleepAfterAShortSpinUnlessTheUserSaysOtherwise() throws Throwable {
    OpenMp.waitShortly();
    String given = System.getenv(POLICY);
    assertEquals(Objects.requireNonNullElse(given, "passive"), nativeValue(POLICY));
    assertEquals(
        given == null
            ? Objects.requireNonNullElse(System.getenv(SPINS), "10000")
            : System.getenv(SPINS),
        nativeValue(SPINS));
  }

  @SuppressWarnings("restricted") // what a native library reads is to be seen
  private static @Nullable String nativeValue(String name) throws Throwable {
    Linker linker = Linker.nativeLinker();
    var getenv =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("getenv"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = (MemorySegment) getenv.invokeExact(arena.allocateFrom(name));
      return value.address() == 0 ? null : value.reinterpret(1000).getString(0);
    }
  }
}
