package roll.shell.eval;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.option.UserException;
import roll.shell.terminal.Json;

/**
 * A line of a trajectory file as Gson reads it, without pictures.
 *
 * @param metrics of environment and rewards
 * @param facts of the task
 * @param cut turns whose response reached the token limit
 */
record StoredEpisode(
    @Nullable String tag,
    int group,
    int episode,
    int member,
    long seed,
    @Nullable String finish,
    double @Nullable [] rewards,
    long @Nullable [] states,
    @Nullable List<@Nullable Said> messages,
    @Nullable Map<String, @Nullable Double> metrics,
    @Nullable Map<String, Object> facts,
    @Nullable String answer,
    @Nullable List<@Nullable Tokens> sequences,
    boolean branches,
    @Nullable List<@Nullable Integer> cut) {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  /** A message of the conversation. */
  record Said(@Nullable String role, @Nullable String content, @Nullable String tool) {
    private Message message() {
      return new Message(part(role, "role"), part(content, "content"), tool);
    }
  }

  /** A token sequence. */
  record Tokens(
      int @Nullable [] tokens,
      int @Nullable [] turns,
      double @Nullable [] log_probs,
      long @Nullable [] versions) {
    private Sequence sequence() {
      return new Sequence(
          part(tokens, "tokens"),
          part(turns, "turns"),
          part(log_probs, "log_probs"),
          part(versions, "versions"));
    }
  }

  /**
   * Returns the trajectory in {@code line}.
   *
   * @param where file and line, for messages
   * @throws UserException if there is none
   */
  static Trajectory read(String where, String line) {
    var unused = Json.object(where, line); // Gson's records accept malformed JSON
    try {
      return GSON.fromJson(line, StoredEpisode.class).trajectory();
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new UserException(where + ": is not a trajectory: " + Json.reason(e), e);
    }
  }

  private Trajectory trajectory() {
    double[] rewarded = part(rewards, "rewards");
    if (rewarded.length == 0) {
      throw new IllegalArgumentException("'rewards' is empty");
    }
    Map<String, Double> numbers = new LinkedHashMap<>();
    part(metrics, "metrics").forEach((name, value) -> numbers.put(name, part(value, name)));
    return new Trajectory(
        new TrajectoryKey(part(tag, "tag"), group, episode, member, seed),
        part(sequences, "sequences").stream().map(s -> part(s, "sequence").sequence()).toList(),
        rewarded,
        Objects.requireNonNullElseGet(states, () -> new long[rewarded.length]),
        part(messages, "messages").stream().map(m -> part(m, "message").message()).toList(),
        numbers,
        part(finish, "finish"),
        "",
        Objects.requireNonNullElse(facts, Map.of()),
        answer,
        branches,
        cut == null ? List.of() : cut.stream().map(turn -> part(turn, "cut")).toList());
  }

  private static <T> T part(@Nullable T value, String name) {
    if (value == null) {
      throw new IllegalArgumentException("'" + name + "' is missing");
    }
    return value;
  }
}
