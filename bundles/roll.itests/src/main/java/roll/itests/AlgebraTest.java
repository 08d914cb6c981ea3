package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.reward.AnswerGrader;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.runtime.option.YamlOptions;

/** Symja works inside the bundle that carries it, for those who use it from other bundles. */
@Tag("framework")
@Timeout(120)
class AlgebraTest {
  @Test
  void answersAreComparedByComputerAlgebra() throws InvalidSyntaxException {
    AnswerGrader grader = service(AnswerGrader.class, "(roll.grader=math_verify)");
    assertTrue(grader.equal("\\sin 2x", "So it is $2\\sin x\\cos x$."));
    assertTrue(grader.equal("\\sqrt{2}+\\sqrt{3}", "\\boxed{\\sqrt{5+2\\sqrt{6}}}"));
    assertFalse(grader.equal("(x+1)^2", "\\boxed{x^2+1}"));
  }

  @Test
  void theCalculatorSimplifies() throws Exception {
    Tool calculator = service(Tool.class, "(roll.tool=calculator)");
    try (ToolSet tools =
            calculator.configure(
                YamlOptions.checked("tool_config", Map.of(), calculator.options()));
        ToolSession session = tools.open(0)) {
      assertEquals(
          ToolResult.of("5/2"), session.call("calculator", Map.of("expression", "7/3 + 1/6")));
      assertEquals(
          ToolResult.of("1"),
          session.call("calculator", Map.of("expression", "sin(x)**2 + cos(x)**2")));
    }
  }

  private static <S> S service(Class<S> type, String filter) throws InvalidSyntaxException {
    BundleContext context = Plugins.context();
    ServiceReference<S> reference =
        context.getServiceReferences(type, filter).stream().findFirst().orElseThrow();
    S service = context.getService(reference);
    assertNotNull(service);
    return service;
  }
}
