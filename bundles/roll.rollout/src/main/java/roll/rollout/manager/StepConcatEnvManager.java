package roll.rollout.manager;

import org.osgi.service.component.annotations.Component;
import roll.api.rollout.EnvManager;
import roll.api.rollout.RollEnvManager;
import roll.rollout.prompt.PerTurnPrompt.HistoryFormat;

/**
 * One sample per turn (ROLL's {@code StepConcatEnvManager}): the prompt is rebuilt each turn and
 * begins with the observations of the last turns.
 */
@Component(name = "roll.rollout.step_concat", service = EnvManager.class)
@RollEnvManager("step_concat")
public final class StepConcatEnvManager extends PerTurnEnvManager {
  /** Creates the manager. */
  public StepConcatEnvManager() {
    super(HistoryFormat.OBSERVATIONS);
  }
}
