package roll.tool.python;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;

/** Runs Python code, as the tool {@code python_executor}. */
@Component(name = "roll.tool.python.python_executor", service = Tool.class)
@RollTool("python_executor")
public final class PythonExecutor extends PythonTool {
  /** Creates the tool {@code python_executor}. */
  @Activate
  public PythonExecutor(@Reference Plugins plugins) {
    super(plugins, "python_executor");
  }
}
