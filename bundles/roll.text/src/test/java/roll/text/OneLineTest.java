package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void whatMovesTheCursorIsASpace() {
    assertEquals("a b c d e [31m", OneLine.of("a\nb\rc\td\u2028e\u001b[31m\u0085"));
    assertEquals("left right", OneLine.of("left\u202eright"));
  }

  @Test
  void halfOfAPairIsReplaced() {
    assertEquals("a\uFFFDb😀", OneLine.of("a\ud83db😀"));
  }

  @Test
  void whatIsEndlessIsCut() {
    String line = OneLine.of("😀".repeat(1_000_000));
    assertEquals(1002, line.codePointCount(0, line.length()));
    assertTrue(line.endsWith("😀 …"));
    assertEquals("x".repeat(1000), OneLine.of("x".repeat(1000)));
  }

  @Test
  void anExceptionThatThrowsIsItsClass() {
    Throwable hostile =
        new RuntimeException("no") {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new StackOverflowError();
          }
        };
    assertEquals(hostile.getClass().getName(), OneLine.of(hostile));
    assertEquals(hostile.getClass().getName(), OneLine.stack(hostile));
    assertEquals(
        "java.lang.IllegalStateException: two lines",
        OneLine.of(new IllegalStateException("two\nlines")));
  }
}
