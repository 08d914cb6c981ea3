package roll.cluster.environments;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.cluster.Membership;
import roll.cluster.services.ImportedServices;
import roll.runtime.nodes.NodeConsole;
import roll.runtime.option.YamlOptions;
import roll.runtime.worker.EnvironmentPlacement;
import roll.runtime.worker.EnvironmentPlacement.PlacedEnvironment;
import roll.runtime.worker.InferencePlacement;

/**
 * Places episodes on nodes with the same bundle of the environment as this process: on the one with
 * the fewest open episodes per core. Thread-safe.
 */
@Component(
    name = "roll.cluster.environments",
    immediate = true,
    property = InferencePlacement.KIND + "=" + EnvironmentPlacement.NAME)
public final class EnvironmentNodes implements EnvironmentPlacement {

  private final BundleContext context;
  private final Membership membership;
  private final ImportedServices<Environment, RemoteEnvironment> imported;
  private final DeployedDigests digests;
  private final NodeConsole console;

  /** Number of open episodes by member. */
  private final Map<Long, Integer> open = new HashMap<>();

  private final Set<Unfit> unfit = new HashSet<>();

  /** A scenario that a member cannot play, for example for missing files. */
  private record Unfit(long member, PlacedEnvironment environment) {}

  /** Places episodes on the members of {@code membership}. */
  @Activate
  public EnvironmentNodes(
      BundleContext context,
      @Reference Membership membership,
      @Reference DeployedDigests digests,
      @Reference NodeConsole console) {
    this.console = console;
    this.imported =
        new ImportedServices<>(
            context,
            membership,
            EnvironmentHost.ENVIRONMENTS,
            (member, offer) -> new RemoteEnvironment(membership, member, offer));
    this.context = context;
    this.membership = membership;
    this.digests = digests;
  }

  @Override
  public Scenario place(PlacedEnvironment environment, Scenario local) {
    return new DistributedScenario(this, environment, digest(environment.bundle()), local);
  }

  private String digest(String title) {
    for (Bundle bundle : context.getBundles()) {
      if (title.equals(bundle.getSymbolicName() + " " + bundle.getVersion())) {
        return digests.of(bundle);
      }
    }
    return "";
  }

  /**
   * Chooses a node for an episode and counts it there until {@link #ended}.
   *
   * @param digest of the local bundle of the environment
   * @param not members where it failed
   * @return empty if no node can play it
   */
  synchronized Optional<RemoteEnvironment> choose(
      PlacedEnvironment wanted, String digest, Collection<Long> not) {
    Optional<RemoteEnvironment> best =
        imported.services().stream()
            .filter(environment -> environment.offer().names().contains(wanted.envType()))
            .filter(environment -> environment.offer().bundle().equals(wanted.bundle()))
            .filter(environment -> environment.offer().digest().equals(digest))
            .filter(environment -> !not.contains(environment.member().uid()))
            .filter(environment -> !unfit.contains(new Unfit(environment.member().uid(), wanted)))
            .filter(environment -> membership.reachable(environment.member()))
            .min(Comparator.comparingDouble(this::load));
    best.ifPresent(environment -> open.merge(environment.member().uid(), 1, Integer::sum));
    return best;
  }

  private double load(RemoteEnvironment environment) {
    int episodes = open.getOrDefault(environment.member().uid(), 0);
    return (episodes + 1.0) / environment.member().node().cores();
  }

  /** Reports that an episode on a node has ended. */
  synchronized void ended(RemoteEnvironment environment) {
    open.computeIfPresent(environment.member().uid(), (_, count) -> count == 1 ? null : count - 1);
  }

  /** Excludes a node from a scenario, with one notice. */
  void unfit(RemoteEnvironment environment, PlacedEnvironment world, String why) {
    boolean news;
    synchronized (this) {
      news = unfit.add(new Unfit(environment.member().uid(), world));
    }
    if (news) {
      console.say("node " + environment.member() + " cannot play " + world.envType() + ": " + why);
    }
  }

  /** Configures the scenario on another node. */
  static Scenario world(RemoteEnvironment environment, PlacedEnvironment wanted) {
    return environment.configure(YamlOptions.of(wanted.where(), wanted.options()));
  }

  /** Removes the environments of other nodes. */
  @Deactivate
  public void deactivate() {
    imported.close();
  }
}
