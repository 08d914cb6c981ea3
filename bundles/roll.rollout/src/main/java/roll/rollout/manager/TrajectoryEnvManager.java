package roll.rollout.manager;

import org.osgi.service.component.annotations.Component;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;
import roll.rollout.prompt.ConversationPrompt;
import roll.rollout.prompt.PromptSettings;

/**
 * One sample per episode (ROLL's {@code TrajEnvManager}): the conversation is one growing sequence
 * of tokens. Sampled tokens are never re-tokenized; only new text is tokenized, so training sees
 * exactly the sampled tokens.
 */
@Component(name = "roll.rollout.trajectory")
@RollEnvManager({"trajectory"})
public final class TrajectoryEnvManager implements EnvManager {
  @Override
  public void check(EnvConfig config) {
    PromptSettings.check(config, ConversationPrompt.PLACEHOLDERS, "observation");
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    return EpisodeLoop.play(
        context, actionHandler -> new ConversationPrompt(context, actionHandler));
  }
}
