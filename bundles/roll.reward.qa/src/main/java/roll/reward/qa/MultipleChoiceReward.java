package roll.reward.qa;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;
import roll.text.call.ThinkTags;

/**
 * Grades the letter of a multiple-choice answer by the rule of {@code
 * alibaba/ROLL@8eb27cc2:roll/pipeline/rlvr/rewards/crossthinkqa_rule_reward_worker.py}: the first
 * capital letter of the last box, without a box of the text after the last "answer is", otherwise
 * of the response.
 */
@Component(name = "roll.reward.qa.multiple_choice")
@RollReward("multiple_choice")
public final class MultipleChoiceReward implements RewardFunction {
  private static final Pattern BOX = Pattern.compile("\\\\boxed\\{([^}]+)\\}");
  private static final String MARK = "answer is";
  private static final String SOFT = "soft";
  private static final String LOOSE = "loose";

  private static final Option<String> FORM =
      Option.choice(
              "reward_type",
              List.of(SOFT, LOOSE, "strict"),
              "soft: 1 or −0.5 in a box, 0.5 or −1 without; loose: 1 or −1;"
                  + " strict: 1 only in a box, otherwise −1")
          .withDefault(SOFT);

  @Override
  public String description() {
    return "from -1 to 1, by the letter of a multiple-choice answer and whether it is boxed";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(AnswerKey.OPTION, FORM);
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    String form = options.get(FORM);
    return (episode, models) -> {
      String said = ThinkTags.after(episode.finalResponse());
      String boxed = box(said);
      String letter = letter(boxed == null ? afterMark(said) : boxed);
      boolean right =
          !letter.isEmpty()
              && key.answers(episode).stream().anyMatch(answer -> answer.startsWith(letter));
      double score = score(form, right, boxed != null);
      return new Grade(
          score, Map.of("acc", score > 0 ? 1.0 : 0.0), letter.isEmpty() ? null : letter);
    };
  }

  private static @Nullable String box(String text) {
    String last = null;
    for (Matcher box = BOX.matcher(text); box.find(); ) {
      last = box.group(1);
    }
    return last;
  }

  private static String afterMark(String text) {
    int mark = text.toLowerCase(Locale.ROOT).lastIndexOf(MARK);
    return mark < 0 ? text : text.substring(Math.min(text.length(), mark + MARK.length()));
  }

  private static String letter(String text) {
    return text.codePoints()
        .filter(Character::isUpperCase)
        .mapToObj(Character::toString)
        .findFirst()
        .orElse("");
  }

  private static double score(String form, boolean right, boolean boxed) {
    return switch (form) {
      case SOFT -> right ? (boxed ? 1 : 0.5) : boxed ? -0.5 : -1;
      case LOOSE -> right ? 1 : -1;
      default -> right && boxed ? 1 : -1;
    };
  }
}
