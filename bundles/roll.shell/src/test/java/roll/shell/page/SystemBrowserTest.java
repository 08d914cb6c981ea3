package roll.shell.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each system has a program that opens addresses. */
class BrowserTest {
  @Test
  void theProgramIsTheSystemsOwn() {
    assertEquals(List.of("xdg-open"), Browser.opener("Linux"));
    assertEquals(List.of("open"), Browser.opener("Mac OS X"));
    assertEquals("rundll32", Browser.opener("Windows 11").getFirst());
  }
}
