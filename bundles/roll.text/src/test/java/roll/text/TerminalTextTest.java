package roll.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TerminalTextTest {
  @Test
  void whatMovesTheCursorOrTurnsTheTextIsNotShown() {
    assertEquals(
        "a\uFFFDb\uFFFD[2J\uFFFD\uFFFD\n\té\u200d😀",
        TerminalText.visible("a\u202eb\u001b[2J\r\u009b\n\té\u200d😀"));
    for (char mark : "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069".toCharArray()) {
      assertEquals("x\uFFFDy", TerminalText.visible("x" + mark + "y"));
      assertEquals("x\\u%04xy".formatted((int) mark), TerminalText.escaped("x" + mark + "y"));
    }
    assertEquals("a\nb", TerminalText.escaped("a\nb"));
  }
}
