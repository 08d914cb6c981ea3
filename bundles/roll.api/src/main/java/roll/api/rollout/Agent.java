package roll.api.rollout;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * A kind of player that writes responses in place of the policy's model: what {@code
 * llm_proxy.proxy_type} names. The service itself is stateless; {@link #configure} gives a {@link
 * Player} for one rollout.
 */
@ConsumerType
public interface Agent {
  /** One sentence: how it produces its responses. */
  String description();

  /** What {@code proxy_config} may contain; nothing by default. */
  default List<Option<?>> options() {
    return List.of();
  }

  /** Whether a human answers: then it plays only in rollouts, never in a training run. */
  default boolean interactive() {
    return false;
  }

  /**
   * A player with these options, already checked against {@link #options()}. Computes and sends
   * nothing yet.
   *
   * @throws roll.api.option.UserException if a value is out of range
   */
  Player configure(Options options);
}
