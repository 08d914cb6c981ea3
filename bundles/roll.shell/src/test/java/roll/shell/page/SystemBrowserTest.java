package roll.shell.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each system has a program that opens addresses. */
class SystemBrowserTest {
  @Test
  void theProgramIsTheSystemsOwn() {
    assertEquals(List.of("xdg-open"), SystemBrowser.opener("Linux"));
    assertEquals(List.of("open"), SystemBrowser.opener("Mac OS X"));
    assertEquals("rundll32", SystemBrowser.opener("Windows 11").getFirst());
  }
}
