package roll.ui.trajectory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.http.HttpRefusal;
import roll.runtime.replay.ReplayedEpisode;
import roll.runtime.replay.Replays;
import roll.ui.control.OrderRecordingRun;
import roll.ui.run.RunFolders;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;

/** Requests for the episodes of a run whose folder was made up. */
@Timeout(60)
class TrajectoryEndpointsTest {
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  private static final List<Picture> FRAMES = List.of(frame(1), frame(2), frame(3));

  private final Path run;
  private final String id;
  private final List<String> replayed = new ArrayList<>();
  private final Map<String, Endpoint> endpoints;
  private @Nullable Replays replays = this::replay;
  private ReplayedEpisode outcome = new ReplayedEpisode(FRAMES, null);

  TrajectoryEndpointsTest(@TempDir Path folder) throws IOException {
    run = Files.createDirectories(folder.resolve("lake"));
    Files.writeString(run.resolve("config.yaml"), "");
    Files.writeString(run.resolve("run.log"), "");
    EpisodeLines.write(run, 0, EpisodeLines.line(0, 1, 2, -0.5, 0.75));
    EpisodeLines.write(
        run, 20, EpisodeLines.line(0, -1, 2, -0.5, 0.75), "{", EpisodeLines.line(2, 1, 2, -1, 0));
    RunFolders runs = new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(folder));
    id = runs.all().getFirst().id();
    endpoints = new TrajectoryEndpoints(runs, () -> replays).endpoints();
  }

  private static Picture frame(int color) {
    BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, color);
    return Picture.png(image);
  }

  private ReplayedEpisode replay(Path folder, String line, boolean own) {
    assertEquals(run, folder);
    assertFalse(own, "no run of this process writes there");
    replayed.add(line);
    return outcome;
  }

  private ApiAnswer ask(String pattern, Map<String, String> query, String... parts)
      throws IOException, InterruptedException {
    return ask("GET", pattern, query, parts);
  }

  private ApiAnswer ask(String method, String pattern, Map<String, String> query, String... parts)
      throws IOException, InterruptedException {
    Endpoint endpoint =
        Objects.requireNonNull(endpoints.get(method + " /api/runs/{id}/" + pattern));
    List<String> path = new ArrayList<>(List.of(id));
    path.addAll(List.of(parts));
    return endpoint.answer(new ApiRequest(path, query, new byte[0]));
  }

  private JsonObject json(String pattern, Map<String, String> query, String... parts)
      throws IOException, InterruptedException {
    ApiAnswer.Json answer = assertInstanceOf(ApiAnswer.Json.class, ask(pattern, query, parts));
    return GSON.toJsonTree(answer.value()).getAsJsonObject();
  }

  private void missing(String line, String pattern, String... parts) {
    HttpRefusal refusal = assertThrows(HttpRefusal.class, () -> ask(pattern, Map.of(), parts));
    assertEquals(404, refusal.status());
    assertEquals(line, refusal.getMessage());
  }

  @Test
  void theLastStepIsListed() throws Exception {
    JsonObject list = json("trajectories", Map.of());
    assertEquals(20, list.get("step").getAsInt());
    assertEquals("[0,20]", list.get("steps").toString());
    assertEquals(2, list.get("total").getAsInt());
    assertEquals("line 2 of step-20.jsonl is broken", list.get("notice").getAsString());
    JsonObject last = list.getAsJsonArray("episodes").get(1).getAsJsonObject();
    assertEquals(2, last.get("index").getAsInt(), "the number of its line");
    assertEquals("take key 2", last.get("peek").getAsString());
    assertEquals(1, last.get("surprise").getAsDouble());
    assertTrue(last.get("answer").isJsonNull());
  }

  @Test
  void pagesFiltersAndOrders() throws Exception {
    JsonObject page =
        json("trajectories", Map.of("step", "20", "sort", "score", "offset", "1", "limit", "1"));
    assertEquals(2, page.get("total").getAsInt());
    JsonArray episodes = page.getAsJsonArray("episodes");
    assertEquals(1, episodes.size());
    assertEquals(0, episodes.get(0).getAsJsonObject().get("index").getAsInt());
    assertEquals(
        1, json("trajectories", Map.of("filter", "failed", "q", "room 0")).get("total").getAsInt());
    assertEquals(
        0, json("trajectories", Map.of("filter", "failed", "q", "room 2")).get("total").getAsInt());
    missingStep();
    assertThrows(UserException.class, () -> json("trajectories", Map.of("limit", "0")));
    assertThrows(UserException.class, () -> json("trajectories", Map.of("step", "../0")));
  }

  private void missingStep() {
    HttpRefusal refusal =
        assertThrows(HttpRefusal.class, () -> ask("trajectories", Map.of("step", "1")));
    assertEquals("step 1 has no trajectories", refusal.getMessage());
  }

  @Test
  void aRunWithoutTrajectoriesHasNone() throws Exception {
    Files.delete(run.resolve("trajectories/step-0.jsonl"));
    Files.delete(run.resolve("trajectories/step-20.jsonl"));
    JsonObject list = json("trajectories", Map.of());
    assertTrue(list.get("step").isJsonNull());
    assertEquals(0, list.getAsJsonArray("episodes").size());
  }

  @Test
  void anEpisodeIsPlayedAgainOnce() throws Exception {
    JsonObject episode = json("trajectories/{step}/{index}", Map.of(), "20", "2");
    assertEquals("Game_2_0_4_0", episode.get("id").getAsString());
    assertEquals(0, episode.get("frames").getAsInt());
    missing(
        "the episode was not replayed",
        "trajectories/{step}/{index}/frames/{turn}",
        "20",
        "2",
        "0");
    assertEquals(List.of(), replayed, "to open an episode plays nothing");
    assertEquals(3, replay("20", "2").get("frames").getAsInt());
    assertEquals(
        3, json("trajectories/{step}/{index}", Map.of(), "20", "2").get("frames").getAsInt());
    for (int turn = 0; turn < 3; turn++) {
      ApiAnswer.Bytes frame =
          assertInstanceOf(
              ApiAnswer.Bytes.class,
              ask("trajectories/{step}/{index}/frames/{turn}", Map.of(), "20", "2", "" + turn));
      assertEquals("image/png", frame.type());
      assertArrayEquals(FRAMES.get(turn).data(), frame.bytes());
    }
    assertEquals(List.of(EpisodeLines.line(2, 1, 2, -1, 0)), replayed);
    missing("turn 3: expected 0 to 2", "trajectories/{step}/{index}/frames/{turn}", "20", "2", "3");
    missing("step 20 has no episode 1", "trajectories/{step}/{index}", "20", "1");
    missing("no episode '-1'", "trajectories/{step}/{index}", "20", "-1");
    missing("step 3 has no trajectories", "trajectories/{step}/{index}", "3", "0");
    missing("no step '..'", "trajectories/{step}/{index}", "..", "0");
  }

  @Test
  void whatPlaysOtherwiseHasNoPictures() throws Exception {
    outcome = new ReplayedEpisode(List.of(), "turn 2 has another observation than was recorded");
    String line = "the replay differs: turn 2 has another observation than was recorded";
    notReplayed(line, "0", "0");
    JsonObject episode = json("trajectories/{step}/{index}", Map.of(), "0", "0");
    assertEquals(0, episode.get("frames").getAsInt());
    missing(line, "trajectories/{step}/{index}/frames/{turn}", "0", "0", "0");
    replays =
        (folder, said, own) -> {
          throw new UserException("custom_envs.Game (chess): cannot be rendered");
        };
    notReplayed("custom_envs.Game (chess): cannot be rendered", "20", "0");
    replays = null;
    notReplayed("no service replays episodes", "20", "2");
  }

  private JsonObject replay(String step, String index) throws Exception {
    ApiAnswer.Json answer =
        assertInstanceOf(
            ApiAnswer.Json.class,
            ask("POST", "trajectories/{step}/{index}/replay", Map.of(), step, index));
    return GSON.toJsonTree(answer.value()).getAsJsonObject();
  }

  private void notReplayed(String line, String step, String index) {
    HttpRefusal refusal = assertThrows(HttpRefusal.class, () -> replay(step, index));
    assertEquals(409, refusal.status());
    assertEquals(line, refusal.getMessage());
  }

  @Test
  void picturesAreGivenByTheirDigestAlone() throws Exception {
    Path pictures = Files.createDirectories(run.resolve("trajectories/pictures"));
    Picture picture = FRAMES.getFirst();
    String name = picture.digest() + ".png";
    Files.write(pictures.resolve(name), picture.data());
    ApiAnswer.Bytes shown =
        assertInstanceOf(ApiAnswer.Bytes.class, ask("pictures/{file}", Map.of(), name));
    assertEquals("image/png", shown.type());
    assertArrayEquals(picture.data(), shown.bytes());
    for (String hostile : List.of("..", "../../config.yaml", "config.yaml", name + ".bak")) {
      missing("there is no such picture", "pictures/{file}", hostile);
    }
    Files.writeString(pictures.resolve(name), "<script>");
    missing("the picture does not match its digest", "pictures/{file}", name);
  }
}
