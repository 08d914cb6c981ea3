package roll.shell.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.option.UserException;
import roll.runtime.config.DevicesConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.TrafficPlan;
import roll.runtime.pipeline.TrafficPlan.Row;

class TrafficReportTest {
  private static ClusterShape shape(String... options) {
    return ClusterOptions.read(
        PlanCommand.SYNTAX, PlanCommand.SYNTAX.read(options), new DevicesConfig(16, 0, false, 2));
  }

  @Test
  void phasesOfAStep() {
    ClusterShape shape = shape("a.yaml", "--gpus", "16,8,3");
    TrafficPlan plan =
        new TrafficPlan(
            List.of(
                new Row(8, "model_update", 0, 6e9, 0, 0, 0, 0.5),
                new Row(8, "train", 0, 2.5e8, 40, 0, 0, 1),
                new Row(16, "model_update", 6e9, 6e9, 0, 0, 1.5, 0.5),
                new Row(16, "train", 1e12, 2.5e8, 20, 0, 20.5, 1)),
            Map.of(3, "3 does not divide"));
    assertEquals(
        """
        gpus  nodes  phase         between nodes  within a node  seconds  bound by
        8     1      model_update  -              6.0 GB         0.50     link
        8     1      train         -              250.0 MB       40       compute
        8     1      step          -              6.3 GB         41       train
        16    2      model_update  6.0 GB         6.0 GB         1.50     wire
        16    2      train         1,000.0 GB     250.0 MB       21       wire
        16    2      step          1,006.0 GB     6.3 GB         22       train
        3: 3 does not divide
        Worst case: maximum sequence length; traffic of the busiest machine and GPU.\
        """,
        new TrafficReport(plan, shape).text());
  }

  @Test
  void unitsAreThoseOfTheTrade() {
    ClusterShape shape =
        shape("a.yaml", "--gpus", "64", "--wire", "25", "--link", "2.5", "--tflops", "100");
    assertEquals(8, shape.perNode());
    assertEquals(25e9 / 8, shape.wire());
    assertEquals(2.5e9, shape.link());
    assertEquals(1e14, shape.compute());
    assertEquals(3.35e12, shape.memory());
    assertEquals(2, shape.nodes(9));
  }

  @ParameterizedTest
  @CsvSource({
    "--gpus, 0, integers from 1",
    "--gpus, '1,,2', integers from 1",
    "--gpus, many, integers from 1",
    "--wire, 0, a number above 0",
    "--link, -1, a number above 0",
    "--tflops, fast, a number"
  })
  void wrongNumbersAreRefused(String option, String value, String right) {
    String[] words =
        option.equals("--gpus")
            ? new String[] {"a.yaml", option, value}
            : new String[] {"a.yaml", "--gpus", "8", option, value};
    UserException refused = assertThrows(UserException.class, () -> shape(words));
    assertTrue(
        refused.getMessage().startsWith("plan: " + option + ": expected " + right),
        refused.getMessage());
  }
}
