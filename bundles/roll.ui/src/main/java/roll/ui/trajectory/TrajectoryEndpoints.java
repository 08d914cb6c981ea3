package roll.ui.trajectory;

import com.google.gson.JsonObject;
import java.io.IOException;
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
import roll.ui.file.FileBytes;
import roll.ui.file.FileCache;
import roll.ui.run.RunFolders;
import roll.ui.run.TrajectoryFolder;
import roll.ui.trajectory.EpisodeFrames.Frames;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;

/** Answers requests about the episodes of runs. */
public final class TrajectoryEndpoints {
  private static final String OF_RUN = "GET /api/runs/{id}/";
  private static final String EPISODE = OF_RUN + "trajectories/{step}/{index}";
  private static final int MAX_LISTED = 500;

  /** The wait for a replay; they are queued, and have their own limit. */
  private static final long MAX_SECONDS = 60;

  private static final int MAX_PICTURE = 32 << 20;

  private final RunFolders runs;
  private final FileCache<StepIndex> indexes =
      new FileCache<>(6, (file, _) -> StepIndex.read(file));
  private final EpisodeFrames frames;

  /**
   * Creates the endpoints of the episodes of {@code runs}.
   *
   * @param replays returns null while no service replays episodes
   */
  public TrajectoryEndpoints(RunFolders runs, Supplier<@Nullable Replays> replays) {
    this.runs = runs;
    this.frames = new EpisodeFrames(replays);
  }

  /** Returns the endpoints by method and path. */
  public Map<String, Endpoint> endpoints() {
    Map<String, Endpoint> all = new LinkedHashMap<>();
    all.put(OF_RUN + "trajectories", this::list);
    all.put(EPISODE, this::episode);
    all.put(EPISODE + "/frames/{turn}", this::frame);
    all.put(EPISODE.replace("GET", "POST") + "/replay", this::replay);
    all.put(OF_RUN + "pictures/{file}", this::picture);
    return all;
  }

  private TrajectoryFolder folder(ApiRequest request) {
    return new TrajectoryFolder(runs.find(request.part(0)).folder());
  }

  private ApiAnswer list(ApiRequest request) throws IOException {
    TrajectoryFolder folder = folder(request);
    List<Integer> steps = folder.steps();
    int last = steps.isEmpty() ? 0 : steps.getLast();
    int step = request.number("step", last, 0, Integer.MAX_VALUE);
    EpisodeQuery query =
        new EpisodeQuery(
            request.text("q", ""), request.text("filter", "all"), request.text("sort", "group"));
    int offset = request.number("offset", 0, 0, Integer.MAX_VALUE);
    int limit = request.number("limit", 50, 1, MAX_LISTED);
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("step", steps.isEmpty() ? null : step);
    answer.put("steps", steps);
    if (steps.isEmpty()) {
      answer.put("total", 0);
      answer.put("episodes", List.of());
      return new ApiAnswer.Json(answer);
    }
    StepIndex index = index(folder, step);
    List<EpisodeSummary> found = query.of(index);
    answer.put("total", found.size());
    answer.put("broken", index.broken());
    answer.put("notice", index.notice());
    answer.put("episodes", found.stream().skip(offset).limit(limit).toList());
    return new ApiAnswer.Json(answer);
  }

  private StepIndex index(TrajectoryFolder folder, int step) throws IOException {
    Path file = folder.file(step);
    if (file == null) {
      throw new HttpRefusal(404, "step " + step + " has no trajectories");
    }
    return indexes.get(file);
  }

  private String line(ApiRequest request) throws IOException {
    int step = part(request, 1, "step");
    int index = part(request, 2, "episode");
    String line = index(folder(request), step).line(index);
    if (line == null) {
      throw new HttpRefusal(404, "step %d has no episode %d".formatted(step, index));
    }
    return line;
  }

  /** Returns a number in the path. */
  private static int part(ApiRequest request, int number, String name) {
    String text = request.part(number);
    if (!text.matches("[0-9]{1,9}")) {
      throw new HttpRefusal(404, "no " + name + " '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private ApiAnswer episode(ApiRequest request) throws IOException, InterruptedException {
    String line = line(request);
    JsonObject episode = EpisodeDetail.of(line);
    Path times = folder(request).times(part(request, 1, "step"));
    episode.add("times", times == null ? null : EpisodeTimes.read(times, episode));
    Frames known = frames.known(runs.find(request.part(0)), line);
    episode.addProperty("frames", known == null ? 0 : known.frames().size());
    return new ApiAnswer.Json(episode);
  }

  /**
   * Plays the environment that the configuration of the run names: an order, since that is code,
   * and the configuration may be a stranger's.
   */
  private ApiAnswer replay(ApiRequest request) throws IOException, InterruptedException {
    try {
      Frames played =
          frames.of(runs.find(request.part(0)), line(request)).get(MAX_SECONDS, TimeUnit.SECONDS);
      if (played.problem() != null) {
        throw new HttpRefusal(409, played.problem());
      }
      return new ApiAnswer.Json(Map.of("frames", played.frames().size()));
    } catch (TimeoutException e) {
      throw new HttpRefusal(409, "the episode is still being replayed");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private ApiAnswer frame(ApiRequest request) throws IOException {
    int turn = part(request, 3, "turn");
    Frames known = frames.known(runs.find(request.part(0)), line(request));
    if (known == null || known.problem() != null) {
      throw new HttpRefusal(
          404, known == null ? "the episode was not replayed" : String.valueOf(known.problem()));
    }
    if (turn >= known.frames().size()) {
      throw new HttpRefusal(
          404, "turn %d: expected 0 to %d".formatted(turn, known.frames().size() - 1));
    }
    return new ApiAnswer.Bytes("image/png", known.frames().get(turn).data());
  }

  private ApiAnswer picture(ApiRequest request) throws IOException {
    Path file = folder(request).picture(request.part(1));
    if (file == null) {
      throw new HttpRefusal(404, "there is no such picture");
    }
    byte[] bytes = FileBytes.head(file, MAX_PICTURE + 1);
    if (bytes.length > MAX_PICTURE) {
      throw new HttpRefusal(413, "the picture is larger than " + (MAX_PICTURE >> 20) + " MB");
    }
    Picture picture = Picture.of(bytes);
    if (!String.valueOf(file.getFileName()).equals(picture.digest() + "." + picture.extension())) {
      throw new HttpRefusal(404, "the picture does not match its digest");
    }
    String kind = picture.extension().equals("jpg") ? "jpeg" : picture.extension();
    return new ApiAnswer.Bytes("image/" + kind, picture.data());
  }
}
