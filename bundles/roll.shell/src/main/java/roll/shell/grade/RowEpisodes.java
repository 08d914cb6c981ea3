package roll.shell.grade;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.dataset.Row;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.runtime.option.KnownAnswers;

/**
 * Rows with a response, as the episodes that end with it. What a row cannot tell, such as tokens,
 * is refused when it is asked for: a grade by a length of zero would be a lie.
 *
 * @param name of who grades, for messages
 * @param field of the response
 */
record RowEpisodes(String name, String field) {
  private static final String MESSAGES = "messages";

  /**
   * As trajectories have it: of a row whose last message is a tool's, whether that is the answer.
   */
  private static final String FINISH = "finish";

  /**
   * The episode of {@code row}: its {@code messages}, if it has any, and the response.
   *
   * @throws UserException naming the line, if there is no response
   */
  Trajectory of(Row row) {
    List<Message> messages = new ArrayList<>();
    Object said = row.fields().get(MESSAGES);
    if (said != null) {
      messages.addAll(messages(row, said));
    }
    Object response = row.fields().get(field);
    if (response instanceof String text) {
      messages.add(new Message("assistant", text));
    } else if (response != null || messages.isEmpty()) {
      throw new UserException(
          row.where()
              + ": "
              + (response == null ? "no response" : "the response is not a text")
              + ": expected a text as "
              + field
              + (response == null
                  ? " (it has: " + String.join(", ", row.fields().keySet()) + ")"
                  : ", found '" + TableText.of(response) + "'")
              + "; --response names another field");
    }
    return new Trajectory(
            new TrajectoryKey("row", 0, 0, 0, 0),
            new Tokens(name),
            new double[1],
            new long[1],
            List.copyOf(messages),
            new Metrics(name),
            row.fields().get(FINISH) instanceof String finish ? finish : "terminated")
        .withFacts(row.fields());
  }

  /**
   * Makes sure that {@code row} has what is graded by.
   *
   * @param key of its known answer, or null where none is needed
   * @param conversation whether the turns are needed
   * @throws UserException naming the line
   */
  void check(Row row, @Nullable AnswerKey key, boolean conversation) {
    var unused = of(row);
    if (conversation && !row.fields().containsKey(MESSAGES)) {
      throw new UserException(
          row.where()
              + ": "
              + name
              + " grades by what happened on the way, such as results of tools: it needs the"
              + " conversation as messages, [{\"role\": …, \"content\": …}, …]");
    }
    if (key != null) {
      KnownAnswers.require(key, new TaskInfo(row.where(), row.fields()));
    }
  }

  private static List<Message> messages(Row row, Object said) {
    List<Message> messages = new ArrayList<>();
    for (Object message : said instanceof List<?> list ? list : List.of(said)) {
      if (message instanceof Map<?, ?> map
          && map.get("role") instanceof String role
          && map.get("content") instanceof String content) {
        messages.add(new Message(role, content));
      } else {
        throw new UserException(
            row.where()
                + ": messages: expected a list of {\"role\": …, \"content\": …}, found '"
                + TableText.of(message)
                + "'");
      }
    }
    return messages;
  }

  private static UserException lacking(String name, String what) {
    return new UserException(
        name + ": grades by " + what + " of an episode, which rows of text do not have");
  }

  /** Tokens nobody knows. */
  private static final class Tokens extends AbstractList<Sequence> {
    private final String name;

    Tokens(String name) {
      this.name = name;
    }

    @Override
    public Sequence get(int index) {
      throw lacking(name, "the tokens");
    }

    @Override
    public int size() {
      throw lacking(name, "the tokens");
    }
  }

  /** What an environment would have reported. */
  private static final class Metrics extends AbstractMap<String, Double> {
    private final String name;

    Metrics(String name) {
      this.name = name;
    }

    @Override
    public Set<Entry<String, Double>> entrySet() {
      throw lacking(name, "the metrics");
    }
  }
}
