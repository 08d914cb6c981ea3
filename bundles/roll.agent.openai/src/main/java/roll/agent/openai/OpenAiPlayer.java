package roll.agent.openai;

import com.google.gson.JsonObject;
import java.util.List;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.remote.ApiClient;
import roll.remote.RequestFailure;

/**
 * A model behind an endpoint, playing.
 *
 * @param endpoint where it is
 * @param model its name there
 * @param sendsTools whether it is told of tools in the form of the protocol
 * @param maxEpisodes how many it is asked to play at once
 */
record OpenAiPlayer(ApiClient endpoint, String model, boolean sendsTools, int maxEpisodes)
    implements Player {
  @Override
  public String respond(AgentTurn turn) throws InterruptedException {
    JsonObject body = TurnRequest.of(model, turn, sendsTools ? turn.view().tools() : List.of());
    try {
      return ChatCompletion.content(endpoint.post(body.toString()));
    } catch (RequestFailure e) {
      throw endpoint.complaint(e, ChatCompletion.problem(e.body()));
    }
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
