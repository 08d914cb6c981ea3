package roll.tool.python;

import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.plugin.Plugins;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;

/** Runs Python code, as the tool {@code code_interpreter}. */
@Component(name = "roll.tool.python.code_interpreter", service = Tool.class)
@RollTool("code_interpreter")
public final class CodeInterpreter extends PythonTool {
  /** Creates the tool {@code code_interpreter}. */
  @Activate
  public CodeInterpreter(@Reference Plugins plugins) {
    super(plugins, "code_interpreter");
  }
}
