package roll.runtime.option;

import java.util.Set;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.text.Suggestion;

/** Checks that rewards find the answers they grade against. */
public final class AnswerKeyCheck {
  private AnswerKeyCheck() {}

  /**
   * Checks before an episode that {@code key} finds the answer to {@code task}.
   *
   * @throws UserException naming the task, the expected fields and the existing ones
   */
  public static void require(AnswerKey key, TaskInfo task) {
    if (key.find(task.facts()).isEmpty()) {
      Set<String> fields = task.facts().keySet();
      String near =
          key.paths().stream()
              .filter(path -> !fields.contains(path))
              .map(path -> Suggestion.near(path, fields))
              .filter(suggestion -> !suggestion.isEmpty())
              .findFirst()
              .orElse("");
      throw new UserException(
          ("%s: no answer that %s could grade by: expected a text, a number, true, false or a list"
                  + " of them as %s (it has: %s); %s.answer_key names another field%s")
              .formatted(
                  task.where(),
                  key.where(),
                  String.join(" or ", key.paths()),
                  String.join(", ", fields),
                  key.where(),
                  near));
    }
  }
}
