package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import roll.api.model.Tokenizer;
import roll.text.Detokenizer;

/** Tokenizers of real model folders, against the ids that Hugging Face's Python library gives. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokenizerTest {
  private static final Path DATA = Path.of(System.getProperty("roll.root"), "../shared/data");

  private final HuggingFaceTokenizers loader = new HuggingFaceTokenizers(() -> {});

  private static Path data(String name) {
    Path path = DATA.resolve(name);
    Assumptions.assumeTrue(Files.exists(path), "no data at " + path);
    return path;
  }

  /** One line of golden.jsonl. */
  record Golden(String text, int[] ids) {}

  @Test
  void qwenGoldenTextsGiveTheirIds() throws IOException {
    List<String> lines = Files.readAllLines(data("tokenizer/golden.jsonl"));
    assertTrue(lines.size() > 20);
    try (Tokenizer tokenizer = loader.load(data("tokenizer/qwen2.5"))) {
      for (String line : lines) {
        Golden golden = new Gson().fromJson(line, Golden.class);
        assertArrayEquals(golden.ids(), tokenizer.encode(golden.text()), golden.text());
        assertEquals(golden.text(), tokenizer.decode(golden.ids(), true));
      }
    }
  }

  @Test
  void textComesInPiecesOfWholeCharacters() throws IOException {
    List<String> lines = Files.readAllLines(data("tokenizer/golden.jsonl"));
    try (Tokenizer tokenizer = loader.load(data("tokenizer/qwen2.5"))) {
      for (String line : lines) {
        Golden golden = new Gson().fromJson(line, Golden.class);
        assertPiecesMakeTheText(tokenizer, golden.ids(), true);
        assertPiecesMakeTheText(tokenizer, golden.ids(), false);
      }
      String emoji = "naïve 👩‍🚀 日本語 🏳️‍🌈!";
      assertPiecesMakeTheText(tokenizer, tokenizer.encode(emoji), false);
    }
    try (Tokenizer tokenizer = loader.load(data("tiny-models/stories260K-qwen2"))) {
      String text = "Once upon a time, Zoë saw 3 €.\n\nThe end";
      assertPiecesMakeTheText(tokenizer, tokenizer.encodePrompt(text), false);
      assertPiecesMakeTheText(tokenizer, tokenizer.encode(text), true);
    }
  }

  private static void assertPiecesMakeTheText(Tokenizer tokenizer, int[] ids, boolean special) {
    Detokenizer pieces = new Detokenizer(tokenizer, special);
    StringBuilder text = new StringBuilder();
    for (int id : ids) {
      String piece = pieces.add(id);
      assertFalse(piece.contains("\uFFFD"), piece);
      text.append(piece);
    }
    assertEquals(tokenizer.decode(ids, special), text + pieces.rest());
  }

  @Test
  void aCharacterThatIsCutOffIsHeldBack() {
    try (Tokenizer tokenizer = loader.load(data("tokenizer/qwen2.5"))) {
      int[] ids = tokenizer.encode("🦜");
      assertTrue(ids.length > 1);
      Detokenizer pieces = new Detokenizer(tokenizer, false);
      for (int i = 0; i < ids.length - 1; i++) {
        assertEquals("", pieces.add(ids[i]));
        assertTrue(pieces.rest().endsWith("\uFFFD"), pieces.rest());
      }
      assertEquals("🦜", pieces.add(ids[ids.length - 1]));
      assertEquals("", pieces.rest());
    }
  }

  @Test
  void qwenSpecialTokensAreKnown() {
    try (Tokenizer tokenizer = loader.load(data("tokenizer/qwen2.5"))) {
      assertEquals(151645, tokenizer.id("<|im_end|>"));
      assertEquals(-1, tokenizer.id("<|no such token|>"));
      assertEquals(151665, tokenizer.size());
      int[] ids = tokenizer.encode("<|im_start|>user\nhi<|im_end|>");
      assertEquals(151644, ids[0]);
      assertEquals(151645, ids[ids.length - 1]);
      assertEquals("<|im_start|>user\nhi<|im_end|>", tokenizer.decode(ids, true));
      assertEquals("user\nhi", tokenizer.decode(ids, false));
      assertTrue(tokenizer.stopTokens().contains(151643));
    }
  }

  @Test
  void storiesPromptStartsWithTheBeginningOfSequence() {
    try (Tokenizer tokenizer = loader.load(data("tiny-models/stories260K-qwen2"))) {
      assertEquals(512, tokenizer.size());
      assertEquals(List.of(2), tokenizer.stopTokens());
      int[] prompt = tokenizer.encodePrompt("Once upon a time");
      assertArrayEquals(new int[] {1, 403, 407, 261, 378}, prompt);
      int[] bare = tokenizer.encode("Once upon a time");
      assertArrayEquals(Arrays.copyOfRange(prompt, 1, prompt.length), bare);
    }
  }

  @Test
  void stopTokensComeFromEveryFile(@TempDir Path folder) throws IOException {
    Files.copy(
        data("tiny-models/stories260K-qwen2/tokenizer.json"), folder.resolve("tokenizer.json"));
    Files.writeString(folder.resolve("config.json"), "{\"eos_token_id\": 9}");
    Files.writeString(folder.resolve("generation_config.json"), "{\"eos_token_id\": [7, 5]}");
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        "{\"eos_token\": {\"content\": \"</s>\"}, \"pad_token\": \"<unk>\"}");
    try (Tokenizer tokenizer = loader.load(folder)) {
      assertEquals(List.of(0, 2, 5, 7, 9), tokenizer.stopTokens());
    }
    Files.writeString(folder.resolve("config.json"), "{\"eos_token_id\": 512}");
    assertEquals(
        folder.resolve("config.json") + ": eos_token_id: expected a token id below 512, found 512",
        userError(() -> loader.load(folder)));
  }

  /** Ids in the list of added tokens count for nothing where the vocabulary lacks their texts. */
  @Test
  void tokensOfShippedModelsHaveTheIdsThatTheirFilesSay() throws IOException {
    Path models = Path.of(System.getProperty("roll.root"), "configs/models");
    try (Stream<Path> folders = Files.list(models)) {
      for (Path folder : folders.sorted().toList()) {
        try (Tokenizer tokenizer = loader.load(folder)) {
          for (String text : List.of("<|endoftext|>", "<|im_start|>", "<|im_end|>")) {
            int[] expected = {tokenizer.id(text)};
            assertArrayEquals(expected, tokenizer.encode(text), folder + ": " + text);
          }
          assertEquals(List.of(0, 2), tokenizer.stopTokens(), folder.toString());
        }
      }
    }
  }

  /** A folder with the tokenizer of the repository's own small model, which has 144 tokens. */
  private static Path small(Path folder, String config) throws IOException {
    Path source =
        Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny/tokenizer.json");
    Files.copy(source, folder.resolve("tokenizer.json"), StandardCopyOption.REPLACE_EXISTING);
    return Files.writeString(folder.resolve("tokenizer_config.json"), config);
  }

  /** Files of real models have pad_token_id 0 where that is an exclamation mark, for example. */
  @Test
  void aPaddingTokenThatIsAWordEndsNoResponse(@TempDir Path folder) throws IOException {
    small(folder, "{\"eos_token\": \"<|im_end|>\", \"pad_token\": \"Up\"}");
    Files.writeString(folder.resolve("config.json"), "{\"eos_token_id\": 2, \"pad_token_id\": 20}");
    Files.writeString(folder.resolve("generation_config.json"), "{\"pad_token_id\": [21, 0]}");
    try (Tokenizer tokenizer = loader.load(folder)) {
      assertTrue(tokenizer.id("Up") > 2, "is a word");
      assertEquals(List.of(0, 2), tokenizer.stopTokens(), "0 is special");
    }
    Files.writeString(folder.resolve("config.json"), "{\"eos_token_id\": [2, 20]}");
    try (Tokenizer tokenizer = loader.load(folder)) {
      assertEquals(
          List.of(0, 2, 20),
          tokenizer.stopTokens(),
          "an ordinary token may be configured as a stop token");
    }
  }

  @Test
  void aPaddingTokenForUnknownWordsEndsNoResponse(@TempDir Path folder) throws IOException {
    small(
        folder,
        "{\"eos_token\": \"<|im_end|>\", \"unk_token\": \"<unk>\", \"pad_token\": \"<unk>\"}");
    try (Tokenizer tokenizer = loader.load(folder)) {
      assertEquals(List.of(2), tokenizer.stopTokens());
    }
  }

  @Test
  void tokensThatOnlyTheConfigurationAddsAreAdded(@TempDir Path folder) throws IOException {
    small(
        folder,
        """
        {"added_tokens_decoder": {
          "145": {"content": "<tool_call>", "special": false},
          "2": {"content": "<|im_end|>", "special": true},
          "144": {"content": "<|more|>", "special": true}},
         "eos_token": "<|more|>", "extra_special_tokens": {"image_token": "<tool_call>"}}
        """);
    try (Tokenizer tokenizer = loader.load(folder)) {
      assertEquals(146, tokenizer.size());
      assertEquals(List.of(144), tokenizer.stopTokens());
      int[] tokens = {144, 2, 145};
      assertArrayEquals(tokens, tokenizer.encode("<|more|><|im_end|><tool_call>"));
      assertEquals("<|more|><|im_end|><tool_call>", tokenizer.decode(tokens, true));
      assertEquals("<tool_call>", tokenizer.decode(tokens, false), "the last one is not special");
    }
  }

  @Test
  void specialTokensThatDoNotExistAreRefusedInOneLine(@TempDir Path folder) throws IOException {
    Map<String, String> mistakes =
        Map.of(
            "{\"bos_token\": \"<s>\"}",
            "bos_token: '<s>' is not a token",
            "{\"pad_token\": {\"content\": \"<p>\"}}",
            "pad_token: '<p>' is not a token",
            "{\"additional_special_tokens\": [\"<|im_end|>\", \"<a>\"]}",
            "additional_special_tokens: '<a>' is not a token",
            "{\"extra_special_tokens\": {\"image_token\": \"<i>\"}}",
            "extra_special_tokens.image_token: '<i>' is not a token",
            "{\"added_tokens_decoder\": {\"7\": {\"content\": \"<|im_end|>\"}}}",
            "added_tokens_decoder: '<|im_end|>' is token 7, but tokenizer.json makes it 2",
            "{\"added_tokens_decoder\": {\"150\": {\"content\": \"<|far|>\"}}}",
            "added_tokens_decoder: '<|far|>' is token 150, but tokenizer.json makes it 144",
            "{\"added_tokens_decoder\": {\"x\": {\"content\": \"<|far|>\"}}}",
            "added_tokens_decoder: expected a token id, found 'x'",
            "{\"added_tokens_decoder\": {\"1\": 3}}",
            "added_tokens_decoder: expected a token with its content, found '3'");
    for (var mistake : mistakes.entrySet()) {
      Path file = small(folder, mistake.getKey());
      assertEquals(file + ": " + mistake.getValue(), userError(() -> loader.load(folder)));
    }
  }

  @Test
  void badFoldersAreRefusedInOneLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tokenizer.json");
    assertEquals(
        file + ": no such file; a model folder needs its tokenizer",
        userError(() -> loader.load(folder)));
    for (String text : List.of("", "[1]", "{\"model\": {\"vocab\": 3}}", "{}", "{\"model\"")) {
      Files.writeString(file, text);
      String message = userError(() -> loader.load(folder));
      assertTrue(message.startsWith(file + ": is not a tokenizer: "), message);
      assertEquals(1, message.lines().count());
    }
    Files.writeString(file, "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}}}");
    String message = userError(() -> loader.load(folder));
    assertTrue(message.startsWith(file + ": cannot be used as a tokenizer: "), message);
  }
}
