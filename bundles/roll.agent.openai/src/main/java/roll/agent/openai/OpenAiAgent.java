package roll.agent.openai;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.rollout.Agent;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;
import roll.remote.ApiClient;

/** Queries a model through an OpenAI-compatible chat completions endpoint. */
@Component(name = "roll.agent.openai")
@RollAgent("openai")
public final class OpenAiAgent implements Agent {
  private static final Option<String> MODEL_NAME =
      Option.text("model_name", "name of the model at the endpoint");
  private static final Option<Boolean> SEND_TOOLS =
      Option.flag(
              "send_tools",
              "whether tools, calls and results are sent as the protocol's fields, otherwise as"
                  + " text")
          .withDefault(true);
  private static final Option<Integer> MAX_CONCURRENCY =
      Option.integer("max_concurrency", 1, 100_000, "maximum concurrent episodes").withDefault(64);

  @Override
  public String description() {
    return "Queries a model through an OpenAI-compatible chat completions endpoint.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(
        ApiClient.BASE_URL,
        MODEL_NAME,
        ApiClient.API_KEY,
        ApiClient.TIMEOUT,
        ApiClient.MAX_RETRIES,
        ApiClient.RETRY_DELAY,
        SEND_TOOLS,
        MAX_CONCURRENCY);
  }

  @Override
  public Player configure(Options options) {
    return new OpenAiPlayer(
        ApiClient.of("the agent openai", "/chat/completions", options),
        options.get(MODEL_NAME),
        options.get(SEND_TOOLS),
        options.get(MAX_CONCURRENCY));
  }
}
