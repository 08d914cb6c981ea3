package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.config.WorkerConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;

/** {@code configs/arithmetic_distill.yaml} and the runs whose checkpoints it names. */
class DistillationConfigTest {
  private static final Path CONFIGS =
      Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "configs");

  private final YamlConfigLoader loader =
      new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES);

  @Test
  void itBeginsWithWhatTheOthersLeave() throws Exception {
    String run = Files.readString(CONFIGS.resolve("arithmetic_distill.yaml"));
    String teacher = checkpoint(loader.load(CONFIGS.resolve("arithmetic.yaml"), List.of()).run());
    assertTrue(run.contains("model_name_or_path: " + teacher + "}"), teacher);
    String student =
        checkpoint(
            loader
                .loadForSft(
                    CONFIGS.resolve("arithmetic_sft.yaml"),
                    List.of("exp_name=arithmetic_half_sft", "max_steps=128"))
                .config()
                .run());
    assertTrue(run.contains("pretrain: " + student + "\n"), student);
  }

  /** Returns the last checkpoint of a run, relative to the working folder. */
  private static String checkpoint(RunConfig run) {
    return run.outputDir().normalize() + "/checkpoint-" + run.schedule().maxSteps();
  }

  @Test
  void theTeacherAloneIsTheOtherModel() {
    Path student = CONFIGS.resolve("models/arithmetic-half");
    Path teacher = CONFIGS.resolve("models/arithmetic-tiny");
    ModelRoles roles =
        loader
            .load(
                CONFIGS.resolve("arithmetic_distill.yaml"),
                List.of(
                    "pretrain=" + student,
                    "reference.model_args.model_name_or_path=" + teacher,
                    "random_weights=true"))
            .run()
            .roles();
    WorkerConfig reference = Objects.requireNonNull(roles.reference());
    assertEquals(teacher, reference.model().folder());
    assertEquals(student, roles.actorTrain().model().folder());
    assertEquals(student, roles.actorInfer().model().folder());
  }
}
