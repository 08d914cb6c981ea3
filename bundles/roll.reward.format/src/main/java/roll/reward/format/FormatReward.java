package roll.reward.format;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.osgi.service.component.annotations.Component;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;
import roll.text.BoundedSearch;

/** The share of the policy's messages that match a regular expression. */
@Component(name = "roll.reward.format.format")
@RollReward("format")
public final class FormatReward implements RewardFunction {
  private static final String MESSAGES = "messages";
  private static final Option<String> PATTERN =
      Option.text(
          "pattern",
          "a Java regular expression; a dot matches line breaks too; `^…$` for the whole"
              + " message");
  private static final Option<String> OVER =
      Option.choice(
              "over",
              List.of(MESSAGES, "final"),
              "`messages`: all of the policy's messages; `final`: the final response alone, 1 or 0;"
                  + " without an answer 0")
          .withDefault(MESSAGES);

  @Override
  public String description() {
    return "share of the policy's messages that match a pattern, 0 to 1";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(PATTERN, OVER);
  }

  @Override
  public Reward configure(Options options) {
    Pattern pattern = pattern(options);
    return options.get(OVER).equals(MESSAGES)
        ? (episode, models) -> Grade.of(share(pattern, episode))
        : (episode, models) -> Grade.of(ends(pattern, episode) ? 1 : 0);
  }

  private static Pattern pattern(Options options) {
    try {
      return Pattern.compile(options.get(PATTERN), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw options.wrong(PATTERN, "a regular expression (" + e.getDescription() + ")");
    }
  }

  /** Returns whether the final response matches; without a final response it does not. */
  private static boolean ends(Pattern pattern, Trajectory episode) {
    return episode.answered() && BoundedSearch.finds(pattern, episode.finalResponse());
  }

  private static double share(Pattern pattern, Trajectory episode) {
    List<String> written =
        episode.messages().stream()
            .filter(message -> message.role().equals("assistant"))
            .map(Message::content)
            .toList();
    long found = written.stream().filter(text -> BoundedSearch.finds(pattern, text)).count();
    return written.isEmpty() ? 0 : (double) found / written.size();
  }
}
