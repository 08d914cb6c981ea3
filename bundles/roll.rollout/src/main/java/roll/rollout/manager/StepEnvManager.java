package roll.rollout.manager;

import org.osgi.service.component.annotations.Component;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;
import roll.rollout.prompt.PerTurnPrompt;
import roll.rollout.prompt.PromptSettings;

/**
 * One sample per turn (ROLL's {@code StepEnvManager}): the prompt is rebuilt each turn and lists
 * observation, action and reward of the last turns.
 */
@Component(name = "roll.rollout.step")
@RollEnvManager("step")
public final class StepEnvManager implements EnvManager {
  @Override
  public void check(EnvConfig config) {
    PromptSettings.check(config, PerTurnPrompt.PLACEHOLDERS, "current_observation");
    PromptSettings.withoutTools(config);
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    var template = PromptSettings.template(context.config(), PerTurnPrompt.PLACEHOLDERS);
    return EpisodeLoop.play(
        context,
        actionHandler -> new PerTurnPrompt(context, template, PerTurnPrompt.HistoryFormat.STEPS));
  }
}
