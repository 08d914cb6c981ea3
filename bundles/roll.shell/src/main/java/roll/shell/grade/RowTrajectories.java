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
import roll.runtime.option.AnswerKeyCheck;

/**
 * Converts rows with a response to trajectories that end with it. Reading what a row lacks, such as
 * tokens, is an error, because a grade based on a length of zero would be wrong.
 *
 * @param name of the reward or grader, for messages
 * @param field with the response
 */
record RowTrajectories(String name, String field) {
  private static final String MESSAGES = "messages";

  /**
   * The field with the finish reason, as in trajectories: if the last message is a tool result, it
   * decides whether that is the answer.
   */
  private static final String FINISH = "finish";

  /**
   * Returns the trajectory of {@code row}: its {@code messages}, if any, and the response.
   *
   * @throws UserException with the line, if there is no response
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
                  : ", found '" + GradedRow.cell(response) + "'")
              + "; --response selects another field");
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
   * Checks that {@code row} has the fields needed for grading.
   *
   * @param key of its known answer, or null if none is needed
   * @param conversation whether the messages are needed
   * @throws UserException with the line
   */
  void check(Row row, @Nullable AnswerKey key, boolean conversation) {
    var unused = of(row);
    if (conversation && !row.fields().containsKey(MESSAGES)) {
      throw new UserException(
          row.where()
              + ": "
              + name
              + " grades the conversation, such as tool results: it needs it as messages,"
              + " [{\"role\": …, \"content\": …}, …]");
    }
    if (key != null) {
      AnswerKeyCheck.require(key, new TaskInfo(row.where(), row.fields()));
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
                + GradedRow.cell(message)
                + "'");
      }
    }
    return messages;
  }

  private static UserException lacking(String name, String what) {
    return new UserException(
        name + ": needs " + what + " of an episode, which rows of text do not have");
  }

  /** The unknown tokens; any access is an error. */
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

  /** The unknown metrics of an environment; any access is an error. */
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
