package roll.shell.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
  private final Table table =
      new Table().row("a", "one two three four five six").row("bcd", "x").row("", "");

  @Test
  void aLongLastCellGoesOnBelowItself() {
    String whole = "a    one two three four five six\nbcd  x\n";
    assertEquals(whole, table.unbounded());
    assertEquals(whole, table.toString(), "a test writes to no terminal");
    assertEquals(whole, table.within(32));
    assertEquals("a    one two three four five\n     six\nbcd  x\n", table.within(31));
    assertEquals("a    one two three four\n     five six\nbcd  x\n", table.within(25));
  }

  @Test
  void whereThereIsNoRoomLinesStayLong() {
    assertEquals(table.unbounded(), table.within(24));
    assertEquals("", new Table().within(10));
    String word = "w".repeat(30);
    assertEquals("a  " + word + "\n   b", new Table().row("a", word + " b").within(23));
  }

  @ParameterizedTest
  @CsvSource({"80, 80", "0, 2147483647", "'', 2147483647", "wide, 2147483647"})
  void theScriptSaysHowWideTheTerminalIs(String columns, int width) {
    assertEquals(width, TerminalWidth.columns(Map.of("COLUMNS", columns)));
  }
}
