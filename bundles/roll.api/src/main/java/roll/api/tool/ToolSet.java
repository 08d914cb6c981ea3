package roll.api.tool;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/** Configured tools, shared by all episodes of a rollout. Called from many threads at once. */
@ConsumerType
public interface ToolSet extends AutoCloseable {
  /** Returns the tools of the set, at least one; constant. */
  List<ToolSchema> tools();

  /**
   * Opens the tools for one episode, isolated from other episodes. The caller closes the session.
   *
   * @param seed random seed
   */
  ToolSession open(long seed);

  /** Frees the resources shared by all episodes; does nothing by default. */
  @Override
  default void close() {}

  /** Creates a tool set with a single stateless tool. */
  static ToolSet of(ToolSchema schema, Function function) {
    List<ToolSchema> schemas = List.of(schema);
    return new ToolSet() {
      @Override
      public List<ToolSchema> tools() {
        return schemas;
      }

      @Override
      public ToolSession open(long seed) {
        return (name, arguments) -> function.call(arguments);
      }
    };
  }

  /** The function of a stateless tool. */
  @ConsumerType
  @FunctionalInterface
  interface Function {
    /** Executes a tool call, see {@link ToolSession#call}. */
    ToolResult call(Map<String, Object> arguments) throws InterruptedException;
  }
}
