package roll.reward.qa;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;
import roll.api.reward.TaskFacts;
import roll.text.call.ThinkTags;

/**
 * Accuracy on multiple-choice questions in the rows of MMLU (the answer is an index), MMLU-Pro (a
 * letter) and ARC (a label). The chosen letter is in the last box, otherwise behind the last {@code
 * Answer:}, as in {@code openai/simple-evals@01ac108d:common.py}, or {@code answer is}, otherwise
 * at the beginning of the response.
 */
@Component(name = "roll.reward.qa.choice")
@RollReward("choice")
public final class ChoiceReward implements RewardFunction {
  private static final List<Pattern> MARKS =
      List.of(
          Pattern.compile("\\\\boxed\\{\\s*(?:\\\\text\\{)?\\(?([A-Z])(?![A-Za-z])"),
          Pattern.compile("(?i:answer)(?:\\s+is)?\\s*:?\\s*[*_$(\"'\\[]{0,4}([A-Z])(?![A-Za-z])"),
          Pattern.compile("^\\s*[*(\\[]{0,3}([A-Z])(?![A-Za-z])"));

  private static final Option<String> KEY =
      Option.text("choice_key", "field of the right choice: index from 0, letter, label or text")
          .withDefault("answer");

  @Override
  public String description() {
    return "1 if the response chooses the right letter of a multiple-choice question, otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(KEY);
  }

  @Override
  public Reward configure(Options options) {
    return new Choice(options.where(), options.get(KEY));
  }

  /** The reward with the field of the right choice. */
  private record Choice(String where, String key) implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) {
      String chosen = chosen(ThinkTags.after(episode.finalResponse()));
      String right = right("an episode of " + episode.tag(), episode.facts());
      return Grade.of(right.equals(chosen), chosen);
    }

    private static @Nullable String chosen(String response) {
      for (Pattern mark : MARKS) {
        List<MatchResult> found = mark.matcher(response).results().toList();
        if (!found.isEmpty()) {
          return found.getLast().group(1);
        }
      }
      return null;
    }

    @Override
    public void check(TaskInfo task) {
      var unused = right(task.where(), task.facts());
    }

    private String right(String task, Map<String, Object> facts) {
      String right = right(facts);
      if (right == null) {
        throw new UserException(
            ("%s: no right choice that %s could grade by: expected an index from 0, a letter, a"
                    + " label or one of the choices as %s")
                .formatted(task, where, key));
      }
      return right;
    }

    /** Returns the letter of the right choice; null if there is none. */
    private @Nullable String right(Map<String, Object> facts) {
      Object field = facts.containsKey("choices") ? facts.get("choices") : facts.get("options");
      List<?> choices = listed(field instanceof Map<?, ?> map ? map.get("text") : field);
      List<?> labels = listed(field instanceof Map<?, ?> map ? map.get("label") : null);
      Object fact = TaskFacts.at(facts, key);
      int most = choices.isEmpty() ? 26 : choices.size();
      int place =
          switch (fact) {
            case Long index -> Math.clamp(index, -1, most);
            case String text when labels.contains(text.strip()) -> labels.indexOf(text.strip());
            case String text when text.strip().matches("[A-Z]") -> text.strip().charAt(0) - 'A';
            case String text when text.strip().matches("\\d{1,2}") ->
                Integer.parseInt(text.strip());
            case String text -> choices.indexOf(text);
            case null, default -> -1;
          };
      return place < 0 || place >= most ? null : String.valueOf((char) ('A' + place));
    }

    private static List<?> listed(@Nullable Object field) {
      return field instanceof List<?> list ? list : List.of();
    }
  }
}
