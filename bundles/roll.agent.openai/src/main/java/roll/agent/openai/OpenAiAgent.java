package roll.agent.openai;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.rollout.Agent;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;
import roll.remote.KeyedService;

/** Asks a model behind an endpoint that speaks OpenAI's chat completions. */
@Component(name = "roll.agent.openai")
@RollAgent("openai")
public final class OpenAiAgent implements Agent {
  @Override
  public String description() {
    return "Asks a model behind an endpoint that speaks OpenAI's chat completions.";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo("base_url", TEXT, null, "address before /chat/completions"),
        new OptionInfo("model_name", TEXT, null, "the endpoint's name of the model"),
        new OptionInfo("api_key", TEXT, null, "sent as bearer token; absent, nothing is sent"),
        new OptionInfo("timeout", NUMBER, 60, "seconds that an answer may take"),
        new OptionInfo("max_retries", INTEGER, 3, "how often a request is sent again"),
        new OptionInfo(
            "retry_delay", NUMBER, 2, "seconds before the first time, doubled each time"),
        new OptionInfo(
            "send_tools",
            BOOLEAN,
            true,
            "whether tools, calls and results go as the protocol has them; else as text"),
        new OptionInfo("max_concurrency", INTEGER, 64, "episodes that are played at once"));
  }

  @Override
  public Player configure(Options options) {
    return new OpenAiPlayer(
        KeyedService.of("the agent openai", "/chat/completions", options),
        options.text("model_name"),
        options.flag("send_tools"),
        options.integer("max_concurrency", 1, 100_000));
  }
}
