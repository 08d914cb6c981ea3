package roll.reward.code;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.reward.RewardModels;
import roll.api.reward.RollReward;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.sandbox.SandboxOptions;

/**
 * Runs the program in the final response. The score is the share of tests passed, or whether it
 * runs if the question has no tests.
 */
@Component(name = "roll.reward.code")
@Requirement(
    namespace = "roll.sandbox",
    filter = "(roll.sandbox=python_process)",
    effective = "active")
@RollReward({"code_reward", "code_reward_test"})
public final class CodeReward implements RewardFunction {
  private final Plugins plugins;

  /** Creates the reward with the sandboxes in {@code plugins}. */
  @Activate
  public CodeReward(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "share of the question's tests that the program passes, from 0 to 1";
  }

  @Override
  public List<Option<?>> options() {
    return SandboxOptions.options();
  }

  @Override
  public Reward configure(Options options) {
    SandboxLimits limits = SandboxOptions.limits(options);
    return new Tested(SandboxOptions.lease(options, plugins), limits);
  }

  @Override
  public List<PluginReference<?>> uses(Options options) {
    return List.of(SandboxOptions.use(options));
  }

  private record Tested(Lease<Sandbox> sandbox, SandboxLimits limits) implements Reward {
    @Override
    public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
      String program = PythonSource.in(episode.finalResponse());
      TestedProgram trial = new TestedProgram(sandbox.service(), limits, program);
      double passed = trial.share(TestCases.of(episode.facts()));
      return new Grade(passed, Map.of("acc", passed), null);
    }

    @Override
    public void close() {
      sandbox.close();
    }
  }
}
