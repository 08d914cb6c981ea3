package roll.agent.random;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.RandomStreams;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;

/** Takes any of the valid actions, each as likely as the others. */
@Component(name = "roll.agent.random")
@RollAgent("random")
public final class RandomAgent implements Agent {
  @Override
  public String description() {
    return "Writes a valid action by chance, in the format that the environment expects.";
  }

  @Override
  public Player configure(Options options) {
    return RandomAgent::respond;
  }

  private static String respond(AgentTurn turn) {
    List<String> actions = turn.view().actions();
    if (actions.isEmpty()) {
      throw new UserException("the agent random needs actions that can be counted; there are none");
    }
    var stream = RandomStreams.of(turn.seed(), "random-agent");
    return turn.view().respond(actions.get(stream.nextInt(actions.size())));
  }
}
