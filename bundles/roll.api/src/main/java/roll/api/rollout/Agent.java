package roll.api.rollout;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * An agent that writes responses instead of the policy's model: {@code llm_proxy.proxy_type}. The
 * service itself is stateless; {@link #configure} returns a {@link Player} for one rollout.
 */
@ConsumerType
public interface Agent {
  /** One sentence about how the agent produces its responses. */
  String description();

  /** Options of {@code proxy_config}; none by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /**
   * Whether a human writes the responses: then the agent plays only in rollouts, never in a
   * training run.
   */
  default boolean interactive() {
    return false;
  }

  /**
   * Returns a player with these options, already checked against {@link #options()}. Does not
   * compute or send anything yet.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Player configure(Options options);
}
