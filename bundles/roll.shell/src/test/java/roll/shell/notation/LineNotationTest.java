package roll.shell.notation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser;
import org.jline.reader.Parser.ParseContext;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.shell.Gogo;

/** Arguments of commands as the real Gogo passes them. */
class LineNotationTest {
  /** Shows what it was called with. */
  public static final class Show {
    public String show(String... words) {
      return String.join(" ¦ ", words);
    }
  }

  private static String quoted(String line) {
    return LineNotation.quoted(line, "show"::equals);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "x=list(range(0,8)) y=1 # x=list(range(0,8)) ¦ y=1",
        "x=[wandb] # x=[wandb]",
        "+x=[console, 'wandb'] # +x=[console, 'wandb']",
        "x={a: [1, \"b c\"]} # x={a: [1, \"b c\"]}",
        "x[0]=a # x[0]=a",
        "x=* y=a?b # x=* ¦ y=a?b",
        "x=[${oc.env:HOME}] y=${oc.env:HOME} # x=[${oc.env:HOME}] ¦ y=${oc.env:HOME}",
        "x=[é𝄞|;&%$] # x=[é𝄞|;&%$]",
        "x=\\[a\\ b] # x=[a b]",
        "'x=[a]' \"y=[b]\" # x=[a] ¦ y=[b]",
        "\"a'b\" x=\"it's\" # a'b ¦ x=it's",
        "x=\"a\\\"b'c\" # x=a\"b'c",
        "~x x=1.0e-6 'a b' # ~x ¦ x=1.0e-6 ¦ a b",
        "[a b] # a ¦ b",
      })
  void aCommandIsGivenWhatStandsThere(String words, String given) throws Exception {
    try (Gogo gogo = new Gogo(new Show(), "show")) {
      assertEquals(given, gogo.run(quoted("show " + words.replace("%", "#"))).replace("#", "%"));
    }
  }

  /** A variable of the shell is filled in where the value has no brackets. */
  @Test
  void variablesAreFilledIn() throws Exception {
    try (Gogo gogo = new Gogo(new Show(), "show")) {
      gogo.session().put("dir", "here");
      assertEquals("x=here/a ¦ y=here", gogo.run(quoted("show x=$dir/a y=${dir}")));
    }
  }

  /** Commands follow each other, and each is looked at. */
  @Test
  void whatIsBetweenCommandsStays() {
    assertEquals(
        "show x=\\[a\\]; each [a b] { show $it } | show y=\\*>f &",
        quoted("show x=[a]; each [a b] { show $it } | show y=*>f &"));
  }

  /** Unclosed brackets continue in the next line, and other lines remain Gogo's. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {"show x=[a", "show x='a", "show x=it's", "other x=[a]", "x = [a b]"})
  void theRestIsGogos(String line) {
    assertEquals(line, quoted(line));
  }

  /** The shell's reader takes it over once; while a line is typed nothing is changed. */
  @Test
  void theReaderReadsIt() throws Exception {
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(
                new DumbTerminal(
                    new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream()))
            .build();
    try (Gogo gogo = new Gogo(new Show(), "show")) {
      gogo.session().put(".reader", reader);
      ShellNotation notation = new ShellNotation();
      notation.execute(gogo.session(), List.of());
      Parser parser = reader.getParser();
      notation.execute(gogo.session(), List.of());
      assertSame(parser, reader.getParser());
      String line = "show x=[a]";
      assertEquals(
          "show x=\\[a\\]", parser.parse(line, line.length(), ParseContext.ACCEPT_LINE).line());
      assertEquals(line, parser.parse(line, line.length(), ParseContext.COMPLETE).line());
    }
  }
}
