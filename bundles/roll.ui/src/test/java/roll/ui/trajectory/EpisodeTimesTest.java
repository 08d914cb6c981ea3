package roll.ui.trajectory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EpisodeTimesTest {
  private static JsonObject episode(String id) {
    JsonObject episode = new JsonObject();
    episode.addProperty("id", id);
    return episode;
  }

  @Test
  void theLineOfTheEpisodeIsFound(@TempDir Path folder) throws IOException {
    Path file =
        Files.write(
            folder.resolve("step-0.jsonl"),
            List.of(
                "{\"id\":\"A_0\",\"times\":[[\"episode\",0,0.0,1.0]]}",
                "{\"id\":\"A_1\",\"times\":[",
                "{\"id\":\"A_2\",\"times\":7}",
                "{\"id\":\"A_\\\"3\",\"times\":[]}"));
    assertEquals(
        "[[\"episode\",0,0.0,1.0]]", String.valueOf(EpisodeTimes.read(file, episode("A_0"))));
    assertEquals("[]", String.valueOf(EpisodeTimes.read(file, episode("A_\"3"))));
    for (String id : List.of("A_1", "A_2", "A_", "A_4")) {
      assertNull(EpisodeTimes.read(file, episode(id)), id);
    }
    assertNull(EpisodeTimes.read(file, new JsonObject()));
  }
}
