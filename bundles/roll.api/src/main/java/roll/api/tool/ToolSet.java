package roll.api.tool;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ConsumerType;

/** Configured tools, shared by all episodes of a rollout. Called from many threads at once. */
@ConsumerType
public interface ToolSet extends AutoCloseable {
  /** What can be called, at least one; always the same. */
  List<ToolSchema> tools();

  /**
   * The tools of one episode, isolated from other episodes. The caller closes it.
   *
   * @param seed of what depends on chance
   */
  ToolSession open(long seed);

  /** Frees the resources shared by all episodes; does nothing by default. */
  @Override
  default void close() {}

  /** One tool without a state. */
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

  /** What a tool without a state does. */
  @ConsumerType
  @FunctionalInterface
  interface Function {
    /** The result for {@code arguments}, see {@link ToolSession#call}. */
    ToolResult call(Map<String, Object> arguments) throws InterruptedException;
  }
}
