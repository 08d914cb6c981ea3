package roll.tool.python;

import java.util.List;
import java.util.Map;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.sandbox.Sandboxes;
import roll.api.tool.Tool;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;

/** Runs the program that a model writes, and tells it what that printed. */
abstract class PythonTool implements Tool {
  static final String CODE = "code";

  private final Sandboxes sandboxes = new Sandboxes();
  private final ToolSchema schema;

  /** The tool that models call {@code name}. */
  PythonTool(String name) {
    schema =
        ToolSchema.of(
            name,
            "Runs Python code and returns what it prints, and the value of its last line. Variables"
                + " stay for the next call. There is no access to files or the network.",
            ToolSchema.Argument.text(CODE, "The Python code to run."));
  }

  /** A sandbox came. */
  void add(Sandbox sandbox, Map<String, Object> properties) {
    sandboxes.add(sandbox, properties);
  }

  /** It goes. */
  void remove(Sandbox sandbox, Map<String, Object> properties) {
    sandboxes.remove(sandbox, properties);
  }

  @Override
  public String description() {
    return "runs Python code in a sandbox; variables stay for the next call of the episode";
  }

  @Override
  public List<OptionInfo> options() {
    return Sandboxes.options();
  }

  @Override
  public ToolSet configure(Options options) {
    Sandbox sandbox = sandboxes.named(options);
    SandboxLimits limits = Sandboxes.limits(options);
    List<ToolSchema> schemas = List.of(schema);
    return new ToolSet() {
      @Override
      public List<ToolSchema> tools() {
        return schemas;
      }

      @Override
      public ToolSession open(long seed) {
        return new PythonCalls(sandbox, limits);
      }
    };
  }
}
