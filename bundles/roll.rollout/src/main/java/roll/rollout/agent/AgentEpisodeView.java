package roll.rollout.agent;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.env.Episode;
import roll.api.rollout.EpisodeView;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolSchema;

/**
 * A read-only view of an episode for an agent.
 *
 * @param agent tools of the agent, or null
 * @param turn number of the turn, from 0
 */
public record AgentEpisodeView(Episode episode, @Nullable AgentTools agent, int turn)
    implements EpisodeView {
  /** Key of the facts with the demonstrated response of each turn. */
  private static final String DEMONSTRATION = "demonstration";

  @Override
  public String observation() {
    return episode.observation();
  }

  @Override
  public Optional<BufferedImage> picture() {
    return episode.picture();
  }

  @Override
  public List<String> actions() {
    return episode.actions();
  }

  @Override
  public String respond(String action) {
    return episode.respond(action);
  }

  @Override
  public Optional<String> expert() {
    if (episode.facts().get(DEMONSTRATION) instanceof List<?> turns && turn < turns.size()) {
      return Optional.of(written(turns.get(turn)));
    }
    return episode.expert();
  }

  @Override
  public List<ToolSchema> tools() {
    return agent == null ? List.of() : agent.listed();
  }

  /** Returns a string unchanged, and a mapping with a tool and its arguments as a call. */
  private String written(Object demonstrated) {
    if (agent == null || !(demonstrated instanceof Map<?, ?> call)) {
      return String.valueOf(demonstrated);
    }
    Map<String, Object> arguments = new LinkedHashMap<>();
    if (call.get("arguments") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> arguments.put(String.valueOf(name), value));
    }
    Object thought = call.get("thought");
    ToolCall made = ToolCall.of(String.valueOf(call.get("tool")), arguments);
    return agent.type().write(thought == null ? "" : String.valueOf(thought), List.of(made));
  }
}
