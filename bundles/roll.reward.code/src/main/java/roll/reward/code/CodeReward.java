package roll.reward.code;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RollReward;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.Sandboxes;

/**
 * Runs the program in the last message of the assistant: the share of the question's tests that it
 * passes, or, of a question without tests, whether it runs.
 */
@Component(name = "roll.reward.code")
@RollReward({"code_reward", "code_reward_test"})
public final class CodeReward implements RewardFunction {
  private final Sandboxes sandboxes = new Sandboxes();

  @Reference(
      name = "sandboxes",
      cardinality = ReferenceCardinality.AT_LEAST_ONE,
      policy = ReferencePolicy.DYNAMIC)
  void add(Sandbox sandbox, Map<String, Object> properties) {
    sandboxes.add(sandbox, properties);
  }

  void remove(Sandbox sandbox, Map<String, Object> properties) {
    sandboxes.remove(sandbox, properties);
  }

  @Override
  public String description() {
    return "the share of the question's tests that the answer's program passes, from 0 to 1";
  }

  @Override
  public List<OptionInfo> options() {
    return Sandboxes.options();
  }

  @Override
  public Reward configure(Options options) {
    Sandbox sandbox = sandboxes.named(options);
    SandboxLimits limits = Sandboxes.limits(options);
    return (episode, models) -> {
      String program = Programs.in(answer(episode));
      double passed = new Trial(sandbox, limits, program).share(Tests.of(episode.facts()));
      return new Grade(passed, Map.of("acc", passed), null);
    };
  }

  /** The last message of the assistant; of none, the last message. */
  private static String answer(Trajectory episode) {
    return episode.messages().reversed().stream()
        .filter(message -> message.role().equals("assistant"))
        .findFirst()
        .map(Message::content)
        .orElseGet(episode::finalResponse);
  }
}
