package roll.ui.trajectory;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.annotations.SerializedName;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The members of an episode's line that a list needs. Missing ones are null; only the first line of
 * a dumped rollout has {@code rollout}.
 */
record EpisodeLine(
    @Nullable JsonElement rollout,
    @Nullable String id,
    @Nullable String tag,
    int member,
    @Nullable Double score,
    @Nullable String finish,
    int @Nullable [] cut,
    @Nullable String answer,
    double @Nullable [] rewards,
    @Nullable List<Message> messages,
    @Nullable Metrics metrics,
    @Nullable List<Sequence> sequences) {
  private static final Gson GSON = new Gson();
  private static final int PEEK = 160;
  private static final double[] NONE = {};

  /** A message of the episode line. */
  record Message(@Nullable String content) {}

  /** Metrics of the environment. */
  record Metrics(@Nullable Double success) {}

  /** Values of a sequence by token. */
  record Sequence(
      double @Nullable [] turns,
      @SerializedName("log_probs") double @Nullable [] logProbs,
      double @Nullable [] advantages,
      double @Nullable [] mask) {}

  /** A trajectory line with its messages alone. */
  private record Messages(@Nullable List<Message> messages) {}

  /**
   * Returns the episode of a line; null for the first line of a dumped rollout.
   *
   * @throws IOException if the line is broken
   */
  static @Nullable EpisodeSummary read(int index, String text) throws IOException {
    try {
      EpisodeLine line = GSON.fromJson(text, EpisodeLine.class);
      if (line == null || (line.id == null && line.rollout == null)) {
        throw new IOException("'id' is missing");
      }
      if (hasNull(line.messages) || hasNull(line.sequences)) {
        throw new IOException("one of 'messages' or 'sequences' is null");
      }
      return line.id == null ? null : line.summary(index, line.id);
    } catch (JsonParseException | IllegalArgumentException e) { // also of null in an array
      throw new IOException(e.getMessage(), e);
    }
  }

  private static boolean hasNull(@Nullable List<?> all) {
    return all != null && all.stream().anyMatch(Objects::isNull);
  }

  /** Returns the texts of the messages of a valid line. */
  static Stream<String> messageTexts(String text) {
    return texts(GSON.fromJson(text, Messages.class).messages());
  }

  private static Stream<String> texts(@Nullable List<Message> messages) {
    return messages == null
        ? Stream.of()
        : messages.stream().map(Message::content).filter(Objects::nonNull);
  }

  private EpisodeSummary summary(int index, String name) {
    String ending = "_" + member;
    double sum = score == null ? Double.NaN : score;
    Double success = metrics == null ? null : metrics.success();
    int tokens = 0;
    int generated = 0;
    int trained = 0;
    double surprise = 0;
    double gains = 0;
    for (Sequence sequence : sequences == null ? List.<Sequence>of() : sequences) {
      double[] turns = Objects.requireNonNullElse(sequence.turns(), NONE);
      double[] logProbs = Objects.requireNonNullElse(sequence.logProbs(), NONE);
      double[] advantages = Objects.requireNonNullElse(sequence.advantages(), NONE);
      double[] mask = Objects.requireNonNullElse(sequence.mask(), NONE);
      tokens += turns.length;
      for (int t = 0; t < turns.length; t++) {
        if (turns[t] >= 0) {
          generated++;
          surprise -= t < logProbs.length ? logProbs[t] : Double.NaN;
        }
        if (t < advantages.length && t < mask.length && mask[t] != 0) {
          trained++;
          gains += advantages[t];
        }
      }
    }
    return new EpisodeSummary(
        index,
        name,
        Objects.requireNonNullElse(tag, ""),
        name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name,
        member,
        sum,
        trained == 0 ? null : gains / trained,
        rewards == null ? 0 : rewards.length,
        tokens,
        generated,
        generated == 0 ? null : surprise / generated,
        Objects.requireNonNullElse(finish, ""),
        cut == null ? 0 : cut.length,
        answer,
        peek(texts(messages).reduce("", (_, last) -> last)),
        (success == null || success.isNaN() ? sum : success) > 0);
  }

  private static String peek(String text) {
    int end = Math.min(text.length(), PEEK);
    boolean half =
        end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1));
    return text.substring(0, half ? end - 1 : end);
  }
}
