package roll.agent.openai;

import static roll.api.config.OptionInfo.Type.BOOLEAN;
import static roll.api.config.OptionInfo.Type.INTEGER;
import static roll.api.config.OptionInfo.Type.NUMBER;
import static roll.api.config.OptionInfo.Type.TEXT;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.http.PatientClient;
import roll.api.http.WebAddress;
import roll.api.rollout.Agent;
import roll.api.rollout.Player;
import roll.api.rollout.RollAgent;

/** Asks a model behind an endpoint that speaks OpenAI's chat completions. */
@Component(name = "roll.agent.openai")
@RollAgent("openai")
public final class OpenAiAgent implements Agent {
  private static final double LONGEST = 86_400;
  private static final double LONGEST_PAUSE = 600;

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
        new OptionInfo("send_tools", BOOLEAN, true, "whether tools go as the field tools"),
        new OptionInfo("max_concurrency", INTEGER, 64, "episodes that are played at once"));
  }

  @Override
  public Player configure(Options options) {
    PatientClient.Limits limits =
        new PatientClient.Limits(
            options.number("timeout", 0.001, LONGEST),
            options.integer("max_retries", 0, 1000),
            options.number("retry_delay", 0, LONGEST),
            LONGEST_PAUSE);
    Endpoint endpoint = new Endpoint(address(options), key(options), limits);
    return new OpenAiPlayer(
        endpoint,
        options.text("model_name"),
        options.flag("send_tools"),
        options.integer("max_concurrency", 1, 100_000));
  }

  private static URI address(Options options) {
    return WebAddress.of(options.text("base_url").replaceFirst("/+$", "") + "/chat/completions")
        .orElseThrow(
            () -> options.wrong("base_url", "an address such as http://localhost:8000/v1"));
  }

  private static @Nullable String key(Options options) {
    if (!options.has("api_key")) {
      return null;
    }
    if (!options.text("api_key").matches("[!-~]+")) {
      throw options.wrong("api_key", "a text without spaces");
    }
    return options.text("api_key");
  }
}
