package roll.rollout.supervise;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.env.Episode;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;

/**
 * The tools of an environment, which its episode executes.
 *
 * @param begun the episode; null until it has begun
 */
public record EpisodeTools(List<ToolSchema> tools, AtomicReference<@Nullable Episode> begun)
    implements ToolSet {
  /** Creates tools that no episode executes, for prompts. */
  public EpisodeTools(List<ToolSchema> tools) {
    this(tools, new AtomicReference<>());
  }

  /** Returns {@code kit} with the environment's tools executed by the episode {@code begun}. */
  public static AgentTools bind(AgentTools kit, AtomicReference<@Nullable Episode> begun) {
    List<ToolSet> sets =
        kit.sets().stream()
            .<ToolSet>map(
                set -> set instanceof EpisodeTools own ? new EpisodeTools(own.tools, begun) : set)
            .toList();
    return new AgentTools(kit.config(), kit.type(), sets);
  }

  /** Returns whether the environment has tools of its own in {@code kit}. */
  public static boolean areIn(AgentTools kit) {
    return kit.sets().stream().anyMatch(EpisodeTools.class::isInstance);
  }

  @Override
  public ToolSession open(long seed) {
    return Objects.requireNonNull(begun.get(), "the episode has not begun")::call;
  }
}
