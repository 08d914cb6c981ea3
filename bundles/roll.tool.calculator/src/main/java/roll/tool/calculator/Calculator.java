package roll.tool.calculator;

import java.time.Duration;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSet;
import roll.cas.SymbolicEvaluator;

/**
 * Evaluates an expression by computer algebra: rational numbers exactly, other numbers with six
 * significant digits, expressions with symbols simplified.
 */
@Component(name = "roll.tool.calculator")
@RollTool("calculator")
public final class Calculator implements Tool {
  private static final String EXPRESSION = "expression";
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final ToolSchema SCHEMA =
      ToolSchema.of(
          "calculator",
          "Calculate the value of an expression exactly, or simplify it.",
          ToolSchema.Argument.text(
              EXPRESSION,
              "The expression, for example 3*(4+5)/7, 2**10, sqrt(2)*pi, 17 % 5 or (x+1)**2 -"
                  + " x**2."));

  private final SymbolicEvaluator algebra = new SymbolicEvaluator("calculator", LIMIT);

  @Override
  public String description() {
    return "exact arithmetic and simplification of expressions";
  }

  @Override
  public ToolSet configure(Options options) {
    return ToolSet.of(SCHEMA, this::call);
  }

  private ToolResult call(Map<String, Object> arguments) throws InterruptedException {
    return calculate(String.valueOf(arguments.get(EXPRESSION)));
  }

  /** Returns the value of {@code expression}, or an error that explains its problem. */
  ToolResult calculate(String expression) throws InterruptedException {
    try {
      Formula formula = Formula.parse(expression);
      return ToolResult.of(algebra.call(engine -> ValueFormatter.of(formula, engine)));
    } catch (CalculationException | ArithmeticException e) {
      return ToolResult.error("Error: " + e.getMessage());
    }
  }
}
