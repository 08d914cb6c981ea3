package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.SchedulerArgs;
import roll.api.config.SchedulerArgs.Curve;
import roll.api.config.SchedulerArgs.Shares;
import roll.api.config.TrainingConfig;
import roll.runtime.config.RunConfig;

/** Schedules of the learning rate, as transformers names them. */
class SchedulerTest extends SmallConfigFixture {
  private static final String ARGS = "actor_train.training_args.";
  private static final String KWARGS = ARGS + "lr_scheduler_kwargs=";

  /** 8 trajectories a step in batches of 4: 20 updates in 10 steps. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "cosine              | {}                                  | cosine | 0    | 0.5 | 0 | 0",
        "cosine              | {min_lr_rate: 0.25}                 | cosine | 0.25 | 0.5 | 0 | 0",
        "cosine              | {num_cycles: 1.5}                   | cosine | 0    | 1.5 | 0 | 0",
        "cosine_with_min_lr  | {min_lr: 2.0e-6}                    | cosine | 0.2  | 0.5 | 0 | 0",
        "linear              | {min_lr_ratio: 0.5}                 | linear | 0.5  | 0.5 | 0 | 0",
        "constant_with_warmup| {}                                  | constant | 0  | 0.5 | 0 | 0",
        "warmup_stable_decay | {num_decay_steps: 6}                | warmup_stable_decay | 0 | 0.5"
            + " | 10 | 6",
        "warmup_stable_decay | {num_decay_steps: 6, num_stable_steps: 3} | warmup_stable_decay | 0"
            + " | 0.5 | 3 | 6",
        "warmup_stable_decay | {min_lr_ratio: 0.1}                 | warmup_stable_decay | 0.1 |"
            + " 0.5 | 14 | 2",
      })
  void aScheduleHasItsArguments(
      String type, String kwargs, String name, double least, double cycles, int stable, int decay) {
    TrainingConfig training =
        run(
                ARGS + "learning_rate=1.0e-5",
                ARGS + "lr_scheduler_type=" + type,
                ARGS + "warmup_steps=4",
                KWARGS + kwargs)
            .roles()
            .actorTrain()
            .training();
    assertEquals(20, training.totalSteps());
    assertEquals(name, training.scheduler());
    SchedulerArgs args = training.schedulerArgs();
    assertEquals(least, args.minimum(), 1e-12);
    assertEquals(
        new SchedulerArgs(
            args.minimum(),
            cycles,
            stable,
            decay,
            Curve.LINEAR,
            Curve.COSINE,
            shares(type, kwargs)),
        args);
  }

  /** Returns the shares of a schedule whose missing values follow from the length of the run. */
  private static Shares shares(String type, String kwargs) {
    boolean plateau = type.startsWith("warmup");
    return new Shares(
        0,
        plateau && !kwargs.contains("num_decay_steps") ? 0.1 : 0,
        plateau && !kwargs.contains("num_stable_steps"));
  }

  @Test
  void aWarmUpMayBeAShareOfTheRun() {
    TrainingConfig share = run(ARGS + "warmup_ratio=0.12").roles().actorTrain().training();
    assertEquals(new Shares(0.12, 0, false), share.schedulerArgs().shares());
    assertEquals(3, share.warmupSteps(), "of 20, rounded up");
    TrainingConfig steps =
        run(ARGS + "warmup_ratio=0.12", ARGS + "warmup_steps=4").roles().actorTrain().training();
    assertEquals(Shares.NONE, steps.schedulerArgs().shares());
    assertEquals(4, steps.warmupSteps());
  }

  @Test
  void aPlateauHasItsCurves() {
    SchedulerArgs args =
        run(
                ARGS + "lr_scheduler_type=warmup_stable_decay",
                KWARGS + "{num_decay_steps: 5, decay_type: 1-sqrt, warmup_type: cosine}")
            .roles()
            .actorTrain()
            .training()
            .schedulerArgs();
    assertEquals(
        new SchedulerArgs(0, 0.5, 15, 5, Curve.COSINE, Curve.SQRT, new Shares(0, 0, true)), args);
  }

  @Test
  void theCriticHasItsOwn() {
    RunConfig run =
        run(
            "adv_estimator=gae",
            "critic.training_args={learning_rate: 1.0e-3, lr_scheduler_type: cosine_with_min_lr,"
                + " lr_scheduler_kwargs: {min_lr: 1.0e-4}, per_device_train_batch_size: 8}");
    TrainingConfig critic = Objects.requireNonNull(run.roles().critic()).worker().training();
    assertEquals(10, critic.totalSteps());
    assertEquals(0.1, critic.schedulerArgs().minimum(), 1e-12);
    assertEquals(SchedulerArgs.STANDARD, run.roles().actorTrain().training().schedulerArgs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "constant | {min_lr: 1.0e-6}     | min_lr does nothing with lr_scheduler_type constant",
        "linear   | {num_cycles: 1}      | num_cycles does nothing with lr_scheduler_type linear",
        "cosine   | {num_decay_steps: 3} | num_decay_steps does nothing with lr_scheduler_type"
            + " cosine",
        "warmup_stable_decay | {decay_type: linear, num_cycles: 1} | num_cycles does nothing with"
            + " lr_scheduler_type warmup_stable_decay",
        "cosine   | {min_lr: 1.0e-6, min_lr_rate: 0.1} | min_lr_rate says what min_lr says: keep"
            + " one",
        "cosine   | {min_lr: 1.0}        | min_lr: expected at most learning_rate, 5.0E-5, found"
            + " '1.0'",
        "warmup_stable_decay | {warmup_type: exponential} | warmup_type: expected one of linear,"
            + " cosine, 1-sqrt, found 'exponential'",
      })
  void whatDoesNotFitIsRefused(String type, String kwargs, String message) {
    assertEquals(
        "override '" + KWARGS + kwargs + "': " + KWARGS.replace('=', '.') + message,
        complaint(ARGS + "lr_scheduler_type=" + type, KWARGS + kwargs));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cosine_with_min_lr | lr_scheduler_kwargs is missing min_lr or min_lr_rate, for"
            + " cosine_with_min_lr",
        "polynomial         | 'actor_train.training_args.lr_scheduler_type: polynomial' is not"
            + " supported yet",
      })
  void whatIsMissingIsNamed(String type, String message) {
    String refusal = complaint(ARGS + "lr_scheduler_type=" + type);
    assertEquals(message, refusal.substring(refusal.length() - message.length()));
  }
}
