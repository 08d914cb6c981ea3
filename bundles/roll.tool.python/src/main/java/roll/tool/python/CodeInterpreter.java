package roll.tool.python;

import java.util.Map;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.sandbox.Sandbox;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;

/** Runs Python code, as the tool {@code code_interpreter}. */
@Component(name = "roll.tool.python.code_interpreter", service = Tool.class)
@RollTool("code_interpreter")
public final class CodeInterpreter extends PythonTool {
  /** A tool that models call {@code code_interpreter}. */
  public CodeInterpreter() {
    super("code_interpreter");
  }

  @Reference(
      name = "sandboxes",
      cardinality = ReferenceCardinality.AT_LEAST_ONE,
      policy = ReferencePolicy.DYNAMIC)
  @Override
  void add(Sandbox sandbox, Map<String, Object> properties) {
    super.add(sandbox, properties);
  }

  @Override
  void remove(Sandbox sandbox, Map<String, Object> properties) {
    super.remove(sandbox, properties);
  }
}
