package roll.reward.code;

import java.util.List;
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

/** Runs the program in the final response with the tests of ROLL's code data sets. */
@Component(name = "roll.reward.code.sandbox")
@Requirement(
    namespace = "roll.sandbox",
    filter = "(roll.sandbox=python_process)",
    effective = "active")
@RollReward("code_sandbox")
public final class CodeSandboxReward implements RewardFunction {
  private final Plugins plugins;

  /** Creates the reward with the sandboxes in {@code plugins}. */
  @Activate
  public CodeSandboxReward(@Reference Plugins plugins) {
    this.plugins = plugins;
  }

  @Override
  public String description() {
    return "1 if the program passes all tests of a row of ROLL's code data sets, otherwise 0";
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
      String response = episode.finalResponse();
      if (response.isBlank()) {
        return Grade.of(false, null);
      }
      SandboxTests tests = SandboxTests.of(episode.facts(), response);
      TestedProgram trial = new TestedProgram(sandbox.service(), limits, tests.program());
      return Grade.of(trial.share(tests.tests()) >= 1, null);
    }

    @Override
    public void close() {
      sandbox.close();
    }
  }
}
