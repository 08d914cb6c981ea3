package roll.openai.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thoughts are separated in the same way however the text is cut into pieces. */
class ThoughtScannerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = false,
      nullValues = "-",
      value = {
        "false|<think>hm</think>~~So.|hm|~~So.",
        "false|<think>~~</think>So|~~|So",
        "false|<think></think>So|``|So",
        "false|<think>hm|hm|``",
        "false|<think>|``|``",
        "false|a <think>hm</think>|-|a <think>hm</think>",
        "false|<thi|-|<thi",
        "false|<thinking>hm|-|<thinking>hm",
        "false|So. </think> a|-|So. </think> a",
        "false|<think>a</thin b</think>c</think>d|a</thin b|c</think>d",
        "true|hm</think>So|hm|So",
        "true|<think>hm</think>So|<think>hm|So",
        "true|hm</thi|hm</thi|``",
      })
  void piecesDoNotMatter(
      boolean opened, String line, @Nullable String thought, @Nullable String rest) {
    String text = line.replace('~', '\n');
    for (int size = 1; size <= text.length(); size++) {
      ThoughtScanner scanner = new ThoughtScanner(opened);
      StringBuilder said = new StringBuilder();
      StringBuilder thoughts = new StringBuilder();
      boolean thinks = false;
      for (int from = 0; from <= text.length(); from += size) {
        boolean last = from + size > text.length();
        ThoughtScanner.Split split =
            scanner.add(text.substring(from, last ? text.length() : from + size));
        thinks |= add(split, thoughts, said);
      }
      thinks |= add(scanner.rest(), thoughts, said);
      assertEquals(thought == null ? "-" : thought, thinks ? shown(thoughts) : "-", text);
      assertEquals(rest == null ? "" : rest, shown(said), text);
    }
  }

  private static String shown(StringBuilder text) {
    return text.toString().replace('\n', '~');
  }

  private static boolean add(
      ThoughtScanner.Split split, StringBuilder thoughts, StringBuilder said) {
    thoughts.append(split.thought() == null ? "" : split.thought());
    said.append(split.text());
    return split.thought() != null;
  }
}
