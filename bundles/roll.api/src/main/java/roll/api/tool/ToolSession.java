package roll.api.tool;

import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The tools of one episode. Several calls of one message may come at once, from several virtual
 * threads.
 */
@ConsumerType
@FunctionalInterface
public interface ToolSession extends AutoCloseable {
  /**
   * Executes a call; blocks until it is done, and ends soon when interrupted. Failures are best
   * returned as {@link ToolResult#error}; an exception becomes an observation too.
   *
   * @param tool name of one of {@link ToolSet#tools()}
   * @param arguments as JSON has them (text, Long, Double, Boolean, lists, maps; what is null is
   *     left out): those the schema requires are there and of their type, and no others than it
   *     names
   */
  ToolResult call(String tool, Map<String, Object> arguments) throws InterruptedException;

  /** Frees the resources of the episode; does nothing by default. */
  @Override
  default void close() {}
}
