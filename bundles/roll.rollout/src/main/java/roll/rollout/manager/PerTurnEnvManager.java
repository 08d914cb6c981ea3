package roll.rollout.manager;

import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.rollout.prompt.PerTurnPrompt;
import roll.rollout.prompt.PromptSettings;

/** Base of the managers that rebuild the prompt each turn, with the last turns in one format. */
abstract class PerTurnEnvManager implements EnvManager {
  private final PerTurnPrompt.HistoryFormat history;

  PerTurnEnvManager(PerTurnPrompt.HistoryFormat history) {
    this.history = history;
  }

  @Override
  public final void check(EnvConfig config) {
    PromptSettings.check(config, PerTurnPrompt.PLACEHOLDERS, "current_observation");
    PromptSettings.withoutTools(config);
  }

  @Override
  public final Trajectory play(EpisodeContext context) throws InterruptedException {
    var template = PromptSettings.template(context.config(), PerTurnPrompt.PLACEHOLDERS);
    return EpisodeLoop.play(
        context, actionHandler -> new PerTurnPrompt(context, template, history));
  }
}
