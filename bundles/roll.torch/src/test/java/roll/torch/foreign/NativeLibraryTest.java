package roll.torch.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

/** Functions of the C library, and libraries that are not there. */
final class NativeLibraryTest {
  private final NativeLibrary library = NativeLibrary.standard();

  @Test
  void typesAreThoseOfTheArguments() {
    for (int i = 1; i < 3; i++) { // linked, and linked already
      assertEquals(i, library.code("abs", -i));
      assertEquals(1L << 40, library.call(ValueLayout.JAVA_LONG, "labs", -(1L << 40)));
      try (Arena arena = Arena.ofConfined()) {
        assertEquals(4L, library.call(ValueLayout.JAVA_LONG, "strlen", arena.allocateFrom("four")));
      }
    }
  }

  @Test
  void whatIsNotThereIsMissing() {
    assertEquals(NativeLibrary.MISSING, library.code("no_such_function", 1));
    NativeLibrary none = NativeLibrary.open("libno-such-library.so");
    assertFalse(none.present());
    assertFalse(none.has("abs"));
    assertEquals(NativeLibrary.MISSING, none.code("abs", 1));
  }

  @Test
  void aLibraryWithoutWhatIsNeededIsRefused() {
    assertEquals(
        "the C library has no function no_such_function: another version is needed",
        assertThrows(
                UserException.class,
                () -> library.requiring("the C library", List.of("abs", "no_such_function")))
            .getMessage());
  }
}
