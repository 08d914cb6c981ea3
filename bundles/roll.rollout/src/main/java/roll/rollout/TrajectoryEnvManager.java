package roll.rollout;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.config.EnvConfig;
import roll.api.config.UserException;
import roll.api.data.Trajectory;
import roll.api.env.Episode;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.RollEnvManager;

/**
 * One sample an episode (ROLL's {@code TrajEnvManager}): the conversation is one growing sequence
 * of tokens. What the policy wrote is kept token by token and only new text is tokenised, so a
 * sample is trained on exactly as it was drawn.
 */
@Component(name = "roll.rollout.trajectory")
@RollEnvManager({"trajectory"})
public final class TrajectoryEnvManager implements EnvManager {
  private static final List<String> PLACEHOLDERS =
      List.of("observation", "turn_idx", "suffix", "actions_left", "max_response_length");

  @Override
  public void check(EnvConfig config) {
    if (!template(config).placeholders().contains("observation")) {
      throw new UserException(
          where(config) + ".agent_template: the placeholder {observation} is missing");
    }
    if (config.maxSteps() < 1) {
      throw new UserException(
          where(config) + ".max_steps: expected 1 or more, found " + config.maxSteps());
    }
  }

  @Override
  public Trajectory play(EpisodeContext context) throws InterruptedException {
    try (Episode episode = context.scenario().reset(context.seed())) {
      return new Conversation(context, template(context.config()), episode).play();
    }
  }

  private static PromptTemplate template(EnvConfig config) {
    return PromptTemplate.parse(where(config) + ".agent_template", config.template(), PLACEHOLDERS);
  }

  private static String where(EnvConfig config) {
    return "custom_envs." + config.tag();
  }
}
