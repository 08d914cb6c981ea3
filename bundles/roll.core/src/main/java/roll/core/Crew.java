package roll.core;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.config.CriticConfig;
import roll.api.config.RolloutMockConfig;
import roll.api.config.RolloutMockConfig.Mode;
import roll.api.config.RunConfig;
import roll.api.config.UserException;
import roll.api.config.WorkerConfig;
import roll.api.loss.PolicyLoss;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.pipeline.Rollouts;
import roll.api.strategy.DeviceMemory;
import roll.api.worker.Task;
import roll.api.worker.WorkResult;
import roll.api.worker.Worker;
import roll.api.worker.WorkerRole;

/** The workers of a run, one a role, and the tokenizers they use. */
final class Crew implements AutoCloseable {
  private static final String POLICY = "actor_train";

  /** Roles that are trained. */
  static final List<String> TRAINED = List.of(POLICY, "critic");

  /** Roles that must remember something, in the order in which they are saved. */
  private static final List<String> KEPT = List.of(POLICY, "critic", "environment");

  private final Map<String, Worker> workers = new LinkedHashMap<>();
  private final Map<Path, Tokenizer> tokenizers = new LinkedHashMap<>();
  private final AtomicReference<@Nullable PolicyLoss> currentLoss = new AtomicReference<>();

  private final Sampler sampler;

  private Crew(RunConfig run, Slots slots) {
    this.sampler = Sampler.of(this, run, slots);
  }

  /**
   * Opens every role the configuration asks for, in the order they depend on one another.
   *
   * @throws UserException if a role's model, strategy or options are wrong
   */
  static Crew open(RunConfig run, Slots slots, Rollouts rollouts, TokenizerLoader loader)
      throws InterruptedException {
    return open(roles(run), run, slots, rollouts, loader);
  }

  /** Opens the roles {@code roles} only. */
  static Crew open(
      Map<String, WorkerConfig> roles,
      RunConfig run,
      Slots slots,
      Rollouts rollouts,
      TokenizerLoader loader)
      throws InterruptedException {
    Crew crew = new Crew(run, slots);
    try {
      for (var role : roles.entrySet()) {
        WorkerConfig config = role.getValue();
        Tokenizer tokenizer =
            crew.tokenizers.computeIfAbsent(config.model().folder(), loader::load);
        RoleContext context =
            new RoleContext(
                run, config, slots, crew.currentLoss, tokenizer, crew.sampler, rollouts);
        crew.workers.put(role.getKey(), openMocked(role.getKey(), slots, context));
      }
      return crew;
    } catch (Throwable e) {
      crew.close();
      throw e;
    }
  }

  /** Every role of {@code run} with its configuration; the environment plays with actor_infer's. */
  static Map<String, WorkerConfig> roles(RunConfig run) {
    Map<String, WorkerConfig> roles = new LinkedHashMap<>();
    roles.put("actor_train", run.actorTrain());
    roles.put("actor_infer", run.actorInfer());
    WorkerConfig reference = run.reference();
    if (reference != null && !run.referenceIsActor()) {
      roles.put("reference", reference);
    }
    CriticConfig critic = run.critic();
    if (critic != null) {
      roles.put("critic", critic.worker());
    }
    roles.put("environment", run.actorInfer());
    return roles;
  }

  /** The environment of a run whose rollouts are read is not opened. */
  private static Worker openMocked(String name, Slots slots, RoleContext context)
      throws InterruptedException {
    RolloutMockConfig mock = context.run().rolloutMock();
    if (mock == null || !name.equals("environment")) {
      return openRole(name, slots, context);
    }
    RolloutFiles files = new RolloutFiles(context.run(), mock.folder(), context.tokenizer());
    return new RolloutMock(files, mock.mode() == Mode.MOCK ? null : openRole(name, slots, context));
  }

  private static Worker openRole(String name, Slots slots, RoleContext context)
      throws InterruptedException {
    slots.require("roles", WorkerRole.class, "roll.worker", name);
    try (Slot<WorkerRole> slot = slots.open(WorkerRole.class, "roll.worker", name);
        Slot.Lease<WorkerRole> lease = slot.lease(() -> true, notice -> {})) {
      if (lease == null) {
        throw new UserException("role '" + name + "' just went away");
      }
      return Phases.await(lease.service().open(context));
    }
  }

  /** Most that the models of all roles held on each device since this was last asked. */
  List<DeviceMemory> held() throws InterruptedException {
    List<DeviceMemory> held = new ArrayList<>();
    for (String role : workers.keySet()) {
      if (!role.equals("environment")) {
        held.addAll(Phases.await(ask(role, new Task.Held())).memory());
      }
    }
    return held;
  }

  boolean has(String role) {
    return workers.containsKey(role);
  }

  /** The tokenizer of an open role's model. */
  Tokenizer tokenizer(WorkerConfig role) {
    return Objects.requireNonNull(tokenizers.get(role.model().folder()), role.role());
  }

  /** Sets the loss the roles see, or none between steps. */
  void useLoss(@Nullable PolicyLoss loss) {
    currentLoss.set(loss);
  }

  /** Has {@code role} do {@code task}. */
  CompletableFuture<WorkResult> ask(String role, Task task) {
    return worker(role).perform(task);
  }

  /**
   * Has {@code role} do {@code task} and waits for it; adds its metrics to {@code metrics}, and the
   * time it took as {@code time/<role>/<work>/total}.
   */
  WorkResult perform(String role, Task task, Map<String, Double> metrics)
      throws InterruptedException {
    long start = System.nanoTime();
    WorkResult result = Phases.await(ask(role, task));
    double seconds = (System.nanoTime() - start) / 1e9;
    metrics.putAll(result.metrics());
    String work = work(role, task);
    if (work != null) {
      metrics.merge("time/" + role + "/" + work + "/total", seconds, Double::sum);
    }
    return result;
  }

  /** What ROLL calls the work of a role, or null where it does not time it. */
  private static @Nullable String work(String role, Task task) {
    return switch (task) {
      case Task.Train train -> "train_step";
      case Task.Score score -> role.equals("critic") ? "compute_values" : "compute_log_probs";
      case Task.ScoreReference score -> "compute_log_probs";
      case Task.ShareWeights share -> "model_update";
      case Task.TakeWeights take -> "model_update";
      case Task.Save save -> role.equals("environment") ? null : "do_checkpoint";
      case Task.Snapshot snapshot -> role.equals("environment") ? null : "do_checkpoint";
      case Task.Play play -> null;
      case Task.Generate generate -> null;
      case Task.Sleep sleep -> null;
      case Task.Wake wake -> null;
      case Task.Measure measure -> null;
      case Task.Held held -> null;
      case Task.Restore restore -> null;
    };
  }

  /** Has the roles copy what they must remember, to be written by the next {@link #save}. */
  void snapshot(Map<String, Double> metrics) throws InterruptedException {
    for (String role : KEPT) {
      if (has(role)) {
        perform(role, new Task.Snapshot(), metrics);
      }
    }
  }

  /**
   * Writes what the roles need to continue: the policy into {@code folder} itself, others into a
   * folder of their name in it. Adds the time it took to {@code metrics}.
   */
  void save(Path folder, Map<String, Double> metrics) throws InterruptedException {
    for (String role : KEPT) {
      if (has(role)) {
        perform(role, new Task.Save(place(folder, role)), metrics);
      }
    }
  }

  /** Has the roles continue from what {@link #save} wrote. */
  void restore(Path folder) throws InterruptedException {
    for (String role : KEPT) {
      if (has(role)) {
        perform(role, new Task.Restore(place(folder, role)), new LinkedHashMap<>());
      }
    }
  }

  private static Path place(Path folder, String role) {
    return role.equals(POLICY) ? folder : folder.resolve(role);
  }

  /** Who writes the responses. */
  Sampler sampler() {
    return sampler;
  }

  private Worker worker(String role) {
    return Objects.requireNonNull(workers.get(role), () -> "no role " + role);
  }

  @Override
  public void close() {
    List<Worker> open = new ArrayList<>(workers.values());
    open.reversed().forEach(Worker::close);
    workers.clear();
    tokenizers.values().forEach(Tokenizer::close);
    tokenizers.clear();
  }
}
