package roll.ui.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.ui.ManySteps;
import roll.ui.RunFolderMaker;
import roll.ui.control.OrderRecordingRun;
import roll.ui.metric.MetricFiles;
import roll.ui.web.ApiAnswer;
import roll.ui.web.ApiRequest;
import roll.ui.web.Endpoint;
import roll.ui.web.JsonText;

/** The cost of a page with a request per second, for a run of one step per second. */
@Tag("slow")
class OpenPageCostTest {
  private static final int STEPS = 10_000;
  private static final int METRICS = 200;
  private static final int SECONDS = 300;
  private static final int WARM_UP = 100;
  private static final String NAMES =
      IntStream.range(0, 8).mapToObj(ManySteps::name).collect(Collectors.joining(","));

  @TempDir Path root;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private int step = STEPS;

  @Test
  void costs_less_than_a_hundredth_of_a_core() throws Exception {
    RunFolderMaker run = RunFolderMaker.in(root.resolve("lake")).config("max_steps: 20000\n");
    ManySteps.append(run.log("begun").metrics(), 0, STEPS, METRICS);
    try (MetricFiles metrics = new MetricFiles()) {
      RunFolders folders =
          new RunFolders(OrderRecordingRun.trainer(List.of()), List.of(root), Duration.ZERO);
      Map<String, Endpoint> endpoints =
          new RunEndpoints(folders, metrics, new RunPlans(null, null)).endpoints();
      String id = folders.all().getFirst().id();
      Map<String, String> whole = Map.of("names", NAMES);
      double list = cost(run, endpoints, "GET /api/runs", List.of(), Map.of());
      double all = cost(run, endpoints, "GET /api/runs/{id}/series", List.of(id), whole);
      Map<String, String> near = Map.of("names", NAMES, "from", "9800");
      double zoomed = cost(run, endpoints, "GET /api/runs/{id}/series", List.of(id), near);
      double phases = cost(run, endpoints, "GET /api/runs/{id}/phases", List.of(id), Map.of());
      System.out.printf(
          "ms of a processor for an answer: runs %.2f, 8 metrics of all steps %.2f, of the last"
              + " steps %.2f, phases %.2f%n",
          list, all, zoomed, phases);
      assertTrue(list + all + phases < 10, "more than 1 % of a core");
      assertTrue(list + zoomed + phases < 10, "more than 1 % of a core");
    }
  }

  /** Milliseconds of a processor for one answer, a step being added before each. */
  private double cost(
      RunFolderMaker run,
      Map<String, Endpoint> endpoints,
      String pattern,
      List<String> path,
      Map<String, String> query)
      throws Exception {
    Endpoint endpoint = Objects.requireNonNull(endpoints.get(pattern));
    long spent = 0;
    for (int i = 0; i < WARM_UP + SECONDS; i++) {
      ManySteps.append(run.metrics(), step, step + 1, METRICS);
      step++;
      long before = threads.getCurrentThreadCpuTime();
      ApiAnswer answer = endpoint.answer(new ApiRequest(path, query, new byte[0]));
      if (answer instanceof ApiAnswer.Json json) {
        assertTrue(JsonText.of(json.value()).length > 100);
      }
      if (i >= WARM_UP) {
        spent += threads.getCurrentThreadCpuTime() - before;
      }
    }
    return spent / 1e6 / SECONDS;
  }
}
