package roll.api.tool;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The tools as used by one episode, with its state. Calls of one message may run concurrently on
 * several virtual threads.
 */
@ConsumerType
@FunctionalInterface
public interface ToolSession extends AutoCloseable {
  /**
   * Executes a call; blocks until it is done, and ends soon when interrupted. Failures should be
   * returned as {@link ToolResult#error}; an exception also becomes an observation.
   *
   * @param tool name of one of {@link ToolSet#tools()}
   * @param arguments JSON values (String, Long, Double, Boolean, List, Map; null values are
   *     omitted), already checked against the schema
   */
  ToolResult call(String tool, Map<String, Object> arguments) throws InterruptedException;

  /** Frees the resources of the episode; does nothing by default. */
  @Override
  default void close() {}
}
