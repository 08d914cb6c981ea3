package roll.core.role;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.memory.SessionMemory;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.plugin.Plugins;
import roll.api.strategy.Generator;
import roll.api.strategy.NumericsInfo;
import roll.core.Roles;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.trace.Tracer;
import roll.runtime.worker.BoundLoss;
import roll.runtime.worker.Task;
import roll.runtime.worker.TaskReply;

/** The workers of a run, one for each role, and the tokenizers they use. */
public final class WorkerGroup implements AutoCloseable {
  private final Map<String, WorkerHandle> handles =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Map<Path, Tokenizer> tokenizers = new LinkedHashMap<>();
  private final AtomicReference<@Nullable BoundLoss> currentLoss = new AtomicReference<>();
  private final Supplier<RunConfig> run;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final TokenizerLoader loader;
  private final Tracer tracer;
  private final PolicyGenerator sampler = new PolicyGenerator(this);
  private final RoleNotices notices = new RoleNotices();

  private WorkerGroup(
      Supplier<RunConfig> run,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader loader,
      Tracer tracer) {
    this.run = run;
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.loader = loader;
    this.tracer = tracer;
  }

  /**
   * Opens every role of the configuration, each after those it depends on.
   *
   * @param run the configuration as it is from step to step
   * @param tracer begins the spans of the run
   * @throws roll.api.option.UserException if a role's model, strategy or options are wrong
   */
  public static WorkerGroup open(
      Supplier<RunConfig> run,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader loader,
      Tracer tracer)
      throws InterruptedException {
    return open(
        Roles.of(run.get()).keySet(), new WorkerGroup(run, plugins, rollouts, loader, tracer));
  }

  /** Opens the roles {@code roles} only, without spans. */
  public static WorkerGroup open(
      Set<String> roles,
      Supplier<RunConfig> run,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader loader)
      throws InterruptedException {
    return open(roles, new WorkerGroup(run, plugins, rollouts, loader, Tracer.NONE));
  }

  private static WorkerGroup open(Set<String> roles, WorkerGroup workers)
      throws InterruptedException {
    try {
      workers.openMissing(roles, null);
      return workers;
    } catch (Throwable e) {
      workers.close();
      throw e;
    }
  }

  /**
   * Opens those of {@code roles} that are not open; those that are trained continue from a state.
   */
  private void openMissing(Set<String> roles, @Nullable Path state) throws InterruptedException {
    sampler.learn(run.get(), plugins);
    for (String role : roles) {
      if (has(role)) {
        continue;
      }
      RoleContext context =
          new RoleContext(
              role,
              run,
              plugins,
              currentLoss,
              load(Objects.requireNonNull(Roles.of(run.get()).get(role), role)),
              () -> load(run.get().roles().actorInfer()),
              sampler,
              this::rewardModels,
              rollouts,
              tracer,
              notices::add);
      handles.put(role, WorkerHandle.open(role, context, plugins));
      if (state != null) {
        try {
          restore(state, Set.of(role));
        } catch (Throwable e) { // a role that does not have its state must not seem to be open
          closeRoles(Set.of(role));
          throw e;
        }
      }
    }
  }

  /** Returns the notices of the roles. */
  public RoleNotices notices() {
    return notices;
  }

  /** Returns the generating reward models by name. */
  public Map<String, RewardModel> rewardModels() {
    return RoleGenerator.models(this, run.get().roles(), this::load);
  }

  /** Makes reward models free the memory that they use for generation. */
  public void restRewardModels() throws InterruptedException {
    for (String name : run.get().roles().rewardModels().keySet()) {
      Futures.await(ask(Roles.rewardModel(name), new Task.Sleep()));
    }
  }

  private Tokenizer load(WorkerConfig role) {
    return tokenizers.computeIfAbsent(role.model().folder(), loader::load);
  }

  /**
   * Opens the roles of the run that are not open.
   *
   * @param state what {@link #save} wrote before they were, or null where none of them is trained
   */
  public void openMissing(@Nullable Path state) throws InterruptedException {
    Set<String> roles = Roles.of(run.get()).keySet();
    if (!handles.keySet().containsAll(roles)) {
      openMissing(roles, state);
    }
  }

  /**
   * The roles that must be reopened to be as the configuration says now, with the plugins there are
   * now. Where responses are written ahead, nothing of theirs goes while the environment plays.
   */
  public Set<String> outdated() {
    Set<String> outdated = new LinkedHashSet<>();
    handles.forEach(
        (name, handle) -> {
          if (handle.outdated(run.get())) {
            outdated.add(name);
          }
        });
    boolean sampling = outdated.contains(Roles.ACTOR_TRAIN) || outdated.contains(Roles.ACTOR_INFER);
    if (sampling && run.get().schedule().asyncRatio() > 0 && has(Roles.ENVIRONMENT)) {
      outdated.add(Roles.ENVIRONMENT);
    }
    return outdated;
  }

  /** Closes {@code roles}; trained state of theirs must be saved before. */
  public void closeRoles(Set<String> roles) {
    for (String name : List.copyOf(handles.keySet()).reversed()) {
      if (roles.contains(name)) {
        Objects.requireNonNull(handles.remove(name), name).close();
      }
    }
  }

  /** Bundles and versions that the open roles live on. */
  public Set<String> bundles() {
    Set<String> bundles = new LinkedHashSet<>();
    handles.values().forEach(handle -> bundles.addAll(handle.bundles()));
    return bundles;
  }

  /** Returns bundle and version of the worker of an open role. */
  public String bundle(String role) {
    return handle(role).role().bundle();
  }

  /** Returns the peak memory of the models of all roles on each device since the last call. */
  public List<SessionMemory> peakMemory() throws InterruptedException {
    List<SessionMemory> held = new ArrayList<>();
    for (String role : List.copyOf(handles.keySet())) {
      if (run.get().roles().byName().containsKey(role)) {
        held.addAll(Futures.await(ask(role, new Task.Held())).value());
      }
    }
    return held;
  }

  /** Returns the machine properties that determine rounding of an open role's model. */
  public NumericsInfo arithmetic(String role) {
    return handle(role).context().numericsInfo();
  }

  /** Whether the worker of {@code role} is open. */
  public boolean has(String role) {
    return handles.containsKey(role);
  }

  /** Returns the tokenizer of an open role's model. */
  public Tokenizer tokenizer(WorkerConfig role) {
    return Objects.requireNonNull(tokenizers.get(role.model().folder()), role.role());
  }

  /** Sets the loss the roles see, or none between steps. */
  public void useLoss(@Nullable BoundLoss loss) {
    currentLoss.set(loss);
  }

  /** Sends {@code task} to the worker of {@code role}. */
  public <R> CompletableFuture<TaskReply<R>> ask(String role, Task<R> task) {
    return handle(role).worker().perform(task);
  }

  /**
   * Runs {@code task} on {@code role} and returns its result; adds its metrics to {@code metrics},
   * and its time as {@code time/<role>/<work>/total}.
   */
  public <R> R perform(String role, Task<R> task, Map<String, Double> metrics)
      throws InterruptedException {
    long start = System.nanoTime();
    TaskReply<R> reply = Futures.await(ask(role, task));
    double seconds = (System.nanoTime() - start) / 1e9;
    metrics.putAll(reply.metrics());
    String work = TaskTimers.work(role, task);
    if (work != null) {
      metrics.merge("time/" + role + "/" + work + "/total", seconds, Double::sum);
    }
    return reply.value();
  }

  /** Makes the roles copy their state for the next {@link #save}. */
  public void snapshot(Map<String, Double> metrics) throws InterruptedException {
    for (String role : Roles.CHECKPOINTED) {
      if (has(role)) {
        perform(role, new Task.Snapshot(), metrics);
      }
    }
  }

  /**
   * Writes what the roles need to continue: the policy into {@code folder} itself, others into a
   * folder of their name in it. Adds the time it took to {@code metrics}.
   */
  public void save(Path folder, Map<String, Double> metrics) throws InterruptedException {
    for (String role : Roles.CHECKPOINTED) {
      if (has(role)) {
        perform(role, new Task.Save(place(folder, role)), metrics);
      }
    }
  }

  /** Restores the roles from the files of {@link #save}. */
  public void restore(Path folder) throws InterruptedException {
    restore(folder, handles.keySet());
  }

  private void restore(Path folder, Set<String> roles) throws InterruptedException {
    for (String role : Roles.CHECKPOINTED) {
      if (roles.contains(role)) {
        perform(role, new Task.Restore(place(folder, role)), new LinkedHashMap<>());
      }
    }
  }

  private static Path place(Path folder, String role) {
    return role.equals(Roles.ACTOR_TRAIN) ? folder : folder.resolve(role);
  }

  /** Whether the sampling policy can free memory between rollouts. */
  public boolean policySleeps() {
    return sampler.sleeps();
  }

  /** Returns the generator of responses of the policy. */
  public Generator policy() {
    return sampler;
  }

  private WorkerHandle handle(String role) {
    return Objects.requireNonNull(handles.get(role), () -> "no role " + role);
  }

  @Override
  public void close() {
    closeRoles(Set.copyOf(handles.keySet()));
    tokenizers.values().forEach(Tokenizer::close);
    tokenizers.clear();
  }
}
