package roll.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.env.Environment;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;
import roll.runtime.pipeline.Rollouts;

/**
 * Measures trajectories/s of rollouts in which some environments fail, against healthy ones. The
 * environment is registered as a service during the measurement.
 */
final class RolloutBench {
  private static final String TAG = "Flaky";
  private static final int LONGEST = 320;

  /** Steps that run ahead overlap, so more of them are measured. */
  private static final int STEPS_A_ROLLOUT = 4;

  private final PrintStream out;
  private final BundleContext context;
  private final Rollouts rollouts;
  private final Tokenizer tokenizer;
  private final RolloutSettings settings;
  private int rollout;

  /**
   * Creates the measurement of rollouts with failing environments.
   *
   * @param words {@code key=value} settings, see {@link RolloutSettings}
   * @throws UserException if a word is no setting
   */
  RolloutBench(
      PrintStream out,
      BundleContext context,
      Rollouts rollouts,
      Tokenizer tokenizer,
      boolean quick,
      List<String> words) {
    this.out = out;
    this.context = context;
    this.rollouts = rollouts;
    this.tokenizer = tokenizer;
    this.settings = new RolloutSettings(quick, words);
  }

  /** Measures with a policy that takes a fixed time per call. */
  void fixed() throws InterruptedException {
    measure("a policy of %s s per call".formatted(settings.number("wave")), this::answer);
  }

  /** Measures with a real model. */
  void real(String name, Generator policy) throws InterruptedException {
    measure("the model " + name, policy);
  }

  private CompletableFuture<List<Generation>> answer(List<GenerationRequest> requests) {
    int[] word = tokenizer.encode("Up");
    double[] zeros = new double[word.length];
    Executor later =
        CompletableFuture.delayedExecutor(
            (long) (settings.number("wave") * 1e9),
            TimeUnit.NANOSECONDS,
            Thread::startVirtualThread);
    return CompletableFuture.supplyAsync(
        () -> requests.stream().map(r -> new Generation(word, zeros, zeros, true, 0)).toList(),
        later);
  }

  private void measure(String policy, Generator generator) throws InterruptedException {
    out.printf(
        "%nRollouts with %s: %d groups of %d, %d turns; %s fail; hung_timeout %s s%n",
        policy,
        settings.integer("groups"),
        settings.integer("group_size"),
        settings.integer("turns"),
        BenchTable.percent(settings.number("share")),
        settings.number("hung_timeout"));
    BenchTable table =
        new BenchTable(
            out, 26, 9, "episodes", "redundant", "traj/s", "of healthy", "failed", "lost groups");
    int spare = settings.integer("redundancy");
    double healthy = 0;
    for (FlakyEnvironment.Kind kind : FlakyEnvironment.Kind.values()) {
      for (int redundancy : spare == 0 ? new int[] {0} : new int[] {0, spare}) {
        Tally tally = play(kind, redundancy, generator);
        healthy = healthy == 0 ? tally.rate() : healthy;
        table.row(
            name(kind),
            redundancy,
            tally.rate(),
            BenchTable.percent(tally.rate() / healthy),
            (int) tally.failed(),
            (int) tally.lost());
      }
    }
    double ahead = 0;
    for (FlakyEnvironment.Kind kind :
        List.of(
            FlakyEnvironment.Kind.HEALTHY,
            FlakyEnvironment.Kind.THROWS,
            FlakyEnvironment.Kind.HANGS)) {
      for (int redundancy : spare == 0 ? new int[] {0} : new int[] {0, spare}) {
        Tally tally = ahead(kind, redundancy, generator);
        ahead = ahead == 0 ? tally.rate() : ahead;
        table.row(
            name(kind) + ", ahead",
            redundancy,
            tally.rate(),
            BenchTable.percent(tally.rate() / ahead),
            (int) tally.failed(),
            (int) tally.lost());
      }
    }
  }

  /** Measures a stream that runs one step ahead, as in asynchronous training. */
  private Tally ahead(FlakyEnvironment.Kind kind, int redundancy, Generator policy)
      throws InterruptedException {
    int steps = settings.integer("rollouts") * STEPS_A_ROLLOUT;
    try (FlakyEnvironment world =
            new FlakyEnvironment(settings.integer("turns"), settings.number("share"), kind);
        Offered _ = new Offered(world);
        RolloutStream stream = rollouts.stream(request(redundancy, policy), 1, steps + 4)) {
      for (int i = 0; i < 3; i++) { // until the pace is steady
        stream.next().get();
      }
      long start = System.nanoTime();
      double failed = 0;
      double lost = 0;
      long played = 0;
      for (int i = 0; i < steps; i++) {
        RolloutResult result = stream.next().get();
        played += whole(result);
        failed += result.metrics().getOrDefault("scheduler/failed_episodes", 0.0);
        lost += result.metrics().getOrDefault("scheduler/lost_groups", 0.0);
      }
      Tally tally = new Tally(played / ((System.nanoTime() - start) * 1e-9), failed, lost);
      world.release(); // before closing the stream, which would wait for hanging episodes
      return tally;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the rollout failed: " + e.getCause(), e);
    }
  }

  /** Registers the failing environment as a service until it is closed. */
  private final class Offered implements AutoCloseable {
    private final ServiceRegistration<Environment> registration;

    Offered(FlakyEnvironment world) {
      registration =
          context.registerService(
              Environment.class,
              world,
              FrameworkUtil.asDictionary(Map.of("roll.env", "bench_flaky")));
    }

    @Override
    public void close() {
      registration.unregister();
    }
  }

  private static String name(FlakyEnvironment.Kind kind) {
    return switch (kind) {
      case HEALTHY -> "healthy";
      case THROWS -> "some throw";
      case LEVEL_THROWS -> "some levels always throw";
      case HANGS -> "some hang";
    };
  }

  /**
   * The results of some rollouts.
   *
   * @param rate trajectories/s
   * @param failed episodes
   * @param lost groups
   */
  private record Tally(double rate, double failed, double lost) {}

  private Tally play(FlakyEnvironment.Kind kind, int redundancy, Generator policy)
      throws InterruptedException {
    double failed = 0;
    double lost = 0;
    long played = 0;
    long nanos = 0;
    for (int i = -1; i < settings.integer("rollouts"); i++) { // the first one warms up
      boolean counts = i >= 0;
      try (FlakyEnvironment world =
              new FlakyEnvironment(
                  settings.integer("turns"),
                  settings.number("share"),
                  counts ? kind : FlakyEnvironment.Kind.HEALTHY);
          Offered _ = new Offered(world)) {
        long start = System.nanoTime();
        RolloutResult result = rollouts.play(request(redundancy, policy)).get();
        if (counts) {
          nanos += System.nanoTime() - start;
          played += whole(result);
          failed += result.metrics().getOrDefault("scheduler/failed_episodes", 0.0);
          lost += result.metrics().getOrDefault("scheduler/lost_groups", 0.0);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("the rollout failed: " + e.getCause(), e);
      }
    }
    return new Tally(played / (nanos * 1e-9), failed, lost);
  }

  /** Checks that all groups are complete; returns the number of trajectories. */
  private int whole(RolloutResult result) {
    long groups = result.trajectories().stream().map(t -> t.groupId()).distinct().count();
    if (groups != settings.integer("groups")
        || result.trajectories().size()
            != settings.integer("groups") * settings.integer("group_size")) {
      throw new IllegalStateException(
          result.trajectories().size() + " trajectories of " + groups + " groups");
    }
    return result.trajectories().size();
  }

  private RolloutRequest request(int redundancy, Generator policy) {
    EnvConfig world =
        new EnvConfig(
            TAG,
            "bench_flaky",
            "trajectory",
            EnvLimits.steps(settings.integer("turns") + 1),
            PromptConfig.of("{observation}"),
            Map.of());
    EnvManagerConfig envs =
        new EnvManagerConfig(
            List.of(TAG),
            List.of(settings.integer("groups")),
            settings.integer("group_size"),
            redundancy,
            "none",
            Sampling.of(1));
    return new RolloutRequest(
        "train",
        42,
        rollout++,
        settings.integer("groups") * settings.integer("group_size"),
        new RolloutEnvs(
            envs,
            Map.of(TAG, world),
            new EnvMonitorConfig(settings.number("hung_timeout"), 1, 3),
            Set.of()),
        new PolicyModel("qwen2_5", tokenizer, policy, LONGEST),
        Map.of(),
        0);
  }
}
