package roll.agent.openai;

import com.google.gson.JsonObject;
import java.util.List;
import roll.api.rollout.AgentTurn;
import roll.api.rollout.Player;
import roll.remote.ApiClient;
import roll.remote.RequestFailure;

/**
 * Agent that plays with a model behind an OpenAI-compatible endpoint.
 *
 * @param endpoint client of the endpoint
 * @param model name of the model
 * @param sendsTools whether tools are sent as fields of the protocol
 * @param maxEpisodes maximum concurrent episodes
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
