package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;

/** Damaged {@code tokenizer.json} files: each is used as it stands or refused in one line. */
@Tag("hostile")
class BrokenTokenizerTest {
  private static final int ATTEMPTS = 300;
  private static final Path WHOLE =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny/tokenizer.json");

  private static final List<JsonElement> OTHERS =
      List.of(
          JsonNull.INSTANCE,
          new JsonPrimitive(true),
          new JsonPrimitive(-1),
          new JsonPrimitive(1e300),
          new JsonPrimitive(4_000_000_000L),
          new JsonPrimitive(""),
          new JsonPrimitive("\ud800"),
          new JsonPrimitive("(((((a*)*)*)*)*"),
          new JsonArray(),
          new JsonObject());

  private final SplittableRandom random = new SplittableRandom(7);

  @TempDir Path folder;

  @Test
  void bytesThatAreOthers() throws IOException {
    HuggingFaceTokenizers loader = new HuggingFaceTokenizers(() -> {});
    byte[] whole = Files.readAllBytes(WHOLE);
    int refused = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      byte[] bytes = whole.clone();
      for (int n = random.nextInt(1, 4); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
      refused += survives(loader, java.util.Arrays.copyOf(bytes, length)) ? 0 : 1;
    }
    assertTrue(refused > ATTEMPTS / 10, refused + " were refused");
  }

  @Test
  void valuesThatAreOthers() throws IOException {
    HuggingFaceTokenizers loader = new HuggingFaceTokenizers(() -> {});
    String whole = Files.readString(WHOLE);
    int refused = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
      JsonObject changed = JsonParser.parseString(whole).getAsJsonObject();
      change(changed);
      byte[] bytes = changed.toString().getBytes(StandardCharsets.UTF_8);
      refused += survives(loader, bytes) ? 0 : 1;
    }
    assertTrue(refused > ATTEMPTS / 10, refused + " were refused");
  }

  /** Puts another value at a random place: on each level it goes down or changes. */
  private void change(JsonElement at) {
    switch (at) {
      case JsonObject object when !object.isEmpty() -> {
        List<String> keys = List.copyOf(object.keySet());
        String key = keys.get(random.nextInt(keys.size()));
        if (goesDown(object.get(key))) {
          change(object.get(key));
        } else if (random.nextInt(4) == 0) {
          object.remove(key);
        } else {
          object.add(key, OTHERS.get(random.nextInt(OTHERS.size())).deepCopy());
        }
      }
      case JsonArray array when !array.isEmpty() -> {
        int index = random.nextInt(array.size());
        if (goesDown(array.get(index))) {
          change(array.get(index));
        } else {
          array.set(index, OTHERS.get(random.nextInt(OTHERS.size())).deepCopy());
        }
      }
      default -> {}
    }
  }

  private boolean goesDown(JsonElement value) {
    boolean inner =
        (value instanceof JsonObject object && !object.isEmpty())
            || (value instanceof JsonArray array && !array.isEmpty());
    return inner && random.nextInt(5) > 0;
  }

  /** Whether the file can be used; what is refused otherwise than in one line fails. */
  private boolean survives(HuggingFaceTokenizers loader, byte[] bytes) throws IOException {
    Files.write(folder.resolve("tokenizer.json"), bytes);
    try (Tokenizer tokenizer = loader.load(folder)) {
      int[] tokens = tokenizer.encode("SFFF up");
      assertTrue(tokens.length < 100);
      return true;
    } catch (UserException e) {
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
      assertTrue(e.getMessage().length() < 1000, e.getMessage());
      return false;
    }
  }
}
