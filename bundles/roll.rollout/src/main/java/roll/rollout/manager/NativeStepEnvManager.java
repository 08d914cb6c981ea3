package roll.rollout.manager;

import org.osgi.service.component.annotations.Component;
import roll.api.config.EnvConfig;
import roll.api.data.Trajectory;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;
import roll.rollout.prompt.ConversationPrompt;
import roll.rollout.prompt.PromptSettings;
import roll.rollout.prompt.RerenderedConversation;

/**
 * One sample per turn (ROLL's {@code AgentNativeStepEnvManager}): the prompt is the whole
 * conversation, rendered again each turn by the chat template.
 */
@Component(name = "roll.rollout.agent_native_step")
@RollEnvManager("agent_native_step")
public final class NativeStepEnvManager implements EnvManager {
  @Override
  public void check(EnvConfig config) {
    PromptSettings.check(config, ConversationPrompt.PLACEHOLDERS, "observation");
    PromptSettings.withoutTools(config);
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    return EpisodeLoop.play(context, actionHandler -> new RerenderedConversation(context));
  }
}
