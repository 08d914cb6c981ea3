package roll.core;

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
import roll.api.loss.PolicyLoss;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.plugin.Plugins;
import roll.api.strategy.DeviceMemory;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.worker.Task;
import roll.runtime.worker.WorkResult;
import roll.runtime.worker.Worker;

/** The workers of a run, one a role, and the tokenizers they use. */
final class Crew implements AutoCloseable {
  private final Map<String, Member> members = Collections.synchronizedMap(new LinkedHashMap<>());
  private final Map<Path, Tokenizer> tokenizers = new LinkedHashMap<>();
  private final AtomicReference<@Nullable PolicyLoss> currentLoss = new AtomicReference<>();
  private final Supplier<RunConfig> run;
  private final Plugins plugins;
  private final Rollouts rollouts;
  private final TokenizerLoader loader;
  private final Sampler sampler = new Sampler(this);

  private Crew(
      Supplier<RunConfig> run, Plugins plugins, Rollouts rollouts, TokenizerLoader loader) {
    this.run = run;
    this.plugins = plugins;
    this.rollouts = rollouts;
    this.loader = loader;
  }

  /**
   * Opens every role the configuration asks for, in the order they depend on one another.
   *
   * @param run the configuration as it is from step to step
   * @throws UserException if a role's model, strategy or options are wrong
   */
  static Crew open(
      Supplier<RunConfig> run, Plugins plugins, Rollouts rollouts, TokenizerLoader loader)
      throws InterruptedException {
    return open(Roles.of(run.get()).keySet(), run, plugins, rollouts, loader);
  }

  /** Opens the roles {@code roles} only. */
  static Crew open(
      Set<String> roles,
      Supplier<RunConfig> run,
      Plugins plugins,
      Rollouts rollouts,
      TokenizerLoader loader)
      throws InterruptedException {
    Crew crew = new Crew(run, plugins, rollouts, loader);
    try {
      crew.takeUp(roles, null);
      return crew;
    } catch (Throwable e) {
      crew.close();
      throw e;
    }
  }

  /** Opens those of {@code roles} that are not open; those that are trained go on from a state. */
  private void takeUp(Set<String> roles, @Nullable Path state) throws InterruptedException {
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
              sampler,
              this::rewardModels,
              rollouts);
      members.put(role, Member.open(role, context, plugins));
      if (state != null) {
        try {
          restore(state, Set.of(role));
        } catch (Throwable e) { // a role that does not have its state must not seem to be open
          letGo(Set.of(role));
          throw e;
        }
      }
    }
  }

  /** The models that rewards ask, by name. */
  Map<String, RewardModel> rewardModels() {
    Map<String, RewardModel> models = new LinkedHashMap<>();
    run.get()
        .rewardModels()
        .forEach(
            (name, model) ->
                models.put(name, Asked.model(this, name, model, load(model.worker()))));
    return models;
  }

  /** Has the models that rewards ask free what they need for answers alone. */
  void restRewardModels() throws InterruptedException {
    for (String name : run.get().rewardModels().keySet()) {
      Phases.await(ask(Roles.rewardModel(name), new Task.Sleep()));
    }
  }

  private Tokenizer load(WorkerConfig role) {
    return tokenizers.computeIfAbsent(role.model().folder(), loader::load);
  }

  /**
   * Opens the roles that were let go.
   *
   * @param state what {@link #save} wrote before they were, or null where none of them is trained
   */
  void takeUp(@Nullable Path state) throws InterruptedException {
    Set<String> roles = Roles.of(run.get()).keySet();
    if (!members.keySet().containsAll(roles)) {
      takeUp(roles, state);
    }
  }

  /**
   * The roles that must be opened anew to be as the configuration says now, with the plugins there
   * are now. Where responses are written ahead, nothing of theirs goes while the environment plays.
   */
  Set<String> outdated() {
    Set<String> outdated = new LinkedHashSet<>();
    members.forEach(
        (name, member) -> {
          if (member.outdated(run.get())) {
            outdated.add(name);
          }
        });
    boolean sampling = outdated.contains(Roles.POLICY) || outdated.contains("actor_infer");
    if (sampling && run.get().schedule().asyncRatio() > 0 && has(Roles.ENVIRONMENT)) {
      outdated.add(Roles.ENVIRONMENT);
    }
    return outdated;
  }

  /** Closes {@code roles}; what of theirs is trained must be saved before. */
  void letGo(Set<String> roles) {
    for (String name : List.copyOf(members.keySet()).reversed()) {
      if (roles.contains(name)) {
        Objects.requireNonNull(members.remove(name), name).close();
      }
    }
  }

  /** Bundles and versions that the open roles live on. */
  Set<String> bundles() {
    Set<String> bundles = new LinkedHashSet<>();
    members.values().forEach(member -> bundles.addAll(member.bundles()));
    return bundles;
  }

  /** Most that the models of all roles held on each device since this was last asked. */
  List<DeviceMemory> held() throws InterruptedException {
    List<DeviceMemory> held = new ArrayList<>();
    for (String role : List.copyOf(members.keySet())) {
      if (!role.equals(Roles.ENVIRONMENT)) {
        held.addAll(Phases.await(ask(role, new Task.Held())).memory());
      }
    }
    return held;
  }

  boolean has(String role) {
    return members.containsKey(role);
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
      case Task.Save save -> role.equals(Roles.ENVIRONMENT) ? null : "do_checkpoint";
      case Task.Snapshot snapshot -> role.equals(Roles.ENVIRONMENT) ? null : "do_checkpoint";
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
    for (String role : Roles.KEPT) {
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
    for (String role : Roles.KEPT) {
      if (has(role)) {
        perform(role, new Task.Save(place(folder, role)), metrics);
      }
    }
  }

  /** Has the roles continue from what {@link #save} wrote. */
  void restore(Path folder) throws InterruptedException {
    restore(folder, members.keySet());
  }

  private void restore(Path folder, Set<String> roles) throws InterruptedException {
    for (String role : Roles.KEPT) {
      if (roles.contains(role)) {
        perform(role, new Task.Restore(place(folder, role)), new LinkedHashMap<>());
      }
    }
  }

  private static Path place(Path folder, String role) {
    return role.equals(Roles.POLICY) ? folder : folder.resolve(role);
  }

  /** Who writes the responses. */
  Sampler sampler() {
    return sampler;
  }

  private Worker worker(String role) {
    return Objects.requireNonNull(members.get(role), () -> "no role " + role).worker();
  }

  @Override
  public void close() {
    letGo(Set.copyOf(members.keySet()));
    tokenizers.values().forEach(Tokenizer::close);
    tokenizers.clear();
  }
}
