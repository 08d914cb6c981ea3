package roll.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** SLF4J on a plain class path. */
class ProviderTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Loggers loggers =
      assertInstanceOf(Loggers.class, LoggerFactory.getILoggerFactory());

  @AfterEach
  void restore() {
    loggers.sendTo(LogConsole.standard());
  }

  @Test
  void fillsInTheArgumentsAndPrintsOneLine() {
    console(Level.WARN);
    logger().warn("{} of {} maps", 3, 4);
    assertEquals("WARN lake: 3 of 4 maps", text());
  }

  @Test
  void namesTheExceptionWithoutItsStack() {
    console(Level.WARN);
    logger().error("cannot read", new IllegalStateException("gone"));
    assertEquals("ERROR lake: cannot read (java.lang.IllegalStateException: gone)", text());
  }

  @Test
  void quietLoggersMayBeNamedTwice() {
    String before = System.setProperty(LogConsole.QUIET, "lake,lake");
    try {
      loggers.sendTo(LogConsole.standard());
    } finally {
      if (before == null) {
        System.clearProperty(LogConsole.QUIET);
      } else {
        System.setProperty(LogConsole.QUIET, before);
      }
    }
    assertFalse(logger().isInfoEnabled());
  }

  @Test
  void dropsWhatIsBelowTheThreshold() {
    console(Level.WARN);
    assertFalse(logger().isInfoEnabled());
    logger().info("quiet");
    assertEquals("", text());
  }

  @Test
  void loggersMadeEarlierFollowTheSink() {
    Logger early = logger();
    console(Level.TRACE);
    assertTrue(early.isTraceEnabled());
    early.trace("deep");
    assertEquals("TRACE lake: deep", text());
  }

  @Test
  void ofQuietLoggersOnlyErrorsArePrinted() {
    console(Level.WARN);
    for (String name : new String[] {"noisy", "noisy.inner", "noisyOther"}) {
      LoggerFactory.getLogger(name).warn("warning");
      LoggerFactory.getLogger(name).error("error");
    }
    assertEquals(
        List.of(
            "ERROR noisy: error",
            "ERROR noisy.inner: error",
            "WARN noisyOther: warning",
            "ERROR noisyOther: error"),
        text().lines().toList());
  }

  private void console(Level threshold) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    loggers.sendTo(new LogConsole(out, threshold, Set.of("noisy")));
  }

  private static Logger logger() {
    return LoggerFactory.getLogger("lake");
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8).strip();
  }
}
