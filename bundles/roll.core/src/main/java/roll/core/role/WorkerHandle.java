package roll.core.role;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import roll.api.config.WorkerConfig;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.core.Roles;
import roll.core.plugin.PluginRequirement;
import roll.core.trajectory.RolloutFiles;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RolloutMockConfig.Mode;
import roll.runtime.config.RunConfig;
import roll.runtime.worker.Worker;
import roll.runtime.worker.WorkerRole;

/**
 * The worker of one role, with leases of the plugins that it runs on.
 *
 * @param name of the role
 * @param opened the configuration it was opened with
 * @param context keeps its strategy
 * @param worker does the work
 * @param role keeps the bundle of the worker
 */
record WorkerHandle(
    String name, RunConfig opened, RoleContext context, Worker worker, Lease<WorkerRole> role) {
  /**
   * Opens the worker of the role {@code name}.
   *
   * @throws roll.api.option.UserException if its model, strategy or options are wrong
   */
  static WorkerHandle open(String name, RoleContext context, Plugins plugins)
      throws InterruptedException {
    RunConfig run = context.run();
    Lease<WorkerRole> role = PluginRequirement.worker(run, name).lease(plugins);
    try {
      if (playsAhead(name, run)) {
        PluginRequirement.rollouts(run, plugins).forEach(context::keep);
      }
      context.configure(role.service().options());
      Worker worker = worker(name, role, context);
      return new WorkerHandle(name, run, context, worker, role);
    } catch (Throwable e) {
      context.close();
      role.close();
      throw e;
    }
  }

  /**
   * Returns the worker, unless it is the environment of a run whose rollouts are read from files.
   */
  private static Worker worker(String name, Lease<WorkerRole> role, RoleContext context)
      throws InterruptedException {
    RolloutMockConfig mock = context.run().rollout().mock();
    if (mock == null || !name.equals(Roles.ENVIRONMENT)) {
      return open(name, role, context);
    }
    RolloutFiles files = new RolloutFiles(context.run(), mock.folder(), context.tokenizer());
    return mock.mode() == Mode.MOCK
        ? RolloutMock.reading(files)
        : RolloutMock.writing(files, open(name, role, context));
  }

  private static Worker open(String name, Lease<WorkerRole> role, RoleContext context)
      throws InterruptedException {
    Worker worker = Futures.await(role.service().open(context));
    try {
      RoleTasks.require(name, context.run(), worker, role.bundle());
      return worker;
    } catch (Throwable e) {
      worker.close();
      throw e;
    }
  }

  /** Whether episodes are in play over many steps, and so are the plugins they are played with. */
  private static boolean playsAhead(String name, RunConfig run) {
    return name.equals(Roles.ENVIRONMENT) && run.schedule().asyncRatio() > 0;
  }

  private static boolean playsTheSame(RolloutConfig before, RolloutConfig now) {
    return before.customEnvs().equals(now.customEnvs())
        && before.trainEnvs().equals(now.trainEnvs());
  }

  /**
   * Whether the worker must be reopened to be as {@code run} says, with the plugins there are now.
   */
  boolean outdated(RunConfig run) {
    WorkerConfig before = Objects.requireNonNull(Roles.of(opened).get(name), name);
    WorkerConfig now = Roles.of(run).get(name);
    return now == null
        || !opened.session(before).equals(run.session(now))
        || !Objects.equals(opened.extensions().role(name), run.extensions().role(name))
        || (playsAhead(name, run) && !playsTheSame(opened.rollout(), run.rollout()))
        || role.outdated()
        || context.leases().stream().anyMatch(Lease::outdated);
  }

  /** Returns the bundles of the role's plugins with their versions. */
  List<String> bundles() {
    List<String> bundles = new ArrayList<>(List.of(role.bundle()));
    context.leases().forEach(lease -> bundles.add(lease.bundle()));
    return bundles;
  }

  /** Ends the worker and releases its plugins. */
  void close() {
    try {
      worker.close();
    } finally {
      context.close();
      role.close();
    }
  }
}
