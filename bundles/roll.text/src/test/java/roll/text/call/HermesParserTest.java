package roll.text.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.text.call.HermesPart.Block;
import roll.text.call.HermesPart.Words;

class HermesParserTest {
  private static final String CALL = "<tool_call>{\"name\": \"now\"}</tool_call>";

  /** The blocks of {@code text}, each as what is between its marks. */
  private static List<String> between(String text) {
    return HermesParser.blocks(text).stream().map(Block::between).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"name\": \"write\", \"arguments\": {\"content\": \"x</tool_call>y\"}}",
        "\n{\"name\": \"write\", \"arguments\": {\"content\": \"\\\"</tool_call>\\\\\"}}\n",
        "{\"name\": \"write\", \"arguments\": {\"a\": [{\"b\": \"}]</tool_call><tool_call>{\"}]}}",
        "{\"name\": \"write\", \"arguments\": {\"content\": \"<think></think>\"}}",
        "{\"name\": \"write\", \"arguments\": \"{\\\"content\\\": \\\"</tool_call>\\\"}\"}",
      })
  void theObjectEndsACallWhateverItsStringsHold(String json) {
    String text = "So. <tool_call>" + json + "</tool_call>\n" + CALL + " done";
    assertEquals(List.of(json, "{\"name\": \"now\"}"), between(text));
  }

  @Test
  void whatIsNoObjectEndsAtTheFirstMark() {
    for (String json :
        List.of(
            "",
            "now()",
            "{'name': 'now'}",
            "{\"name\": \"now}\n",
            "{\"name\": \"now\"",
            "{\"name\": \"now\"}}",
            "{\"name\": \"now\"} {}",
            "[\"{]",
            "{]")) {
      assertEquals(
          List.of(json, "{\"name\": \"now\"}"),
          between("<tool_call>" + json + "</tool_call>" + CALL));
    }
  }

  @Test
  void aCallWithoutItsMarkTakesTheRest() {
    for (String json : List.of("{\"name\": \"now\"}", "{\"name\": \"", "now", "")) {
      List<Block> blocks = HermesParser.blocks(CALL + "\n<tool_call>" + json);
      assertEquals(2, blocks.size());
      assertNull(blocks.get(1).between());
      assertEquals("<tool_call>" + json, blocks.get(1).text());
      assertFalse(ParsedToolCall.of(blocks.get(1)).readable());
    }
  }

  @Test
  void aThoughtMakesNoCalls() {
    String one = "{\"name\": \"now\"}";
    assertEquals(List.of(), between("<think>I could " + CALL + " but no</think>It is 7."));
    assertEquals(List.of(one), between("<think>" + CALL + "</think>" + CALL));
    assertEquals(List.of(one), between("<think>a</think>" + CALL + "<think>" + CALL + "</think>"));
    assertEquals(List.of(), between("<think>" + CALL), "an unclosed thought");
    assertEquals(List.of(one), between(CALL + "</think>" + CALL), "the prompt began it");
    assertEquals(List.of(one), between("<think>a <tool_call> b</think>" + CALL));
  }

  @Test
  void aPromptMayHaveBegunAThought() {
    HermesParser parser = new HermesParser(true);
    List<HermesPart> parts = new ArrayList<>(parser.add("hm " + CALL + "</think>" + CALL + "!"));
    parts.addAll(parser.rest());
    assertEquals(
        List.of(
            new Words("hm " + CALL + "</think>"),
            new Block(CALL, "{\"name\": \"now\"}"),
            new Words("!")),
        parts);
  }

  /** A stream is cut anywhere; what it comes to is the same, and nothing is lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        Look.
        <tool_call>
        {"name": "a", "arguments": {"x": "</tool_call>"}}
        </tool_call>
        <tool_call>{}</tool_call> and\
        """,
        "<think>x <tool_call>{}</tool_call></think> a <tool_call>b</tool_call> <tool",
        "a < b <t <th </think <tool_call>{\"a\": \"\\\\\"} </tool_call>",
        "<tool_call>{\"a\": \"</tool_call>",
        "<think><think></think></think><tool_call>{\"a\":\"<think>\"}</tool_call>",
        "plain",
      })
  void piecesGiveTheSame(String text) {
    List<String> whole = joined(List.of(text));
    for (int length = 1; length < 8; length++) {
      List<String> pieces = new ArrayList<>();
      for (int from = 0; from < text.length(); from += length) {
        pieces.add(text.substring(from, Math.min(text.length(), from + length)));
      }
      assertEquals(whole, joined(pieces));
    }
    assertEquals(text, String.join("", whole).replace("|", ""));
  }

  /** Parts of a stream, words that follow each other as one; blocks between bars. */
  private static List<String> joined(List<String> pieces) {
    HermesParser parser = new HermesParser(false);
    List<HermesPart> parts = new ArrayList<>();
    pieces.forEach(piece -> parts.addAll(parser.add(piece)));
    parts.addAll(parser.rest());
    StringBuilder all = new StringBuilder();
    for (HermesPart part : parts) {
      all.append(part instanceof Block ? "|" + part.text() + "|" : part.text());
    }
    return List.of(all.toString());
  }

  @Test
  void argumentsAreAsTheyWereWritten() {
    ParsedToolCall call =
        ParsedToolCall.read(
            "{\"name\": \" t \", \"arguments\": {\"n\": 1.0, \"big\": 12345678901234567890, \"o\":"
                + " null}}");
    assertEquals("t", call.call().tool());
    assertEquals("{\"n\":1.0,\"big\":12345678901234567890,\"o\":null}", call.arguments());
    for (String none :
        List.of(
            "{\"name\":\"t\"}",
            "{\"name\":\"t\",\"arguments\":null}",
            "{\"name\":\"t\",\"arguments\":\"{}\"}")) {
      assertEquals("{}", ParsedToolCall.read(none).arguments());
      assertEquals("t", ParsedToolCall.read(none).call().tool());
    }
    assertEquals(
        "{\"e\":\"1\"}",
        ParsedToolCall.read("{\"name\":\"t\",\"arguments\":\"{\\\"e\\\": \\\"1\\\"}\"}")
            .arguments());
  }
}
