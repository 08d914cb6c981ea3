package roll.rollout.replay;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import roll.api.data.TrajectoryKey;
import roll.api.option.UserException;
import roll.text.OneLine;

/** A line of a trajectories file, parsed from JSON; missing fields are null. */
record RecordedLine(
    @Nullable String tag,
    int group,
    int episode,
    int member,
    long seed,
    @Nullable String finish,
    double @Nullable [] rewards,
    long @Nullable [] states,
    @Nullable List<@Nullable Said> messages,
    @Nullable List<@Nullable Tokens> sequences) {
  private static final Gson GSON = new Gson();

  /** A message of the recorded line. */
  record Said(@Nullable String role, @Nullable String content) {
    boolean by(String who) {
      return who.equals(role);
    }

    String text() {
      return Objects.requireNonNullElse(content, "");
    }
  }

  /**
   * A sequence: turn, text (special tokens written out) and version of the weights of each token.
   */
  record Tokens(
      int @Nullable [] turns, @Nullable List<@Nullable String> texts, long @Nullable [] versions) {}

  /**
   * Parses a line.
   *
   * @throws UserException if the line is malformed or a field is missing
   */
  static RecordedEpisode episode(String line) {
    try {
      @Nullable RecordedLine read = GSON.fromJson(line, RecordedLine.class);
      if (read == null) {
        throw new UserException("the line is empty");
      }
      return read.recorded();
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new UserException("the line is not a trajectory: " + OneLine.of(e), e);
    }
  }

  private RecordedEpisode recorded() {
    if (tag == null || finish == null || rewards == null || states == null || messages == null) {
      throw new UserException("the line lacks tag, finish, rewards, states or messages");
    }
    List<String> texts = new ArrayList<>();
    List<List<String>> results = new ArrayList<>();
    for (Said said : messages) {
      if (said != null && said.by("assistant")) {
        texts.add(said.text());
        results.add(new ArrayList<>());
      } else if (said != null && said.by("tool") && !results.isEmpty()) {
        results.getLast().add(said.text());
      }
    }
    if (texts.size() != rewards.length || states.length != rewards.length) {
      throw new UserException(
          "the line has %d responses, %d rewards and %d states; expected equal numbers"
              .formatted(texts.size(), rewards.length, states.length));
    }
    List<RecordedEpisode.Turn> turns = new ArrayList<>();
    for (int turn = 0; turn < rewards.length; turn++) {
      String text = texts.get(turn);
      turns.add(
          new RecordedEpisode.Turn(
              response(turn, text), text, results.get(turn), rewards[turn], states[turn]));
    }
    return new RecordedEpisode(
        new TrajectoryKey(tag, group, episode, member, seed), List.copyOf(turns), finish);
  }

  /**
   * Returns the text that the environment read: the policy's tokens including special ones; for an
   * agent, whose tokens have no weight version, its text.
   */
  private String response(int turn, String text) {
    StringBuilder written = new StringBuilder();
    for (Tokens sequence : Objects.requireNonNullElse(sequences, List.<@Nullable Tokens>of())) {
      if (sequence == null) {
        continue;
      }
      int[] turns = Objects.requireNonNullElse(sequence.turns(), new int[0]);
      List<@Nullable String> texts = Objects.requireNonNullElse(sequence.texts(), List.of());
      long[] versions = Objects.requireNonNullElse(sequence.versions(), new long[0]);
      for (int t = 0; t < turns.length; t++) {
        if (turns[t] != turn) {
          continue;
        }
        if (t >= texts.size() || t >= versions.length || versions[t] < 0) {
          return text;
        }
        written.append(texts.get(t));
      }
    }
    return written.isEmpty() ? text : written.toString();
  }
}
