package roll.tool.python;

import java.util.List;
import org.osgi.annotation.bundle.Requirement;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;
import roll.api.tool.Tool;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.sandbox.SandboxOptions;

/** Runs Python programs of the model in a sandbox and returns their output. */
@Requirement(
    namespace = "roll.sandbox",
    filter = "(roll.sandbox=python_process)",
    effective = "active")
abstract class PythonTool implements Tool {
  static final String CODE = "code";

  private final Plugins plugins;
  private final ToolSchema schema;

  /** Creates the tool {@code name} with the sandboxes in {@code plugins}. */
  PythonTool(Plugins plugins, String name) {
    this.plugins = plugins;
    schema =
        ToolSchema.of(
            name,
            "Runs Python code and returns what it prints, and the value of its last line. Variables"
                + " stay for the next call. There is no access to files or the network.",
            ToolSchema.Argument.text(CODE, "The Python code to run."));
  }

  @Override
  public String description() {
    return "runs Python code in a sandbox; variables stay for the next call of the episode";
  }

  @Override
  public List<Option<?>> options() {
    return SandboxOptions.options();
  }

  @Override
  public ToolSet configure(Options options) {
    SandboxLimits limits = SandboxOptions.limits(options);
    Lease<Sandbox> sandbox = SandboxOptions.lease(options, plugins);
    List<ToolSchema> schemas = List.of(schema);
    return new ToolSet() {
      @Override
      public List<ToolSchema> tools() {
        return schemas;
      }

      @Override
      public ToolSession open(long seed) {
        return new PythonCalls(sandbox.service(), limits);
      }

      @Override
      public void close() {
        sandbox.close();
      }
    };
  }

  @Override
  public List<PluginReference<?>> uses(Options options) {
    return List.of(SandboxOptions.use(options));
  }
}
