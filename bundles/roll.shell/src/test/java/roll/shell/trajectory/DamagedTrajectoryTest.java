package roll.shell.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.shell.Gogo;

/** Lines of trajectories with other values or bytes: shown as they stand or refused in one line. */
@Tag("hostile")
class DamagedTrajectoryTest {
  private static final int ATTEMPTS = 150;

  private static final String WHOLE =
      """
      {"id":"Lake_0","tag":"Lake","score":-0.5,"finish":"terminated","rewards":[0.5,-1.0],\
      "messages":[{"role":"system","content":"Play."},{"role":"user","content":"at 0\\n"},\
      {"role":"assistant","content":"Up"},{"role":"user","content":"at 1"},\
      {"role":"assistant","content":"b"}],"metrics":{"success":0.0,"moves":1.5},\
      "sequences":[{"tokens":[1,2,3,1,4],"texts":["at 0","U","p","at 1","b"],\
      "turns":[-1,0,0,-1,1],"log_probs":[0.0,-0.01,"NaN",0.0,-3.0]}]}
      """;

  private static final List<JsonElement> OTHERS =
      List.of(
          JsonNull.INSTANCE,
          new JsonPrimitive(true),
          new JsonPrimitive(-7),
          new JsonPrimitive(1e300),
          new JsonPrimitive(99_999_999_999L),
          new JsonPrimitive("x"),
          new JsonPrimitive("a\nb\u001b[2J"),
          new JsonArray(),
          new JsonObject());

  private final SplittableRandom random = new SplittableRandom(7);

  @TempDir Path folder;

  @Test
  void otherValues() throws Exception {
    for (int i = 0; i < ATTEMPTS; i++) {
      JsonObject line = JsonParser.parseString(WHOLE).getAsJsonObject();
      change(line);
      assertOneLine(line.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void otherBytes() throws Exception {
    byte[] whole = WHOLE.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < ATTEMPTS; i++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      boolean cut = random.nextInt(4) == 0;
      assertOneLine(cut ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes);
    }
  }

  private void change(JsonElement at) {
    if (at instanceof JsonObject object && !object.isEmpty()) {
      List<String> keys = List.copyOf(object.keySet());
      String key = keys.get(random.nextInt(keys.size()));
      if (goesDown(object.get(key))) {
        change(object.get(key));
      } else if (random.nextInt(4) == 0) {
        object.remove(key);
      } else {
        object.add(key, OTHERS.get(random.nextInt(OTHERS.size())));
      }
    } else if (at instanceof JsonArray array && !array.isEmpty()) {
      int index = random.nextInt(array.size());
      if (goesDown(array.get(index))) {
        change(array.get(index));
      } else {
        array.set(index, OTHERS.get(random.nextInt(OTHERS.size())));
      }
    }
  }

  private boolean goesDown(JsonElement value) {
    boolean inner =
        (value instanceof JsonObject object && !object.isEmpty())
            || (value instanceof JsonArray array && !array.isEmpty());
    return inner && random.nextInt(3) > 0;
  }

  private void assertOneLine(byte[] bytes) throws Exception {
    Path file = Files.write(folder.resolve("step-1.jsonl"), bytes);
    for (String command : List.of("trajectory list ", "trajectory show ")) {
      try (Gogo gogo = new Gogo(new TrajectoryCommand(), "trajectory")) {
        var unused = gogo.run(command + file);
      } catch (UserException e) {
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
        assertTrue(e.getMessage().contains("step-1.jsonl"), e.getMessage());
      }
    }
  }
}
