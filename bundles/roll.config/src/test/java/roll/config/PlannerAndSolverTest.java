package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.runtime.config.RunConfig;

/** {@code configs/guidelines.yaml} and the warm starts it names. */
class PlannerAndSolverTest {
  private static final Path CONFIGS =
      Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "configs");

  private final YamlConfigLoader loader =
      new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES);

  /** Returns the last checkpoint of a warm start, relative to the working folder. */
  private String checkpoint(String name) {
    RunConfig run = loader.loadForSft(CONFIGS.resolve(name), List.of()).config().run();
    return run.outputDir().normalize() + "/checkpoint-" + run.schedule().maxSteps();
  }

  @Test
  void theRunBeginsWithWhatTheWarmStartsLeave() throws Exception {
    String run = Files.readString(CONFIGS.resolve("guidelines.yaml"));
    assertTrue(run.contains("pretrain: " + checkpoint("guidelines_planner_sft.yaml")), run);
    assertTrue(
        run.contains("model_name_or_path: " + checkpoint("guidelines_solver_sft.yaml")), run);
  }

  @Test
  void theSolverIsFrozenAndGreedy() {
    RunConfig run =
        loader
            .load(
                CONFIGS.resolve("guidelines.yaml"),
                List.of(
                    "pretrain=" + CONFIGS.resolve("models/guidelines-tiny"),
                    "random_weights=true",
                    "reward_models.solver.model_args.model_name_or_path="
                        + CONFIGS.resolve("models/guidelines-solver-tiny")))
            .run();
    assertEquals(
        List.of("actor_train", "actor_infer", "reward_models.solver"),
        List.copyOf(run.roles().byName().keySet()));
    assertEquals(
        0,
        Objects.requireNonNull(run.roles().rewardModels().get("solver")).sampling().temperature());
    assertEquals(4, run.rollout().trainEnvs().sampling().maxNewTokens());
  }
}
