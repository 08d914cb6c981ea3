package roll.ui.trajectory;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.http.HttpRefusal;
import roll.runtime.replay.Replays;
import roll.ui.run.RunFolders;
import roll.ui.run.TrajectoryFolder;
import roll.ui.trajectory.EpisodeFrames.Frames;
import roll.ui.web.Answer;
import roll.ui.web.Ask;
import roll.ui.web.Endpoint;

/** What is told of the episodes of runs. */
public final class TrajectoryEndpoints {
  private static final String OF_RUN = "GET /api/runs/{id}/";
  private static final String EPISODE = OF_RUN + "trajectories/{step}/{index}";
  private static final int MOST_LISTED = 500;

  /** A page does not wait longer for an episode that is played again before it shows the rest. */
  private static final long PATIENCE_SECONDS = 2;

  /** Replays have a limit of their own, and wait in line. */
  private static final long MOST_SECONDS = 60;

  private static final int MOST_PICTURE = 32 << 20;

  private final RunFolders runs;
  private final StepIndexes indexes = new StepIndexes();
  private final EpisodeFrames frames;

  /**
   * Of {@code runs}.
   *
   * @param replays gives null while nothing plays episodes again
   */
  public TrajectoryEndpoints(RunFolders runs, Supplier<@Nullable Replays> replays) {
    this.runs = runs;
    this.frames = new EpisodeFrames(replays);
  }

  /** What is answered, by method and path. */
  public Map<String, Endpoint> endpoints() {
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put(OF_RUN + "trajectories", this::list);
    all.put(EPISODE, this::episode);
    all.put(EPISODE + "/frames/{turn}", this::frame);
    all.put(OF_RUN + "pictures/{file}", this::picture);
    return all;
  }

  private TrajectoryFolder folder(Ask ask) {
    return new TrajectoryFolder(runs.find(ask.part(0)).folder());
  }

  private Answer list(Ask ask) throws IOException {
    TrajectoryFolder folder = folder(ask);
    List<Integer> steps = folder.steps();
    int last = steps.isEmpty() ? 0 : steps.getLast();
    int step = ask.number("step", last, 0, Integer.MAX_VALUE);
    EpisodeQuery query =
        new EpisodeQuery(ask.text("q", ""), ask.text("filter", "all"), ask.text("sort", "group"));
    int offset = ask.number("offset", 0, 0, Integer.MAX_VALUE);
    int limit = ask.number("limit", 50, 1, MOST_LISTED);
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("step", steps.isEmpty() ? null : step);
    answer.put("steps", steps);
    if (steps.isEmpty()) {
      answer.put("total", 0);
      answer.put("episodes", List.of());
      return new Answer.Json(answer);
    }
    StepIndex index = index(folder, step);
    List<EpisodeSummary> found = query.of(index);
    answer.put("total", found.size());
    answer.put("broken", index.broken());
    answer.put("notice", index.notice());
    answer.put("episodes", found.stream().skip(offset).limit(limit).toList());
    return new Answer.Json(answer);
  }

  private StepIndex index(TrajectoryFolder folder, int step) throws IOException {
    Path file = folder.file(step);
    if (file == null) {
      throw new HttpRefusal(404, "step " + step + " has no trajectories");
    }
    return indexes.of(file);
  }

  private String line(Ask ask) throws IOException {
    int step = part(ask, 1, "step");
    int index = part(ask, 2, "episode");
    String line = index(folder(ask), step).line(index);
    if (line == null) {
      throw new HttpRefusal(404, "step %d has no episode %d".formatted(step, index));
    }
    return line;
  }

  /** A number of the path. */
  private static int part(Ask ask, int number, String name) {
    String text = ask.part(number);
    if (!text.matches("[0-9]{1,9}")) {
      throw new HttpRefusal(404, "no " + name + " is called '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private Answer episode(Ask ask) throws IOException, InterruptedException {
    String line = line(ask);
    JsonObject episode = EpisodeDetail.of(line);
    int turns = episode.get("turns") instanceof JsonArray all ? all.size() : 0;
    Frames known = frames(ask, line, PATIENCE_SECONDS);
    episode.addProperty("frames", known == null ? turns + 1 : known.frames().size());
    episode.addProperty("replay", known == null ? null : known.problem());
    return new Answer.Json(episode);
  }

  /** The pictures of an episode; null where they are not there in time. */
  private @Nullable Frames frames(Ask ask, String line, long seconds) throws InterruptedException {
    try {
      return frames.of(runs.find(ask.part(0)), line).get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Answer frame(Ask ask) throws IOException, InterruptedException {
    int turn = part(ask, 3, "turn");
    Frames known = frames(ask, line(ask), MOST_SECONDS);
    if (known == null || known.problem() != null) {
      throw new HttpRefusal(
          404,
          known == null
              ? "the episode is still being played again"
              : String.valueOf(known.problem()));
    }
    if (turn >= known.frames().size()) {
      throw new HttpRefusal(
          404,
          "turn %d: there are pictures from 0 to %d".formatted(turn, known.frames().size() - 1));
    }
    return new Answer.Bytes("image/png", known.frames().get(turn).data());
  }

  private Answer picture(Ask ask) throws IOException {
    Path file = folder(ask).picture(ask.part(1));
    if (file == null) {
      throw new HttpRefusal(404, "there is no such picture");
    }
    if (Files.size(file) > MOST_PICTURE) {
      throw new HttpRefusal(413, "the picture is larger than " + (MOST_PICTURE >> 20) + " MB");
    }
    Picture picture = Picture.of(Files.readAllBytes(file));
    if (!String.valueOf(file.getFileName()).equals(picture.digest() + "." + picture.extension())) {
      throw new HttpRefusal(404, "the picture is not the one that was written");
    }
    String kind = picture.extension().equals("jpg") ? "jpeg" : picture.extension();
    return new Answer.Bytes("image/" + kind, picture.data());
  }
}
