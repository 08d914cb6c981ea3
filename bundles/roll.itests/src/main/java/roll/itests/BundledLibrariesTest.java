package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.InvalidSyntaxException;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.reward.AnswerGrader;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.runtime.option.YamlOptions;

/** Libraries that load classes or resources by name work inside their bundles. */
@Tag("framework")
@Timeout(120)
class BundledLibrariesTest {
  @Test
  void symjaComparesAnswers() throws InvalidSyntaxException {
    AnswerGrader grader = SmallRuns.service(AnswerGrader.class, "(roll.grader=math_verify)");
    assertTrue(grader.equal("\\sin 2x", "So it is $2\\sin x\\cos x$."));
    assertTrue(grader.equal("\\sqrt{2}+\\sqrt{3}", "\\boxed{\\sqrt{5+2\\sqrt{6}}}"));
    assertFalse(grader.equal("(x+1)^2", "\\boxed{x^2+1}"));
  }

  @Test
  void symjaSimplifies() throws Exception {
    Tool calculator = SmallRuns.service(Tool.class, "(roll.tool=calculator)");
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

  /** jsoup reads its tables of entities as resources: two clicks and the answer. */
  @Test
  void jsoupReadsPages() throws InvalidSyntaxException {
    assertEquals(0.7, play(scenario("click_and_read").reset(1)), 1e-12);
  }

  /** Lucene finds its codecs by ServiceLoader. */
  @Test
  void luceneSearches() throws InvalidSyntaxException {
    Scenario webshop = scenario("webshop");
    for (long seed = 0; seed < 20; seed++) {
      assertEquals(1, play(webshop.reset(seed)), "seed " + seed);
    }
  }

  private static Scenario scenario(String name) throws InvalidSyntaxException {
    Environment environment = SmallRuns.service(Environment.class, "(roll.env=" + name + ")");
    return environment.configure(
        YamlOptions.checked("env_config", Map.of(), environment.options()));
  }

  private static double play(Episode episode) {
    try (episode) {
      Step step = null;
      while (step == null || !step.done()) {
        step = episode.step(episode.respond(episode.expert().orElseThrow()));
      }
      return step.reward();
    }
  }
}
