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

/** Agent that plays uniformly random valid actions. */
@Component(name = "roll.agent.random")
@RollAgent("random")
public final class RandomAgent implements Agent {
  @Override
  public String description() {
    return "Writes a random valid action in the format of the environment.";
  }

  @Override
  public Player configure(Options options) {
    return RandomAgent::respond;
  }

  private static String respond(AgentTurn turn) {
    List<String> actions = turn.view().actions();
    if (actions.isEmpty()) {
      throw new UserException("the agent random needs an environment that lists its actions");
    }
    var stream = RandomStreams.of(turn.seed(), "random-agent");
    return turn.view().respond(actions.get(stream.nextInt(actions.size())));
  }
}
