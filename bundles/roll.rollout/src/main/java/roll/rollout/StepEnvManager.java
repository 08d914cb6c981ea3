package roll.rollout;

import org.osgi.service.component.annotations.Component;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;

/**
 * One sample a turn (ROLL's {@code StepEnvManager}): the prompt is made anew each turn and tells of
 * the last turns with what was seen, done and earned.
 */
@Component(name = "roll.rollout.step")
@RollEnvManager("step")
public final class StepEnvManager implements EnvManager {
  @Override
  public void check(EnvConfig config) {
    Prompts.check(config, FreshScript.PLACEHOLDERS, "current_observation");
    Prompts.withoutTools(config);
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    var template = Prompts.template(context.config(), FreshScript.PLACEHOLDERS);
    return EpisodeLoop.play(
        context, moves -> new FreshScript(context, template, FreshScript.Telling.STEPS));
  }
}
