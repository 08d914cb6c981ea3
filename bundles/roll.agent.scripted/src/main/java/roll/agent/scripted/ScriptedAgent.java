package roll.agent.scripted;

import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import roll.api.data.RandomStreams;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.rollout.Agent;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.EpisodeView;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;

/** Agent that plays the actions of the environment's expert. */
@Component(name = "roll.agent.scripted")
@RollAgent("scripted")
public final class ScriptedAgent implements Agent {
  private static final String STOP = "stop";
  private static final Option<String> WITHOUT_EXPERT =
      Option.choice(
              "without_expert",
              List.of(STOP, "random"),
              "if the expert has no action: `stop` ends the rollout with one line, `random` takes"
                  + " a valid action")
          .withDefault(STOP);

  @Override
  public String description() {
    return "Writes the action of the environment's expert in the environment's format.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(WITHOUT_EXPERT);
  }

  @Override
  public Player configure(Options options) {
    boolean stops = options.get(WITHOUT_EXPERT).equals(STOP);
    return turn -> respond(turn, stops);
  }

  private static String respond(AgentTurn turn, boolean stops) {
    EpisodeView view = turn.view();
    Optional<String> action = view.expert().or(() -> stops ? Optional.empty() : any(turn));
    return view.respond(
        action.orElseThrow(
            () ->
                new UserException(
                    "the agent scripted needs an expert, which has no action in turn "
                        + (turn.number() + 1)
                        + " (proxy_config."
                        + WITHOUT_EXPERT.name()
                        + ": random takes a valid one)")));
  }

  private static Optional<String> any(AgentTurn turn) {
    List<String> actions = turn.view().actions();
    var stream = RandomStreams.of(turn.seed(), "scripted-agent");
    return actions.isEmpty()
        ? Optional.empty()
        : Optional.of(actions.get(stream.nextInt(actions.size())));
  }
}
