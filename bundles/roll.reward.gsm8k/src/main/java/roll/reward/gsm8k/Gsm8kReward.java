package roll.reward.gsm8k;

import java.util.List;
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

/**
 * Grades the final number of a worked solution like verl's GSM8K: strictly after the last {@code
 * ####}, or flexibly the last number.
 */
@Component(name = "roll.reward.gsm8k")
@RollReward("gsm8k")
public final class Gsm8kReward implements RewardFunction {
  private static final String STRICT = "strict";
  private static final double MOST = 1e9;
  private static final Option<String> METHOD =
      Option.choice(
              "method",
              List.of(STRICT, "flexible"),
              "`strict`: the last `#### ` and a number; `flexible`: the last number, whatever"
                  + " precedes it")
          .withDefault(STRICT);
  private static final Option<Double> FORMAT_SCORE =
      Option.number("format_score", -MOST, MOST, "score of a wrong number").withDefault(0.0);
  private static final Option<Double> SCORE =
      Option.number("score", -MOST, MOST, "score of the correct number").withDefault(1.0);

  /** Number of final characters searched for the answer. */
  private static final int END = 300;

  private static final Pattern MARKED = Pattern.compile("#### (-?[0-9.,]+)");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9.,]+");

  @Override
  public String description() {
    return "1 if the final number, by default that after ####, is the known answer, otherwise 0";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(METHOD, FORMAT_SCORE, SCORE, AnswerKey.OPTION);
  }

  @Override
  public Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    boolean strict = options.get(METHOD).equals(STRICT);
    double wrong = options.get(FORMAT_SCORE);
    double right = options.get(SCORE);
    return (episode, models) -> {
      String end = end(episode.finalResponse());
      String answer = strict ? marked(end) : lastNumber(end);
      boolean equal =
          answer != null && key.answers(episode).stream().anyMatch(gold -> equal(gold, answer));
      return new Grade(
          answer == null ? 0 : equal ? right : wrong, Map.of("acc", equal ? 1.0 : 0.0), answer);
    };
  }

  @Override
  public AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  private static String end(String response) {
    return response.substring(Math.max(0, response.length() - END));
  }

  private static @Nullable String marked(String end) {
    String last = null;
    for (Matcher found = MARKED.matcher(end); found.find(); ) {
      last = found.group(1);
    }
    return last == null ? null : last.replace(",", "");
  }

  private static @Nullable String lastNumber(String end) {
    String last = null;
    for (Matcher found = NUMBER.matcher(end); found.find(); ) {
      last = found.group().equals(".") ? last : found.group();
    }
    return last;
  }

  /** Returns whether the texts are equal; the known answer may have thousands separators. */
  private static boolean equal(String gold, String answer) {
    return answer.equals(gold) || answer.equals(gold.replace(",", ""));
  }
}
