package {{basePackageName}};

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;

/** Adds and subtracts hexadecimal numbers, which a small language model cannot do by itself. */
@Component(name = "{{projectName}}")
@RollTool("{{projectName}}")
public final class {{className}}Tool implements Tool {
  private static final Option<Integer> DIGITS =
      Option.integer("digits", 1, 15, "how many a number may have").withDefault(8);

  private static final int HEXADECIMAL = 16;
  private static final Pattern SUM =
      Pattern.compile("\\s*([0-9A-Fa-f]+)\\s*([+-])\\s*([0-9A-Fa-f]+)\\s*");

  /** The description for the model: name, purpose and arguments. */
  private static final ToolSchema SCHEMA =
      ToolSchema.of(
          "{{projectName}}",
          "Adds or subtracts two hexadecimal numbers and gives the result in decimal.",
          Argument.text("expression", "such as 7A + 1C"));

  @Override
  public String description() {
    return "Adds and subtracts hexadecimal numbers.";
  }

  /** The options in {@code custom_envs.<tag>.agent.tool_config.{{projectName}}}. */
  @Override
  public List<Option<?>> options() {
    return List.of(DIGITS);
  }

  /** Reads the options once; the result is used by many threads and has no state. */
  @Override
  public ToolSet configure(Options options) {
    int digits = options.get(DIGITS);
    return ToolSet.of(SCHEMA, arguments -> computed(arguments, digits));
  }

  /** Returns errors to the model, which may try again; throws nothing. */
  private static ToolResult computed(Map<String, Object> arguments, int digits) {
    String expression = String.valueOf(arguments.get("expression"));
    Matcher sum = SUM.matcher(expression);
    if (!sum.matches()) {
      return ToolResult.error("Error: '" + expression + "' is not such as 7A + 1C");
    }
    if (Math.max(sum.group(1).length(), sum.group(3).length()) > digits) {
      return ToolResult.error("Error: a number has more than " + digits + " digits");
    }
    long left = Long.parseLong(sum.group(1), HEXADECIMAL);
    long right = Long.parseLong(sum.group(3), HEXADECIMAL);
    long result = sum.group(2).equals("+") ? left + right : left - right;
    return ToolResult.of(String.valueOf(result));
  }
}
