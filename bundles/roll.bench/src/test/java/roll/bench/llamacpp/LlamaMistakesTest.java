package roll.bench.llamacpp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.option.UserException;

/** Whatever a file is, a mistake is one line that names it. */
class LlamaMistakesTest {
  private static final String EXPECTED = ", " + LlamaScan.EXPECTED + " expected";

  private static String mistake(String word, Path folder) {
    UserException thrown =
        assertThrows(UserException.class, () -> LlamaOutput.read(word, folder), word);
    assertTrue(thrown.getMessage().lines().count() == 1, thrown::getMessage);
    assertTrue(thrown.getMessage().length() < 300, thrown::getMessage);
    return thrown.getMessage();
  }

  private static String inText(Path folder, String text) throws IOException {
    Files.writeString(folder.resolve("a"), text);
    String prefix = "bench compare: a";
    String message = mistake("a", folder);
    assertTrue(message.startsWith(prefix), message);
    return message.substring(prefix.length());
  }

  @Test
  void refusesWhatIsNoFile(@TempDir Path folder) throws IOException {
    assertEquals("bench compare: a: no such file found" + EXPECTED, mistake("a", folder));
    assertEquals("bench compare: : no such file found" + EXPECTED, mistake("f32=", folder));
    assertEquals("bench compare: \\u0000: no such file found" + EXPECTED, mistake("\0", folder));
    Files.createDirectory(folder.resolve("b"));
    assertEquals("bench compare: b: a folder found" + EXPECTED, mistake("bf16=b", folder));
  }

  @Test
  void refusesWhatIsNoText(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a");
    Files.write(file, new byte[] {'G', 'G', 'U', 'F', 3, 0, 0, 0});
    assertEquals(
        "bench compare: a: a binary file found, text in UTF-8 expected", mistake("a", folder));
    Files.writeString(file, Printed.text("bench.md"), StandardCharsets.UTF_16);
    assertEquals("bench compare: a: UTF-16 found, text in UTF-8 expected", mistake("a", folder));
    Files.write(file, new byte[] {(byte) 0xFF, (byte) 0xFE, '|', 0});
    assertEquals("bench compare: a: UTF-16 found, text in UTF-8 expected", mistake("a", folder));
    Files.writeString(file, Printed.text("bench.md"), StandardCharsets.ISO_8859_1);
    assertEquals(
        "bench compare: a: another encoding found, text in UTF-8 expected", mistake("a", folder));
    Files.write(file, new byte[10_000_001]);
    assertEquals("bench compare: a: more than 10 MB found" + EXPECTED, mistake("a", folder));
  }

  @Test
  void refusesWhatHasNoFigures(@TempDir Path folder) throws IOException {
    assertEquals(": nothing found" + EXPECTED, inText(folder, ""));
    assertEquals(": nothing found" + EXPECTED, inText(folder, " \n\r\n"));
    assertEquals(": no table found" + EXPECTED, inText(folder, "error: failed to load model\n"));
    assertEquals(
        ": no table found" + EXPECTED, inText(folder, "INSERT INTO test (n_prompt, n_gen"));
    assertEquals(": no table found" + EXPECTED, inText(folder, "[\n]\n"));
    assertEquals(
        ": no row found" + EXPECTED,
        inText(folder, "| model | test | t/s |\n| --- | --- | --- |\n"));
    assertEquals(
        ":1: a table that begins with | Name | Age | found" + EXPECTED,
        inText(folder, "| Name | Age |\n| --- | --- |\n| Ada | 36 |\n"));
  }

  /** {@code ;} stands for the bar between cells. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '/',
      textBlock =
          """
          a F32; pp8; 1.0 ± / t_s '1.0 ±' found, tokens per second above 0
          a F32; pp8; nan ± nan; / t_s 'nan ± nan' found, tokens per second above 0
          a F32; pp8; 0.00 ± 0.00; / t_s '0.00 ± 0.00' found, tokens per second above 0
          a F32; pp8; -1.00; / t_s '-1.00' found, tokens per second above 0
          a F32; pp8; inf; / t_s 'inf' found, tokens per second above 0
          a F32; pp8; 1e5; / t_s '1e5' found, tokens per second above 0
          a F32; pp8; ; / t_s '' found, tokens per second above 0
          a F32; pp8; 1.0 / a row that is cut off found, 3 columns
          a F32; pp8; / 2 columns found, 3 columns
          a F32; pp8; 1.0; 2.0; / 4 columns found, 3 columns
          a F32; qq8; 1.0; / test 'qq8' found, a test such as pp224 or tg32 @ d224
          a F32; pp9999999999; 1.0; / test 'pp9999999999' found, a test such as pp224 or tg32 @ d224
          a F32; pp0; 1.0; / a test of 0 tokens found, a prompt or generated tokens
          a F32; ; 1.0; / a test of 0 tokens found, a prompt or generated tokens
          """)
  void refusesRowsOfMarkdown(String row, String expected, @TempDir Path folder) throws IOException {
    String text = "| model | test | t_s |\n| --- | --- | --- |\n| " + row;
    if (row.equals("a F32; pp8; 1.0 ±")) {
      text += ";";
    }
    String message =
        inText(folder, text.replace(';', '|').replace("t_s", "t/s")).replace("t/s", "t_s");
    assertEquals(":3: " + expected + " expected", message);
  }

  @Test
  void refusesRowsOfCsv(@TempDir Path folder) throws IOException {
    String header = "model_type,n_prompt,n_gen,avg_ts\n";
    assertEquals(
        ":2: a row that is cut off found, 4 columns expected",
        inText(folder, header + "\"a b F32\",\"8\",\"0\",\"1.5"));
    assertEquals(
        ":2: a row that is cut off found, 4 columns expected",
        inText(folder, header + "\"a b F32\"x,\"8\",\"0\",\"1.5\""));
    assertEquals(
        ":3: 2 columns found, 4 columns expected",
        inText(folder, header + "a b F32,8,0,1.5\na b F32,8"));
    assertEquals(
        ":2: n_prompt '8.5' found, a whole number of at least 0 expected",
        inText(folder, header + "\"a b F32\",\"8.5\",\"0\",\"1.5\""));
    assertEquals(
        ":1: CSV columns model_type,n_prompt,n_gen found" + EXPECTED,
        inText(folder, "model_type,n_prompt,n_gen\na,1,2\n"));
  }

  @Test
  void refusesJson(@TempDir Path folder) throws IOException {
    String json = ", JSON as the tools print it expected";
    assertEquals(":1: JSON that is cut off found" + json, inText(folder, "{\"pp\": 2"));
    assertEquals(":2: invalid JSON at column 8 found" + json, inText(folder, "\n{\"pp\": nan}"));
    assertEquals(":1: invalid JSON at column 5 found" + json, inText(folder, "{} {}"));
    String whole = "{\"model_type\":\"a b F32\",\"n_prompt\":1,\"n_gen\":0,\"avg_ts\":1.5}";
    assertEquals(":3: JSON that is cut off found" + json, inText(folder, "[\n" + whole + ",\n"));
    assertEquals(":1: a list without objects found" + json, inText(folder, "[" + whole + ", 2]"));
    assertEquals(
        ":1: an object with a found" + EXPECTED, inText(folder, "{\"a\":1, \"b\":[[{}]]}"));
    assertTrue(inText(folder, "{\"a\":" + "[".repeat(1_000_000)).contains("invalid JSON"));
    String row = "{\"pp\":%s,\"tg\":1,\"pl\":%s,\"speed_pp\":%s,\"speed_tg\":1}";
    assertEquals(
        ":1: no number format found, f32=FILE or bf16=FILE expected",
        inText(folder, row.formatted("1", "1", "1")));
    assertEquals(
        ":1: pp '-1' found, a whole number of at least 0 expected",
        inText(folder, row.formatted("-1", "1", "1")));
    assertEquals(
        ":1: pl '0' found, a whole number of at least 1 expected",
        inText(folder, row.formatted("1", "0", "1")));
    assertEquals(
        ":1: pp 'true' found, a whole number of at least 0 expected",
        inText(folder, row.formatted("true", "1", "1")));
    assertEquals(
        ":2: model params 'many' found, a number such as '386.57 M' expected",
        inText(folder, "\nprint_info: model params     = many\n"));
  }

  @Test
  void refusesAnotherFormatThanWasGiven(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("a"), Printed.text("bench.json"));
    assertEquals(
        "bench compare: a:2: number format bf16 found, f32, as given, expected",
        mistake("f32=a", folder));
    assertEquals(2, LlamaOutput.read("bf16=a", folder).figures().size());
  }

  /** Escape sequences of terminals, and cells without end, are not printed. */
  @Test
  void showsNoControlCharacters(@TempDir Path folder) throws IOException {
    String message = inText(folder, "| \u001b[31m" + "x".repeat(1_000_000) + " |\n");
    assertTrue(message.chars().noneMatch(Character::isISOControl), message);
    Files.writeString(
        folder.resolve("a"), "|model|test|t/s|\n|q 1B \u001b[2J" + "y".repeat(99_999) + "|pp1|1|");
    String name = LlamaOutput.read("a", folder).figures().getFirst().format().name();
    assertTrue(name.length() < 40 && name.chars().noneMatch(Character::isISOControl), name);
  }

  /** What is cut off anywhere gives the figures before, or a mistake, and never other figures. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench.md",
        "bench.csv",
        "bench.json",
        "bench.jsonl",
        "batched.md",
        "batched.jsonl",
        "batched.log"
      })
  void readsNothingElseFromHalfAFile(String name) {
    String text = Printed.text(name);
    LlamaFormat format =
        name.startsWith("batched") && !name.endsWith("log") ? LlamaFormat.F32 : null;
    List<LlamaFigure> whole = figures(name, text, format);
    int read = 0;
    for (int end = 0; end < text.length(); end++) {
      try {
        List<LlamaFigure> part = figures(name, text.substring(0, end), format);
        assertEquals(whole.subList(0, part.size()), part);
        read++;
      } catch (UserException e) {
        assertTrue(e.getMessage().startsWith("bench compare: " + name), e::getMessage);
      }
    }
    assertTrue(read > 0, name);
  }

  private static List<LlamaFigure> figures(String name, String text, @Nullable LlamaFormat format) {
    return new LlamaScan(name, text, new LlamaLog(format)).figures();
  }
}
