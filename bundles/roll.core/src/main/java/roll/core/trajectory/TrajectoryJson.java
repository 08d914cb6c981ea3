package roll.core.trajectory;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.TypeAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.tracking.Tracing.Trace;
import roll.runtime.trace.TraceScope;

/**
 * Trajectories as JSON, one object per line with the names of its {@link PictureFiles}, for people,
 * {@code jq} and {@link #read}. Doubles come back bit for bit; those that JSON has no word for are
 * the texts {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}.
 */
public final class TrajectoryJson {
  /** The Gson instance for all lines. */
  public static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .registerTypeAdapter(Double.class, new Doubles())
          .registerTypeAdapter(double.class, new Doubles())
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private TrajectoryJson() {}

  /** Writes {@code trajectory} as JSON in one line, each sequence with the text of each token. */
  public static String write(Trajectory trajectory, TokenTexts texts) {
    return write(trajectory, TrainedSamples.NONE, TraceScope.NONE, texts);
  }

  /**
   * Writes {@code trajectory} with the training data of its tokens and its trace, which {@link
   * #read} ignores.
   */
  static String write(
      Trajectory trajectory, TrainedSamples trained, TraceScope traces, TokenTexts texts) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("id", trajectory.id());
    line.put("tag", trajectory.tag());
    line.put("group", trajectory.key().group());
    line.put("episode", trajectory.key().episode());
    line.put("member", trajectory.key().member());
    line.put("seed", trajectory.key().seed());
    line.put("score", trajectory.score());
    line.put("finish", trajectory.finish());
    line.put("environment", trajectory.environment());
    line.put("rewards", trajectory.rewards());
    line.put("states", trajectory.states());
    line.put("messages", trajectory.messages().stream().map(MessageLine::of).toList());
    line.put("facts", trajectory.facts());
    line.put("answer", trajectory.answer());
    line.put("metrics", trajectory.metrics());
    List<Map<String, Object>> sequences = new ArrayList<>();
    for (int i = 0; i < trajectory.sequences().size(); i++) {
      Map<String, Object> sequence = sequence(trajectory.sequences().get(i), texts);
      TrainedTokens tokens = trained.of(trajectory.id(), i);
      if (tokens != null) {
        sequence.putAll(tokens.members());
      }
      sequences.add(sequence);
    }
    line.put("sequences", sequences);
    if (trajectory.branches()) {
      line.put("branches", true);
    }
    if (!trajectory.cut().isEmpty()) {
      line.put("cut", trajectory.cut());
    }
    Trace trace = traces.traceOf(trajectory.id());
    if (trace != null) {
      line.put("trace_id", trace.id());
      if (!trace.link().isEmpty()) {
        line.put("trace_link", trace.link());
      }
    }
    return GSON.toJson(line);
  }

  private static Map<String, Object> sequence(Sequence sequence, TokenTexts texts) {
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("tokens", sequence.tokens());
    written.put("texts", texts.of(sequence.tokens()));
    written.put("turns", sequence.turns());
    written.put("log_probs", sequence.logProbs());
    written.put("versions", sequence.versions());
    if (!sequence.pictures().isEmpty()) {
      written.put("pictures", sequence.pictures().stream().map(PictureFiles::name).toList());
    }
    return written;
  }

  /**
   * Reads the trajectory from the JSON that {@link #write} wrote as {@code line}.
   *
   * @param pictures beside the line
   * @throws JsonParseException saying what is missing or wrong
   */
  static Trajectory read(JsonObject line, PictureFiles pictures) {
    double[] rewards = part(line, "rewards", double[].class);
    long[] states = part(line, "states", long[].class);
    if (states.length != rewards.length) {
      throw new JsonParseException(states.length + " states, " + rewards.length + " rewards");
    }
    List<Sequence> sequences =
        parts(line, "sequences", JsonObject[].class).stream()
            .map(sequence -> sequence(sequence, rewards.length, pictures))
            .toList();
    if (sequences.isEmpty() || (sequences.size() > 1 && sequences.size() > rewards.length)) {
      throw new JsonParseException(sequences.size() + " sequences, " + rewards.length + " rewards");
    }
    return new Trajectory(
        new TrajectoryKey(
            part(line, "tag", String.class),
            part(line, "group", Integer.class),
            part(line, "episode", Integer.class),
            part(line, "member", Integer.class),
            part(line, "seed", Long.class)),
        sequences,
        rewards,
        states,
        parts(line, "messages", MessageLine[].class).stream()
            .map(message -> message.message(pictures))
            .toList(),
        numbers(line, "metrics"),
        part(line, "finish", String.class),
        line.has("environment") ? part(line, "environment", String.class) : "",
        line.has("facts") ? facts(line) : Map.of(),
        line.has("answer") ? part(line, "answer", String.class) : null,
        line.has("branches") && part(line, "branches", Boolean.class),
        line.has("cut") ? parts(line, "cut", Integer[].class) : List.of());
  }

  private static Sequence sequence(JsonObject written, int turns, PictureFiles pictures) {
    int[] byTurn = part(written, "turns", int[].class);
    for (int turn : byTurn) {
      if (turn < -1 || turn >= turns) {
        throw new JsonParseException("a token of turn " + turn + ", but " + turns + " rewards");
      }
    }
    try {
      return new Sequence(
          part(written, "tokens", int[].class),
          byTurn,
          part(written, "log_probs", double[].class),
          part(written, "versions", long[].class),
          written.has("pictures")
              ? pictures.read(parts(written, "pictures", String[].class))
              : List.of());
    } catch (IllegalArgumentException e) { // of different lengths
      throw new JsonParseException(e.getMessage(), e);
    }
  }

  /**
   * Returns the member {@code key} of the JSON object {@code line}.
   *
   * @throws JsonParseException if it is missing or of another type
   */
  static <T> T part(JsonObject line, String key, Class<T> type) {
    return part(line, key, TypeToken.get(type));
  }

  private static <T> List<T> parts(JsonObject line, String key, Class<T[]> type) {
    List<@Nullable T> parts = Arrays.asList(part(line, key, type));
    if (parts.contains(null)) {
      throw new JsonParseException("'" + key + "' has a gap");
    }
    return List.copyOf(parts);
  }

  /** Reads a mapping of names to numbers, in its order. */
  static Map<String, Double> numbers(JsonObject line, String key) {
    return Collections.unmodifiableMap(
        part(line, key, new TypeToken<LinkedHashMap<String, Double>>() {}));
  }

  /** Reads the facts of an episode; integers stay integers. */
  private static Map<String, Object> facts(JsonObject line) {
    return part(line, "facts", new TypeToken<LinkedHashMap<String, Object>>() {});
  }

  private static <T> T part(JsonObject line, String key, TypeToken<T> type) {
    try {
      JsonElement found = line.get(key);
      // from its text: of an element Gson makes integers of others
      @Nullable T value = found == null ? null : GSON.fromJson(found.toString(), type);
      if (value != null) {
        return value;
      }
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new JsonParseException("'" + key + "' is not what it should be", e);
    }
    throw new JsonParseException("'" + key + "' is missing");
  }

  /** Numbers that are not finite are texts. */
  private static final class Doubles extends TypeAdapter<Double> {
    @Override
    public void write(JsonWriter out, @Nullable Double value) throws IOException {
      double number = Objects.requireNonNull(value);
      if (Double.isFinite(number)) {
        out.value(number);
      } else {
        out.value(Double.toString(number));
      }
    }

    @Override
    public Double read(JsonReader in) throws IOException {
      return Double.valueOf(in.nextString());
    }
  }
}
