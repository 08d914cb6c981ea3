package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.Tokenizer;

/**
 * Files and texts for which the native library aborts the process, or computes for hours: each is
 * refused in one line.
 */
@Tag("hostile")
final class HostileTokenizerTest {
  private static final Path WHOLE =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny/tokenizer.json");

  private final HuggingFaceTokenizers loader = new HuggingFaceTokenizers(() -> {});

  @TempDir Path folder;

  private Tokenizer load(String part, String json) throws IOException {
    JsonObject whole = JsonParser.parseString(Files.readString(WHOLE)).getAsJsonObject();
    whole.add(part, JsonParser.parseString(json));
    return load(whole);
  }

  private Tokenizer load(JsonObject whole) throws IOException {
    Files.writeString(folder.resolve("tokenizer.json"), whole.toString());
    return loader.load(folder);
  }

  private void refused(String part, String json, String reason) throws IOException {
    String message = userError(() -> load(part, json).close());
    assertEquals(1, message.lines().count(), message);
    String start = folder.resolve("tokenizer.json") + ": ";
    assertTrue(message.startsWith(start) && message.contains(reason), message);
    assertTrue(message.length() < 600, message);
  }

  private static String split(String regex) {
    JsonObject pattern = new JsonObject();
    pattern.addProperty("Regex", regex);
    return "{\"type\":\"Split\",\"pattern\":%s,\"behavior\":\"Isolated\",\"invert\":false}"
        .formatted(pattern);
  }

  @Test
  void patternsWithoutBoundAreFoundWhereverTheyStand() throws IOException {
    String bomb = split("(a+)+$");
    refused(
        "pre_tokenizer", bomb, "pre_tokenizer: pattern '(a+)+$' cannot be used: it can go back");
    refused("pre_tokenizer", bomb.replace("\"type\":\"Split\",", ""), "'(a+)+$' cannot be used");
    refused(
        "pre_tokenizer",
        "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Sequence\",\"pretokenizers\":[%s]}]}"
            .formatted(bomb),
        "'(a+)+$' cannot be used");
    String replace =
        "{\"type\":\"Replace\",\"pattern\":{\"Regex\":\"(a|aa)+$\"},\"content\":\"x\"}";
    refused("normalizer", replace, "normalizer: pattern '(a|aa)+$' cannot be used");
    refused("decoder", replace, "decoder: pattern '(a|aa)+$' cannot be used");
    refused("pre_tokenizer", split("(?<x>a\\g<x>?b)"), "'\\g' is not supported");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'SpecialToken':{'id':'nope','type_id':0}}; SpecialToken 'nope' is not among"
            + " special_tokens",
        "{'Sequence':{'id':'B','type_id':0}}; Sequence 'B': only A is allowed",
        "{'SpecialToken':{'id':'far','type_id':0}}; expected a token id below 144, found"
            + " 4000000000",
        "{'Sequence':{'id':'A','type_id':0}},{'Sequence':{'id':'A','type_id':0}}; the text 2 times"
      })
  void templatesThatNameWhatIsNotThereAreRefused(String piece, String reason) throws IOException {
    String template =
        "{'type':'TemplateProcessing','single':[%s],'pair':[],'special_tokens':{'far':{'id':'far','ids':[4000000000],'tokens':['x']}}}"
            .formatted(piece)
            .replace('\'', '"');
    refused("post_processor", template, reason);
    refused("post_processor", template.replace("\"type\":\"TemplateProcessing\",", ""), reason);
    refused("post_processor", "{\"type\":\"Sequence\",\"processors\":[" + template + "]}", reason);
  }

  @Test
  void normalizersThatMakeTextsMuchLongerAreRefused() throws IOException {
    String tenfold =
        "{\"type\":\"Replace\",\"pattern\":{\"String\":\"a\"},\"content\":\"aaaaaaaaaa\"}";
    String sequence = "{\"type\":\"Sequence\",\"normalizers\":[%s]}";
    refused(
        "normalizer",
        sequence.formatted(String.join(",", java.util.Collections.nCopies(9, tenfold))),
        "normalizer: can make a text 1000000000 times as long; at most 1000 are allowed");
    String everywhere = tenfold.replace("\"String\":\"a\"", "\"String\":\"\"");
    refused(
        "normalizer", sequence.formatted(everywhere + "," + everywhere + "," + everywhere), "1331");
    try (Tokenizer tokenizer = load("normalizer", sequence.formatted(tenfold + "," + tenfold))) {
      assertEquals(200, tokenizer.encode("aa").length);
      String message = userError(() -> tokenizer.encode("a".repeat(100_000)));
      assertTrue(message.endsWith("100,000 characters; at most 83,886 are allowed"), message);
    }
  }

  @Test
  void whatEndsTheNativeLibraryEndsATrialAlone() throws IOException {
    String model =
        "{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a"
            + " b\"],\"continuing_subword_prefix\":\"####\"}";
    refused("model", model, "it aborts the native library: byte index 4 is out of bounds of `b`");
    refused("decoder", "{\"type\":\"CTC\"}", "missing field");
    JsonObject emptied = JsonParser.parseString(Files.readString(WHOLE)).getAsJsonObject();
    emptied.add(
        "normalizer",
        JsonParser.parseString("{\"type\":\"Strip\",\"strip_left\":true,\"strip_right\":true}"));
    emptied.getAsJsonArray("added_tokens").get(0).getAsJsonObject().addProperty("normalized", true);
    emptied.getAsJsonArray("added_tokens").get(0).getAsJsonObject().addProperty("content", " ");
    assertTrue(userError(() -> load(emptied).close()).contains("it aborts the native library: "));
    String strip = "{\"type\":\"Strip\",\"content\":\" \",\"start\":1,\"stop\":1}";
    refused("decoder", strip, "Strip on both ends");
    try (Tokenizer tokenizer =
        load("decoder", "{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}")) {
      assertArrayEquals(new int[] {tokenizer.id("Up")}, tokenizer.encode("Up"));
    }
  }

  /** In a framework the context class loader is any bundle's, or none. */
  @Test
  void aTrialFindsTheLibraryFromAnyThread() throws IOException {
    String decoder = "{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}";
    load("decoder", decoder).close();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      load("decoder", decoder).close();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A trie of one unit for each byte: 'a' leads to a leaf with {@code value}. */
  private static String charsmap(int offset, int value, String texts) {
    ByteBuffer table =
        ByteBuffer.allocate(4 + 1024 + texts.length()).order(ByteOrder.LITTLE_ENDIAN);
    table.putInt(1024);
    table.putInt(4 + 4 * 'a', offset << 10 | 1 << 8 | 'a');
    table.putInt(4 + 4 * ('a' ^ 1), value);
    table.put(4 + 1024, texts.getBytes(StandardCharsets.US_ASCII));
    return "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"%s\"}"
        .formatted(Base64.getEncoder().encodeToString(table.array()));
  }

  @Test
  void tablesOfReplacementsThatLeadOutOfThemselvesAreRefused() throws IOException {
    String damaged = "normalizer: precompiled_charsmap is damaged: ";
    String empty = "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"%s\"}";
    refused("normalizer", empty.formatted("AAAA"), damaged);
    refused("normalizer", empty.formatted("////////"), damaged + "says 4294967295 bytes");
    refused("normalizer", charsmap(1 << 20, 0, "Up\0"), damaged + "its trie leads out of itself");
    refused("normalizer", charsmap(1, 9, "Up\0"), damaged + "its trie leads into the middle");
    refused("normalizer", charsmap(1, 0, "b".repeat(2000)), "2000 times as long");
    try (Tokenizer tokenizer = load("normalizer", charsmap(1, 0, "Up\0"))) {
      assertArrayEquals(new int[] {tokenizer.id("Up")}, tokenizer.encode("a"));
    }
  }

  @Test
  void moreAddedTokensThanTheLibraryBearsAreRefused() throws IOException {
    StringBuilder tokens = new StringBuilder();
    for (int id = 0; id < 100_000; id++) {
      tokens
          .append(id == 0 ? "[" : ",")
          .append("{\"id\":%d,\"content\":\"<%d>\"}".formatted(id, id));
    }
    refused("added_tokens", tokens + "]", "it has more than 20000 added tokens");
    String long64k = "x".repeat(1 << 16);
    StringBuilder texts = new StringBuilder("[");
    for (int id = 0; id < 100; id++) {
      texts.append("{\"id\":%d,\"content\":\"%d%s\"},".formatted(id, id, long64k));
    }
    texts.append("{\"id\":100,\"content\":\"y\"}]");
    refused("added_tokens", texts.toString(), "or 4194304 characters of them");
    String far = "[{\"id\":2147483647,\"content\":\"far\"}]";
    refused("added_tokens", far, "it has token ids from 16777216 up");
  }

  @Test
  void partsThatAreWrittenTwiceAreRefused() throws IOException {
    String whole = Files.readString(WHOLE).strip();
    String twice =
        "%s, \"pre_tokenizer\": %s}"
            .formatted(whole.substring(0, whole.length() - 1), split("(a+)+$"));
    Files.writeString(folder.resolve("tokenizer.json"), twice);
    String message = userError(() -> loader.load(folder));
    assertTrue(message.endsWith("is not a tokenizer: 'pre_tokenizer' is written twice"), message);
  }

  @Test
  void tenMillionSpacesAndALetterAreRefusedAndTheTokenizerGoesOn() throws IOException {
    String qwen =
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r"
            + "\\n"
            + "\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r"
            + "\\n"
            + "]*|\\s*[\\r"
            + "\\n"
            + "]+|\\s+(?!\\S)|\\s+";
    try (Tokenizer tokenizer = load("pre_tokenizer", split(qwen))) {
      for (String spaces : new String[] {" ".repeat(10_000_000), " ".repeat(1_000_000)}) {
        String message = userError(() -> tokenizer.encode(spaces + "a"));
        assertTrue(message.contains(": refuses a text: "), message);
      }
      assertEquals(2, tokenizer.encode(" ".repeat(500_000) + "a").length);
      assertArrayEquals(new int[] {tokenizer.id("Up")}, tokenizer.encode("Up"));
    }
  }
}
