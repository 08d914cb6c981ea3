package roll.agent.openai;

import java.util.List;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;

/**
 * A model behind an endpoint, at play.
 *
 * @param endpoint where it is
 * @param model its name there
 * @param sendsTools whether it is told of tools in the form of the protocol
 * @param mostEpisodes how many it is asked to play at once
 */
record OpenAiPlayer(Endpoint endpoint, String model, boolean sendsTools, int mostEpisodes)
    implements Player {
  @Override
  public String respond(AgentTurn turn) throws InterruptedException {
    return endpoint.ask(ChatRequest.of(model, turn, sendsTools ? turn.view().tools() : List.of()));
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
