package roll.rollout.manager;

import org.osgi.service.component.annotations.Component;
import roll.api.rollout.EnvManager;
import roll.api.rollout.RollEnvManager;
import roll.rollout.prompt.PerTurnPrompt.HistoryFormat;

/**
 * One sample per turn (ROLL's {@code StepEnvManager}): the prompt is rebuilt each turn and lists
 * observation, action and reward of the last turns.
 */
@Component(name = "roll.rollout.step", service = EnvManager.class)
@RollEnvManager("step")
public final class StepEnvManager extends PerTurnEnvManager {
  /** Creates the manager. */
  public StepEnvManager() {
    super(HistoryFormat.STEPS);
  }
}
