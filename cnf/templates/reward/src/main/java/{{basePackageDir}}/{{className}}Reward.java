package {{basePackageName}};

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;

/** Rewards a response that is exactly one of the expected words. */
@Component(name = "{{projectName}}")
@RollReward("{{projectName}}")
public final class {{className}}Reward implements RewardFunction {
  private static final Option<List<String>> WORDS =
      Option.list("words", "the allowed words, in this spelling")
          .withDefault(List.of("Left", "Down", "Right", "Up"));

  @Override
  public String description() {
    return "Share of the responses that are one of the allowed words, from 0 to 1.";
  }

  /** The options besides {@code weight} in {@code custom_envs.<tag>.rewards.{{projectName}}}. */
  @Override
  public List<Option<?>> options() {
    return List.of(WORDS);
  }

  /** Reads the options once; the result is used by many threads and has no state. */
  @Override
  public Reward configure(Options options) {
    Set<String> words = new HashSet<>(options.get(WORDS));
    return (episode, models) -> Grade.of(share(episode, words));
  }

  private static double share(Trajectory episode, Set<String> words) {
    List<String> responses =
        episode.messages().stream()
            .filter(message -> message.role().equals("assistant"))
            .map(Message::content)
            .map(String::strip)
            .toList();
    long right = responses.stream().filter(words::contains).count();
    return responses.isEmpty() ? 0 : (double) right / responses.size();
  }
}
