package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.Tokenizer;

class TokenBytesTest {
  private static final String TEXT = "naïve 日本語 👩‍🚀 {\"a\": 1}";

  private final HuggingFaceTokenizers loader = new HuggingFaceTokenizers(() -> {});

  private static byte[] joined(Tokenizer tokenizer, int[] tokens) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int token : tokens) {
      bytes.writeBytes(Objects.requireNonNull(tokenizer.bytes(token)));
    }
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"bytes-vl-tiny | " + TEXT, "arithmetic-tiny | {\"a\": 1}"})
  void theBytesOfTheTokensAreThoseOfTheText(String model, String text) {
    Path models = Path.of(System.getProperty("roll.root"), "configs/models");
    try (Tokenizer tokenizer = loader.load(models.resolve(model))) {
      assertArrayEquals(utf8(text), joined(tokenizer, tokenizer.encode(text)));
      assertNull(tokenizer.bytes(tokenizer.stopTokens().getFirst()));
      assertNull(tokenizer.bytes(-1));
      assertNull(tokenizer.bytes(tokenizer.size()));
    }
  }

  /** A vocabulary of SentencePiece: spaces are lower blocks, missing characters bytes. */
  @Test
  void bytesThatReplaceACharacter(@TempDir Path folder) throws IOException {
    String bytes =
        IntStream.range(0, 256)
            .mapToObj(i -> "\"<0x%02X>\":%d".formatted(i, 3 + i))
            .collect(Collectors.joining(","));
    String json =
        """
        {"version":"1.0","truncation":null,"padding":null,"pre_tokenizer":null,
        "post_processor":null,"added_tokens":[
        {"id":1,"content":"</s>","single_word":false,"lstrip":false,"rstrip":false,
        "normalized":false,"special":true},
        {"id":262,"content":"▁<é>","single_word":false,"lstrip":false,"rstrip":false,
        "normalized":false,"special":false}],
        "normalizer":{"type":"Replace","pattern":{"String":" "},"content":"▁"},
        "decoder":{"type":"Sequence","decoders":[
        {"type":"Replace","pattern":{"String":"▁"},"content":" "},
        {"type":"ByteFallback"},{"type":"Fuse"}]},
        "model":{"type":"BPE","dropout":null,"unk_token":"<unk>","continuing_subword_prefix":null,
        "end_of_word_suffix":null,"fuse_unk":true,"byte_fallback":true,
        "vocab":{"<unk>":0,"</s>":1,"▁":2,%s,"a":259,"▁a":260,"本":261},"merges":["▁ a"]}}
        """
            .formatted(bytes);
    Files.writeString(folder.resolve("tokenizer.json"), json);
    try (Tokenizer tokenizer = loader.load(folder)) {
      String text = " a a日本 😀";
      int[] tokens = tokenizer.encode(text);
      assertEquals(text, tokenizer.decode(tokens, false));
      assertArrayEquals(utf8(text), joined(tokenizer, tokens));
      assertArrayEquals(utf8(" a"), tokenizer.bytes(tokens[0]));
      assertArrayEquals(utf8("▁<é>"), tokenizer.bytes(262)); // added texts are as they are
      assertNull(tokenizer.bytes(1));
    }
  }
}
